//! What the doctor writes down.

use rules::Move;

use crate::patient::spell;
use crate::{Diagram, Refusal, Rule};

/// A broken rule, and the smallest position found that shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    pub(crate) rule: Rule,
    pub(crate) diagram: Diagram,
    pub(crate) path: Vec<Move>,
    pub(crate) depth: u32,
    pub(crate) missing: Vec<String>,
    pub(crate) extra: Vec<String>,
    pub(crate) count: Option<WrongCount>,
    pub(crate) expected: Vec<String>,
    pub(crate) case: String,
    pub(crate) seen_in: Diagram,
}

/// A move with the wrong number of leaves below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongCount {
    /// The move.
    pub mv: Move,
    /// How many leaves there are.
    pub expected: u64,
    /// How many the program counted.
    pub said: u64,
}

impl Finding {
    /// The rule that is broken.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The position.
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    /// The moves the program must play itself, from the position, before its list is wrong; none if the position
    /// alone is enough.
    pub fn path(&self) -> Vec<String> {
        spell(&self.diagram, &self.path)
    }

    /// The depth of the perft that shows the fault in the position.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Legal moves that the program does not find; after the [path](Finding::path), if there is one.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Moves of the program that are not legal, or named twice.
    pub fn extra(&self) -> &[String] {
        &self.extra
    }

    /// All legal moves there.
    pub fn expected(&self) -> &[String] {
        &self.expected
    }

    /// The move with a wrong count and both counts, where only counts tell of the fault.
    pub fn wrong_count(&self) -> Option<(String, u64, u64)> {
        self.count.map(|count| (self.diagram.position().uci(count.mv), count.expected, count.said))
    }

    /// The name of the case in which the fault was seen first.
    pub fn case(&self) -> &str {
        &self.case
    }

    /// The position in which the lists of moves differed first, before it was made smaller.
    pub fn seen_in(&self) -> &Diagram {
        &self.seen_in
    }
}

/// A question that got no answer.
#[derive(Clone, Debug)]
pub struct Unanswered {
    pub(crate) refusal: Refusal,
    pub(crate) case: String,
    pub(crate) diagram: Diagram,
    pub(crate) depth: u32,
}

impl Unanswered {
    /// What happened.
    pub fn refusal(&self) -> &Refusal {
        &self.refusal
    }

    /// The name of the case.
    pub fn case(&self) -> &str {
        &self.case
    }

    /// The position that was asked about.
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    /// The depth that was asked for.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}
