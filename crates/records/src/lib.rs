#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod atomic;
pub mod eco;
pub mod epd;
pub mod openings;
pub mod packed;
pub mod pgn;
pub mod polyglot;
mod result;
pub mod source;

pub use atomic::{AtomicFile, write_atomically};
pub use result::GameResult;

/// The rules of chess, in whose positions and moves games are told.
pub use rules;
