//! The move generator: one description of the legal moves, told to a visitor.
//!
//! [`generate`] walks through the legal moves in sets ("this knight may go to these squares") and leaves it to a
//! [`Visitor`] what to do with them: write a list, play them on, or only count them. Legality is settled before any
//! move is named, by three questions about the king:
//!
//! * Who gives check? With two checkers only the king may move; with one, a move must land in the *check mask*: on the
//!   checker or between it and the king.
//! * Who is pinned? A pinned piece stays on its line.
//! * Which squares are attacked? The king must not go there. This is asked only if it has somewhere to go.
//!
//! Most positions know neither check nor pin, so that case is compiled on its own, with the masks folded away.

mod king;
mod visitors;

use std::marker::PhantomData;

use crate::board::Board;
use crate::castling::{open_rooks, safe_rooks};
use crate::lanes::{Lanes, Work};
use crate::side::{PawnStep, Side, rank};
use crate::{Bitboard, Rank, Role, Square, attacks};

pub(crate) use king::{Threats, attacked, attacked_apart};
pub(crate) use visitors::{MoveFinder, Tally, count_apart};

/// What the move generator tells its moves to. All of them are legal.
pub(crate) trait Visitor<S: Side> {
    /// A piece other than a pawn may go to each of these squares.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);

    /// Pawns may take this step to each of these squares, short of promotion.
    fn pawns(&mut self, step: PawnStep, targets: Bitboard);

    /// Pawns may go two squares ahead to each of these.
    fn double_pushes(&mut self, targets: Bitboard);

    /// Pawns may take this step to each of these squares and promote there.
    fn promotions(&mut self, step: PawnStep, targets: Bitboard);

    /// A pawn may take another en passant.
    fn en_passant(&mut self, from: Square, to: Square);

    /// The king may castle with this rook.
    fn castle(&mut self, king: Square, rook: Square);

    /// Knights, bishops, rooks and queens may go wherever they reach within `targets` and the pins.
    #[inline(always)]
    fn pieces(&mut self, board: &Board, targets: Bitboard, threats: &Threats) {
        pieces_one_by_one::<S, Self>(board, targets, threats, self);
    }
}

/// Tells the visitor the moves of knights, bishops, rooks and queens, piece by piece.
///
/// The roles are spelled out, not looped over, so that each call of the visitor is compiled for its role.
#[inline(always)]
fn pieces_one_by_one<S: Side, V: Visitor<S> + ?Sized>(
    board: &Board,
    targets: Bitboard,
    threats: &Threats,
    visitor: &mut V,
) {
    let us = board.color(S::COLOR);
    let occupied = board.occupied();
    for from in (board.role(Role::Knight) & us) - threats.pinned {
        visitor.piece(Role::Knight, from, attacks::knight(from) & targets);
    }
    for from in board.role(Role::Bishop) & us {
        visitor.piece(Role::Bishop, from, attacks::bishop(from, occupied) & targets & threats.pin_mask(from));
    }
    for from in board.role(Role::Rook) & us {
        visitor.piece(Role::Rook, from, attacks::rook(from, occupied) & targets & threats.pin_mask(from));
    }
    for from in board.role(Role::Queen) & us {
        visitor.piece(Role::Queen, from, attacks::queen(from, occupied) & targets & threats.pin_mask(from));
    }
}

/// Tells the visitor all legal moves of the side to move that end on a square of `targets`.
///
/// Enemy pieces as targets give the captures, empty squares the quiet moves, everything but the own pieces all moves.
/// En passant counts as landing on the pawn it takes, castling as landing on an empty square.
#[inline(always)]
pub(crate) fn generate<S: Side, V: Visitor<S>>(board: &Board, targets: Bitboard, visitor: &mut V) {
    let threats = Threats::to_king::<S>(board);
    if threats.is_none() {
        moves::<S, V>(board, targets, &Threats::none(threats.king), visitor);
    } else {
        S::Lanes::apart(MovesUnderThreat { board, targets, threats: &threats, visitor, side: PhantomData::<S> });
    }
}

