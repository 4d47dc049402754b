//! Numbers and times as reports show them.

pub(crate) use interface::{grouped, hms};
