//! Boards as the games of the rules, which searches, reviews and matches work with, and back.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use rules::Game;

use super::PyBoard;
use crate::moves::PyMove;
use crate::state::State;

impl PyBoard {
    /// The position on the board with the moves that led to it, so that repetitions count: all of them, or those since
    /// a player passed or something was wrong with the board.
    pub(crate) fn game(&self) -> PyResult<Game> {
        let now = self.position()?;
        let breaks = |ply: &usize| self.moves[*ply].is_null() || !matches!(self.states[*ply], State::Legal { .. });
        let first = (0..self.moves.len()).rev().find(breaks).map_or(0, |ply| ply + 1);
        let Some(start) = self.states.get(first) else { return Ok(Game::new(now)) };
        let mut game = Game::new(start.position(self.chess960)?);
        for (state, mv) in self.states[first..].iter().zip(&self.moves[first..]) {
            let played = state.resolve(*mv, self.chess960).map(|mv| game.play(mv).is_ok());
            if played != Some(true) {
                return Ok(Game::new(now));
            }
        }
        Ok(game)
    }

    /// Sets the board to a game that was played.
    fn set_game(&mut self, game: &Game) {
        let chess960 = game.start().is_chess960();
        self.clear_history();
        self.chess960 = chess960;
        *self.state = State::from(*game.start());
        for &mv in game.moves() {
            let next = self.state.play(mv, chess960);
            self.moves.push(PyMove::of(mv, chess960));
            self.states.push(std::mem::replace(&mut *self.state, next));
        }
    }
}

static BOARD: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A new `saavedra.Board` with a game on it.
pub(crate) fn board_of<'py>(py: Python<'py>, game: &Game) -> PyResult<Bound<'py, PyAny>> {
    let board = BOARD.import(py, "saavedra", "Board")?.call0()?;
    board.cast::<PyBoard>()?.try_borrow_mut()?.set_game(game);
    Ok(board)
}
