//! The network that judges positions: its features, its file, and inference that follows a game move by move.
//!
//! The network sees the board twice, once as each player does. Each view is a list of features, "my knight on f3", and
//! each feature has a row of weights; the rows of the pieces on the board, added up, are that view's *accumulator*. What
//! is positive in both accumulators, cut off at one and squared, is weighed into one number; or it is multiplied in pairs,
//! and two small layers come before that number. A move changes two rows, so that most of the work is already done when the
//! next position comes.
//!
//! ```
//! use std::sync::Arc;
//! use rules::Position;
//! use saavedra_nnue::{Accumulators, Architecture, Network};
//!
//! let network = Arc::new(Network::random(1, Architecture::new(64)?));
//! let mut accumulators = Accumulators::new(Arc::clone(&network));
//! let start = Position::initial();
//! accumulators.reset(&start);
//! let next = start.play_unchecked_observed(start.parse_san("e4")?, accumulators.push());
//! assert_eq!(accumulators.evaluate(&next), network.evaluate(&next));
//! accumulators.pop();
//! assert_eq!(accumulators.evaluate(&start), network.evaluate(&start));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From the pieces to centipawns
//!
//! All arithmetic is on whole numbers and the same on every machine, to the bit. In a straight network:
//!
//! ```text
//! accumulator[player] = feature biases + the sum of the feature weights of player's features      16 bits, wrapping
//! active(x)           = clamp(x, 0, 255)
//! sum                 = sum over own   i of active(own[i])²   * output weight[bucket][i]
//!                     + sum over their i of active(their[i])² * output weight[bucket][hidden + i]
//! centipawns          = (sum / 255 + output bias[bucket]) * 400 / (255 * 64)
//! ```
//!
//! *Own* is the player to move; both divisions cut towards zero. A feature weight of 255 stands for 1, an output weight
//! of 64 for 1, and an output of 1 for 400 centipawns. Output weights are between -128 and 128, so that
//! `active(x) * weight` fits 16 bits. What a pairwise network has instead of the sum, [`Head`] describes. The features are described at [`KingBuckets::feature_index`], the output bucket at
//! [`Architecture::output_bucket`], the file at [`Network::read`].

mod accumulators;
mod architecture;
mod block;
mod changes;
mod features;
mod file;
mod head;
mod kernel;
mod network;
mod refresh;
mod verify;

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
