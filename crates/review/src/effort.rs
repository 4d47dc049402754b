//! How much to think.

use std::time::Duration;

use search::Limits;
use serde::{Serialize, Serializer};

use crate::json::EffortJson;

/// How much to think about each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// So many positions are looked at: the same review on every machine.
    Nodes(u64),
    /// So much time is spent.
    Time(Duration),
}

impl Serialize for Effort {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        EffortJson::from(*self).serialize(serializer)
    }
}

impl Default for Effort {
    fn default() -> Effort {
        Effort::Nodes(100_000)
    }
}

impl Effort {
    pub(crate) fn limits(self) -> Limits {
        match self {
            Effort::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            Effort::Time(time) => Limits { move_time: Some(time), ..Limits::default() },
        }
    }
}
