//! When there is nothing to prove: the line that the search prefers, and what it keeps.

use crate::{Outlook, Variation};

/// A better line. This is the search's opinion; the line shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetterLine {
    /// The line.
    pub line: Variation,
    /// What it leads to.
    pub outlook: Outlook,
}
