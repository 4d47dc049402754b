//! Boards.
#![forbid(unsafe_code)]
pub mod bitboard;
mod board;
pub mod mailbox;
mod plain;
mod random;
mod standard;

pub use board::Board;
pub use plain::{IllegalMove, ParsePlainMoveError, PlainMove, PlayedKind, PlayedMove};
pub use rules::Counters;
pub use standard::{BoardError, StandardSetup};
