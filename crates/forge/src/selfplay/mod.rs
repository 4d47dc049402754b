//! Self-play on the card: one warp plays one game, thousands of them at once.

#[cfg(test)]
pub(crate) mod emulation;
mod exhibition;
#[cfg(test)]
mod exhibition_tests;
mod hall;
mod inclination;
mod layout;
mod packing;
mod proof;
mod tables;
#[cfg(test)]
mod tuning_tests;

pub use exhibition::{Exhibition, Exhibitor, Thought};
pub use hall::{CardPlayer, Hall, Kernels, Played, Room};
pub use inclination::Inclination;
pub use layout::{Conditions, Record};
pub(crate) use layout::{Stored, Visit};
pub use proof::prove;

/// Without this, the kernels know straight networks only.
const PAIRWISE_DEFINITION: &str = "-DPAIRWISE";
