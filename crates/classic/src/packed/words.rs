//! The move in twenty bits, and the history word in thirty-two.

use rules::{CastlingSide, Color, Role};

use super::cells::{Nibble, square_of};
use crate::{PlayedKind, PlayedMove, UciMove};

/// What kind of move it is, in four bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveType {
    /// A move to an empty cell.
    Quiet = 0b0000,
    /// Castling with the rook on the h-file.
    CastleKingSide = 0b0001,
    /// Castling with the rook on the a-file.
    CastleQueenSide = 0b0010,
    /// A pawn's first move by two squares.
    DoublePush = 0b0011,
    /// A capture.
    Capture = 0b0100,
    /// White takes en passant.
    EnPassantWhite = 0b0101,
    /// Black takes en passant.
    EnPassantBlack = 0b0110,
    /// The pattern that the document leaves without a meaning. No move has it.
    Unused = 0b0111,
    /// A pawn becomes a knight.
    PromoteKnight = 0b1000,
    /// A pawn becomes a bishop.
    PromoteBishop = 0b1001,
    /// A pawn becomes a rook.
    PromoteRook = 0b1010,
    /// A pawn becomes a queen.
    PromoteQueen = 0b1011,
    /// A pawn takes and becomes a knight.
    CapturePromoteKnight = 0b1100,
    /// A pawn takes and becomes a bishop.
    CapturePromoteBishop = 0b1101,
    /// A pawn takes and becomes a rook.
    CapturePromoteRook = 0b1110,
    /// A pawn takes and becomes a queen.
    CapturePromoteQueen = 0b1111,
}

impl MoveType {
    /// All types, by their bits.
    pub const ALL: [MoveType; 16] = [
        MoveType::Quiet,
        MoveType::CastleKingSide,
        MoveType::CastleQueenSide,
        MoveType::DoublePush,
        MoveType::Capture,
        MoveType::EnPassantWhite,
        MoveType::EnPassantBlack,
        MoveType::Unused,
        MoveType::PromoteKnight,
        MoveType::PromoteBishop,
        MoveType::PromoteRook,
        MoveType::PromoteQueen,
        MoveType::CapturePromoteKnight,
        MoveType::CapturePromoteBishop,
        MoveType::CapturePromoteRook,
        MoveType::CapturePromoteQueen,
    ];

    /// The promotions with their captures, in the order of the bits.
    pub(super) const PROMOTIONS: [(MoveType, MoveType); 4] = [
        (MoveType::PromoteKnight, MoveType::CapturePromoteKnight),
        (MoveType::PromoteBishop, MoveType::CapturePromoteBishop),
        (MoveType::PromoteRook, MoveType::CapturePromoteRook),
        (MoveType::PromoteQueen, MoveType::CapturePromoteQueen),
    ];

    /// En passant has a type for each player.
    pub(super) const fn en_passant(color: Color) -> MoveType {
        match color {
            Color::White => MoveType::EnPassantWhite,
            Color::Black => MoveType::EnPassantBlack,
        }
    }

    /// The piece a pawn becomes: its three bits are the low two of the type, plus two.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        let bits = self as u8;
        if bits & 0b1000 == 0 { None } else { Nibble::from_bits((((bits & 0b11) + 2) << 1) as u32).role() }
    }

    /// Whether something on the target cell is taken.
    #[inline]
    pub const fn takes_target(self) -> bool {
        matches!(self, MoveType::Capture) || self as u8 & 0b1100 == 0b1100
    }

    /// Whether it takes en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        matches!(self, MoveType::EnPassantWhite | MoveType::EnPassantBlack)
    }

    /// The side to which it castles.
    #[inline]
    pub const fn side(self) -> Option<CastlingSide> {
        match self {
            MoveType::CastleKingSide => Some(CastlingSide::KingSide),
            MoveType::CastleQueenSide => Some(CastlingSide::QueenSide),
            _ => None,
        }
    }
}

/// A move in the low 20 bits of an integer: from 6 bits at 14, to 6 bits at 8, type 4 bits at 4, piece 4 bits at 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u32);

const FROM_SHIFT: u32 = 14;
const TO_SHIFT: u32 = 8;
const TYPE_SHIFT: u32 = 4;

impl Move {
    /// The bits of a move.
    pub const MASK: u32 = 0xf_ffff;

