//! How much to think.

use std::time::Duration;

use search::Limits;
use serde::Serialize;

/// How much to think about each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// So many positions are looked at: the same review on every machine.
    Nodes(u64),
    /// So much time is spent, told in milliseconds.
    #[serde(serialize_with = "milliseconds")]
    Time(Duration),
}

fn milliseconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_millis() as u64)
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
