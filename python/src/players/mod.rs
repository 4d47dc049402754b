//! Players written in Python: in matches of the arena, and as UCI engines of their own.

mod contest;
mod function;
mod uci;

pub(crate) use contest::play_match;
pub(crate) use uci::run_player;
