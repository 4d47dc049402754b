//! Games at rest: PGN streams, EPD, Polyglot books, openings, packed training games.

pub mod epd;
pub mod openings;
pub mod packed;
pub mod pgn;
pub mod polyglot;
mod result;
pub mod source;

pub use result::GameResult;
