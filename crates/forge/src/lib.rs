#![doc = include_str!("../README.md")]

mod arguments;
mod batch;
mod check;
mod device;
#[cfg(test)]
mod emulation;
mod error;
mod gpu;
mod learned;
mod precision;
mod samples;
mod selfplay;
mod shared;
mod steps;
#[cfg(all(test, target_os = "linux", target_env = "gnu", target_endian = "little"))]
mod steps_tests;
mod timings;
mod trainer;
pub mod versus;

pub use batch::Batches;
pub use check::check;
pub use error::GpuError;
pub use gpu::{Gpu, compile};
pub use samples::{GpuSamples, Selection};
pub use selfplay::{
    Capacity, Conditions, FoundMove, GameSearcher, GpuGames, GpuPlayer, GpuSearch, Kernels, Played, Record,
    SearchParameters, prove,
};
pub use train::Precision;
pub use trainer::GpuTrainer;

/// The widest hidden layer that the kernels are made for.
pub const WIDEST: usize = 1024;
