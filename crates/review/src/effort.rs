//! How much to search.

use std::time::Duration;

use search::Limits;
use serde::{Serialize, Serializer};

use crate::json::EffortJson;

/// How much to search for a review.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Effort {
    /// A first impression: little for each position, but no less for what is called a mistake.
    Quick,
    /// What a review gets unless something else is asked for.
    #[default]
    Normal,
    /// For games worth the time.
    Deep,
    /// Nodes for the first search of each position: the same review on every machine. Moves that look bad get more.
    Nodes(u64),
    /// Time for the whole game. Most of it goes to the positions where the game turned.
    Time(Duration),
}

impl Serialize for Effort {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        EffortJson::from(*self).serialize(serializer)
    }
}

/// Which of the searches of a move it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    First,
    /// The move looks bad: which one is best?
    Choice,
    /// Both of them, each alone.
    Second,
    /// It still looks bad: both alone once more.
    Third,
    /// It looks like a mistake, but not a plain one: both alone for the last time.
    Fourth,
}

impl Look {
    /// How many times as much as the first search of a position a search of this look gets, unless it is told.
    const fn factor(self) -> u32 {
        match self {
            Look::First => 1,
            Look::Choice => 4,
            Look::Second => 2,
            Look::Third => 15,
            Look::Fourth => 40,
        }
    }

    /// What a move costs that is examined up to this look, in first searches.
    pub(crate) fn cost(self) -> u32 {
        match self {
            Look::First => self.factor(),
            Look::Choice => Look::First.cost() + self.factor(),
            Look::Second => Look::Choice.cost() + 2 * self.factor(),
            Look::Third => Look::Second.cost() + 2 * self.factor(),
            Look::Fourth => Look::Third.cost() + 2 * self.factor(),
        }
    }
}

/// What the searches of a move may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    /// Nodes for each search of each look.
    Nodes([u64; 5]),
    /// Time for the first look.
    Time(Duration),
}

impl Effort {
    /// The nodes of a search of each look, unless time is what counts.
    pub(crate) fn nodes(self) -> Result<[u64; 5], Duration> {
        match self {
            Effort::Quick => Ok([20_000, 80_000, 40_000, 500_000, 2_000_000]),
            Effort::Normal => Ok([100_000, 400_000, 200_000, 1_500_000, 4_000_000]),
            Effort::Deep => Ok([500_000, 2_000_000, 1_000_000, 7_500_000, 20_000_000]),
            Effort::Nodes(nodes) => Ok([Look::First, Look::Choice, Look::Second, Look::Third, Look::Fourth]
                .map(|look| nodes.saturating_mul(look.factor().into()))),
            Effort::Time(time) => Err(time),
        }
    }
}

impl Budget {
    /// The limits of a search.
    pub(crate) fn limits(self, look: Look) -> Limits {
        match (self, look) {
            (Budget::Nodes(nodes), _) => Limits::nodes(nodes[look as usize]),
            (Budget::Time(time), look) => Limits::move_time(time.saturating_mul(look.factor())),
        }
    }
}
