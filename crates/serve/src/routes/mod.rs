//! Routes without state: positions, boards, perft, exchanges, search trees, PGN, judged moves, the list of engines.

pub(crate) mod boards;
pub(crate) mod engines;
pub(crate) mod exchange;
pub(crate) mod judge;
pub(crate) mod perft;
pub(crate) mod pgn;
pub(crate) mod position;
pub(crate) mod tree;
