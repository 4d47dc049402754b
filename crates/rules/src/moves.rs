//! A move in sixteen bits, and the list that holds all moves of a position.

use std::fmt;
use std::mem::MaybeUninit;
use std::num::NonZeroU16;
use std::ops::Deref;

use crate::{Bitboard, Role, Square, UciMove};

/// A move, without the position it is played in.
///
/// Castling is written as the king taking its own rook, which is what makes it unambiguous in Chess960; ask
/// [`Position::uci`](crate::Position::uci) or [`Position::san`](crate::Position::san) for the spelling people expect.
///
/// ```
/// use saavedra_rules::{Move, MoveKind, Role, Square};
///
/// let mv = Move::promotion(Square::A7, Square::A8, Role::Rook);
/// assert_eq!((mv.from(), mv.to()), (Square::A7, Square::A8));
/// assert_eq!(mv.kind(), MoveKind::Promotion(Role::Rook));
/// assert_eq!(std::mem::size_of::<Option<Move>>(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(
    /// From the lowest bit: six bits from, six bits to, two bits promotion, two bits kind. No move goes from a1 to
    /// a1, so the word is never zero.
    NonZeroU16,
);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// What a move does besides going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A piece goes to a square, and takes what stands there.
    Normal,
    /// A pawn reaches the last rank and becomes this role.
    Promotion(Role),
    /// A pawn takes another that has just passed it.
    EnPassant,
    /// The king and the rook on the target square castle.
    Castle,
}

const PROMOTION: u16 = 1 << 14;
const EN_PASSANT: u16 = 2 << 14;
const CASTLE: u16 = 3 << 14;

impl Move {
    #[inline]
    const fn pack(from: Square, to: Square, extra: u16) -> Move {
        assert!(from as u8 != to as u8, "a move goes to another square");
        match NonZeroU16::new(from as u16 | (to as u16) << 6 | extra) {
            Some(word) => Move(word),
            None => unreachable!(),
        }
    }

    /// A piece goes from one square to another, capturing or not.
    ///
    /// # Panics
    /// If both squares are the same, like all constructors of moves.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(from, to, 0)
    }

    /// A pawn goes to the last rank and becomes `role`.
    ///
    /// # Panics
    /// If `role` is a pawn or a king.
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Move {
        assert!(!matches!(role, Role::Pawn | Role::King), "a pawn promotes to a knight, bishop, rook or queen");
        Move::pack(from, to, PROMOTION | (role as u16 - Role::Knight as u16) << 12)
    }

    /// A pawn takes en passant; `to` is the empty square it goes to.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, EN_PASSANT)
    }

    /// The king castles with a rook.
    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, CASTLE)
    }

    /// Where the moving piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u32)
    }

    /// Where the moving piece goes; for castling, where the rook stands.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.0.get() as u32 >> 6)
    }

    /// What else the move does.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() & CASTLE {
            PROMOTION => MoveKind::Promotion(Role::ALL[(self.0.get() >> 12 & 3) as usize + 1]),
            EN_PASSANT => MoveKind::EnPassant,
            CASTLE => MoveKind::Castle,
            _ => MoveKind::Normal,
        }
    }

    /// The role a pawn becomes by this move.
    #[inline]
    pub const fn promotion_role(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// The move as a number, for tables and files: see [`Move::from_bits`].
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with this number, if it is well formed. Whether it is legal, the position knows.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(word) => {
                let mv = Move(word);
                let stands_still = mv.from() as u8 == mv.to() as u8;
                let stray_role = bits & CASTLE != PROMOTION && bits >> 12 & 3 != 0;
                if stands_still || stray_role { None } else { Some(mv) }
            }
            None => None,
        }
    }
}

/// Shows the squares as UCI does in Chess960: castling is the king's square and the rook's.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        UciMove::from(*self).fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        match self.kind() {
            MoveKind::EnPassant => f.write_str(" (en passant)"),
            MoveKind::Castle => f.write_str(" (castling)"),
            MoveKind::Normal | MoveKind::Promotion(_) => Ok(()),
        }
    }
}

/// The moves of one position, on the stack.
///
/// No position that can arise in a game has more than 218 moves, and [`Setup`](crate::Setup) refuses more pieces than
/// promotions can explain, so that the list cannot overflow.
#[derive(Clone)]
pub struct MoveList {
    /// Only the moves below the length were ever written.
    moves: [MaybeUninit<Move>; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// How many moves fit.
    pub const CAPACITY: usize = 256;

    /// A list without moves.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { moves: [MaybeUninit::uninit(); MoveList::CAPACITY], len: 0 }
    }

    /// Adds a move.
    ///
    /// # Panics
    /// If the list is full.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
        self.len += 1;
    }

    /// Adds a move for each target square. The length is kept in a register meanwhile, and its bound checked once.
    #[inline(always)]
    pub(crate) fn push_each(&mut self, targets: Bitboard, mv: impl Fn(Square) -> Move) {
        let room = &mut self.moves[self.len..];
        let written = room.len().min(targets.count() as usize);
        for (slot, to) in room.iter_mut().zip(targets) {
            slot.write(mv(to));
        }
        self.len += written;
    }

    /// Keeps the moves that `keep` says yes to, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let mv = self[index];
            if keep(mv) {
                self.moves[kept].write(mv);
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        let written = &self.moves[..self.len];
        // SAFETY: all moves below the length were written. Filling every new list with some move first took 1.5 % of
        // the instructions of a search.
        unsafe { std::slice::from_raw_parts(written.as_ptr().cast(), written.len()) }
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for MoveList {
    fn eq(&self, other: &MoveList) -> bool {
        self[..] == other[..]
    }
}

impl Eq for MoveList {}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = IntoMoves;

    #[inline]
    fn into_iter(self) -> IntoMoves {
        IntoMoves { list: self, next: 0 }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> std::slice::Iter<'a, Move> {
        self.iter()
    }
}

/// The moves of a list, one by one.
#[derive(Clone, Debug)]
pub struct IntoMoves {
    list: MoveList,
    next: usize,
}

impl Iterator for IntoMoves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let mv = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(mv)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for IntoMoves {}
