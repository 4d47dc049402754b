//! How the board finds out whether a move leaves the king in check: the document's way, and a faster one.

use std::fmt;

use rules::{Bitboard, Color, Piece, Role, Square};

use super::grid::{BISHOP, Grid, KING, KNIGHT, Map, QUEEN, ROOK, Repeat, Value, pawn_captures};
use super::sequence::{MoveType, Sequence};
use super::{CastlingMemory, MoveMap};

/// A way to find out whether moves are legal.
pub trait Legality: Clone + PartialEq + fmt::Debug + Sized {
    /// What is found out once for all moves of a position.
    type View: Copy;

    /// What is known about a position that was not looked at: every move must be tried out.
    const UNSEEN: Self::View;

    /// Looks at the position before its moves are examined.
    fn look<M: CastlingMemory>(board: &MoveMap<M, Self>) -> Self::View;

    /// Whether a move of the player to move, legal otherwise, leaves the own king safe. The board is as it was after
    /// the answer.
    fn is_legal<M: CastlingMemory>(board: &mut MoveMap<M, Self>, mv: &Sequence, view: Self::View) -> bool;

    /// Whether a king on a square would be in check from a player.
    fn is_attacked<M: CastlingMemory>(board: &MoveMap<M, Self>, square: Square, by: Color) -> bool;
}

/// Applies a move, looks at the own king, and reverts the move.
fn try_out<M: CastlingMemory, L: Legality>(board: &mut MoveMap<M, L>, mv: &Sequence) -> bool {
    let us = board.turn;
    board.apply(*mv);
    let is_legal = !L::is_attacked(board, board.kings[us], !us);
    board.revert();
    is_legal
}

/// As in the document: every move is tried out, and the king pretends to be each type of piece in turn. If it could, as
/// a queen, take a queen, then a queen gives check; and so on for all six types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pretend;

impl Legality for Pretend {
    type View = ();

    const UNSEEN: () = ();

    fn look<M: CastlingMemory>(_board: &MoveMap<M, Pretend>) {}

    fn is_legal<M: CastlingMemory>(board: &mut MoveMap<M, Pretend>, mv: &Sequence, _view: ()) -> bool {
        try_out(board, mv)
    }

    fn is_attacked<M: CastlingMemory>(board: &MoveMap<M, Pretend>, square: Square, by: Color) -> bool {
        Role::ALL.into_iter().any(|role| {
            let like = Value::of(role.of(by));
            pretence(role, !by, |maps, repeat| board.grid.meets(square, maps, repeat, like))
        })
    }
}

/// How a king of `color` moves while it pretends to be of a role.
#[inline]
fn pretence<T>(role: Role, color: Color, then: impl FnOnce(&[Map], Repeat) -> T) -> T {
    match role {
        Role::Pawn => then(&pawn_captures(color), Repeat::Once),
        Role::Knight => then(&KNIGHT, Repeat::Once),
        Role::Bishop => then(&BISHOP, Repeat::UntilBlocked),
        Role::Rook => then(&ROOK, Repeat::UntilBlocked),
        Role::Queen => then(&QUEEN, Repeat::UntilBlocked),
        Role::King => then(&KING, Repeat::Once),
    }
}

/// The author's second wish, a faster check, by two observations. Most moves cannot expose the king: if it is not in
/// check, and what moves is neither the king nor a piece that shields it, there is nothing to try out, and which pieces
/// shield the king is found out once for all moves. And when there is something to try out, each of the eight lines is
/// looked along once, and the first piece met says by itself whether it attacks this way; the king as a queen, a rook
/// and a bishop looks along each line twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines;

/// What [`Lines`] finds out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The king is attacked, or it is not known to be safe: every move must be tried out.
    Check,
    /// The king is safe: only its own moves and those of its shields must be tried out.
    Safe {
        /// The king and the pieces that are alone between it and an attacker.
        delicate: Bitboard,
    },
}

impl Legality for Lines {
    type View = View;

    const UNSEEN: View = View::Check;

    fn look<M: CastlingMemory>(board: &MoveMap<M, Lines>) -> View {
        let us = board.turn;
        let king = board.kings[us];
        if Lines::is_attacked(board, king, !us) {
            return View::Check;
        }
        let shields = |maps: &[Map; 4], role: Role| -> Bitboard {
            maps.iter().filter_map(|&map| board.grid.shield(king, map, role.of(!us))).collect()
        };
        View::Safe { delicate: shields(&ROOK, Role::Rook) | shields(&BISHOP, Role::Bishop) | king.bitboard() }
    }

    fn is_legal<M: CastlingMemory>(board: &mut MoveMap<M, Lines>, mv: &Sequence, view: View) -> bool {
        let exposes_nothing = match (view, mv.kind()) {
            (View::Safe { delicate }, MoveType::Normal | MoveType::Promotion) => !delicate.contains(mv.start()),
            // Castling moves the king, and en passant takes two pieces off the same rank.
            _ => false,
        };
        exposes_nothing || try_out(board, mv)
    }

    fn is_attacked<M: CastlingMemory>(board: &MoveMap<M, Lines>, square: Square, by: Color) -> bool {
        let grid = &board.grid;
        let along = |maps: &[Map; 4], role: Role| {
            let (slider, queen) = (Value::of(role.of(by)), Value::of(Role::Queen.of(by)));
            maps.iter().any(|&map| {
                let met = grid.first_met(square, map, Repeat::UntilBlocked).map(|square| grid.at(square));
                met == Some(slider) || met == Some(queen)
            })
        };
        along(&ROOK, Role::Rook)
            || along(&BISHOP, Role::Bishop)
            || grid.meets(square, &KNIGHT, Repeat::Once, Value::of(Role::Knight.of(by)))
            || grid.meets(square, &pawn_captures(!by), Repeat::Once, Value::of(Role::Pawn.of(by)))
            || grid.meets(square, &KING, Repeat::Once, Value::of(Role::King.of(by)))
    }
}

impl Grid {
    /// The piece that stands alone on a line between the king and an attacker, which slides like `slider`.
    fn shield(&self, king: Square, map: Map, slider: Piece) -> Option<Square> {
        let shield = self.first_met(king, map, Repeat::UntilBlocked)?;
        let behind = self.at(self.first_met(shield, map, Repeat::UntilBlocked)?);
        let attacks = behind == Value::of(slider) || behind == Value::of(Role::Queen.of(slider.color));
        (attacks && self.at(shield).belongs_to(!slider.color)).then_some(shield)
    }

    /// All pieces of a player that attack a square: those that something on it could take if it pretended to be them.
    pub(super) fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for role in Role::ALL {
            pretence(role, !by, |maps, repeat| {
                let met = maps.iter().filter_map(|&map| self.first_met(square, map, repeat));
                found |= met.filter(|&from| self.at(from) == Value::of(role.of(by))).collect::<Bitboard>();
            });
        }
        found
    }
}
