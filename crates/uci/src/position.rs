//! The `position` command, and moves the way the other side writes them.

use std::fmt;

use rules::{FenError, Game, Move, Position, Setup, SetupProblem, UciError};

use crate::words::Words;

/// Where a game starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The initial position of standard chess.
    Initial,
    /// A position as FEN, not yet looked at.
    Fen(String),
}

/// How the position on the board came about: the start and the moves, as told.
///
/// ```
/// use saavedra_uci::{Command, PositionCommand};
///
/// let read = |line: &str| match Command::read(line).map(|reading| reading.value) {
///     Some(Command::Position(command)) => command,
///     other => panic!("{other:?}"),
/// };
/// let game = read("position startpos moves e2e4 e7e5").game()?;
/// assert_eq!(game.moves().len(), 2);
///
/// let error = read("position startpos moves e2e4 e2e4").game().expect_err("a pawn moves once");
/// assert_eq!(error.to_string(), "move 2: e2e4 is not a legal move here");
/// # Ok::<(), saavedra_uci::PositionError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCommand {
    /// Where the game starts.
    pub start: Start,
    /// The moves since, in UCI notation.
    pub moves: Vec<String>,
}

/// Why a `position` command leads to no position. The text tells the cause.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The start is no position.
    #[error(transparent)]
    Fen(FenError),
    /// A move cannot be played.
    #[error("move {number}: {error}")]
    Move {
        /// The number of the move in the command, from 1.
        number: usize,
        /// What is wrong with it.
        error: UciError,
    },
}

impl PositionCommand {
    /// The command that tells a game.
    pub fn of(game: &Game, castling: Castling) -> PositionCommand {
        let start = match game.start() {
            start if *start == Position::initial() => Start::Initial,
            start if castling == Castling::KingTakesRook => Start::Fen(start.shredder_fen()),
            start => Start::Fen(start.to_string()),
        };
        let moves = game.moves().iter().zip(game.positions()).map(|(&mv, position)| castling.write(position, mv));
        PositionCommand { start, moves: moves.collect() }
    }

    /// The game that was played.
    ///
    /// A right to castle or an en-passant square that cannot be real is left out: many a board editor writes them.
    pub fn game(&self) -> Result<Game, PositionError> {
        let start = match &self.start {
            Start::Initial => Position::initial(),
            Start::Fen(fen) => forgiving_position(fen).map_err(PositionError::Fen)?,
        };
        let mut game = Game::new(start);
        for (index, text) in self.moves.iter().enumerate() {
            let complaint = |error| PositionError::Move { number: index + 1, error };
            let mv = game.position().parse_uci(text).map_err(complaint)?;
            game.play(mv).map_err(|_| complaint(UciError::Illegal(text.clone())))?;
        }
        Ok(game)
    }

    pub(crate) fn read(words: &mut Words) -> PositionCommand {
        let opens_moves = |word: &str| word == "moves";
        let start = if words.peek() == Some("startpos") {
            words.next();
            if let Some(junk) = words.until(opens_moves).first() {
                words.complain(format!("position knows no {junk:?} after startpos"));
            }
            Start::Initial
        } else {
            match words.peek() {
                Some("fen") => _ = words.next(),
                _ => words.complain("position wants startpos or fen"),
            }
            Start::Fen(words.until(opens_moves).join(" "))
        };
        words.next();
        PositionCommand { start, moves: words.until(|_| false) }
    }
}

/// A legal position from a FEN whose castling rights and en-passant square need not be right.
fn forgiving_position(fen: &str) -> Result<Position, FenError> {
    let mut setup: Setup = fen.parse()?;
    let error = match setup.playable_position() {
        Ok(position) => return Ok(position),
        Err(error) => error,
    };
    for problem in error.problems() {
        match *problem {
            SetupProblem::CastlingWithoutRook(_, square) | SetupProblem::CastlingOffBackRank(square) => {
                setup.castling = setup.castling.without(square);
            }
            SetupProblem::CastlingWithoutKing(color) | SetupProblem::CastlingTwiceOnOneSide(color, _) => {
                setup.castling -= color.back_rank().squares();
            }
            SetupProblem::ImpossibleEnPassant(_) => setup.en_passant = None,
            _ => {}
        }
    }
    Ok(setup.playable_position()?)
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Initial => f.write_str("position startpos")?,
            Start::Fen(fen) => write!(f, "position fen {fen}")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Castling {
    /// As the king's move, `e1g1`, the custom of standard chess. Where king and rook stand elsewhere, the king takes
    /// its rook all the same.
    #[default]
    KingMoves,
    /// As the king taking its own rook, `e1h1`, the custom of Chess960.
    KingTakesRook,
}

impl Castling {
    /// Writes a legal move of a position.
    pub fn write(self, position: &Position, mv: Move) -> String {
        match self {
            Castling::KingMoves => position.uci(mv),
            Castling::KingTakesRook => mv.to_string(),
        }
    }

    /// Writes a line of legal moves, each played after the one before.
    pub fn write_line(self, position: &Position, moves: &[Move]) -> Vec<String> {
        let mut position = *position;
        let write = |&mv: &Move| {
            let text = self.write(&position, mv);
            position = position.play_unchecked(mv);
            text
        };
        moves.iter().map(write).collect()
    }
}
