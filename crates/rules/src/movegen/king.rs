//! The three questions about the king: checks, pins, attacked squares.

use std::marker::PhantomData;

use crate::board::Board;
use crate::lanes::{Lanes, Work};
use crate::side::{PawnStep, Side};
use crate::{Bitboard, Role, Square, attacks};

/// What bears on the king of the side to move.
pub(crate) struct Threats {
    pub(crate) king: Square,
    /// The enemy pieces that give check.
    pub(crate) checkers: Bitboard,
    /// The own pieces that must stay on their line to the king.
    pub(crate) pinned: Bitboard,
}

impl Threats {
    #[inline(always)]
    pub(crate) fn to_king<S: Side>(board: &Board) -> Threats {
        let them = <S::Opponent as Side>::COLOR;
        let king = board.king(S::COLOR);
        let mut checkers = attacks::knight(king) & board.pieces(Role::Knight, them)
            | attacks::pawn(S::COLOR, king) & board.pieces(Role::Pawn, them);
        let mut pinned = Bitboard::EMPTY;
        let (straight, diagonal) = (board.straight_sliders(them), board.diagonal_sliders(them));
        for sniper in attacks::snipers(king, straight, diagonal, board.occupied()) {
            if sniper.blockers.is_empty() {
                checkers |= sniper.square.bitboard();
            }
            if !sniper.blockers.more_than_one() {
                pinned |= sniper.blockers & board.color(S::COLOR);
            }
        }
        Threats { king, checkers, pinned }
    }

    #[inline(always)]
    pub(crate) fn none(king: Square) -> Threats {
        Threats { king, checkers: Bitboard::EMPTY, pinned: Bitboard::EMPTY }
    }

    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        (self.checkers | self.pinned).is_empty()
    }

    /// The check mask: where a move of another piece must land if it is to answer the check.
    #[inline(always)]
    pub(crate) fn check_mask(&self) -> Bitboard {
        match self.checkers.first() {
            Some(checker) => attacks::between(self.king, checker) | self.checkers,
            None => Bitboard::ALL,
        }
    }

    /// The squares whose pieces may move along an axis: those that are not pinned, or pinned along it.
    #[inline(always)]
    pub(crate) fn free_along(&self, axis: usize) -> Bitboard {
        !self.pinned | Bitboard(attacks::AXES[self.king.index()][axis])
    }

    /// The squares whose pieces may move in each of the eight directions.
    #[inline(always)]
    pub(crate) fn free_in_lanes<L: Lanes>(&self) -> L {
        L::splat((!self.pinned).0).or(L::lines_through(self.king))
    }

    /// Where the pins let the piece on a square go.
    #[inline(always)]
    pub(crate) fn pin_mask(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) { attacks::line(self.king, from) } else { Bitboard::ALL }
    }
}

/// The squares that `S` attacks, when `occupied` blocks its sliders.
#[inline(always)]
pub(crate) fn attacked<S: Side>(board: &Board, occupied: Bitboard) -> Bitboard {
    let straight = board.straight_sliders(S::COLOR);
    let diagonal = board.diagonal_sliders(S::COLOR);
    let knights = board.pieces(Role::Knight, S::COLOR);
    let pawns = board.pieces(Role::Pawn, S::COLOR);
    let king = board.king(S::COLOR);
    let by_pawns = PawnStep::East.advance::<S>(pawns) | PawnStep::West.advance::<S>(pawns);
    by_pawns
        | if S::Lanes::FAST {
            let kings = S::Lanes::splat(king.bitboard().0);
            let steppers = S::Lanes::sliders(straight, diagonal).slide(!occupied).or(kings);
            Bitboard(steppers.step().or(S::Lanes::leaps(knights)).union())
        } else {
            let united = |pieces: Bitboard, reach: fn(Square, Bitboard) -> Bitboard| {
                pieces.into_iter().fold(Bitboard::EMPTY, |all, from| all | reach(from, occupied))
            };
            united(straight, attacks::rook)
                | united(diagonal, attacks::bishop)
                | united(knights, |from, _| attacks::knight(from))
                | attacks::king(king)
        }
}

/// Does what [`attacked`] does in a function of its own, which is compiled for the instructions of the side.
#[inline(always)]
pub(crate) fn attacked_apart<S: Side>(board: &Board) -> Bitboard {
    S::Lanes::apart(AllAttacked { board, side: PhantomData::<S> })
}

struct AllAttacked<'a, S> {
    board: &'a Board,
    side: PhantomData<S>,
}

impl<S: Side> Work for AllAttacked<'_, S> {
    type Output = Bitboard;

    #[inline(always)]
    fn run(self) -> Bitboard {
        attacked::<S>(self.board, self.board.occupied())
    }
}
