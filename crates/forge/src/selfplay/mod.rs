//! Self-play on the GPU: one warp plays one game, thousands of them at once.

#[cfg(test)]
pub(crate) mod emulation;
mod games;
mod gpu_search;
#[cfg(test)]
mod gpu_search_tests;
mod layout;
mod packing;
mod parameters;
mod proof;
mod tables;
#[cfg(test)]
mod tuning_tests;

pub use games::{Capacity, GpuGames, GpuPlayer, Kernels, Played};
pub use gpu_search::{FoundMove, GameSearcher, GpuSearch};
pub use layout::{Conditions, Record};
pub(crate) use layout::{Stored, Visit};
pub use parameters::SearchParameters;
pub use proof::prove;

/// Without this, the kernels know straight networks only.
const PAIRWISE_DEFINITION: &str = "-DPAIRWISE";
