#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod adam;
mod checkpoint;
mod curve;
mod dataset;
mod export;
pub mod factoriser;
mod float_network;
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
mod weights;
mod word_sum;

pub use adam::{Moments, Update};
pub use checkpoint::CheckpointError;
pub use curve::{LossCurve, LossPoint};
pub use dataset::{DataSet, DatasetCounts, Filter, ReadWatcher};
pub use export::{ExportError, Exported, VERIFIED, dequantise, export, integer_evaluation, quantise, verify};
pub use float_network::{FloatNetwork, FloatNetworkError};
pub use growth::Growth;
pub use layout::{LayoutError, in_other_buckets, king_buckets, parse_king_buckets};
pub use order::{ROUNDS, SampleOrder};
pub use pairwise::active_pairs;
pub use precision::Precision;
pub use recipe::{Key, Recipe, RecipeError, StartingWeights, StartingWeightsError, parse_layers, parse_positions};
pub use reference::{Reference, mean_loss};
pub use sample::{Sample, Wdl};
pub use schedule::Hyperparameters;
pub use session::{Chosen, Origin, Pulse, TrainError, TrainingProgress, TrainingWatcher, train};
pub use shape::{FeatureTable, Features, Shape};
pub use trainer::{DeviceError, Objective, Step, Trainer, TrainerState};
pub use weights::Weights;
pub use word_sum::WordSum;
