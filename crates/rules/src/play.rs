//! Playing a move: one position gives the next.

use std::fmt;

use crate::board::{Board, castled_squares};
use crate::keys::Keys;
use crate::side::{PawnStep, Side, for_side};
use crate::{Move, MoveKind, Observer, Position, Role};

/// The move is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a legal move here", self.0)
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// The position after a move, if it is legal here.
    ///
    /// See [`play_unchecked`](Position::play_unchecked) for a move that is known to be legal.
    ///
    /// ```
    /// use saavedra_rules::{Move, Position, Square};
    ///
    /// let position = Position::initial();
    /// assert!(position.play(Move::normal(Square::E2, Square::E4)).is_ok());
    /// let error = position.play(Move::normal(Square::E2, Square::E5)).expect_err("a pawn goes two squares at most");
    /// assert_eq!(error.to_string(), "e2e5 is not a legal move here");
    /// ```
    pub fn play(&self, mv: Move) -> Result<Position, IllegalMove> {
        if self.is_legal(mv) { Ok(self.play_unchecked(mv)) } else { Err(IllegalMove(mv)) }
    }

    /// The position after a move that is known to be legal. After any other the result is of no use, but safe to drop.
    #[inline]
    pub fn play_unchecked(&self, mv: Move) -> Position {
        self.play_unchecked_observed(mv, &mut ())
    }

    /// Like [`play_unchecked`](Position::play_unchecked), and an observer hears what changes.
    #[inline]
    pub fn play_unchecked_observed(&self, mv: Move, observer: &mut impl Observer) -> Position {
        match mv.kind() {
            MoveKind::Normal | MoveKind::Promotion(_) => self.apply_ordinary(mv, observer),
            MoveKind::EnPassant => for_side!(self.turn(), S => self.apply_en_passant::<S>(mv, observer)),
            MoveKind::Castle => for_side!(self.turn(), S => self.apply_castling::<S>(mv, observer)),
        }
    }

    #[inline(always)]
    fn apply_ordinary(&self, mv: Move, observer: &mut impl Observer) -> Position {
        let (from, to) = (mv.from(), mv.to());
        let us = self.turn();
        let before = self.board.role_of_piece_at(from);
        let after = mv.promotion_role().unwrap_or(before);
        let captured = self.board.role_at(to);
        let mut keys = self.keys;
        let mut listeners = (&mut keys, observer);
        if let Some(captured) = captured {
            listeners.removed(captured.of(!us), to);
        }
        listeners.removed(before.of(us), from);
        listeners.placed(after.of(us), to);
        let board = if before == Role::Pawn && from as u8 ^ to as u8 == 16 {
            for_side!(us, S => self.board.after_double_push::<S>(from, to))
        } else {
            self.board.after_move_of(us, after, from.bitboard(), to.bitboard())
        };
        let is_irreversible = captured.is_some() || before == Role::Pawn;
        self.advance(board, keys, if is_irreversible { 0 } else { self.halfmove_clock.saturating_add(1) })
    }

    #[cold]
    fn apply_en_passant<S: Side>(&self, mv: Move, observer: &mut impl Observer) -> Position {
        let (from, to) = (mv.from(), mv.to());
        let mut keys = self.keys;
        let mut listeners = (&mut keys, observer);
        listeners.removed(Role::Pawn.of(<S::Opponent as Side>::COLOR), PawnStep::Push.origin::<S>(to));
        listeners.removed(Role::Pawn.of(S::COLOR), from);
        listeners.placed(Role::Pawn.of(S::COLOR), to);
        self.advance(self.board.after_en_passant::<S>(from, to), keys, 0)
    }

    #[cold]
    fn apply_castling<S: Side>(&self, mv: Move, observer: &mut impl Observer) -> Position {
        let (king, rook) = (mv.from(), mv.to());
        let (king_to, rook_to) = castled_squares(king, rook);
        let mut keys = self.keys;
        let mut listeners = (&mut keys, observer);
        listeners.removed(Role::King.of(S::COLOR), king);
        listeners.removed(Role::Rook.of(S::COLOR), rook);
        listeners.placed(Role::King.of(S::COLOR), king_to);
        listeners.placed(Role::Rook.of(S::COLOR), rook_to);
        self.advance(self.board.after_castling::<S>(king, rook), keys, self.halfmove_clock.saturating_add(1))
    }

    /// The position one move later.
    #[inline(always)]
    fn advance(&self, board: Board, keys: Keys, halfmove_clock: u16) -> Position {
        let fullmove_number = self.fullmove_number.saturating_add(self.turn() as u16);
        Position { board, keys, halfmove_clock, fullmove_number }
    }

    /// The position after the player to move passes, which the rules forbid and a search likes to ask about. There is
    /// none if the player is in check.
    pub fn null_move(&self) -> Option<Position> {
        if self.is_check() {
            return None;
        }
        let mut next = *self;
        next.board.en_passant = None;
        next.board.turn = !self.turn();
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        next.fullmove_number = self.fullmove_number.saturating_add(self.turn() as u16);
        Some(next)
    }
}
