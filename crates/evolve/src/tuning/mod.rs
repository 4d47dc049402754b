//! Better numbers for the search on a GPU, found by its own games (SPSA).

mod course;
mod state;

pub use course::{Course, Length, Play};
pub use state::{TuningConditions, TuningState};
