//! Draws on the way: repetitions, the fifty-move rule, too little material.

use rules::Position;

use crate::tunables::*;
use crate::worker::Worker;
use crate::{Evaluator, Score, Watcher};

/// Plies after which the fifty-move rule ends the game.
pub(crate) const FIFTY_MOVES: u16 = 100;

/// Plies after which a position can first occur again.
const SHORTEST_REPETITION: u16 = 4;

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Whether the current position is a draw by the fifty-move rule, by repetition or for lack of material.
    pub(crate) fn is_draw(&self, position: &Position) -> bool {
        let clock = position.halfmove_clock();
        if clock >= FIFTY_MOVES {
            // Mate comes first.
            return !self.frame().is_check() || position.has_legal_moves();
        }
        position.is_insufficient_material() || (clock >= SHORTEST_REPETITION && self.stack.is_repetition())
    }

    /// Whether the player to move can repeat a position, and so need not take less than a draw.
    #[inline]
    pub(crate) fn has_upcoming_repetition(&self, alpha: Score) -> bool {
        upcoming_repetition() && alpha < Score::DRAW && self.stack.has_upcoming_repetition()
    }

    /// What a node is worth at the deepest ply.
    pub(crate) fn score_at_max_ply(&mut self, position: &Position) -> Score {
        if self.frame().is_check() { Score::DRAW } else { self.evaluate(position) }
    }
}
