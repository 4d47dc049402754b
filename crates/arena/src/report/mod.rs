//! What is told of an event: games as PGN and JSON, tables and figures. Everything is derived from its log.

mod bracket;
mod json;
mod pgn;
mod table;
mod tallies;

pub use bracket::Bracket;
pub use json::GameLine;
pub use pgn::{PgnFile, game_tree};
pub use table::{cross_table, fault_lines};
pub use tallies::{PlayerScore, Tallies};
