//! Moves as engines write them: the squares a piece leaves and reaches, `e2e4`, `e7e8q`.
//!
//! Castling has two spellings: `e1g1`, where the king goes, in standard chess, and `e1h1`, the king takes its rook, in
//! Chess960. Reading understands both; [`Position::uci`] writes the first where king and rook stand as in standard
//! chess, and printing a [`Move`] always writes the second.

use std::fmt;
use std::str::FromStr;

use crate::board::castled_squares;
use crate::castling::is_standard;
use crate::{Move, MoveKind, Position, Role, Square};

/// Why a text is not a UCI move in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UciError {
    /// The text is not two squares and perhaps a promotion.
    Syntax(String),
    /// The text reads well, but the move is not legal.
    Illegal(String),
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciError::Syntax(text) => write!(f, "{text:?} is not a UCI move: expected something like e2e4 or e7e8q"),
            UciError::Illegal(text) => write!(f, "{text} is not a legal move here"),
        }
    }
}

impl std::error::Error for UciError {}

/// A move as UCI writes it: the square a piece leaves, the square it reaches, and what a pawn becomes.
///
/// It knows no position: [`resolve`](UciMove::resolve) finds the legal move that is meant.
///
/// ```
/// use saavedra_rules::{Position, Role, Square, UciMove};
///
/// let text: UciMove = "e7e8n".parse()?;
/// assert_eq!(text, UciMove { from: Square::E7, to: Square::E8, promotion: Some(Role::Knight) });
/// assert_eq!(text.to_string(), "e7e8n");
///
/// let position: Position = "8/4P3/8/8/8/k7/8/K7 w - - 0 1".parse()?;
/// assert_eq!(position.san(text.resolve(&position)?), "e8=N");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UciMove {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it reaches.
    pub to: Square,
    /// What a pawn becomes on the last rank.
    pub promotion: Option<Role>,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

impl FromStr for UciMove {
    type Err = UciError;

    fn from_str(text: &str) -> Result<UciMove, UciError> {
        let parse = || {
            let from = text.get(0..2)?.parse().ok()?;
            let to = text.get(2..4)?.parse().ok()?;
            let promotion = match text.get(4..)? {
                "" => None,
                "q" => Some(Role::Queen),
                "r" => Some(Role::Rook),
                "b" => Some(Role::Bishop),
                "n" => Some(Role::Knight),
                _ => return None,
            };
            Some(UciMove { from, to, promotion })
        };
        parse().ok_or_else(|| UciError::Syntax(text.to_owned()))
    }
}

/// Castling as the king taking its own rook, the spelling of Chess960.
impl From<Move> for UciMove {
    fn from(mv: Move) -> UciMove {
        UciMove { from: mv.from(), to: mv.to(), promotion: mv.promotion_role() }
    }
}

impl UciMove {
    /// The legal move that is meant, castling in either spelling.
    pub fn resolve(self, position: &Position) -> Result<Move, UciError> {
        let mut castling_by_target = None;
        for mv in position.legal_moves() {
            if mv.from() != self.from || mv.promotion_role() != self.promotion {
                continue;
            }
            if mv.to() == self.to {
                return Ok(mv);
            }
            // A king that castles without leaving its square is only written by its rook.
            let is_castling = mv.kind() == MoveKind::Castle && self.from != self.to;
            if is_castling && castled_squares(mv.from(), mv.to()).0 == self.to {
                castling_by_target = Some(mv);
            }
        }
        // A king's step to that square, if there is one, was found above and takes precedence.
        castling_by_target.ok_or_else(|| UciError::Illegal(self.to_string()))
    }
}

impl Position {
    /// Reads a legal move in UCI notation, castling in either spelling.
    ///
    /// ```
    /// use saavedra_rules::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// assert_eq!(position.parse_uci("e1g1")?, position.parse_uci("e1h1")?);
    /// assert_eq!(position.uci(position.parse_uci("e1h1")?), "e1g1");
    /// assert_eq!(
    ///     position.parse_uci("e1e3").expect_err("kings do not jump").to_string(),
    ///     "e1e3 is not a legal move here"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        text.parse::<UciMove>()?.resolve(self)
    }

    /// Writes a legal move in UCI notation, castling as the king's move where that is the custom.
    pub fn uci(&self, mv: Move) -> String {
        let mut text = UciMove::from(mv);
        if mv.kind() == MoveKind::Castle && is_standard(mv.from(), mv.to()) {
            text.to = castled_squares(mv.from(), mv.to()).0;
        }
        text.to_string()
    }
}
