//! The moves of a board as Python walks over them.

use pyo3::prelude::*;
use rules::Bitboard;

use super::PyBoard;
use crate::moves::PyMove;
use crate::state::State;

/// The legal or pseudo-legal moves of a board: iterate over them, count them, or ask whether a move is among them.
///
/// The moves are those of the board at that time. An iteration takes a list of them when it begins, so the board may
/// be changed meanwhile. There is no `__len__`, as in python-chess: `list()` would ask it first, and count all moves.
#[pyclass(frozen, module = "saavedra")]
pub(crate) struct MoveGenerator {
    board: Py<PyBoard>,
    is_legal: bool,
}

impl MoveGenerator {
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<rules::Move>> {
        let board = self.board.try_borrow(py)?;
        Ok(match self.is_legal {
            true => board.state.legal_moves(board.chess960, Bitboard::ALL, Bitboard::ALL),
            false => board.state.loose().pseudo_legal(board.chess960, Bitboard::ALL, Bitboard::ALL),
        })
    }
}

#[pymethods]
impl MoveGenerator {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // A list's own iterator is the fastest that Python has.
        Ok(self.to_list(py)?.try_iter()?.into_any())
    }

    /// The moves as a list.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
        let board = self.board.try_borrow(py)?;
        match &*board.state {
            State::Legal { position, .. } if self.is_legal => board.list(py, &position.legal_moves()),
            _ => {
                let moves = self.moves(py)?;
                board.list(py, &moves)
            }
        }
    }

    fn __contains__(&self, py: Python<'_>, r#move: &Bound<'_, PyMove>) -> PyResult<bool> {
        let board = self.board.try_borrow(py)?;
        Ok(match self.is_legal {
            true => board.state.resolve(*r#move.get(), board.chess960).is_some(),
            false => board.state.resolve_pseudo_legal(*r#move.get(), board.chess960).is_some(),
        })
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.count(py)? > 0)
    }

    /// How many moves there are, without listing them.
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        let board = self.board.try_borrow(py)?;
        Ok(match &*board.state {
            State::Legal { position, .. } if self.is_legal => position.legal_move_count(),
            _ => self.moves(py)?.len(),
        })
    }

    fn __repr__(slf: &Bound<'_, MoveGenerator>) -> PyResult<String> {
        let py = slf.py();
        let this = slf.get();
        let board = this.board.try_borrow(py)?;
        let moves = this.moves(py)?;
        let name = if this.is_legal { "LegalMoveGenerator" } else { "PseudoLegalMoveGenerator" };
        let texts: Vec<String> = moves.into_iter().map(|mv| board.san_or_uci(mv)).collect();
        Ok(format!("<{name} at {:#x} ({})>", slf.as_ptr() as usize, texts.join(", ")))
    }
}

#[pymethods]
impl PyBoard {
    /// The legal moves: iterate, count, or ask `move in board.legal_moves`.
    #[getter]
    fn legal_moves(slf: Py<PyBoard>) -> MoveGenerator {
        MoveGenerator { board: slf, is_legal: true }
    }

    /// The moves that are legal if the king's safety is left aside.
    #[getter]
    fn pseudo_legal_moves(slf: Py<PyBoard>) -> MoveGenerator {
        MoveGenerator { board: slf, is_legal: false }
    }
}
