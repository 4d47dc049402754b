//! What both kinds of engines do.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use interface::{Control, Limits};
use rules::{Game, Move, Position};
use uci::EngineOption;

use super::failure::Failure;
use super::feed::Feed;

/// What is to be searched.
pub(super) struct Order {
    pub(super) game: Game,
    pub(super) limits: Limits,
    /// How many lines to report.
    pub(super) lines: u32,
    /// Whether it belongs to another game than the search before.
    pub(super) is_new_game: bool,
}

/// What a search answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) mv: Option<Move>,
    pub(super) ponder: Option<Move>,
}

/// An engine, asked by one thread at a time.
pub(super) trait Backend: Send {
    /// What it calls itself, and who wrote it.
    fn id(&self) -> (String, String);

    fn options(&self) -> Vec<EngineOption>;

    /// Sets an option, whose value is written as UCI does.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure>;

    /// Waits until everything before is done.
    fn ping(&mut self) -> Result<(), Failure>;

    /// The static evaluation in centipawns, for the player to move.
    fn evaluate(&mut self, position: &Position) -> Result<i32, Failure>;

    /// Searches until a limit is reached or the control stops it.
    fn search(&mut self, order: &Order, control: &Control, feed: &Feed) -> Result<Best, Failure>;

    /// A flag that ends every wait for the engine at once, if it needs one.
    fn give_up_flag(&self) -> Option<Arc<AtomicBool>> {
        None
    }
}
