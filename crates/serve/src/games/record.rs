//! The record of a game that is stored: enough to continue the game after a power failure.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use game::{ClockStart, GameOver, GameSession, GameSetup, TimeControl, TimedMove};
use minds::GameEnd;
use rules::{ByColor, Color, Game, Position};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::view::OverView;

/// Who plays one colour.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Player {
    /// A person.
    Human { name: String },
    /// An engine, as it is written, and its name.
    Mind { mind: String, name: String },
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

/// What players may ask for while they play, agreed before the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Help {
    /// To be shown a good move.
    pub(crate) hints: bool,
    /// To take moves back.
    pub(crate) takebacks: bool,
}

impl Default for Help {
    fn default() -> Help {
        Help { hints: true, takebacks: true }
    }
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
    /// What the players may ask for. Games of earlier versions allowed both.
    #[serde(default)]
    pub(crate) help: Help,
    /// How many of the moves the game began with: they are not taken back.
    pub(crate) opening: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) moves: Vec<Played>,
    pub(crate) over: Option<OverView>,
    /// The seed of the engines' random numbers.
    pub(crate) seed: u64,
    /// The position on the board and the last move, for lists.
    pub(crate) fen: String,
    pub(crate) last: Option<Last>,
}

/// A record that makes no sense. The server writes none: the file was changed from outside.
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

    /// The session that the record describes, of at most `max_plies` plies.
    pub(crate) fn session(&self, max_plies: usize, now: Instant) -> Result<GameSession, BadRecord> {
        let bad = |reason: String| BadRecord { id: self.id.clone(), reason };
        let start: Position = self.start_fen.parse().map_err(|error: rules::FenError| bad(error.to_string()))?;
        let mut game = Game::new(start);
        let mut opening = game.clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        for (ply, Played { uci, ms }) in self.moves.iter().enumerate() {
            let mv = game.position().parse_uci(uci).map_err(|error| bad(error.to_string()))?;
            game.play(mv).map_err(|error| bad(error.to_string()))?;
            if ply < self.opening {
                opening.clone_from(&game);
            } else {
                moves.push(TimedMove { mv, spent: Duration::from_millis(*ms) });
            }
        }
        let setup = GameSetup {
            opening,
            players: ByColor::new_with(|color| self.player(color).into()),
            time: self.time.map(Time::control),
            clock_start: ClockStart::AfterFirstMove,
            pause: Duration::from_millis(self.pause_ms),
            max_plies,
        };
        let result = self.over.as_ref().map(GameOver::from);
        GameSession::resume(setup, &moves, result, now).map_err(|error| bad(error.to_string()))
    }
}

impl From<&Player> for game::Player {
    fn from(player: &Player) -> game::Player {
        match player {
            Player::Human { name } => game::Player::human(name),
            Player::Mind { name, .. } => game::Player::engine(name),
        }
    }
}

impl From<&GameOver> for OverView {
    fn from(result: &GameOver) -> OverView {
        let winner = match result.ending {
            GameEnd::Won(winner) => Some(winner.into()),
            GameEnd::Drawn | GameEnd::Unfinished => None,
        };
        OverView { result: result.ending.score().to_owned(), winner, reason: result.reason.clone() }
    }
}

impl From<&OverView> for GameOver {
    fn from(over: &OverView) -> GameOver {
        let ending = match over.winner {
            Some(winner) => GameEnd::Won(winner.into()),
            None if over.result == GameEnd::Drawn.score() => GameEnd::Drawn,
            None => GameEnd::Unfinished,
        };
        GameOver { ending, reason: over.reason.clone() }
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}
