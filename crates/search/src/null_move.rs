//! Null-move pruning: pass, and see whether the opponent can profit.

use rules::Position;

use crate::node::{Expected, Zero};
use crate::pruning::has_non_pawn_material;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Evaluator, Score, Watcher};

/// Shares of a depth are counted in quarters.
const QUARTERS: i32 = 4;

/// How much less deeply to search after a null move.
#[inline]
fn reduction(depth: i32, surplus: i32) -> i32 {
    let by_eval = (surplus / null_move_eval_divisor()).clamp(0, null_move_eval_limit());
    null_move_base() + depth / null_move_depth_divisor() + by_eval
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Whether the evaluation is good enough to pass, and nothing speaks against it: not two null moves in a row, none
    /// while one is verified, and none where zugzwang is common.
    #[inline]
    pub(crate) fn allows_null_move(&self, position: &Position, eval: Score, beta: Score, depth: i32) -> bool {
        null_move()
            && eval + null_move_margin_per_depth() * depth >= beta + null_move_margin()
            && !beta.is_loss()
            && self.stack.before(1).piece_to.is_some()
            && self.ply() >= self.null_moves_from
            && has_non_pawn_material(position)
    }

    /// Passes and searches with reduced depth. A score, if passing is still good enough.
    pub(crate) fn try_null_move(
        &mut self,
        position: &Position,
        beta: Score,
        depth: i32,
        estimate: Score,
    ) -> Option<Score> {
        let next = position.null_move()?;
        let reduced = depth - reduction(depth, estimate - beta);
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
        // Zugzwang: at high depth, verify that the score holds without passing.
        let without = null_move_verification_quarters() * reduced.max(0) / QUARTERS;
        self.null_moves_from = self.ply() + without as usize;
        let verified = self.search::<Zero>(beta - 1, beta, reduced, Expected::All);
        self.null_moves_from = 0;
        (verified >= beta).then_some(score)
    }
}
