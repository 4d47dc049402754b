//! Games at rest: PGN streams, EPD, Polyglot books, openings, packed training games.

pub mod packed;
pub mod polyglot;
mod result;

pub use result::GameResult;
