//! ProbCut: a capture that beats beta by a margin in a shallow search will beat beta in a deep one.

use crate::history::{Context, PieceTo};
use crate::node::{Expected, Zero};
use crate::picker::Picker;
use crate::pruning;
use crate::static_eval::StaticEval;
use crate::tt::{TtEntry, TtHit};
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Evaluator, Score, Watcher};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The score of a capture that beats beta by a margin with reduced depth, if there is one. Not in check, and not
    /// where the table already says that no move does.
    #[inline]
    pub(crate) fn try_probcut(
        &mut self,
        beta: Score,
        depth: i32,
        expected: Expected,
        tt_hit: &TtHit,
        static_eval: &StaticEval,
    ) -> Option<Score> {
        if !probcut() || depth < probcut_depth() || beta.is_decided() {
            return None;
        }
        let raised = beta + probcut_margin() - if self.is_improving() { probcut_improving() } else { 0 };
        let is_refuted =
            tt_hit.score.is_some_and(|(score, _)| score < raised) && tt_hit.depth >= depth - probcut_tt_depth_margin();
        let eval = static_eval.corrected.filter(|_| !is_refuted)?;
        let (mv, score) = self.probcut_search(raised, raised - eval, depth - probcut_reduction(), expected)?;
        if let Some(mv) = mv {
            self.store_tt(TtEntry {
                mv: Some(mv),
                score: Some((score, Bound::Lower)),
                raw_eval: static_eval.raw,
                // The capture, and the search after it.
                depth: depth - probcut_reduction() + 1,
                was_pv: tt_hit.was_pv,
            });
        }
        Some(score)
    }

    /// Searches the captures that win enough material to lift the evaluation by so much. The first that beats the
    /// raised beta, and its score; without a move if the search was stopped.
    fn probcut_search(
        &mut self,
        raised: Score,
        lacking: i32,
        depth: i32,
        expected: Expected,
    ) -> Option<(Option<rules::Move>, Score)> {
        let position = *self.position();
        let context = Context::for_captures(&position);
        let material = pruning::material_of_eval(lacking);
        let mut picker = Picker::winning(&position, None, material - 1, material);
        while let Some(mv) = self.next_move(&mut picker, &context) {
            self.make_move(&position, mv, PieceTo::of(&position, mv), true);
            let mut score = -self.quiescence::<Zero>(-raised, -raised + 1);
            if score >= raised && depth > 0 {
                score = -self.search::<Zero>(-raised, -raised + 1, depth, expected.of_child());
            }
            self.undo_move();
            if self.is_stopped {
                return Some((None, Score::DRAW));
            }
            if score >= raised {
                return Some((Some(mv), score));
            }
        }
        None
    }
}
