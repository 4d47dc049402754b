//! Numbers about a position: perft, exchanges, keys.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rules::{Perft, Position};

use super::PyBoard;
use crate::convert::Count;
use crate::moves::PyMove;

/// No tree of legal moves is counted deeper in a lifetime, and every ply takes room on the stack.
const DEEPEST: u64 = 100;

/// Deeper perfts are cut into pieces of this depth, and a signal may stop them between two.
const PIECE_DEPTH: u32 = 4;

fn perft(py: Python<'_>, position: &Position, depth: u32) -> PyResult<u64> {
    if depth > PIECE_DEPTH {
        let moves = position.legal_moves();
        return moves.iter().try_fold(0_u64, |total, &mv| {
            let below = perft(py, &position.play_unchecked(mv), depth - 1)?;
            total.checked_add(below).ok_or_else(|| PyValueError::new_err("perft counts more than 64 bits hold"))
        });
    }
    py.check_signals()?;
    let counted = py.detach(|| Perft::new().threads(1).count(position, depth));
    counted.map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl PyBoard {
    /// The number of positions after so many legal half-moves. Other threads run meanwhile, and Ctrl-C stops it.
    fn perft(slf: &Bound<'_, PyBoard>, depth: Count<DEEPEST>) -> PyResult<u64> {
        let position = slf.try_borrow()?.position()?;
        perft(slf.py(), &position, depth.0 as u32)
    }

    /// What a legal move wins in centipawns if both players capture on its square as long as it pays.
    fn see(&self, r#move: &Bound<'_, PyMove>) -> PyResult<i32> {
        let position = self.position()?;
        let mv = self.legal(*r#move.get())?;
        Ok(position.see(mv))
    }

    /// A key of 64 bits: the same for positions that are the same by the rules of repetition.
    fn zobrist(&self) -> PyResult<u64> {
        Ok(self.position()?.key())
    }
}
