//! Moves as any two boards can exchange them, whatever their own encoding.

use std::fmt;
use std::str::FromStr;

use rules::{ParseSquareError, Role, Square, Wing};

/// A move as UCI spells it in standard chess: where a piece goes from and to, and what a pawn becomes. Castling is the
/// king's move of two squares.
///
/// ```
/// use rules::{Role, Square};
/// use saavedra_classic::PlainMove;
///
/// let mv: PlainMove = "e7e8n".parse()?;
/// assert_eq!(mv, PlainMove { from: Square::E7, to: Square::E8, promotion: Some(Role::Knight) });
/// assert_eq!(mv.to_string(), "e7e8n");
/// assert!("e7e9".parse::<PlainMove>().is_err());
/// # Ok::<(), saavedra_classic::ParsePlainMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlainMove {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it reaches.
    pub to: Square,
    /// What a pawn becomes on the last rank.
    pub promotion: Option<Role>,
}

impl fmt::Display for PlainMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

/// The text is not a move in the way UCI writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePlainMoveError {
    text: String,
}

impl fmt::Display for ParsePlainMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a move: expected something like e2e4 or e7e8q", self.text)
    }
}

impl std::error::Error for ParsePlainMoveError {}

impl FromStr for PlainMove {
    type Err = ParsePlainMoveError;

    fn from_str(text: &str) -> Result<PlainMove, ParsePlainMoveError> {
        let error = || ParsePlainMoveError { text: text.to_owned() };
        let square = |range: std::ops::Range<usize>| {
            let part = text.get(range).ok_or_else(error)?;
            part.parse().map_err(|_: ParseSquareError| error())
        };
        let (from, to) = (square(0..2)?, square(2..4)?);
        let promotion = match text.get(4..).ok_or_else(error)? {
            "" => None,
            "n" => Some(Role::Knight),
            "b" => Some(Role::Bishop),
            "r" => Some(Role::Rook),
            "q" => Some(Role::Queen),
            _ => return Err(error()),
        };
        Ok(PlainMove { from, to, promotion })
    }
}

/// The move is not legal on the board, which is as it was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IllegalMove(pub PlainMove);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a legal move here", self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// What a board knows about a move that it has made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: PlainMove,
    /// What it took, en passant included.
    pub captured: Option<Role>,
    /// What else it did.
    pub kind: PlayedKind,
}

/// What a move did besides going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayedKind {
    /// Nothing, or a promotion.
    Ordinary,
    /// It took a pawn that stood beside it.
    EnPassant,
    /// It brought a rook over the king, too.
    Castle(Wing),
}

impl PlayedMove {
    /// The square on which a piece that has moved could give check: the piece's own, or for castling the rook's.
    pub fn checking_square(&self) -> Square {
        match self.kind {
            PlayedKind::Castle(wing) => Square::new(wing.rook_file(), self.mv.to.rank()),
            PlayedKind::Ordinary | PlayedKind::EnPassant => self.mv.to,
        }
    }
}
