//! What can be wrong with a game in a file.

use std::{fmt, io};

use rules::{FenError, SanError};
use thiserror::Error;

/// Why a game was not read to its end, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("game {game}, line {line}: {flaw}")]
pub struct Problem {
    /// The game, counted from one.
    pub game: u64,
    /// The line of the file, counted from one.
    pub line: u64,
    /// What is wrong there.
    pub flaw: Flaw,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Flaw {
    /// A word is not a legal move.
    Move(SanError),
    /// A player passes in the game itself, as in `--` or `Z0`. In a variation, that only ends the line.
    Pass(String),
    /// The tag `FEN` does not tell a position that can be played from.
    Start(String, FenError),
    /// The game is played by other rules.
    Variant(String),
    /// Variations lie deeper in each other than the reader follows.
    TooDeep,
    /// A comment or a word is longer than the reader keeps.
    TooLong,
    /// The game has more tags than the reader keeps.
    TooManyTags,
    /// The game has more moves and comments than the reader keeps.
    TooLarge,
    /// The file ends inside a comment or a variation.
    Unfinished,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Move(error) => error.fmt(f),
            Flaw::Pass(text) => write!(f, "{text} is no move: players may not pass"),
            Flaw::Start(fen, error) => write!(f, "the tag FEN is {fen:?}: {error}"),
            Flaw::Variant(name) => write!(f, "{name:?} is a variant that we do not play"),
            Flaw::TooDeep => write!(f, "variations lie more than {} deep", super::reader::DEEPEST),
            Flaw::TooLong => write!(f, "a comment or word is too long"),
            Flaw::TooManyTags => write!(f, "more than {} tags", super::reader::MOST_TAGS),
            Flaw::TooLarge => write!(f, "the game takes more than {} MiB of memory", super::reader::LARGEST_GAME >> 20),
            Flaw::Unfinished => f.write_str("the file ends inside a comment or a variation"),
        }
    }
}

/// Why there is no game.
#[derive(Debug, Error)]
pub enum PgnError {
    /// The file cannot be read any further.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// This game is spoiled; the next may be sound.
    #[error(transparent)]
    Game(#[from] Problem),
}
