//! What any two boards can tell each other about a move, whatever their own encoding.
//!
//! The move itself is a [`UciMove`]; castling is the king's move of two squares.

use std::fmt;

use rules::{CastlingSide, Role, Square, UciMove};

/// The move is not legal on the board, which is as it was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IllegalMove(pub UciMove);

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
    pub mv: UciMove,
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
    Castle(CastlingSide),
}

impl PlayedMove {
    /// The square on which a piece that has moved could give check: the piece's own, or for castling the rook's.
    pub fn checking_square(&self) -> Square {
        match self.kind {
            PlayedKind::Castle(side) => Square::new(side.rook_file(), self.mv.to.rank()),
            PlayedKind::Ordinary | PlayedKind::EnPassant => self.mv.to,
        }
    }
}
