//! Leaf counts as fast as they come: boards without keys, and no move is ever written down.
//!
//! The walk is a [`Visitor`] that makes a board for every move it hears of. One ply above the leaves nothing is made
//! any more: the moves are counted where they stand. Since the compiler knows the moving role there, it keeps whatever
//! that role cannot change out of the inner loop; this is worth a fifth to a third of the speed, and the reason why the
//! common moves are inlined and the rare ones are not.

use std::marker::PhantomData;

use super::Measure;
use crate::board::Board;
use crate::lanes::{Lanes, Work, for_best_lanes};
use crate::movegen::{Tally, Visitor, generate};
use crate::side::{Black, PawnStep, Side, White};
use crate::{Bitboard, Color, Move, Position, Role, Square};

/// Counts leaves.
pub(super) struct Plain;

impl Measure for Plain {
    type Total = u64;

    fn measure(&self, position: &Position, mv: Move, depth: u32) -> u64 {
        leaves(&position.play_unchecked(mv), depth - 1)
    }
}

/// The leaves below a position, counted with the best instructions that this CPU has.
pub(super) fn leaves(position: &Position, depth: u32) -> u64 {
    for_best_lanes!(L => leaves_by::<L>(position, depth))
}

/// The leaves below a position, counted with the instructions of these lanes.
fn leaves_by<L: Lanes>(position: &Position, depth: u32) -> u64 {
    match position.turn() {
        Color::White => walk::<White<L>>(&position.board, depth),
        Color::Black => walk::<Black<L>>(&position.board, depth),
    }
}

#[inline(always)]
fn walk<S: Side>(board: &Board, depth: u32) -> u64 {
    S::Lanes::apart(Walk { board, depth, side: PhantomData::<S> })
}

/// A walk from a board downwards, `S` to move.
struct Walk<'a, S> {
    board: &'a Board,
    depth: u32,
    side: PhantomData<S>,
}

impl<S: Side> Work for Walk<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        count::<S>(self.board, self.depth)
    }
}

#[inline(always)]
fn count<S: Side>(board: &Board, depth: u32) -> u64 {
    let targets = !board.color(S::COLOR);
    match depth {
        0 => 1,
        1 => {
            let mut tally = Tally::<S::Lanes>::new();
            generate::<S, _>(board, targets, &mut tally);
            tally.total()
        }
        2 => {
            let mut tally = Tally::<S::Lanes>::new();
            generate::<S, _>(board, targets, &mut Descent { board, goal: &mut tally });
            tally.total()
        }
        _ => {
            let mut deeper = Deeper { depth: depth - 1, total: 0 };
            generate::<S, _>(board, targets, &mut Descent { board, goal: &mut deeper });
            deeper.total
        }
    }
}

/// What happens to the boards that a descent makes. `S` is to move on them.
trait Goal<S: Side> {
    fn reach(&mut self, board: &Board);

    /// The same, apart from the hot loop.
    #[inline(always)]
    fn reach_rarely(&mut self, board: &Board)
    where
        Self: Sized,
    {
        S::Lanes::apart(Reach { goal: self, board, side: PhantomData::<S> });
    }
}

/// A board that is reached apart from the hot loop.
struct Reach<'a, S, G> {
    goal: &'a mut G,
    board: &'a Board,
    side: PhantomData<S>,
}

impl<S: Side, G: Goal<S>> Work for Reach<'_, S, G> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.goal.reach(self.board);
    }
}

/// The moves from here are the leaves.
impl<S: Side> Goal<S> for Tally<S::Lanes> {
    #[inline(always)]
    fn reach(&mut self, board: &Board) {
        generate::<S, _>(board, !board.color(S::COLOR), self);
    }
}

/// The leaves are further below.
struct Deeper {
    depth: u32,
    total: u64,
}

impl<S: Side> Goal<S> for Deeper {
    #[inline(always)]
    fn reach(&mut self, board: &Board) {
        self.total += walk::<S>(board, self.depth);
    }
}

/// Makes a board for every move.
struct Descent<'a, G> {
    board: &'a Board,
    goal: &'a mut G,
}

impl<S: Side, G: Goal<S::Opponent>> Visitor<S> for Descent<'_, G> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            self.goal.reach(&self.board.after_move::<S>(role, from.bitboard(), to.bitboard()));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            self.goal.reach(&self.board.after_move::<S>(Role::Pawn, step.origin::<S>(to).bitboard(), to.bitboard()));
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard) {
        for to in targets {
            let from = PawnStep::double_push_origin::<S>(to);
            if self.board.may_allow_en_passant::<S>(to) {
                self.goal.reach_rarely(&self.board.after_double_push::<S>(from, to));
            } else {
                self.goal.reach(&self.board.after_move::<S>(Role::Pawn, from.bitboard(), to.bitboard()));
            }
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.goal.reach_rarely(&self.board.after_move::<S>(
                    role,
                    step.origin::<S>(to).bitboard(),
                    to.bitboard(),
                ));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.goal.reach_rarely(&self.board.after_en_passant::<S>(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.goal.reach_rarely(&self.board.after_castling::<S>(king, rook));
    }
}
