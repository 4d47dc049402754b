//! When there is nothing to prove: lines that the search compares, and where they lead.

use crate::{Outlook, Variation};

/// A line that was not played. What it is worth is the search's opinion; the line shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// The line.
    pub line: Variation,
    /// What it leads to.
    pub outlook: Outlook,
}
