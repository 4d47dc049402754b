//! Self-play on the card: one warp plays one game, thousands of them at once.

#[cfg(test)]
mod emulation;
mod inclination;
mod layout;
mod packing;
mod tables;

pub use inclination::Inclination;
pub use layout::{Conditions, Record, Stored, Visit};

/// What the kernels are told about the size of their tables.
const TABLE_DEFINITION: &str = "-DTABLE_ENTRIES=16384";

const _: () = assert!(layout::TABLE_ENTRIES == 16_384);
