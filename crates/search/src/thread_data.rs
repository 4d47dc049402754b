//! What a thread keeps from one search to the next.

use crate::Evaluator;
use crate::correction::Corrections;
use crate::history::Histories;

/// The evaluator of a thread, and what the thread has learnt.
pub(crate) struct ThreadData<E> {
    pub(crate) evaluator: E,
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
}

impl<E: Evaluator> ThreadData<E> {
    pub(crate) fn new(evaluator: E) -> ThreadData<E> {
        ThreadData { evaluator, histories: Histories::new(), corrections: Corrections::new() }
    }

    /// Forgets what was learnt.
    pub(crate) fn clear(&mut self) {
        self.histories = Histories::new();
        self.corrections = Corrections::new();
    }
}
