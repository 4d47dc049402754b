//! How games end, and what players are told who act.

use minds::GameEnd;
use rules::{Color, Outcome};
use thiserror::Error;

/// How a game ended, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOver {
    /// Who won.
    pub ending: GameEnd,
    /// The reason: `checkmate`, `white resigned`.
    pub reason: String,
}

impl From<Outcome> for GameOver {
    fn from(outcome: Outcome) -> GameOver {
        let (ending, reason) = match outcome {
            Outcome::Checkmate { winner } => (GameEnd::Won(winner), "checkmate".to_owned()),
            Outcome::Draw(reason) => (GameEnd::Drawn, reason.to_string()),
        };
        GameOver { ending, reason }
    }
}

/// What came of a person's wish for a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawAnswer {
    /// It was claimed by the rules.
    Claimed,
    /// The opponent agreed, or had offered it.
    Agreed,
    /// The opponent plays on.
    Declined,
}

/// Why a person cannot do something.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ActionError {
    /// The game is over.
    #[error("the game is over: {reason}")]
    Over {
        /// Why it ended.
        reason: String,
    },
    /// An engine is to move.
    #[error("it is {name}'s turn")]
    NotYourTurn {
        /// The engine.
        name: String,
    },
    /// An engine is to move, and failed.
    #[error("{name} cannot go on")]
    EngineFailed {
        /// The engine.
        name: String,
    },
    /// The move is not legal.
    #[error(transparent)]
    Illegal(#[from] rules::IllegalMove),
    /// The game is as long as it may be.
    #[error("a game has at most {0} moves here")]
    TooLong(usize),
    /// No move of this game can be taken back.
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    /// An engine plays this color.
    #[error("no person plays {0}")]
    NotHuman(Color),
    /// Engines play both colors.
    #[error("no person plays in this game")]
    NoHuman,
}
