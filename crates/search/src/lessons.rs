//! What a node teaches the histories and the evaluation once it is over.

use rules::{Move, Position};

use crate::alpha_beta::is_tactical;
use crate::glance::Glance;
use crate::history::{self, Arrival, Context};
use crate::picker::victim;
use crate::worker::Worker;
use crate::{Bound, Evaluator, Score, Watcher};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// A move caused a cutoff: it will be tried earlier next time, those before it later.
    pub(crate) fn learn_cutoff(
        &mut self,
        position: &Position,
        context: &Context,
        mv: Move,
        first_tried: usize,
        depth: i32,
    ) {
        let (bonus, malus) = (history::bonus(depth), history::malus(depth));
        let histories = &mut self.memory.histories;
        let is_quiet = !is_tactical(position, mv);
        let arrival = Arrival::of(position, mv);
        if is_quiet {
            histories.teach_quiet(context, mv, arrival, bonus);
        } else {
            histories.teach_capture(arrival, victim(position, mv), bonus);
        }
        for &other in &self.memory.tried[first_tried..] {
            let arrival = Arrival::of(position, other);
            if is_tactical(position, other) {
                histories.teach_capture(arrival, victim(position, other), -malus);
            } else if is_quiet {
                histories.teach_quiet(context, other, arrival, -malus);
            }
        }
    }

    /// No move here was good enough, which speaks for the quiet move that led here.
    pub(crate) fn reward_parent(&mut self, depth: i32) {
        let parent = self.frame_before(1);
        if let Some(arrival) = parent.arrival.filter(|_| !parent.is_tactical) {
            let earlier = self.frame_before(2).arrival;
            self.memory.histories.teach_continuation(earlier, arrival, history::bonus(depth) / 2);
        }
    }

    /// The search ended with a score: how far off was the evaluation?
    pub(crate) fn learn_correction(&mut self, at_a_glance: &Glance, score: Score, bound: Bound, depth: i32) {
        let Some(evaluation) = at_a_glance.evaluation else { return };
        // A bound on the wrong side says nothing of the error.
        let says_nothing = match bound {
            Bound::AtLeast => score <= evaluation,
            Bound::AtMost => score >= evaluation,
            Bound::Exact => false,
        };
        if !says_nothing && !score.is_decided() {
            self.memory.corrections.learn(&at_a_glance.place, score - evaluation, depth);
        }
    }
}
