#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod bitboard;
mod board;
mod division;
pub mod inspect;
mod kind;
pub mod mailbox;
pub mod movemap;
pub mod packed;
mod played;
mod random;
pub mod services;
mod standard;

pub use board::Board;
pub use division::{Detail, Division};
pub use kind::{BoardKind, Task, UnknownBoard};
/// The rules of chess, in whose squares, roles and moves the boards speak.
pub use rules;
pub use rules::UciMove;

pub use played::{IllegalMove, PlayedKind, PlayedMove};
pub use rules::Counters;
pub use standard::{BoardError, StandardSetup};
