//! ProbCut: a capture that beats beta by a margin in a shallow search will beat beta in a deep one.

use rules::Position;

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
    /// Looks for a capture that beats beta by a margin with reduced depth.
    pub(crate) fn try_probcut(
        &mut self,
        position: &Position,
        beta: Score,
        depth: i32,
        expected: Expected,
        tt_hit: &TtHit,
        static_eval: &StaticEval,
    ) -> Option<Score> {
        let raised = beta + probcut_margin() - if self.is_improving() { probcut_improving() } else { 0 };
        let is_refuted = tt_hit.score.is_some_and(|(score, _)| score < raised) && tt_hit.depth >= depth - 3;
        let eval = static_eval.corrected.filter(|_| !is_refuted)?;
        let context = Context::for_captures(position);
        let reduced = depth - 4;
        let lacking = pruning::material_of_eval(raised - eval);
        let mut picker = Picker::winning(position, None, lacking - 1, lacking);
        let mut found = None;
        while let Some(mv) = self.next_move(&mut picker, &context) {
            self.make_move(position, mv, PieceTo::of(position, mv), true);
            let mut score = -self.quiescence::<Zero>(-raised, -raised + 1);
            if score >= raised && reduced > 0 {
                score = -self.search::<Zero>(-raised, -raised + 1, reduced, expected.of_child());
            }
            self.undo_move();
            if self.is_stopped {
                found = Some(Score::DRAW);
                break;
            }
            if score >= raised {
                let kept = Some((score.seen_from_node(self.ply()), Bound::Lower));
                let entry = TtEntry {
                    mv: Some(mv),
                    score: kept,
                    raw_eval: static_eval.raw,
                    depth: reduced + 1,
                    was_pv: tt_hit.was_pv,
                };
                self.shared.tt.store(self.position().key(), entry);
                found = Some(score);
                break;
            }
        }
        found
    }
}
