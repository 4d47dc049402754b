//! Events that are drawn stage by stage: what comes next is decided when everything before it is over.

use super::{Next, PairScore, Pairing, Results, Schedule};

/// Draws one stage after the other.
pub(super) trait Stages: Send {
    /// The pairs of the next stage, given the results of the stage before; none when the event is over.
    fn next_stage(&mut self, before: &[PairScore]) -> Vec<Pairing>;
}

/// A schedule made of stages.
pub(super) struct Staged<S> {
    stages: S,
    /// All pairs drawn so far.
    pairings: Vec<Pairing>,
    /// Where the stage that was drawn last begins.
    stage_start: usize,
    is_over: bool,
}

impl<S> Staged<S> {
    pub(super) fn new(stages: S) -> Staged<S> {
        Staged { stages, pairings: Vec::new(), stage_start: 0, is_over: false }
    }
}

impl<S: Stages> Schedule for Staged<S> {
    fn pair(&mut self, number: u64, results: &Results) -> Next {
        loop {
            if let Some(&pairing) = self.pairings.get(number as usize) {
                return Next::Pair(pairing);
            }
            if self.is_over {
                return Next::Over;
            }
            let stage = self.stage_start as u64..self.pairings.len() as u64;
            let Some(before) = stage.map(|number| results.pair(number)).collect::<Option<Vec<PairScore>>>() else {
                return Next::Wait;
            };
            self.stage_start = self.pairings.len();
            let drawn = self.stages.next_stage(&before);
            self.is_over = drawn.is_empty();
            self.pairings.extend(drawn);
        }
    }
}
