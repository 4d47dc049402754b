//! The static evaluation of a node: what the evaluator says, corrected by correction history, and refined by the
//! transposition table.

use rules::Position;

use crate::correction::CorrectionSlots;
use crate::draws::FIFTY_MOVES;
use crate::tt::{TtHit, is_cutoff};
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Evaluator, Score, Watcher};

/// The static evaluation of a node. There is none in check.
#[derive(Clone, Copy)]
pub(crate) struct StaticEval {
    /// What the evaluator says.
    pub(crate) raw: Option<Score>,
    /// That, scaled by the fifty-move counter, plus the correction.
    pub(crate) corrected: Option<Score>,
    /// The best guess of the score: the corrected evaluation, or the score of the table where its bound says more.
    pub(crate) estimate: Option<Score>,
    /// The correction alone, in centipawns.
    pub(crate) correction: i32,
    /// Where the correction is kept.
    pub(crate) slots: CorrectionSlots,
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The static evaluation of the current position.
    #[inline]
    pub(crate) fn static_eval(&mut self, position: &Position, tt_hit: &TtHit) -> StaticEval {
        let slots = self.correction_slots(position);
        let correction = self.data.corrections.value(&slots);
        if !self.frame().checkers.is_empty() {
            self.stack.frame_mut().static_eval = None;
            return StaticEval { raw: None, corrected: None, estimate: None, correction, slots };
        }
        let raw = tt_hit.raw_eval.unwrap_or_else(|| self.evaluate(position));
        let corrected = corrected(raw, correction, position);
        self.stack.frame_mut().static_eval = Some(corrected);
        let estimate = match tt_hit.score {
            Some((score, bound)) if tt_estimates() && is_cutoff(score, bound, corrected, corrected) => score,
            _ => corrected,
        };
        StaticEval { raw: Some(raw), corrected: Some(corrected), estimate: Some(estimate), correction, slots }
    }

    /// What the evaluator says, before any correction.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Score {
        self.watcher.evaluates();
        Score::new(self.data.evaluator.evaluate(position))
    }

    /// Whether the static evaluation is better than at the last turn of the player to move.
    pub(crate) fn is_improving(&self) -> bool {
        let now = self.frame().static_eval;
        let before = self.stack.before(2).static_eval.or(self.stack.before(4).static_eval);
        match (now, before) {
            (Some(now), Some(before)) => now > before && improving(),
            (Some(_), None) => improving(),
            (None, _) => false,
        }
    }
}

/// An evaluation scaled down as the fifty-move counter grows, plus the correction.
#[inline]
fn corrected(raw: Score, correction: i32, position: &Position) -> Score {
    let clock = i32::from(position.halfmove_clock().min(FIFTY_MOVES));
    let left = if fifty_move_scaling() { fifty_move_plies() - clock } else { fifty_move_plies() };
    Score::new(raw.value() * left / fifty_move_plies() + correction)
}
