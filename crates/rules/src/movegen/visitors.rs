//! The visitors of the move generator: the list, the count, and the search for one move.

use std::marker::PhantomData;

use super::{Threats, Visitor, generate, pieces_one_by_one};
use crate::board::Board;
use crate::lanes::{Lanes, Work};
use crate::side::{PawnStep, Side};
use crate::{Bitboard, Move, MoveKind, MoveList, Role, Square, attacks};

/// Writes the moves down.
impl<S: Side> Visitor<S> for MoveList {
    #[inline(always)]
    fn piece(&mut self, _role: Role, from: Square, targets: Bitboard) {
        self.push_each(targets, |to| Move::normal(from, to));
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        self.push_each(targets, |to| Move::normal(step.origin::<S>(to), to));
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard) {
        self.push_each(targets, |to| Move::normal(PawnStep::double_push_origin::<S>(to), to));
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.push(Move::promotion(step.origin::<S>(to), to, role));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.push(Move::castle(king, rook));
    }
}

/// Counts moves without naming them.
///
/// The lanes are added up only when the total is asked for, so that many positions can share one count.
#[derive(Clone, Copy)]
pub(crate) struct Tally<L> {
    lanes: L,
    others: u64,
}

impl<L: Lanes> Tally<L> {
    #[inline(always)]
    pub(crate) fn new() -> Tally<L> {
        Tally { lanes: L::splat(0), others: 0 }
    }

    #[inline(always)]
    pub(crate) fn total(&self) -> u64 {
        self.lanes.sum() + self.others
    }

    #[inline(always)]
    fn add(&mut self, targets: Bitboard) {
        self.others += u64::from(targets.count());
    }
}

impl<S: Side> Visitor<S> for Tally<S::Lanes> {
    #[inline(always)]
    fn piece(&mut self, _role: Role, _from: Square, targets: Bitboard) {
        self.add(targets);
    }

    #[inline(always)]
    fn pawns(&mut self, _step: PawnStep, targets: Bitboard) {
        self.add(targets);
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard) {
        self.add(targets);
    }

    #[inline(always)]
    fn promotions(&mut self, _step: PawnStep, targets: Bitboard) {
        self.others += 4 * u64::from(targets.count());
    }

    #[inline(always)]
    fn en_passant(&mut self, _from: Square, _to: Square) {
        self.others += 1;
    }

    #[inline(always)]
    fn castle(&mut self, _king: Square, _rook: Square) {
        self.others += 1;
    }

    /// All knights and sliders at once, one lane for each direction, where the build makes that the faster way.
    #[inline(always)]
    fn pieces(&mut self, board: &Board, targets: Bitboard, threats: &Threats) {
        if !S::Lanes::FAST {
            return pieces_one_by_one::<S, Self>(board, targets, threats, self);
        }
        let us = S::COLOR;
        let sliders = S::Lanes::sliders(board.straight_sliders(us), board.diagonal_sliders(us));
        let slides = sliders.and(threats.free_in_lanes()).slide(!board.occupied()).step();
        let leaps = S::Lanes::leaps(board.pieces(Role::Knight, us) - threats.pinned);
        let targets = S::Lanes::splat(targets.0);
        self.lanes = self.lanes.plus_counts(slides.and(targets), leaps.and(targets));
    }
}

/// Counts the legal moves of a board, in a function that is compiled for the instructions of the side.
#[inline(always)]
pub(crate) fn count_apart<S: Side>(board: &Board) -> u64 {
    S::Lanes::apart(Count { board, side: PhantomData::<S> })
}

struct Count<'a, S> {
    board: &'a Board,
    side: PhantomData<S>,
}

impl<S: Side> Work for Count<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut tally = Tally::<S::Lanes>::new();
        generate::<S, _>(self.board, !self.board.color(S::COLOR), &mut tally);
        tally.total()
    }
}

/// Looks for one move among the legal ones.
pub(crate) struct MoveFinder {
    wanted: Move,
    pub(crate) found: bool,
}

impl MoveFinder {
    pub(crate) fn new(wanted: Move) -> MoveFinder {
        MoveFinder { wanted, found: false }
    }

    #[inline(always)]
    fn compare(&mut self, from: Square, targets: Bitboard, is_kind: bool) {
        self.found |= is_kind && from == self.wanted.from() && targets.contains(self.wanted.to());
    }
}

impl<S: Side> Visitor<S> for MoveFinder {
    #[inline(always)]
    fn piece(&mut self, _role: Role, from: Square, targets: Bitboard) {
        self.compare(from, targets, self.wanted.kind() == MoveKind::Normal);
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        self.compare(step.origin::<S>(self.wanted.to()), targets, self.wanted.kind() == MoveKind::Normal);
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard) {
        self.compare(
            PawnStep::double_push_origin::<S>(self.wanted.to()),
            targets,
            self.wanted.kind() == MoveKind::Normal,
        );
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        self.compare(step.origin::<S>(self.wanted.to()), targets, self.wanted.promotion_role().is_some());
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.compare(from, to.bitboard(), self.wanted.kind() == MoveKind::EnPassant);
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.compare(king, rook.bitboard(), self.wanted.kind() == MoveKind::Castle);
    }

    /// Only the piece that is to move is of interest.
    #[inline(always)]
    fn pieces(&mut self, board: &Board, targets: Bitboard, threats: &Threats) {
        let from = self.wanted.from();
        if board.color(S::COLOR).contains(from)
            && let Some(role @ (Role::Knight | Role::Bishop | Role::Rook | Role::Queen)) =
                board.role_at_by::<S::Lanes>(from)
        {
            let reached = attacks::of(role, S::COLOR, from, board.occupied());
            Visitor::<S>::piece(self, role, from, reached & targets & threats.pin_mask(from));
        }
    }
}
