//! From games to a network: samples, schedules, a trainer on the CPU that is easy to follow, and what every trainer needs.

pub mod adam;
pub mod model;
mod order;
mod reference;
mod sample;
mod schedule;
mod shape;
pub mod synthetic;
mod trainer;
mod weights;

pub use adam::Update;
pub use order::{Order, ROUNDS};
pub use reference::{Reference, mean_loss};
pub use sample::{Ending, Sample};
pub use schedule::Settings;
pub use shape::{FeatureTable, Features, Shape, king_buckets};
pub use trainer::{DeviceTrouble, State, Step, Trainer};
pub use weights::Weights;
