//! Moves as numbers for a policy: one for each pair of squares, and those for promotions to less than a queen.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rules::{Move, MoveKind, Position, Role, Square};

use crate::moves::{PyMove, castled_king};

/// Every pair of squares.
const PAIRS: usize = 64 * 64;
/// Knight, bishop and rook, for either color, from a file to a file.
const UNDERPROMOTIONS: usize = 3 * 2 * 64;
/// How many numbers there are.
pub(crate) const POLICY_SIZE: usize = PAIRS + UNDERPROMOTIONS;

fn index(from: usize, to: usize, promotion: Option<Role>) -> usize {
    match promotion {
        Some(role) if role != Role::Queen => {
            let is_black = usize::from(to < 8);
            PAIRS + (role as usize - 1) * 128 + is_black * 64 + (from % 8) * 8 + to % 8
        }
        _ => from * 64 + to,
    }
}

/// The number of a legal move. Castling is the king's two steps, or, by the rules of Chess960, the way to its rook.
pub(super) fn index_of(mv: Move, chess960: bool, flip: usize) -> usize {
    let is_steps = mv.kind() == MoveKind::Castle && !chess960;
    let to = if is_steps { castled_king(mv) } else { mv.to() };
    index(mv.from().index() ^ flip, to.index() ^ flip, mv.promotion_role())
}

/// The legal moves of a position as a truth value for each number.
pub(super) fn mask(position: &Position, chess960: bool, relative: bool, target: &mut [u8]) {
    let flip = super::flip(position, relative);
    let chess960 = chess960 || position.is_chess960();
    for &mv in &position.legal_moves() {
        target[index_of(mv, chess960, flip)] = 1;
    }
}

/// The number of a move. With `mirror`, that of the move as Black sees it.
#[pyfunction]
#[pyo3(signature = (r#move, mirror = false))]
pub(crate) fn policy_index(r#move: &Bound<'_, PyMove>, mirror: bool) -> PyResult<usize> {
    let mv = *r#move.get();
    if mv.is_null() || mv.is_drop() {
        return Err(PyValueError::new_err(format!("{} has no number: it goes from no square to another", mv.text())));
    }
    let flip = if mirror { 56 } else { 0 };
    let is_promotion = mv.promotion.is_none_or(|role| !matches!(role, Role::Pawn | Role::King));
    if !is_promotion {
        return Err(PyValueError::new_err(format!("{} has no number: pawns do not become that", mv.text())));
    }
    Ok(index(mv.from.index() ^ flip, mv.to.index() ^ flip, mv.promotion))
}

/// The move with a number. A pawn that reaches the last rank becomes a queen only if `is_pawn` says that it is one.
#[pyfunction]
#[pyo3(signature = (index, is_pawn = false, mirror = false))]
pub(crate) fn _policy_move(index: usize, is_pawn: bool, mirror: bool) -> PyResult<PyMove> {
    let flip = if mirror { 56 } else { 0 };
    let square = |square: usize| Square::ALL[square ^ flip];
    if index < PAIRS {
        let (from, to) = (index / 64, index % 64);
        let promotion = (is_pawn && !(8..56).contains(&to)).then_some(Role::Queen);
        return Ok(PyMove { from: square(from), to: square(to), promotion, drop: None });
    }
    let index = index - PAIRS;
    if index >= UNDERPROMOTIONS {
        return Err(PyValueError::new_err(format!(
            "{} is not the number of a move: they end at {POLICY_SIZE}",
            index + PAIRS
        )));
    }
    let (role, is_black, from, to) = (index / 128, index / 64 % 2 == 1, index / 8 % 8, index % 8);
    let (from_rank, to_rank) = if is_black { (8, 0) } else { (48, 56) };
    Ok(PyMove {
        from: square(from_rank + from),
        to: square(to_rank + to),
        promotion: Some(Role::ALL[role + 1]),
        drop: None,
    })
}
