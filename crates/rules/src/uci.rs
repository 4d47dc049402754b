//! Moves as engines write them: the squares a piece leaves and reaches, `e2e4`, `e7e8q`.
//!
//! Castling has two spellings: `e1g1`, where the king goes, in standard chess, and `e1h1`, the king takes its rook, in
//! Chess960. Reading understands both; [`Position::uci`] writes the first where king and rook stand as in standard
//! chess, and printing a [`Move`] always writes the second.

use std::fmt;

use crate::board::castled_squares;
use crate::{File, Move, MoveKind, Position, Role, Square};

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

/// The squares and the promotion of a UCI move.
fn parse(text: &str) -> Option<(Square, Square, Option<Role>)> {
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
    Some((from, to, promotion))
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
        let Some((from, to, promotion)) = parse(text) else {
            return Err(UciError::Syntax(text.to_owned()));
        };
        let mut castling_by_target = None;
        for mv in self.legal_moves() {
            if mv.from() != from || mv.promotion_role() != promotion {
                continue;
            }
            if mv.to() == to {
                return Ok(mv);
            }
            // A king that castles without leaving its square is only written by its rook.
            if mv.kind() == MoveKind::Castle && from != to && castled_squares(from, mv.to()).0 == to {
                castling_by_target = Some(mv);
            }
        }
        // A king's step to that square, if there is one, was found above and takes precedence.
        castling_by_target.ok_or_else(|| UciError::Illegal(text.to_owned()))
    }

    /// Writes a legal move in UCI notation, castling as the king's move where that is the custom.
    pub fn uci(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        if mv.kind() == MoveKind::Castle && from.file() == File::E && matches!(to.file(), File::A | File::H) {
            return format!("{from}{}", castled_squares(from, to).0);
        }
        mv.to_string()
    }
}
