//! The position key: computed from the board when it is asked for, the exclusive or of a number for each of its terms.

use std::fmt;

use rules::{CastlingSide, Color, Square};

use super::grid::Value;
use super::memory::may_castle;
use super::{CastlingMemory, Legality, MoveMap};
use crate::random::number;
use crate::standard::CASTLES;

/// Something with a random number of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeyTerm {
    Piece(Value, Square),
    Castling(Color, CastlingSide),
    EnPassant(Square),
    BlackToMove,
}

impl KeyTerm {
    pub(super) fn number(self) -> u64 {
        match self {
            KeyTerm::Piece(value, square) => number(20_000 + 64 * u64::from(value.number()) + square.index() as u64),
            KeyTerm::Castling(color, side) => number(30_000 + 2 * color as u64 + side as u64),
            KeyTerm::EnPassant(square) => number(31_000 + square.index() as u64),
            KeyTerm::BlackToMove => number(32_000),
        }
    }
}

impl fmt::Display for KeyTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyTerm::Piece(value, square) => match value.piece() {
                Some(piece) => write!(f, "{piece} on {square}"),
                None => write!(f, "{} on {square}", value.number()),
            },
            KeyTerm::Castling(color, side) => write!(f, "{color} may castle {side}"),
            KeyTerm::EnPassant(square) => write!(f, "en passant on {square}"),
            KeyTerm::BlackToMove => f.write_str("black to move"),
        }
    }
}

impl<M: CastlingMemory, L: Legality> MoveMap<M, L> {
    /// Tells everything that the key is made of.
    pub(super) fn each_key_term(&self, mut tell: impl FnMut(KeyTerm)) {
        for square in Square::ALL {
            let value = self.grid.at(square);
            if value != Value::EMPTY {
                tell(KeyTerm::Piece(value, square));
            }
        }
        for (color, side) in CASTLES {
            if may_castle(&self.memory, &self.grid, color, side) {
                tell(KeyTerm::Castling(color, side));
            }
        }
        if let Some(passed) = self.usable_passed() {
            tell(KeyTerm::EnPassant(passed));
        }
        if self.turn == Color::Black {
            tell(KeyTerm::BlackToMove);
        }
    }
}
