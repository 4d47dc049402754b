//! How a game ended, for those who only count points.

use std::fmt;

use rules::{Color, Outcome};

use crate::pgn;

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameResult {
    /// 0-1.
    BlackWins,
    /// 1/2-1/2.
    Draw,
    /// 1-0.
    WhiteWins,
}

impl GameResult {
    /// All results, the worst for White first.
    pub const ALL: [GameResult; 3] = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

    /// The result of a game that this player wins.
    pub fn win_of(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// The winner, if there is one.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome {
            Outcome::Checkmate { winner } => GameResult::win_of(winner),
            Outcome::Draw(_) => GameResult::Draw,
        }
    }
}

impl pgn::PgnResult {
    /// The result, if the game was finished.
    pub fn finished(self) -> Option<GameResult> {
        match self {
            pgn::PgnResult::WhiteWins => Some(GameResult::WhiteWins),
            pgn::PgnResult::BlackWins => Some(GameResult::BlackWins),
            pgn::PgnResult::Draw => Some(GameResult::Draw),
            pgn::PgnResult::Unknown => None,
        }
    }
}

/// As it is written in a game score.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::WhiteWins => "1-0",
            GameResult::Draw => "1/2-1/2",
            GameResult::BlackWins => "0-1",
        })
    }
}
