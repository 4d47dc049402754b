//! Questions that have an answer and leave nothing behind: moves, perft, exchanges, game scores, minds.

pub(crate) mod engines;
pub(crate) mod exchange;
pub(crate) mod perft;
pub(crate) mod pgn;
pub(crate) mod position;
pub(crate) mod tree;
