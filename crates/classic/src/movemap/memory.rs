//! How the board remembers what has moved: the document's way, and the way its author wished for.

use std::fmt;

use rules::{CastlingSide, Color, File, Rank, Role, Setup, Square};

use super::grid::{Grid, Value};
use super::sequence::{MEMORY, MOVER, MoveType, Sequence};
use crate::StandardSetup;
use crate::standard::{CASTLES, rook_home};

/// What a board remembers about moves that the squares do not show.
pub trait CastlingMemory: Clone + PartialEq + fmt::Debug {
    /// What a set-up tells.
    fn of(start: &StandardSetup) -> Self;

    /// Whether the pawn on this square has still its first move.
    fn may_step_twice(&self, pawn: Square, color: Color) -> bool;

    /// Whether neither the king nor the rook has moved. Whether they are still there is for the board to say.
    fn may_castle(&self, color: Color, side: CastlingSide) -> bool;

    /// Writes into a move what will be needed to forget it.
    fn note(&self, mv: &mut Sequence);

    /// A move is made.
    fn apply(&mut self, mv: &Sequence);

    /// A move is taken back.
    fn revert(&mut self, mv: &Sequence);
}

/// A number for each square, as in the document: one if what is there has not moved, zero if it has. (So it is named
/// after the opposite of what it says.) Empty squares have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved([[i8; 8]; 8]);

const UNMOVED: i8 = 1;
const HAS_MOVED: i8 = 0;

impl Moved {
    /// The number of a square.
    #[inline]
    pub fn at(&self, square: Square) -> i8 {
        self.0[square.rank().index()][square.file().index()]
    }

    #[inline]
    fn set(&mut self, square: Square, number: i8) {
        self.0[square.rank().index()][square.file().index()] = number;
    }

    /// Flips one bit of the number of a square, which then may mean nothing.
    pub(super) fn flip(&mut self, square: Square, bit: u32) {
        self.set(square, self.at(square) ^ 1 << bit);
    }

    fn go(&mut self, start: Square, end: Square) {
        self.set(start, UNMOVED);
        self.set(end, HAS_MOVED);
    }
}

impl CastlingMemory for Moved {
    /// Whatever is not where a game starts has moved. A rook that may not castle has moved, too, even if it is back.
    fn of(start: &StandardSetup) -> Moved {
        let setup = start.setup();
        let initial = Setup::initial();
        let mut moved = Moved([[UNMOVED; 8]; 8]);
        for square in Square::ALL {
            let piece = setup.pieces[square.index()];
            if piece.is_some() && piece != initial.pieces[square.index()] {
                moved.set(square, HAS_MOVED);
            }
        }
        for (color, side) in CASTLES {
            let home = rook_home(color, side);
            if setup.pieces[home.index()].is_some() && !start.may_castle(color, side) {
                moved.set(home, HAS_MOVED);
            }
        }
        moved
    }

    #[inline]
    fn may_step_twice(&self, pawn: Square, _color: Color) -> bool {
        self.at(pawn) == UNMOVED
    }

    #[inline]
    fn may_castle(&self, color: Color, side: CastlingSide) -> bool {
        let king = Square::new(File::E, color.back_rank());
        self.at(king) == UNMOVED && self.at(rook_home(color, side)) == UNMOVED
    }

    #[inline]
    fn note(&self, mv: &mut Sequence) {
        if matches!(mv.kind(), MoveType::Normal | MoveType::Promotion) {
            mv.remember(MEMORY, i32::from(self.at(mv.end())));
        }
        if mv.kind() == MoveType::Normal {
            mv.remember(MOVER, i32::from(self.at(mv.start())));
        }
    }

    #[inline]
    fn apply(&mut self, mv: &Sequence) {
        self.go(mv.start(), mv.end());
        match mv.kind() {
            MoveType::Normal | MoveType::Promotion => {}
            MoveType::Castle => {
                let (start, end) = mv.rook();
                self.go(start, end);
            }
            MoveType::EnPassant => self.set(mv.captured_square(), UNMOVED),
        }
    }

