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

/// How many times as much as the first search of a position the searches get that examine a move.
pub(crate) mod factors {
    /// A move that looks bad is searched again.
    pub(crate) const SUSPECT: u32 = 4;
    /// A mistake has to stand up to more.
    pub(crate) const MISTAKE: u32 = 16;
}

/// Which of the searches of a move it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    First,
    /// The move looks bad.
    Second,
    /// It looks like a mistake.
    Third,
}

/// What the searches of a move may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    /// Nodes for each look.
    Nodes([u64; 3]),
    /// Time for the first look.
    Time(Duration),
}

impl Effort {
    /// The nodes of each look, unless time is what counts.
    pub(crate) fn nodes(self) -> Result<[u64; 3], Duration> {
        let times = |nodes: u64, factor: u32| nodes.saturating_mul(factor.into());
        match self {
            Effort::Quick => Ok([20_000, 80_000, 1_000_000]),
            Effort::Normal => Ok([100_000, 400_000, 4_000_000]),
            Effort::Deep => Ok([500_000, 2_000_000, 16_000_000]),
            Effort::Nodes(nodes) => Ok([nodes, times(nodes, factors::SUSPECT), times(nodes, factors::MISTAKE)]),
            Effort::Time(time) => Err(time),
        }
    }
}

impl Budget {
    /// The limits of a search.
    pub(crate) fn limits(self, look: Look) -> Limits {
        match (self, look) {
            (Budget::Nodes(nodes), _) => Limits::nodes(nodes[look as usize]),
            (Budget::Time(time), Look::First) => Limits::move_time(time),
            (Budget::Time(time), Look::Second) => Limits::move_time(time.saturating_mul(factors::SUSPECT)),
            (Budget::Time(time), Look::Third) => Limits::move_time(time.saturating_mul(factors::MISTAKE)),
        }
    }
}
