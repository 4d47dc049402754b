//! A unit that is out: how often it was sent, and which answers there are.

use std::time::{Duration, Instant};

use async_nats::jetstream;
use tokio::task::AbortHandle;

use crate::work::Freight;

/// What a worker says came of a unit.
pub(super) struct Answer<U: Freight> {
    pub(super) worker: String,
    pub(super) attempt: u32,
    pub(super) outcome: U::Outcome,
    pub(super) message: jetstream::Message,
}

/// A unit that is out.
pub(super) struct Given<U: Freight> {
    unit: U,
    /// Whether two workers must agree about it.
    is_spot: bool,
    attempt: u32,
    /// Since when the server has the current attempt.
    confirmed: Option<Instant>,
    /// When a worker said last that it plays the unit.
    heard: Option<Instant>,
    publishing: Option<AbortHandle>,
    answers: Vec<Answer<U>>,
    /// When the first answer came.
    answered: Option<Instant>,
}

/// What is to be done after an answer.
pub(super) enum Verdict {
    /// The unit is done.
    Accept {
        /// Which answer counts.
        answer: usize,
        /// Whether another worker has confirmed it.
        is_checked: bool,
    },
    /// Another worker shall play it too.
    AskAnother {
        /// Not these.
        avoid: Vec<String>,
    },
    /// Two workers disagree.
    Contradiction {
        /// Who.
        workers: [String; 2],
        /// Where.
        difference: String,
        /// Who shall not play it the third time.
        avoid: Vec<String>,
    },
}

impl<U: Freight> Given<U> {
    pub(super) fn new(unit: U, is_spot: bool) -> Given<U> {
        Given {
            unit,
            is_spot,
            attempt: 0,
            confirmed: None,
            heard: None,
            publishing: None,
            answers: Vec::new(),
            answered: None,
        }
    }

    pub(super) fn unit(&self) -> &U {
        &self.unit
    }

    pub(super) fn attempt(&self) -> u32 {
        self.attempt
    }

    pub(super) fn begin_attempt(&mut self) {
        self.attempt += 1;
        (self.confirmed, self.heard) = (None, None);
    }

    /// What sends the current attempt, which ends when a newer one begins or the unit is done.
    pub(super) fn on_its_way(&mut self, publishing: AbortHandle) {
        if let Some(before) = self.publishing.replace(publishing) {
            before.abort();
        }
    }

    pub(super) fn confirm(&mut self, attempt: u32) {
        if attempt == self.attempt {
            self.confirmed = Some(Instant::now());
        }
    }

    /// A worker says that it plays the unit.
    pub(super) fn hear(&mut self) {
        self.heard = Some(Instant::now());
    }

    /// For how long there was no sign of the current attempt, if the server had it when it was asked at some moment.
    pub(super) fn silence(&self, asked: Instant) -> Option<Duration> {
        let confirmed = self.confirmed.filter(|&confirmed| confirmed < asked)?;
        Some(self.heard.map_or(confirmed, |heard| heard.max(confirmed)).elapsed())
    }

    /// Whether an answer has waited for so long that it shall count although no other worker has confirmed it.
    pub(super) fn waits_for_check(&self, patience: Duration) -> bool {
        self.answered.is_some_and(|answered| answered.elapsed() >= patience)
    }

    /// Adds an answer, unless it is one that came before.
    pub(super) fn add(&mut self, answer: Answer<U>) -> bool {
        let same = |other: &&mut Answer<U>| other.worker == answer.worker && other.attempt == answer.attempt;
        if let Some(before) = self.answers.iter_mut().find(same) {
            before.message = answer.message;
            return false;
        }
        self.answered.get_or_insert_with(Instant::now);
        self.answers.push(answer);
        true
    }

    /// The workers who have answered.
    pub(super) fn answered_by(&self) -> Vec<String> {
        self.answers.iter().map(|answer| answer.worker.clone()).collect()
    }

    /// What the answers say. The function tells whether there is a worker besides some.
    pub(super) fn verdict(&self, has_others: &dyn Fn(&[String]) -> bool) -> Verdict {
        let accept = |answer, is_checked| Verdict::Accept { answer, is_checked };
        let workers = self.answered_by();
        match &self.answers[..] {
            [_] if self.is_spot && has_others(&workers) => Verdict::AskAnother { avoid: workers },
            [_] | [] => accept(0, false),
            [one, other] => match U::difference(&one.outcome, &other.outcome) {
                None => accept(0, one.worker != other.worker),
                Some(difference) => Verdict::Contradiction {
                    workers: [one.worker.clone(), other.worker.clone()],
                    difference,
                    avoid: if has_others(&workers) { workers } else { Vec::new() },
                },
            },
            [before @ .., last] => {
                let agrees = |answer: &Answer<U>| U::difference(&answer.outcome, &last.outcome).is_none();
                accept(before.iter().position(agrees).unwrap_or(before.len()), true)
            }
        }
    }

    /// All answers, and the workers whose answers differ from the one that counts, with where they do.
    pub(super) fn close(mut self, answer: usize) -> (Vec<Answer<U>>, Vec<(String, String)>) {
        let answers = std::mem::take(&mut self.answers);
        let Some(right) = answers.get(answer).filter(|_| self.unit.is_repeatable()) else {
            return (answers, Vec::new());
        };
        let differing = answers.iter().filter_map(|other| {
            let difference = U::difference(&right.outcome, &other.outcome)?;
            Some((other.worker.clone(), difference))
        });
        let differing = differing.collect();
        (answers, differing)
    }
}

impl<U: Freight> Drop for Given<U> {
    fn drop(&mut self) {
        if let Some(publishing) = &self.publishing {
            publishing.abort();
        }
    }
}
