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
    pub thoughts: Vec<MoveInfo>,
    /// Who won.
    pub ending: GameEnd,
    /// Why the game ended.
    pub reason: EndReason,
    /// What the loser did wrong, with its last output, in one line.
    pub fault: Option<String>,
}

/// What a mind thought of a move it made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveInfo {
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
pub enum EndReason {
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

impl EndReason {
    /// Whether the loser did something that a player may not do.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            EndReason::Forfeited
                | EndReason::OutOfTime
                | EndReason::IllegalMove
                | EndReason::WrongClaim
                | EndReason::DidNotStart
                | EndReason::Crashed
                | EndReason::Refused
        )
    }
}

impl From<DrawReason> for EndReason {
    fn from(reason: DrawReason) -> EndReason {
        match reason {
            DrawReason::Stalemate => EndReason::Stalemate,
            DrawReason::InsufficientMaterial => EndReason::InsufficientMaterial,
            DrawReason::ThreefoldRepetition | DrawReason::FivefoldRepetition => EndReason::Repetition,
            DrawReason::FiftyMoves | DrawReason::SeventyFiveMoves => EndReason::FiftyMoves,
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndReason::Checkmate => "checkmate",
            EndReason::Stalemate => "stalemate",
            EndReason::InsufficientMaterial => "insufficient material",
            EndReason::Repetition => "threefold repetition",
            EndReason::FiftyMoves => "fifty-move rule",
            EndReason::Resigned => "resignation",
            EndReason::Forfeited => "forfeit",
            EndReason::Agreed => "agreement",
            EndReason::OutOfTime => "time forfeit",
            EndReason::IllegalMove => "illegal move",
            EndReason::WrongClaim => "wrong claim",
            EndReason::DidNotStart => "did not start",
            EndReason::Crashed => "crash",
            EndReason::Refused => "refusal",
            EndReason::AdjudicatedWin | EndReason::AdjudicatedDraw => "adjudication",
            EndReason::Tablebase => "tablebase adjudication",
            EndReason::TooLong => "longest game",
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
    pub fn thought(&self, ply: usize) -> Option<&MoveInfo> {
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
