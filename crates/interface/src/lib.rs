//! What a search is asked and what it tells, for every search and every protocol.
//!
//! [`Limits`] say when to stop, a [`Control`] stops a search from another thread, a [`Reporter`] is told every [`Line`]
//! with its [`Score`] and the [`SearchStats`] so far, and an [`Answer`] ends the search. The search, the UCI protocol and
//! all other players use these types, so that no score, bound or clock is converted twice.
//!
//! ```
//! use saavedra_interface::{Limits, Score, Verdict};
//!
//! assert!(Limits::default().is_infinite() && !Limits::depth(8).is_infinite());
//! assert_eq!(Score::mate_in(3).verdict(), Verdict::MateIn(2));
//! ```

#![forbid(unsafe_code)]

mod clock;
mod control;
mod gate;
mod limits;
mod report;
mod score;

pub use clock::Clock;
pub use control::Control;
pub use gate::Gate;
pub use limits::Limits;
pub use report::{Answer, Bound, Line, Reporter, SearchStats, nodes_per_second};
pub use score::{MAX_PLY, Score, Verdict};

/// The stack of a thread that searches. A search calls itself once for every ply, up to [`MAX_PLY`] and on through
/// captures; of what is reserved only what is used costs memory.
pub const STACK_SIZE: usize = 16 << 20;
