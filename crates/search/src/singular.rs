//! Singular extensions: a move from the table that is better than all others by a margin is searched more deeply.

use rules::Move;

use crate::node::{Expected, Zero};
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Evaluator, Score, Watcher};

/// Whether the table's move is singular.
pub(crate) enum Singular {
    /// All other moves fall short: it is extended by so many plies.
    Extend(i32),
    /// Another move comes close, with this score.
    BeatenBy(Score),
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Searches all moves but the table's, to see whether one of them comes close to its score.
    pub(crate) fn verify_singular(
        &mut self,
        mv: Move,
        tt_score: Score,
        depth: i32,
        expected: Expected,
        is_pv: bool,
    ) -> Singular {
        let bar = tt_score - singular_margin_per_depth() * depth / 8;
        self.stack.frame_mut().excluded = Some(mv);
        let score = self.search::<Zero>(bar - 1, bar, (depth - 1) / 2, expected);
        self.stack.frame_mut().excluded = None;
        if score >= bar {
            Singular::BeatenBy(score)
        } else if !is_pv && score < bar - triple_extension_margin() {
            Singular::Extend(3)
        } else if !is_pv && score < bar - double_extension_margin() {
            Singular::Extend(2)
        } else {
            Singular::Extend(1)
        }
    }
}
