//! Self-play on the card: one warp plays one game, thousands of them at once.

mod card_search;
#[cfg(test)]
mod card_search_tests;
#[cfg(test)]
pub(crate) mod emulation;
mod games;
mod layout;
mod packing;
mod parameters;
mod proof;
mod tables;
#[cfg(test)]
mod tuning_tests;

pub use card_search::{CardSearch, FoundMove, GameSearcher};
pub use games::{Capacity, CardGames, CardPlayer, Kernels, Played};
pub use layout::{Conditions, Record};
pub(crate) use layout::{Stored, Visit};
pub use parameters::SearchParameters;
pub use proof::prove;

/// Without this, the kernels know straight networks only.
const PAIRWISE_DEFINITION: &str = "-DPAIRWISE";
