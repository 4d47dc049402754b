//! A sequential test as an event goes on: it counts pairs in the order of their numbers, and at some point decides.

use crate::schedule::Results;
use crate::statistics::{Decision, Pentanomial, Sprt};

/// A sequential test and the pairs it has counted.
#[derive(Clone, Debug)]
pub struct SprtTest {
    sprt: Sprt,
    pairs: Pentanomial,
    decision: Decision,
    counted: u64,
}

impl SprtTest {
    pub(super) fn new(sprt: Sprt) -> SprtTest {
        SprtTest { sprt, pairs: Pentanomial::default(), decision: Decision::GoOn, counted: 0 }
    }

    /// The test itself.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The pairs that were counted, by the points of the first player.
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The log-likelihood ratio.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(&self.pairs)
    }

    /// What the test says.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    pub(super) fn is_decided(&self) -> bool {
        self.decision != Decision::GoOn
    }

    /// How many pairs it took, or how many there were so far.
    pub(super) fn counted(&self) -> u64 {
        self.counted
    }

    /// Counts the complete pairs before the first gap, up to the one that decides. What comes after that, because a
    /// worker was faster, does not count.
    pub(super) fn update(&mut self, results: &Results) {
        while !self.is_decided()
            && let Some(score) = results.pair(self.counted)
        {
            self.counted += 1;
            self.pairs.0[score.half_points() as usize] += 1;
            self.decision = self.sprt.decide(self.llr());
        }
    }
}
