//! A game: a position and how it came about.

use std::fmt;

use crate::{Color, IllegalMove, Move, Position};

/// A game in progress: where it started, the moves, and every position in between.
///
/// ```
/// use saavedra_rules::{Color, Game, Outcome};
///
/// let mut game = Game::default();
/// for san in ["f3", "e5", "g4", "Qh4"] {
///     let mv = game.position().parse_san(san)?;
///     game.play(mv)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::Black }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    moves: Vec<Move>,
    /// One more than there are moves.
    positions: Vec<Position>,
}

/// How a game ended by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The player to move is mated.
    Checkmate {
        /// The player who gave mate.
        winner: Color,
    },
    /// Neither player wins.
    Draw(DrawReason),
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The player to move has no move and is not in check.
    Stalemate,
    /// No sequence of moves leads to mate.
    InsufficientMaterial,
    /// The same position for the third time: a draw if a player claims it.
    ThreefoldRepetition,
    /// The same position for the fifth time: a draw without a claim.
    FivefoldRepetition,
    /// Fifty moves by each player without a capture or a pawn move: a draw if a player claims it.
    FiftyMoves,
    /// Seventy-five such moves: a draw without a claim.
    SeventyFiveMoves,
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawReason::Stalemate => "stalemate",
            DrawReason::InsufficientMaterial => "insufficient material",
            DrawReason::ThreefoldRepetition => "threefold repetition",
            DrawReason::FivefoldRepetition => "fivefold repetition",
            DrawReason::FiftyMoves => "fifty-move rule",
            DrawReason::SeventyFiveMoves => "seventy-five-move rule",
        })
    }
}

impl Outcome {
    /// The result as it is written in a game score.
    pub fn score(self) -> &'static str {
        match self {
            Outcome::Checkmate { winner: Color::White } => "1-0",
            Outcome::Checkmate { winner: Color::Black } => "0-1",
            Outcome::Draw(_) => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Checkmate { winner } => write!(f, "{winner} wins by checkmate"),
            Outcome::Draw(reason) => write!(f, "draw by {reason}"),
        }
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::initial())
    }
}

impl Game {
    /// A game that starts from a position.
    pub fn new(start: Position) -> Game {
        Game { moves: Vec::new(), positions: vec![start] }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a game keeps its start")
    }

    /// The position in which the game began.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Every position from the start to the one on the board.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Plays a move. If it is not legal, nothing changes.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.position().play(mv)?;
        self.moves.push(mv);
        self.positions.push(next);
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn take_back(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// How often the position on the board has occurred in this game, this time included.
    pub fn repetitions(&self) -> usize {
        let now = self.position();
        // Nothing before the last capture or pawn move can be the same.
        let reversible = usize::from(now.halfmove_clock()) + 1;
        self.positions.iter().rev().take(reversible).filter(|before| before.is_repetition_of(now)).count()
    }

    /// How the game has ended by the rules, if it has. Draws that must be claimed are not counted.
    pub fn outcome(&self) -> Option<Outcome> {
        let fivefold = || (self.repetitions() >= 5).then_some(Outcome::Draw(DrawReason::FivefoldRepetition));
        self.position().outcome().or_else(fivefold)
    }

    /// The draw that the player to move may claim, if the game has not ended.
    pub fn claimable_draw(&self) -> Option<DrawReason> {
        if self.outcome().is_some() {
            None
        } else if self.position().halfmove_clock() >= 100 {
            Some(DrawReason::FiftyMoves)
        } else if self.repetitions() >= 3 {
            Some(DrawReason::ThreefoldRepetition)
        } else {
            None
        }
    }
}
