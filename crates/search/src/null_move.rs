//! Null-move pruning: pass, and see whether the opponent can profit.

use rules::Position;

use crate::node::{Expected, Zero};
use crate::pruning;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Evaluator, Score, Watcher};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Passes and searches with reduced depth. A score, if passing is still good enough.
    pub(crate) fn try_null_move(
        &mut self,
        position: &Position,
        beta: Score,
        depth: i32,
        estimate: Score,
    ) -> Option<Score> {
        let next = position.null_move()?;
        let reduced = depth - pruning::null_move_reduction(depth, estimate - beta);
        self.make_null_move(next);
        let score = -self.search::<Zero>(-beta, -beta + 1, reduced, Expected::All);
        self.undo_null_move();
        if self.is_stopped {
            return Some(Score::DRAW);
        }
        if score < beta {
            return None;
        }
        // A win seen after a pass is no proof of a win.
        let score = if score.is_win() { beta } else { score };
        if depth < null_move_verification_depth() || self.null_moves_from > 0 {
            return Some(score);
        }
        // Zugzwang: at high depth, make sure that it holds without passing.
        self.null_moves_from = self.ply() + (3 * reduced.max(0) / 4) as usize;
        let verified = self.search::<Zero>(beta - 1, beta, reduced, Expected::All);
        self.null_moves_from = 0;
        (verified >= beta).then_some(score)
    }
}
