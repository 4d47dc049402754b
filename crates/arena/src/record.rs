//! One finished game, as it is kept.
//!
//! In JSON a game is one line: the moves are one string, and what was thought stands in four arrays side by side, so
//! that a game of a hundred plies takes about two kilobytes. Reading replays the moves, so a record that was read is as
//! legal as one that was played.

mod json;

use std::fmt;
use std::time::Duration;

use minds::{GameEnd, Score};
use rules::{Color, DrawReason, Game, Move, Position};
use serde::{Deserialize, Serialize};

/// One finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "json::Form", try_from = "json::Form")]
pub struct GameRecord {
    /// Where the game started, before the moves of the book.
    pub start: Position,
    /// All moves from the start, those of the book first.
    pub moves: Vec<Move>,
    /// How many of the moves were the book's.
    pub book_plies: usize,
    /// What was thought of each move after the book.
    pub thoughts: Vec<Thought>,
    /// Who won.
    pub ending: GameEnd,
    /// Why the game ended.
    pub reason: Reason,
    /// What the loser did wrong, with its last output, in one line.
    pub fault: Option<String>,
}

/// What a mind thought of a move it made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thought {
    /// What it expected of the game, for itself, if it said so.
    pub score: Option<Score>,
    /// How deep it looked, as far as it said so.
    pub depth: usize,
    /// How many positions it looked at, as far as it said so.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Mate.
    Checkmate,
    /// No move and no check.
    Stalemate,
    /// No sequence of moves leads to mate.
    InsufficientMaterial,
    /// The same position for the third time.
    Repetition,
    /// Fifty moves by each player without a capture or a pawn move.
    FiftyMoves,
    /// The loser gave up.
    Resigned,
    /// The loser answered with what forfeits the game in its protocol, because it could not make sense of the position.
    Forfeited,
    /// Both players offered a draw.
    Agreed,
    /// The loser's flag fell, or it did not answer at all.
    OutOfTime,
    /// The loser played a move that is not one.
    IllegalMove,
    /// The loser claimed a draw or a win that was not there.
    WrongClaim,
    /// The loser's program could not be started.
    DidNotStart,
    /// The loser's program ended during the game.
    Crashed,
    /// The loser's program said that it cannot go on.
    Refused,
    /// Both players' scores said who wins.
    AdjudicatedWin,
    /// Both players' scores said that neither side wins.
    AdjudicatedDraw,
    /// A tablebase knew the result.
    Tablebase,
    /// The game took longer than games may.
    TooLong,
}

impl Reason {
    /// Whether the loser did something that a player may not do.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            Reason::Forfeited
                | Reason::OutOfTime
                | Reason::IllegalMove
                | Reason::WrongClaim
                | Reason::DidNotStart
                | Reason::Crashed
                | Reason::Refused
        )
    }
}

impl From<DrawReason> for Reason {
    fn from(reason: DrawReason) -> Reason {
        match reason {
            DrawReason::Stalemate => Reason::Stalemate,
            DrawReason::InsufficientMaterial => Reason::InsufficientMaterial,
            DrawReason::ThreefoldRepetition | DrawReason::FivefoldRepetition => Reason::Repetition,
            DrawReason::FiftyMoves | DrawReason::SeventyFiveMoves => Reason::FiftyMoves,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::InsufficientMaterial => "insufficient material",
            Reason::Repetition => "threefold repetition",
            Reason::FiftyMoves => "fifty-move rule",
            Reason::Resigned => "resignation",
            Reason::Forfeited => "forfeit",
            Reason::Agreed => "agreement",
            Reason::OutOfTime => "time forfeit",
            Reason::IllegalMove => "illegal move",
            Reason::WrongClaim => "wrong claim",
            Reason::DidNotStart => "did not start",
            Reason::Crashed => "crash",
            Reason::Refused => "refusal",
            Reason::AdjudicatedWin | Reason::AdjudicatedDraw => "adjudication",
            Reason::Tablebase => "tablebase adjudication",
            Reason::TooLong => "longest game",
        })
    }
}

impl GameRecord {
    /// The winner, if there is one.
    pub fn winner(&self) -> Option<Color> {
        match self.ending {
            GameEnd::Won(winner) => Some(winner),
            GameEnd::Drawn | GameEnd::Unfinished => None,
        }
    }

    /// The player who did something wrong, if one did.
    pub fn culprit(&self) -> Option<Color> {
        self.winner().filter(|_| self.reason.is_fault()).map(|winner| !winner)
    }

    /// What was thought of a move, counted from the start of the game; nothing was thought of the book's moves.
    pub fn thought(&self, ply: usize) -> Option<&Thought> {
        self.thoughts.get(ply.checked_sub(self.book_plies)?)
    }

    /// The game with all its positions.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &mv in &self.moves {
            game.play(mv).expect("a record holds legal moves");
        }
        game
    }
}