    /// A promotion has no room for the pawn's own number, and needs none: the pawn has moved. So has a pawn that takes
    /// en passant, and the one it takes. King and rook have not before they castle.
    #[inline]
    fn revert(&mut self, mv: &Sequence) {
        match mv.kind() {
            MoveType::Normal => {
                self.set(mv.start(), mv.memory(MOVER) as i8);
                self.set(mv.end(), mv.memory(MEMORY) as i8);
            }
            MoveType::Promotion => {
                self.set(mv.start(), HAS_MOVED);
                self.set(mv.end(), mv.memory(MEMORY) as i8);
            }
            MoveType::Castle => {
                let (rook_start, rook_end) = mv.rook();
                for square in [mv.start(), mv.end(), rook_start, rook_end] {
                    self.set(square, UNMOVED);
                }
            }
            MoveType::EnPassant => {
                self.set(mv.start(), HAS_MOVED);
                self.set(mv.end(), UNMOVED);
                self.set(mv.captured_square(), HAS_MOVED);
            }
        }
    }
}

/// The castling rights in four bits: the author's first wish. Whether a pawn has moved is seen from its rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rights(u8);

const fn right(color: Color, side: CastlingSide) -> u8 {
    1 << (2 * color as u8 + side as u8)
}

/// For each square, the rights that remain when something leaves or enters it.
const REMAINING: [u8; 64] = {
    let mut table = [0b1111; 64];
    table[Square::A1.index()] -= right(Color::White, CastlingSide::QueenSide);
    table[Square::E1.index()] -=
        right(Color::White, CastlingSide::QueenSide) + right(Color::White, CastlingSide::KingSide);
    table[Square::H1.index()] -= right(Color::White, CastlingSide::KingSide);
    table[Square::A8.index()] -= right(Color::Black, CastlingSide::QueenSide);
    table[Square::E8.index()] -=
        right(Color::Black, CastlingSide::QueenSide) + right(Color::Black, CastlingSide::KingSide);
    table[Square::H8.index()] -= right(Color::Black, CastlingSide::KingSide);
    table
};

impl CastlingMemory for Rights {
    fn of(start: &StandardSetup) -> Rights {
        let held = CASTLES.into_iter().filter(|&(color, side)| start.may_castle(color, side));
        Rights(held.fold(0, |rights, (color, side)| rights | right(color, side)))
    }

    #[inline]
    fn may_step_twice(&self, pawn: Square, color: Color) -> bool {
        pawn.rank() == color.relative(Rank::Second)
    }

    #[inline]
    fn may_castle(&self, color: Color, side: CastlingSide) -> bool {
        self.0 & right(color, side) != 0
    }

    #[inline]
    fn note(&self, mv: &mut Sequence) {
        if mv.kind() != MoveType::EnPassant {
            mv.remember(MEMORY, i32::from(self.0));
        }
    }

    #[inline]
    fn apply(&mut self, mv: &Sequence) {
        self.0 &= REMAINING[mv.start().index()] & REMAINING[mv.end().index()];
    }

    #[inline]
    fn revert(&mut self, mv: &Sequence) {
        if mv.kind() != MoveType::EnPassant {
            self.0 = mv.memory(MEMORY) as u8;
        }
    }
}

/// Whether king and rook wait for castling on their squares, if they have not moved.
#[inline]
pub(super) fn may_castle(memory: &impl CastlingMemory, grid: &Grid, color: Color, side: CastlingSide) -> bool {
    let king = Square::new(File::E, color.back_rank());
    memory.may_castle(color, side)
        && grid.at(king) == Value::of(Role::King.of(color))
        && grid.at(rook_home(color, side)) == Value::of(Role::Rook.of(color))
}
