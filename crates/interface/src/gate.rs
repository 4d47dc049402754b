//! A gate: searches that share processors take turns.

use std::fmt;

/// A search passes its gate at least every few milliseconds and may be held up there, so that others get the processor.
pub trait Gate: fmt::Debug + Send + Sync {
    /// Returns when the search may go on. Time that is spent here counts like any other.
    fn pass(&self);
}
