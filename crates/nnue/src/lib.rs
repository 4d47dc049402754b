#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod accumulators;
mod architecture;
mod block;
mod changes;
mod features;
mod file;
mod head;
#[allow(unsafe_code, reason = "vector instructions, behind a proof that they exist")]
mod kernel;
mod network;
mod refresh;
mod verify;

/// The rules of chess, whose positions are evaluated.
pub use rules;

pub use accumulators::Accumulators;
pub use architecture::{Architecture, ArchitectureError, Layers};
pub use changes::Changes;
pub use features::{FEATURES, KingBuckets, View};
pub use file::{FORMAT_VERSION, ReadError, checksum};
pub use head::Head;
pub use kernel::Kernel;
pub use network::{Network, NetworkError, Parameters, Tail};
pub use verify::{Disagreement, verify};

/// What stands for 1 in accumulators and feature weights; activations end there.
pub const ACTIVATION_UNIT: i16 = 255;

/// What stands for 1 in output weights.
pub const OUTPUT_UNIT: i16 = 64;

/// The centipawns of an output of 1.
pub const CENTIPAWNS: i32 = 400;

/// The largest output weight either way: it fits a byte, and times an activation 16 bits.
pub const MOST_OUTPUT_WEIGHT: i16 = i8::MAX as i16;
