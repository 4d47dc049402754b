#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod duration;
mod engine;
mod result;
mod session;
mod setup;
mod time_control;
mod timer;

// The moves and positions that a game is told.
pub use rules;

pub use duration::{DurationError, Unit, clock_text, parse_duration};
pub use engine::{EngineAnswer, HINT_TIME, guarded};
pub use result::{ActionError, DrawAnswer, GameOver};
pub use session::GameSession;
pub use setup::{ClockStart, GameSetup, Player, PlayerKind, TimedMove};
pub use time_control::{TimeControl, TimeControlError};
pub use timer::{FlagFell, Timer};
