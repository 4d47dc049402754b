//! Games at rest: PGN streams, EPD, Polyglot books, openings, packed training games.

pub mod packed;
mod result;

pub use result::GameResult;
