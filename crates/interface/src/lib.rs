#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod clock;
mod control;
mod gate;
mod limits;
mod numbers;
mod report;
mod score;

pub use clock::Clock;
pub use control::Control;
pub use gate::Gate;
pub use limits::Limits;
pub use numbers::{counted, grouped, hms, parse_count, parse_mebibytes, parse_within};
pub use report::{Answer, Bound, Line, Reporter, SearchStats, nodes_per_second};
pub use score::{MAX_PLY, Score, UciScore};

/// The stack of a thread that searches. A search calls itself once for every ply, up to [`MAX_PLY`] and on through
/// captures; of what is reserved only what is used costs memory.
pub const STACK_SIZE: usize = 16 << 20;
