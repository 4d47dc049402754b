//! Games at rest: PGN streams, EPD, Polyglot books, openings, packed training games.

pub mod epd;
pub mod pgn;
pub mod source;
