#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod adjudication;
pub mod event;
pub mod journal;
pub mod ladder;
mod player;
pub mod plot;
pub mod queue;
mod record;
pub mod referee;
pub mod report;
pub mod schedule;
pub mod selfplay;
pub mod statistics;
pub mod tune;

pub use adjudication::{Adjudication, DrawRule, ResignClaim, ResignRule};
pub use player::Participant;
pub use record::{EndReason, GameRecord, MoveInfo};
pub use referee::{Interrupted, Terms};

// Players are timed in an event as in any other game.
pub use game::{FlagFell, TimeControl, TimeControlError, Timer};
