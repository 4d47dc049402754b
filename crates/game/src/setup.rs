//! What a game begins with: the players, the opening, the clocks.

use std::time::Duration;

use rules::{ByColor, Game, Move};

use crate::TimeControl;

/// What plays one color.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// A person, who makes moves with [`GameSession::play`](crate::GameSession::play).
    Human,
    /// An engine, which is asked and answers with
    /// [`GameSession::engine_answered`](crate::GameSession::engine_answered).
    Engine,
}

/// A player of one color.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// The name in messages and in the game score.
    pub name: String,
    /// A person or an engine.
    pub kind: PlayerKind,
}

impl Player {
    /// A person.
    pub fn human(name: impl Into<String>) -> Player {
        Player { name: name.into(), kind: PlayerKind::Human }
    }

    /// An engine.
    pub fn engine(name: impl Into<String>) -> Player {
        Player { name: name.into(), kind: PlayerKind::Engine }
    }
}

/// When the first clock starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockStart {
    /// When the game begins.
    AtOnce,
    /// With the first move, which is not timed.
    AfterFirstMove,
}

/// What a game begins with.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The starting position and the opening moves, which are not timed and cannot be taken back.
    pub opening: Game,
    /// Who plays.
    pub players: ByColor<Player>,
    /// The clocks, if there are any. A control that is not a [`TimeControl::Clock`] has none.
    pub time: Option<TimeControl>,
    /// When the first clock starts.
    pub clock_start: ClockStart,
    /// How long the clock of an engine stands before each of its moves, for those who watch.
    pub pause: Duration,
    /// The most plies that a game may have.
    pub max_plies: usize,
}

impl GameSetup {
    /// A game without clocks and of any length.
    pub fn new(opening: Game, players: ByColor<Player>) -> GameSetup {
        GameSetup {
            opening,
            players,
            time: None,
            clock_start: ClockStart::AtOnce,
            pause: Duration::ZERO,
            max_plies: usize::MAX,
        }
    }
}

/// A move and the time it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimedMove {
    /// The move.
    pub mv: Move,
    /// How long the player thought.
    pub spent: Duration,
}
