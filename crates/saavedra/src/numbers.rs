//! Large numbers as people read them.

pub(crate) use evolve::{grouped, minutes};
