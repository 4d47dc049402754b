//! The numbers that the key of a position is made of, one by one, for those who want to see how it is made.

use std::fmt;

use crate::{Color, Piece, Position, Square, keys};

/// Something with a random number of its own. The key of a position is the exclusive or of the numbers of its terms.
///
/// ```
/// use saavedra_rules::{KeyTerm, Position};
///
/// let position = Position::initial();
/// let key = position.key_terms().into_iter().map(KeyTerm::number).fold(0, |key, number| key ^ number);
/// assert_eq!(key, position.key());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyTerm {
    /// A piece on a square.
    Piece(Piece, Square),
    /// A rook that may castle, by its square on the first or the last rank.
    Castling(Square),
    /// A pawn may be taken en passant on this square; the number depends on its file alone.
    EnPassant(Square),
    /// Black is to move.
    BlackToMove,
}

impl KeyTerm {
    /// The number.
    pub fn number(self) -> u64 {
        match self {
            KeyTerm::Piece(piece, square) => keys::piece(piece, square),
            KeyTerm::Castling(rook) => keys::castling(rook.bitboard()),
            KeyTerm::EnPassant(square) => keys::en_passant(square),
            KeyTerm::BlackToMove => keys::BLACK_TO_MOVE,
        }
    }
}

impl fmt::Display for KeyTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyTerm::Piece(piece, square) => write!(f, "{piece} on {square}"),
            KeyTerm::Castling(rook) => write!(f, "castling with {rook}"),
            KeyTerm::EnPassant(square) => write!(f, "en passant on {square}"),
            KeyTerm::BlackToMove => f.write_str("black to move"),
        }
    }
}

impl Position {
    /// What the [key](Position::key) of the position is made of.
    pub fn key_terms(&self) -> Vec<KeyTerm> {
        let pieces =
            self.occupied().into_iter().filter_map(|square| Some(KeyTerm::Piece(self.piece_at(square)?, square)));
        let castling = self.castling_rights().rooks().into_iter().map(KeyTerm::Castling);
        let turn = (self.turn() == Color::Black).then_some(KeyTerm::BlackToMove);
        pieces.chain(castling).chain(self.en_passant().map(KeyTerm::EnPassant)).chain(turn).collect()
    }
}
