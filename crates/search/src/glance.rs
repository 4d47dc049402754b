//! What is known of a node before its moves are tried: from the table, and from the evaluation.

use rules::{Move, Position};

use crate::correction::Place;
use crate::reductions::PLY;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Evaluator, Score, Watcher};

/// What the table knows of a node; nothing, unless it was searched before.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// The best move then. Nobody has checked that it is legal here.
    pub(crate) mv: Option<Move>,
    /// The score, seen from the root.
    pub(crate) score: Option<(Score, Bound)>,
    /// How deep that search was.
    pub(crate) depth: i32,
    /// The evaluation, before any correction.
    pub(crate) evaluation: Option<Score>,
    /// Whether the node has been on a principal variation.
    pub(crate) was_pv: bool,
    /// Whether there is an entry at all.
    pub(crate) is_entry: bool,
}

impl Known {
    /// Nothing is known.
    pub(crate) const NOTHING: Known =
        Known { mv: None, score: None, depth: i32::MIN, evaluation: None, was_pv: false, is_entry: false };

    /// The score, if it is from a search of at least this depth and settles on which side of the window the truth lies.
    #[inline]
    pub(crate) fn answer(&self, depth: i32, alpha: Score, beta: Score) -> Option<Score> {
        let (score, bound) = self.score?;
        (self.depth >= depth && settles(score, bound, alpha, beta)).then_some(score)
    }
}

/// A node at a glance.
#[derive(Clone, Copy)]
pub(crate) struct Glance {
    /// What the evaluation says; none in check.
    pub(crate) raw: Option<Score>,
    /// The evaluation corrected by experience.
    pub(crate) evaluation: Option<Score>,
    /// The best guess of the score: the evaluation, or what the table says where that is more.
    pub(crate) estimate: Option<Score>,
    /// How much was corrected.
    pub(crate) correction: i32,
    /// Where the correction is kept.
    pub(crate) place: Place,
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// What the table knows of the current position.
    #[inline]
    pub(crate) fn recall(&self) -> Known {
        match self.shared.table.probe(self.key()) {
            None => Known::NOTHING,
            Some(entry) => Known {
                mv: entry.mv,
                score: entry.score.map(|(score, bound)| (score.seen_from_root(self.ply), bound)),
                depth: entry.depth,
                evaluation: entry.evaluation,
                was_pv: entry.was_pv,
                is_entry: true,
            },
        }
    }

    /// Judges the current position at a glance. In check there is nothing to see.
    #[inline]
    pub(crate) fn glance(&mut self, position: &Position, known: &Known) -> Glance {
        let place = self.correction_place(position);
        let correction = self.memory.corrections.value(&place);
        if !self.frame().checkers.is_empty() {
            self.frame_mut().evaluation = None;
            return Glance { raw: None, evaluation: None, estimate: None, correction, place };
        }
        let raw = known.evaluation.unwrap_or_else(|| self.evaluate(position));
        let evaluation = corrected(raw, correction, position);
        self.frame_mut().evaluation = Some(evaluation);
        let estimate = match known.score {
            Some((score, bound)) if table_estimates() && settles(score, bound, evaluation, evaluation) => score,
            _ => evaluation,
        };
        Glance { raw: Some(raw), evaluation: Some(evaluation), estimate: Some(estimate), correction, place }
    }

    /// What the evaluation says, before any correction.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Score {
        self.watcher.evaluates();
        Score::new(self.memory.evaluator.evaluate(position))
    }

    /// Whether the player to move stands better than at their last turn, by the evaluation.
    pub(crate) fn is_improving(&self) -> bool {
        let evaluation = self.frame().evaluation;
        let before = self.frame_before(2).evaluation.or(self.frame_before(4).evaluation);
        match (evaluation, before) {
            (Some(now), Some(before)) => now > before && improvement(),
            (Some(_), None) => improvement(),
            (None, _) => false,
        }
    }

    /// The parent reduced this node on a guess. Whether the evaluations of both confirm it: less depth will do, -1, or
    /// refute it: the depth is given back, 1.
    pub(crate) fn hindsight(&self, depth: i32) -> i32 {
        let (Some(now), Some(before)) = (self.frame().evaluation, self.frame_before(1).evaluation) else { return 0 };
        let reduction = if hindsight() { self.frame_before(1).reduction } else { 0 };
        let swing = now.value() + before.value();
        if reduction >= 3 * PLY && swing < 0 {
            1
        } else if reduction >= 2 * PLY && depth >= 2 && swing > HINDSIGHT_SWING {
            -1
        } else {
            0
        }
    }
}

/// A swing of the evaluation in favour of the player to move that makes a reduced node even less interesting.
const HINDSIGHT_SWING: i32 = 272;

/// An evaluation after the correction by experience; less certain the longer nothing has happened on the board.
#[inline]
fn corrected(raw: Score, correction: i32, position: &Position) -> Score {
    /// Plies after which nothing would be left of an evaluation.
    const FADING: i32 = 200;
    let fading = if fading_evaluation() { FADING - i32::from(position.halfmove_clock().min(100)) } else { FADING };
    Score::new(raw.value() * fading / FADING + correction)
}

/// Whether a score with its bound settles on which side of the window the truth lies.
#[inline]
pub(crate) fn settles(score: Score, bound: Bound, alpha: Score, beta: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::AtLeast => score >= beta,
        Bound::AtMost => score <= alpha,
    }
}