    /// A move of a piece between two numbered squares.
    #[inline]
    pub const fn new(from: u8, to: u8, kind: MoveType, piece: Nibble) -> Move {
        let squares = (from as u32 & 63) << FROM_SHIFT | (to as u32 & 63) << TO_SHIFT;
        Move(squares | (kind as u32) << TYPE_SHIFT | piece.bits() as u32)
    }

    /// The integer.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The number of the square the piece leaves.
    #[inline]
    pub const fn from(self) -> u8 {
        (self.0 >> FROM_SHIFT & 63) as u8
    }

    /// The number of the square the piece reaches.
    #[inline]
    pub const fn to(self) -> u8 {
        (self.0 >> TO_SHIFT & 63) as u8
    }

    /// The type of the move.
    #[inline]
    pub const fn kind(self) -> MoveType {
        MoveType::ALL[(self.0 >> TYPE_SHIFT & 0xf) as usize]
    }

    /// The piece that moves, a pawn also if it promotes.
    #[inline]
    pub const fn piece(self) -> Nibble {
        Nibble::from_bits(self.0)
    }

    pub(super) fn plain(self) -> UciMove {
        UciMove { from: square_of(self.from()), to: square_of(self.to()), promotion: self.kind().promotion() }
    }
}

/// What a move was and what holds after it, in 32 bits: the [move](Move) in the low 20, the captured piece at 20, and
/// eight flags from 24.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HistoryWord(u32);

const CAPTURED_SHIFT: u32 = 20;

/// The flags of a history word. White's come before Black's.
pub mod flag {
    use rules::{CastlingSide, Color};

    /// White has castled (`wc`).
    pub const WHITE_CASTLED: u32 = 1 << 24;
    /// Black has castled (`bc`).
    pub const BLACK_CASTLED: u32 = 1 << 25;
    /// White's king has moved (`wcm`).
    pub const WHITE_KING_MOVED: u32 = 1 << 26;
    /// Black's king has moved (`bcm`).
    pub const BLACK_KING_MOVED: u32 = 1 << 27;
    /// White may castle king side (`wckc`).
    pub const WHITE_KING_SIDE: u32 = 1 << 28;
    /// Black may castle king side (`bckc`).
    pub const BLACK_KING_SIDE: u32 = 1 << 29;
    /// White may castle queen side (`wcqc`).
    pub const WHITE_QUEEN_SIDE: u32 = 1 << 30;
    /// Black may castle queen side (`bcqc`).
    pub const BLACK_QUEEN_SIDE: u32 = 1 << 31;

    /// All flags.
    pub const ALL: u32 = 0xff00_0000;
    /// The four that say who may castle.
    pub const RIGHTS: u32 = 0xf000_0000;

    /// The player has castled.
    pub const fn castled(color: Color) -> u32 {
        WHITE_CASTLED << color as u32
    }

    /// The player's king has moved.
    pub const fn king_moved(color: Color) -> u32 {
        WHITE_KING_MOVED << color as u32
    }

    /// The player may castle on a side.
    pub const fn may_castle(color: Color, side: CastlingSide) -> u32 {
        match side {
            CastlingSide::KingSide => WHITE_KING_SIDE << color as u32,
            CastlingSide::QueenSide => WHITE_QUEEN_SIDE << color as u32,
        }
    }
}

impl HistoryWord {
    /// The word for a move.
    #[inline]
    pub const fn new(mv: Move, captured: Nibble, flags: u32) -> HistoryWord {
        HistoryWord(mv.0 | (captured.bits() as u32) << CAPTURED_SHIFT | flags & flag::ALL)
    }

    /// The word with one bit flipped.
    pub(super) const fn with_flipped(self, bit: u32) -> HistoryWord {
        HistoryWord(self.0 ^ 1 << bit)
    }

    /// The integer.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The move.
    #[inline]
    pub const fn mv(self) -> Move {
        Move(self.0 & Move::MASK)
    }

    /// The piece that was taken, en passant included.
    #[inline]
    pub const fn captured(self) -> Nibble {
        Nibble::from_bits(self.0 >> CAPTURED_SHIFT)
    }

    /// The [flags](flag) that hold after the move.
    #[inline]
    pub const fn flags(self) -> u32 {
        self.0 & flag::ALL
    }

    pub(super) fn played(self) -> PlayedMove {
        let kind = match self.mv().kind().side() {
            Some(side) => PlayedKind::Castle(side),
            None if self.mv().kind().is_en_passant() => PlayedKind::EnPassant,
            None => PlayedKind::Ordinary,
        };
        PlayedMove { mv: self.mv().plain(), captured: self.captured().role(), kind }
    }
}
