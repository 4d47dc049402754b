//! A small move generator that can be broken on purpose, one rule at a time: the patients on which a doctor is tested.
//!
//! It shares nothing with the rules it is compared with: an array of sixty-four letters, moves tried and thrown away
//! when the king can be taken afterwards. Each [`Bug`] is a mistake that has been made before.

mod board;
mod bug;
mod moves;

pub use board::Board;
pub use bug::Bug;
pub use moves::Step;
