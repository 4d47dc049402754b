//! What a mind may do wrong, told so that its author knows where to look.

use std::time::Duration;

/// A mind did something that a player may not do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{who} {kind}")]
pub struct Fault {
    /// The name of the mind.
    pub who: String,
    /// What it did.
    pub kind: FaultKind,
}

/// What a mind did wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// It could not be started, or not be made ready.
    #[error("did not start: {reason}")]
    DidNotStart {
        /// Why.
        reason: String,
    },
    /// It answered with a move that is not legal, or with something that is not a move.
    #[error("answered {text:?}, which is not a legal move in {fen}")]
    IllegalMove {
        /// What it said.
        text: String,
        /// The position it was asked about, as FEN.
        fen: String,
    },
    /// It did not answer in time.
    #[error("did not answer within {:.1} s{}", waited.as_secs_f64(), told(last_output))]
    TimedOut {
        /// How long we waited.
        waited: Duration,
        /// The last thing it said, if it said anything.
        last_output: Option<String>,
    },
    /// It ended, or closed its input or output, in the middle of the game.
    #[error("left the game: {last_words}")]
    Crashed {
        /// How it ended and what it said last.
        last_words: String,
    },
    /// It answered with what forfeits the game in its protocol.
    #[error("forfeited the game")]
    Forfeited,
    /// It said that it cannot go on.
    #[error("cannot go on: {text}")]
    Refused {
        /// What it said.
        text: String,
    },
    /// It was asked for a move in a position that has none.
    #[error("was asked for a move where there is none")]
    NothingToChoose,
}

impl Fault {
    /// A fault of the mind with this name.
    pub fn new(who: &str, kind: FaultKind) -> Fault {
        Fault { who: who.to_owned(), kind }
    }
}

/// The last output, as the text of a fault tells it.
fn told(output: &Option<String>) -> String {
    output.as_ref().map_or(String::new(), |output| format!(", its last output was {output:?}"))
}
