//! What a node changes in the histories and in the correction history.

use rules::{Move, Position};

use crate::history::{self, Candidate, Context, PieceTo};
use crate::picker::{is_tactical, victim};
use crate::static_eval::StaticEval;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Evaluator, Score, Watcher};

/// Shares of a bonus or malus are counted in 128ths.
const WHOLE: i32 = 128;

/// Whether the `count`th move of a node gets a malus if a later one causes a cutoff.
#[inline]
pub(crate) fn is_remembered(count: usize) -> bool {
    count <= malus_moves() as usize
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// A move caused a cutoff: it will be tried earlier next time, those before it later.
    pub(crate) fn update_histories(
        &mut self,
        position: &Position,
        context: &Context,
        mv: Move,
        tried: &[Move],
        depth: i32,
    ) {
        let (bonus, malus) = (history::bonus(depth), if malus() { history::malus(depth) } else { 0 });
        let histories = &mut self.data.histories;
        let is_quiet = !is_tactical(position, mv);
        let piece_to = PieceTo::of(position, mv);
        if is_quiet {
            histories.update_quiet(context, mv, piece_to, bonus);
        } else {
            histories.update_capture(piece_to, victim(position, mv), bonus);
        }
        for &other in tried {
            let piece_to = PieceTo::of(position, other);
            if is_tactical(position, other) {
                histories.update_capture(piece_to, victim(position, other), -malus);
            } else if is_quiet {
                histories.update_quiet(context, other, piece_to, -malus);
            }
        }
    }

    /// A reduced move was searched again without reduction: the continuation history learns whether that was worth it.
    #[inline]
    pub(crate) fn update_after_lmr(
        &mut self,
        context: &Context,
        candidate: &Candidate,
        depth: i32,
        raised_alpha: bool,
    ) {
        if candidate.is_quiet && post_lmr_history() {
            let bonus = if raised_alpha { history::bonus(depth) } else { -history::malus(depth) };
            self.data.histories.update_continuations(context, candidate.piece_to, bonus * lmr_history_share() / WHOLE);
        }
    }

    /// No move here was good enough, which speaks for the quiet move that led here.
    pub(crate) fn reward_parent(&mut self, depth: i32) {
        if !parent_bonus() {
            return;
        }
        let parent = self.stack.before(1);
        if let Some(piece_to) = parent.piece_to.filter(|_| !parent.is_tactical) {
            let earlier = self.stack.before(2).piece_to;
            self.data.histories.update_continuation(
                earlier,
                piece_to,
                history::bonus(depth) * parent_bonus_share() / WHOLE,
            );
        }
    }

    /// The search ended with a score: how far off was the evaluation?
    pub(crate) fn update_correction(&mut self, static_eval: &StaticEval, score: Score, bound: Bound, depth: i32) {
        let Some(eval) = static_eval.corrected else { return };
        // A bound on the wrong side says nothing of the error.
        let says_nothing = match bound {
            Bound::Lower => score <= eval,
            Bound::Upper => score >= eval,
            Bound::Exact => false,
        };
        if !says_nothing && !score.is_decided() {
            self.data.corrections.learn(&static_eval.slots, score - eval, depth);
        }
    }
}
