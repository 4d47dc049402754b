//! Numbers and times as reports show them.

pub(crate) use evolve::minutes;
pub(crate) use interface::grouped;
