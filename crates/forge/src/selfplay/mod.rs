//! Self-play on the card: one warp plays one game, thousands of them at once.

#[cfg(test)]
mod emulation;
mod hall;
mod inclination;
mod layout;
mod packing;
mod proof;
mod tables;

pub use hall::{CardPlayer, Hall, Played, Room};
pub use inclination::Inclination;
pub use layout::{Conditions, Record};
pub(crate) use layout::{Stored, Visit};
pub(crate) use packing::WIDEST_PAIRWISE;
pub use proof::prove;

/// What the kernels are told about the size of their tables.
const TABLE_DEFINITION: &str = "-DTABLE_ENTRIES=16384";

/// Without this, the kernels know straight networks only.
const PAIRWISE_DEFINITION: &str = "-DPAIRWISE";

const _: () = assert!(layout::TABLE_ENTRIES == 16_384);
