//! Programs of other people as minds: engines that speak UCI or xboard's protocol, and scripts that answer a line.
//!
//! Whatever a program does wrong becomes a [`Fault`](crate::Fault) of its mind. One that crashed or hangs is put away,
//! and started again for the next game, or for the next move if this one goes on.

mod cecp;
mod line;
mod process;
mod uci;
mod world;

pub use cecp::CecpMind;
pub use line::LineMind;
pub use uci::{UciAnswer, UciMind};
pub use world::world_answer;
