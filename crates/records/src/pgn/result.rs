//! How a game ended, as it is written.

use std::fmt;

use rules::Outcome;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PgnResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `*`: the game is in progress, or its result is not known.
    #[default]
    Unknown,
}

impl PgnResult {
    /// The result as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            PgnResult::WhiteWins => "1-0",
            PgnResult::BlackWins => "0-1",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Unknown => "*",
        }
    }

    /// Reads a result; `1/2` is a draw too.
    pub fn from_bytes(text: &[u8]) -> Option<PgnResult> {
        match text {
            b"1-0" => Some(PgnResult::WhiteWins),
            b"0-1" => Some(PgnResult::BlackWins),
            b"1/2-1/2" | b"1/2" => Some(PgnResult::Draw),
            b"*" => Some(PgnResult::Unknown),
            _ => None,
        }
    }
}

impl From<Outcome> for PgnResult {
    fn from(outcome: Outcome) -> PgnResult {
        PgnResult::from_bytes(outcome.score().as_bytes()).unwrap_or_default()
    }
}

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