/// Does what [`generate`] does in a function of its own, which is compiled for the instructions of the side.
#[inline(always)]
pub(crate) fn generate_apart<S: Side, V: Visitor<S>>(board: &Board, targets: Bitboard, visitor: &mut V) {
    S::Lanes::apart(AllMoves { board, targets, visitor, side: PhantomData::<S> });
}

struct AllMoves<'a, S, V> {
    board: &'a Board,
    targets: Bitboard,
    visitor: &'a mut V,
    side: PhantomData<S>,
}

impl<S: Side, V: Visitor<S>> Work for AllMoves<'_, S, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        generate::<S, V>(self.board, self.targets, self.visitor);
    }
}

/// The moves in a position with a check or a pin, compiled apart from the others.
struct MovesUnderThreat<'a, S, V> {
    board: &'a Board,
    targets: Bitboard,
    threats: &'a Threats,
    visitor: &'a mut V,
    side: PhantomData<S>,
}

impl<S: Side, V: Visitor<S>> Work for MovesUnderThreat<'_, S, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        moves::<S, V>(self.board, self.targets, self.threats, self.visitor);
    }
}

#[inline(always)]
fn moves<S: Side, V: Visitor<S>>(board: &Board, targets: Bitboard, threats: &Threats, visitor: &mut V) {
    king_moves::<S, V>(board, targets, threats, visitor);
    if threats.checkers.more_than_one() {
        return;
    }
    let masked = targets & threats.check_mask();
    pawn_moves::<S, V>(board, masked, threats, visitor);
    visitor.pieces(board, masked, threats);
    if let Some(to) = board.en_passant
        && targets.contains(PawnStep::Push.origin::<S>(to))
    {
        for from in board.en_passant_capturers::<S>(to) {
            visitor.en_passant(from, to);
        }
    }
}

#[inline(always)]
fn king_moves<S: Side, V: Visitor<S>>(board: &Board, targets: Bitboard, threats: &Threats, visitor: &mut V) {
    let king = threats.king;
    let steps = attacks::king(king) & targets;
    let mut castles = board.castling.rooks() & open_rooks(S::COLOR, king, board.occupied());
    if !threats.checkers.is_empty() || targets.is_subset(board.occupied()) {
        castles = Bitboard::EMPTY;
    }
    if (steps | castles).is_empty() {
        return;
    }
    // The king does not hide behind itself: sliders see through the square it leaves.
    let attacked = attacked::<S::Opponent>(board, board.occupied() - king.bitboard());
    visitor.piece(Role::King, king, steps - attacked);
    // In Chess960 the rook may shield the king from a slider in the corner, until it leaves: then it is pinned.
    for rook in (castles & safe_rooks(S::COLOR, king, attacked)) - threats.pinned {
        visitor.castle(king, rook);
    }
}

/// The pawn moves other than en passant.
#[inline(always)]
fn pawn_moves<S: Side, V: Visitor<S>>(board: &Board, targets: Bitboard, threats: &Threats, visitor: &mut V) {
    let pawns = board.pieces(Role::Pawn, S::COLOR);
    let enemies = board.color(<S::Opponent as Side>::COLOR);
    let empty = !board.occupied();
    let last_rank = rank::<S>(Rank::Eighth);
    let advance = |step: PawnStep| step.advance::<S>(pawns & threats.free_along(step.axis::<S>()));

    let ahead = advance(PawnStep::Push) & empty;
    let two_ahead = PawnStep::Push.advance::<S>(ahead & rank::<S>(Rank::Third)) & empty;
    let pushes = ahead & targets;
    let east = advance(PawnStep::East) & enemies & targets;
    let west = advance(PawnStep::West) & enemies & targets;

    visitor.pawns(PawnStep::Push, pushes - last_rank);
    visitor.double_pushes(two_ahead & targets);
    visitor.pawns(PawnStep::East, east - last_rank);
    visitor.pawns(PawnStep::West, west - last_rank);
    if pawns.intersects(rank::<S>(Rank::Seventh)) {
        visitor.promotions(PawnStep::Push, pushes & last_rank);
        visitor.promotions(PawnStep::East, east & last_rank);
        visitor.promotions(PawnStep::West, west & last_rank);
    }
}
