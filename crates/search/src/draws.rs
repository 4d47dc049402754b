//! Draws on the way: repetitions, the fifty-move rule, too little material.

use rules::Position;

use crate::worker::Worker;
use crate::{Evaluator, Watcher};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Whether the position is a draw by the fifty-move rule, by repetition or for lack of material.
    ///
    /// A position that occurred since the root counts as drawn the second time: whoever wanted it otherwise could have
    /// gone another way. One from before the root has to occur for the third time.
    pub(crate) fn is_draw(&self, position: &Position) -> bool {
        /// Plies after which the fifty-move rule ends the game.
        const FIFTY_MOVES: u16 = 100;
        let clock = position.halfmove_clock();
        if clock >= FIFTY_MOVES {
            // Mate comes first.
            return self.frame().checkers.is_empty() || position.has_legal_moves();
        }
        if position.is_insufficient_material() {
            return true;
        }
        if clock < 4 {
            return false;
        }
        let (here, key) = (self.keys.len() - 1, self.key());
        let earliest = here.saturating_sub(usize::from(clock)).max(self.last_pass.0);
        let mut seen_before_root = false;
        let mut index = here;
        while index >= earliest + 2 {
            index -= 2;
            if self.keys[index] == key {
                if index > self.root_index || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
        }
        false
    }

    /// Whether the player to move can repeat a position that occurred since the root, and so has a draw in hand.
    pub(crate) fn has_upcoming_repetition(&self, position: &Position) -> bool {
        let here = self.path.len() - 1;
        let earliest = self.last_pass.0.max(self.root_index + 1);
        let reach = usize::from(position.halfmove_clock()).min(here.saturating_sub(earliest));
        let mut plies = 3;
        while plies <= reach {
            if position.can_return_to(&self.path[here - plies]) {
                return true;
            }
            plies += 2;
        }
        false
    }
}
