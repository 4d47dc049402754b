//! Singular extensions: a move from the table that is better than all others by a margin is searched more deeply.

use rules::Move;

use crate::node::{Expected, Node, Zero};
use crate::tt::TtHit;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Evaluator, Score, Watcher};

/// What the search of all other moves says of the table's move.
pub(crate) enum Singular {
    /// The plies by which it is extended: some if the others fall short, fewer than none if one of them comes close.
    Extension(i32),
    /// Several moves beat beta: the node is over, with this score.
    MultiCut(Score),
}

/// Margins are counted in eighths of a centipawn for each ply of depth.
const EIGHTHS: i32 = 8;

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The score of the table's move, if it may be singular: it is a lower bound from a search that was deep enough,
    /// and the line is not long already.
    #[inline]
    pub(crate) fn singular_candidate(&self, tt_hit: &TtHit, depth: i32, was_pv: bool) -> Option<Score> {
        let (tt_score, bound) = tt_hit.score?;
        let is_candidate = singular_extension()
            && depth >= singular_depth() + i32::from(was_pv)
            && tt_hit.depth >= depth - singular_tt_depth_margin()
            && self.ply() < (singular_ply_factor() * self.root_depth) as usize
            && bound != Bound::Upper
            && !tt_score.is_decided();
        is_candidate.then_some(tt_score)
    }

    /// Searches all moves but the table's with reduced depth, to see whether one of them comes close to its score.
    pub(crate) fn verify_singular<N: Node>(
        &mut self,
        mv: Move,
        tt_score: Score,
        depth: i32,
        beta: Score,
        expected: Expected,
    ) -> Singular {
        let singular_beta = tt_score - singular_margin_per_depth() * depth / EIGHTHS;
        self.stack.frame_mut().excluded = Some(mv);
        let reduced = (depth - 1) / singular_depth_divisor();
        let score = self.search::<Zero>(singular_beta - 1, singular_beta, reduced, expected);
        self.stack.frame_mut().excluded = None;
        if score >= singular_beta {
            if multicut() && score >= beta && !score.is_decided() {
                return Singular::MultiCut(score);
            }
            return Singular::Extension(if tt_score >= beta {
                -singular_tt_reduction() - i32::from(!N::PV)
            } else if expected == Expected::Cut {
                -singular_cut_reduction()
            } else {
                0
            });
        }
        // One ply, and one more for each margin by which the others fall short, except on the principal variation.
        let is_double = !N::PV && score < singular_beta - double_extension_margin();
        let is_triple = !N::PV && score < singular_beta - triple_extension_margin();
        Singular::Extension(if is_triple { 3 } else { 1 + i32::from(is_double) })
    }
}
