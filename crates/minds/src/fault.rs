//! What a mind may do wrong, told so that its author knows where to look.

use std::fmt;
use std::time::Duration;

/// A mind did something that a player may not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The name of the mind.
    pub who: String,
    /// What it did.
    pub misdeed: Misdeed,
}

/// What a mind did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Misdeed {
    /// It could not be started, or not be made ready.
    DidNotStart {
        /// Why.
        reason: String,
    },
    /// It answered with a move that is not legal, or with something that is not a move.
    IllegalMove {
        /// What it said.
        text: String,
        /// The position it was asked about, as FEN.
        fen: String,
    },
    /// It did not answer in time.
    TimedOut {
        /// How long we waited.
        waited: Duration,
        /// The last thing it said, if it said anything.
        last_output: Option<String>,
    },
    /// It ended, or closed its input or output, in the middle of the game.
    Crashed {
        /// How it ended and what it said last.
        last_words: String,
    },
    /// It gave the game up by the answer that means so in its protocol.
    Forfeited,
    /// It said that it cannot go on.
    Refused {
        /// What it said.
        text: String,
    },
    /// It was asked for a move in a position that has none.
    NothingToChoose,
}

impl Fault {
    /// A fault of the mind with this name.
    pub fn new(who: &str, misdeed: Misdeed) -> Fault {
        Fault { who: who.to_owned(), misdeed }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.who, self.misdeed)
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Misdeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misdeed::DidNotStart { reason } => write!(f, "did not start: {reason}"),
            Misdeed::IllegalMove { text, fen } => write!(f, "answered {text:?}, which is not a legal move in {fen}"),
            Misdeed::TimedOut { waited, last_output } => {
                write!(f, "did not answer within {:.1} s", waited.as_secs_f64())?;
                match last_output {
                    Some(output) => write!(f, ", its last output was {output:?}"),
                    None => Ok(()),
                }
            }
            Misdeed::Crashed { last_words } => write!(f, "left the game: {last_words}"),
            Misdeed::Forfeited => f.write_str("forfeited the game"),
            Misdeed::Refused { text } => write!(f, "cannot go on: {text}"),
            Misdeed::NothingToChoose => f.write_str("was asked for a move where there is none"),
        }
    }
}
