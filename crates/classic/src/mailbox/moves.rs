//! The move integer.

use rules::{CastlingSide, Role};

use super::cells::{Cell, Content};
use crate::{PlayedKind, PlayedMove, UciMove};

/// A move in the low 25 bits of an integer.
///
/// | bits | mask | what |
/// |---|---|---|
/// | 0–6 | `0x7f` | the cell it leaves |
/// | 7–13 | `0x3f80` | the cell it reaches |
/// | 14–17 | `0x3c000` | the piece it takes, 0 for none |
/// | 18 | `0x40000` | it takes en passant |
/// | 19 | `0x80000` | a pawn starts with two steps |
/// | 20–23 | `0xf00000` | the piece a pawn becomes, 0 for none |
/// | 24 | `0x1000000` | the king castles |
///
/// The document does not say whether a capture en passant has the pawn among the captured pieces. Here it has not: the
/// flag says it all, and the field keeps the meaning "stands on the target cell".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u32);

const TO_SHIFT: u32 = 7;
const CAPTURED_SHIFT: u32 = 14;
const PROMOTED_SHIFT: u32 = 20;

impl Move {
    /// The flag of a capture en passant.
    pub const EN_PASSANT: u32 = 0x40000;
    /// The flag of a pawn's first move by two squares.
    pub const PAWN_START: u32 = 0x80000;
    /// The flag of castling.
    pub const CASTLE: u32 = 0x100_0000;

    /// A move that takes what `captured` holds.
    #[inline]
    pub const fn new(from: Cell, to: Cell, captured: Content) -> Move {
        Move(from.index() as u32 | (to.index() as u32) << TO_SHIFT | (captured.code() as u32) << CAPTURED_SHIFT)
    }

    /// The same move with flags set.
    #[inline]
    #[must_use]
    pub const fn with(self, flags: u32) -> Move {
        Move(self.0 | flags)
    }

    /// The same move with a pawn that becomes another piece.
    #[inline]
    #[must_use]
    pub const fn promoting_to(self, piece: Content) -> Move {
        Move(self.0 | (piece.code() as u32) << PROMOTED_SHIFT)
    }

    /// The integer.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The cell the piece leaves.
    #[inline]
    pub const fn from(self) -> Cell {
        Cell::from_bits(self.0)
    }

    /// The cell the piece reaches.
    #[inline]
    pub const fn to(self) -> Cell {
        Cell::from_bits(self.0 >> TO_SHIFT)
    }

    /// What stood on the target.
    #[inline]
    pub const fn captured(self) -> Content {
        Content::from_bits(self.0 >> CAPTURED_SHIFT)
    }

    /// What a pawn becomes; empty if it does not.
    #[inline]
    pub const fn promoted(self) -> Content {
        Content::from_bits(self.0 >> PROMOTED_SHIFT)
    }

    /// Whether it takes en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0 & Move::EN_PASSANT != 0
    }

    /// Whether a pawn goes two squares.
    #[inline]
    pub const fn is_pawn_start(self) -> bool {
        self.0 & Move::PAWN_START != 0
    }

    /// Whether the king castles.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.0 & Move::CASTLE != 0
    }

    /// The side to which the king castles, if it does.
    pub(super) fn side(self) -> Option<CastlingSide> {
        self.is_castle().then(|| if self.to() > self.from() { CastlingSide::KingSide } else { CastlingSide::QueenSide })
    }

    pub(crate) fn plain(self) -> UciMove {
        UciMove {
            from: self.from().inner_square(),
            to: self.to().inner_square(),
            promotion: self.promoted().piece().map(|piece| piece.role),
        }
    }

    pub(super) fn played(self) -> PlayedMove {
        let (captured, kind) = match self.side() {
            Some(side) => (None, PlayedKind::Castle(side)),
            None if self.is_en_passant() => (Some(Role::Pawn), PlayedKind::EnPassant),
            None => (self.captured().piece().map(|piece| piece.role), PlayedKind::Ordinary),
        };
        PlayedMove { mv: self.plain(), captured, kind }
    }
}
