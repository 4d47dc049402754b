//! The clock of a player.

use std::time::Duration;

/// What a player's clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after every move.
    pub increment: Duration,
    /// Moves until more time is added, if that is how the game is timed. Never zero.
    pub moves_to_go: Option<u32>,
}
