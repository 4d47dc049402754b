#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod adam;
mod checkpoint;
mod curve;
mod dataset;
mod export;
pub mod factoriser;
mod growth;
mod layout;
pub mod model;
mod order;
mod pairwise;
mod precision;
mod recipe;
mod reference;
mod sample;
mod schedule;
mod session;
mod shape;
pub mod synthetic;
mod trainer;
mod trunk;
mod weights;
mod word_sum;

pub use adam::{Moments, Update};
pub use checkpoint::{CheckpointError, write_whole};
pub use curve::{Curve, Point};
pub use dataset::{Counts, DataSet, Filter, ReadWatcher};
pub use export::{ExportError, Exported, VERIFIED, dequantise, export, integer_evaluation, quantise, verify};
pub use growth::Growth;
pub use layout::{LayoutError, in_other_buckets, king_buckets, parse_king_buckets};
pub use order::{Order, ROUNDS};
pub use pairwise::active_pairs;
pub use precision::Precision;
pub use recipe::{Key, Recipe, RecipeError, Start, StartError, parse_layers, parse_positions};
pub use reference::{Reference, mean_loss};
pub use sample::{Ending, Sample};
pub use schedule::Settings;
pub use session::{Chosen, Go, Origin, Progress, Pulse, TrainError, Watcher, train};
pub use shape::{FeatureTable, Features, Shape};
pub use trainer::{DeviceError, Objective, State, Step, Trainer};
pub use trunk::{Trunk, TrunkError};
pub use weights::Weights;
pub use word_sum::WordSum;
