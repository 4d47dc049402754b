//! Minds meet: matches, tournaments, SPRT, ratings and tuning, resumable at any moment.

mod player;
mod record;
pub mod schedule;
mod time_control;

pub use player::Player;
pub use record::{GameRecord, Reason, Thought};
pub use time_control::{FlagFell, TimeControl, TimeControlError, Timer};
