//! What is kept of a game: enough to go on with it after the power failed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arena::{TimeControl, Timer};
use rules::{ByColor, Color, Game, Position};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::view::OverView;

/// Who sits on one side of the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Player {
    /// A person.
    Human { name: String },
    /// A mind, as it is written, and what it calls itself.
    Mind { mind: String, name: String },
}

impl Player {
    pub(crate) fn name(&self) -> &str {
        match self {
            Player::Human { name } | Player::Mind { name, .. } => name,
        }
    }

    pub(crate) fn is_human(&self) -> bool {
        matches!(self, Player::Human { .. })
    }
}

/// A time for all moves, and more of it with each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Time {
    #[schema(minimum = 1000, maximum = 86_400_000)]
    pub(crate) base_ms: u64,
    #[schema(maximum = 3_600_000)]
    pub(crate) increment_ms: u64,
}

impl Time {
    pub(crate) fn control(self) -> TimeControl {
        TimeControl::Clock {
            moves: None,
            base: Duration::from_millis(self.base_ms),
            increment: Duration::from_millis(self.increment_ms),
        }
    }
}

/// A move and the time it took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Played {
    pub(crate) uci: String,
    pub(crate) ms: u64,
}

/// The last move, for lists.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Last {
    pub(crate) uci: String,
    pub(crate) san: String,
}

/// A game as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) id: String,
    /// Milliseconds since 1970.
    pub(crate) created: u64,
    pub(crate) updated: u64,
    /// Grows with every change.
    pub(crate) revision: u64,
    pub(crate) white: Player,
    pub(crate) black: Player,
    pub(crate) chess960: Option<u16>,
    pub(crate) start_fen: String,
    pub(crate) time: Option<Time>,
    pub(crate) move_ms: u64,
    pub(crate) pause_ms: u64,
    /// How many of the moves the game began with: they are not taken back.
    pub(crate) opening: usize,
    pub(crate) moves: Vec<Played>,
    pub(crate) over: Option<OverView>,
    /// What the minds' lots are drawn by.
    pub(crate) seed: u64,
    /// The position on the board and the last move, for lists.
    pub(crate) fen: String,
    pub(crate) last: Option<Last>,
}

/// A record that makes no sense, which only somebody who wrote into the file can bring about.
#[derive(Debug, thiserror::Error)]
#[error("game {id} cannot be read: {reason}")]
pub(crate) struct BadRecord {
    id: String,
    reason: String,
}

impl Record {
    pub(crate) fn player(&self, color: Color) -> &Player {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// The game that the record tells.
    pub(crate) fn game(&self) -> Result<Game, BadRecord> {
        let bad = |reason: String| BadRecord { id: self.id.clone(), reason };
        let start: Position = self.start_fen.parse().map_err(|error: rules::FenError| bad(error.to_string()))?;
        let mut game = Game::new(start);
        for played in &self.moves {
            let mv = game.position().parse_uci(&played.uci).map_err(|error| bad(error.to_string()))?;
            game.play(mv).map_err(|error| bad(error.to_string()))?;
        }
        Ok(game)
    }

    /// Both clocks after every move, the start first, if there are any.
    pub(crate) fn timers(&self) -> Option<Vec<ByColor<Timer>>> {
        let control = self.time?.control();
        let mut timers = ByColor::new_with(|_| Timer::new(control));
        let mut shown = vec![timers];
        let first = self.start_fen.split(' ').nth(1);
        let mut mover = if first == Some("b") { Color::Black } else { Color::White };
        for (index, played) in self.moves.iter().enumerate() {
            if index >= self.opening {
                // Whoever had no time left has lost already, and the record says so.
                let _ = timers[mover].spend(Duration::from_millis(played.ms), Duration::ZERO);
            }
            shown.push(timers);
            mover = !mover;
        }
        Some(shown)
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}
