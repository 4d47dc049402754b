//! A game of chess between two players: clocks, time controls, take-backs, draw offers, results.
//!
//! A [`GameSession`] is a game as it is played, by people or engines, on a terminal or a server. It has no threads and no
//! clock of its own and reads no files: it is told what players do and what time it is, and everything else follows. A
//! [`TimeControl`] says how players are timed, in the games of people as in the matches of engines.
//!
//! ```
//! use std::time::Instant;
//!
//! use rules::{ByColor, Color, Game};
//! use saavedra_game::{GameSession, GameSetup, Player};
//!
//! let players = ByColor { white: Player::human("Ada"), black: Player::engine("search") };
//! let mut session = GameSession::new(GameSetup::new(Game::default(), players), Instant::now());
//! let mv = session.position().parse_san("e4")?;
//! session.play(mv, Instant::now())?;
//! assert_eq!(session.engine_to_move(), Some(Color::Black));
//! session.resign(None, Instant::now())?;
//! assert_eq!(session.result().map(|result| result.reason.as_str()), Some("white resigned"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod duration;
mod engine;
mod result;
mod session;
mod setup;
mod time_control;
mod timer;

pub use duration::{DurationError, Unit, clock_text, parse_duration};
pub use engine::{EngineAnswer, HINT_TIME, guarded};
pub use result::{ActionError, DrawAnswer, GameResult};
pub use session::GameSession;
pub use setup::{ClockStart, GameSetup, Player, PlayerKind, TimedMove};
pub use time_control::{TimeControl, TimeControlError};
pub use timer::{FlagFell, Timer};
