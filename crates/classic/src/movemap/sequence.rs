//! Moves as sequences of seven integers.

use rules::{CastlingSide, Color, Role, Square};

use super::grid::{Value, role_of, type_of};
use crate::{PlayedKind, PlayedMove, UciMove};

/// A move in seven integers. What the last four mean depends on the first:
///
/// | | 0 | 1 | 2 | 3 | 4 | 5 | 6 |
/// |---|---|---|---|---|---|---|---|
/// | normal | 0 | start | end | captured type | captured colour | captured `moved` | mover's `moved` |
/// | castle | 1 | start | end | rook start | rook end | – | – |
/// | promotion | 2 | start | end | captured type | captured colour | captured `moved` | promotion type |
/// | en passant | 3 | start | end | captured square | – | – | – |
///
/// The order is the document's, the numbers of the types of moves are ours, and so is the numbering of squares: eight
/// times the rank plus the file. What is unused is zero. With [castling rights](super::Rights) instead of `moved`, the
/// rights before the move stand in place 5 of every move but en passant, which cannot change them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sequence([i32; 7]);

/// What the first integer of a [`Sequence`] says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum MoveType {
    /// A piece goes to a square and takes what is there.
    Normal = 0,
    /// King and rook castle.
    Castle = 1,
    /// A pawn becomes another piece.
    Promotion = 2,
    /// A pawn takes another in passing.
    EnPassant = 3,
}

const START: usize = 1;
const END: usize = 2;
const CAPTURED_TYPE: usize = 3;
const CAPTURED_COLOUR: usize = 4;
/// Where a captured piece's `moved` flag is, or the castling rights.
pub(super) const MEMORY: usize = 5;
/// Where a normal move has the mover's `moved` flag.
pub(super) const MOVER: usize = 6;
const ROOK_START: usize = 3;
const ROOK_END: usize = 4;
const PROMOTION: usize = 6;
const CAPTURED_SQUARE: usize = 3;

fn number(square: Square) -> i32 {
    square.index() as i32
}

impl Sequence {
    fn new(kind: MoveType, start: Square, end: Square) -> Sequence {
        Sequence([kind as i32, number(start), number(end), 0, 0, 0, 0])
    }

    fn with(mut self, place: usize, integer: i32) -> Sequence {
        self.0[place] = integer;
        self
    }

    fn taking(self, captured: Value) -> Sequence {
        self.with(CAPTURED_TYPE, i32::from(captured.kind())).with(CAPTURED_COLOUR, i32::from(captured.colour()))
    }

    pub(super) fn normal(start: Square, end: Square, captured: Value) -> Sequence {
        Sequence::new(MoveType::Normal, start, end).taking(captured)
    }

    pub(super) fn promotion(start: Square, end: Square, captured: Value, role: Role) -> Sequence {
        Sequence::new(MoveType::Promotion, start, end).taking(captured).with(PROMOTION, i32::from(type_of(role)))
    }

    pub(super) fn castle(color: Color, side: CastlingSide) -> Sequence {
        let on = |file| Square::new(file, color.back_rank());
        Sequence::new(MoveType::Castle, on(rules::File::E), on(side.king_file()))
            .with(ROOK_START, number(crate::standard::rook_home(color, side)))
            .with(ROOK_END, number(on(side.rook_file())))
    }

    pub(super) fn en_passant(start: Square, end: Square) -> Sequence {
        Sequence::new(MoveType::EnPassant, start, end)
            .with(CAPTURED_SQUARE, number(Square::new(end.file(), start.rank())))
    }

    pub(super) fn remember(&mut self, place: usize, integer: i32) {
        self.0[place] = integer;
    }

    pub(super) fn memory(&self, place: usize) -> i32 {
        self.0[place]
    }

    /// The seven integers.
    pub fn integers(&self) -> [i32; 7] {
        self.0
    }

    /// What kind of move it is.
    #[inline]
    pub fn kind(&self) -> MoveType {
        match self.0[0] {
            1 => MoveType::Castle,
            2 => MoveType::Promotion,
            3 => MoveType::EnPassant,
            _ => MoveType::Normal,
        }
    }

    #[inline]
    fn square(&self, place: usize) -> Square {
        Square::ALL[(self.0[place] & 63) as usize]
    }

    /// Where the piece starts.
    #[inline]
    pub fn start(&self) -> Square {
        self.square(START)
    }

    /// Where it ends.
    #[inline]
    pub fn end(&self) -> Square {
        self.square(END)
    }

    /// The start and the end of the rook of a castling move.
    #[inline]
    pub(super) fn rook(&self) -> (Square, Square) {
        (self.square(ROOK_START), self.square(ROOK_END))
    }

    /// The square of the pawn taken en passant.
    #[inline]
    pub(super) fn captured_square(&self) -> Square {
        self.square(CAPTURED_SQUARE)
    }

    /// What stood on the end square: only normal moves and promotions take there.
    #[inline]
    pub(super) fn captured(&self) -> Value {
        match self.kind() {
            MoveType::Normal | MoveType::Promotion => Value::from_parts(self.0[CAPTURED_TYPE], self.0[CAPTURED_COLOUR]),
            MoveType::Castle | MoveType::EnPassant => Value::EMPTY,
        }
    }

    /// What a promotion makes of the pawn.
    #[inline]
    pub(super) fn promotion_role(&self) -> Option<Role> {
        (self.kind() == MoveType::Promotion).then(|| role_of(self.0[PROMOTION])).flatten()
    }

    pub(super) fn plain(&self) -> UciMove {
        UciMove { from: self.start(), to: self.end(), promotion: self.promotion_role() }
    }

    pub(super) fn played(&self) -> PlayedMove {
        let on_end = self.captured().piece().map(|piece| piece.role);
        let (captured, kind) = match self.kind() {
            MoveType::Normal | MoveType::Promotion => (on_end, PlayedKind::Ordinary),
            MoveType::Castle => (None, PlayedKind::Castle(CastlingSide::of(self.start(), self.end()))),
            MoveType::EnPassant => (Some(Role::Pawn), PlayedKind::EnPassant),
        };
        PlayedMove { mv: self.plain(), captured, kind }
    }
}
