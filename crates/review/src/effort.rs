//! How much to search.

use std::time::Duration;

use search::Limits;
use serde::{Serialize, Serializer};

use crate::json::EffortJson;

/// How much to search for a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Nodes for the first search of each position: the same review on every machine. Moves that look bad get more.
    Nodes(u64),
    /// Time for the whole game. Most of it goes to the positions where the game turned.
    Time(Duration),
}

impl Effort {
    /// A first impression.
    pub const QUICK: Effort = Effort::Nodes(20_000);
    /// What a review gets unless something else is asked for.
    pub const NORMAL: Effort = Effort::Nodes(100_000);
    /// For games worth the time.
    pub const DEEP: Effort = Effort::Nodes(500_000);
}

impl Default for Effort {
    fn default() -> Effort {
        Effort::NORMAL
    }
}

impl Serialize for Effort {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        EffortJson::from(*self).serialize(serializer)
    }
}

/// How many times as much as the first search of a position the searches get that examine a move.
pub(crate) mod factors {
    /// A move that looks bad is searched again.
    pub(crate) const SUSPECT: u32 = 4;
    /// A mistake has to stand up to more.
    pub(crate) const MISTAKE: u32 = 16;
}

/// What one search may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    Nodes(u64),
    Time(Duration),
}

impl Budget {
    /// The limits of a search with so many times the budget.
    pub(crate) fn times(self, factor: u32) -> Limits {
        match self {
            Budget::Nodes(nodes) => Limits::nodes(nodes.saturating_mul(factor.into())),
            Budget::Time(time) => Limits::move_time(time.saturating_mul(factor)),
        }
    }
}
