//! Searches beside the main one, each to answer a question about a node before or while its moves are tried.

use rules::{Move, Position};

use crate::glance::{Glance, Known};
use crate::history::{Arrival, Context};
use crate::node::{Expected, Zero};
use crate::picker::{Judges, Picker};
use crate::pruning;
use crate::table::Entry;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Evaluator, Score, Watcher};

/// What the other moves say of the table's move.
pub(crate) enum Singular {
    /// They fall short: it is worth so many more plies.
    Extend(i32),
    /// One of them comes close, with this score.
    BeatenBy(Score),
}

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
        let before = self.make_null(next);
        let score = -self.search::<Zero>(-beta, -beta + 1, reduced, Expected::All);
        self.take_back_null(before);
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
        self.null_moves_from = self.ply + (3 * reduced.max(0) / 4) as usize;
        let verified = self.search::<Zero>(beta - 1, beta, reduced, Expected::All);
        self.null_moves_from = 0;
        (verified >= beta).then_some(score)
    }

    /// Looks for a capture that beats beta by a margin with reduced depth.
    pub(crate) fn try_probcut(
        &mut self,
        position: &Position,
        beta: Score,
        depth: i32,
        expected: Expected,
        known: &Known,
        at_a_glance: &Glance,
    ) -> Option<Score> {
        let raised = beta + probcut_margin() - if self.is_improving() { probcut_improving() } else { 0 };
        let is_refuted = known.score.is_some_and(|(score, _)| score < raised) && known.depth >= depth - 3;
        let evaluation = at_a_glance.evaluation.filter(|_| !is_refuted)?;
        let context = Context::irrelevant(position);
        let reduced = depth - 4;
        let lacking = pruning::material_for(raised - evaluation);
        let mut picker = Picker::winning(position, None, lacking - 1, lacking, &self.memory.arena);
        let mut found = None;
        while let Some(mv) = picker.next(
            &Judges { histories: &self.memory.histories, context: &context, table: self.shared.table },
            &mut self.memory.arena,
        ) {
            self.make(position, mv, Arrival::of(position, mv), true);
            let mut score = -self.quiescence::<Zero>(-raised, -raised + 1);
            if score >= raised && reduced > 0 {
                score = -self.search::<Zero>(-raised, -raised + 1, reduced, expected.of_child());
            }
            self.take_back();
            if self.is_stopped {
                found = Some(Score::DRAW);
                break;
            }
            if score >= raised {
                let kept = Some((score.seen_from_node(self.ply), Bound::AtLeast));
                let entry = Entry {
                    mv: Some(mv),
                    score: kept,
                    evaluation: at_a_glance.raw,
                    depth: reduced + 1,
                    was_pv: known.was_pv,
                };
                self.shared.table.store(self.key(), entry);
                found = Some(score);
                break;
            }
        }
        picker.finish(&mut self.memory.arena);
        found
    }

    /// Searches all moves but the table's, to see whether one of them comes close to its score.
    pub(crate) fn ask_the_others(
        &mut self,
        mv: Move,
        table_score: Score,
        depth: i32,
        expected: Expected,
        is_pv: bool,
    ) -> Singular {
        let bar = table_score - singular_margin_per_depth() * depth / 8;
        self.frame_mut().excluded = Some(mv);
        let score = self.search::<Zero>(bar - 1, bar, (depth - 1) / 2, expected);
        self.frame_mut().excluded = None;
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
