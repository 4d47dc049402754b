//! The board: a position, the moves that led to it, and everything that python-chess asks of one.

mod analysis;
mod as_game;
mod editing;
mod ending;
mod generator;
mod legality;
mod notation;
mod pieces;
mod text;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use rules::{Position, Setup};

use crate::convert::is_white;
use crate::errors::IllegalMoveError;
use crate::moves::{self, PyMove};
use crate::state::State;

pub(crate) use as_game::board_of;
pub(crate) use generator::MoveGenerator;

/// A board with the moves that led to it. `saavedra.Board` adds what is written in Python.
#[pyclass(subclass, weakref, name = "BaseBoard", module = "saavedra")]
pub(crate) struct PyBoard {
    /// In a box, because a position is aligned to cache lines and Python's objects are not.
    state: Box<State>,
    /// The moves played on this board, and what stood on it before each.
    moves: Vec<PyMove>,
    states: Vec<State>,
    /// Whether castling is the king taking its rook, as in Chess960.
    #[pyo3(get)]
    chess960: bool,
}

impl PyBoard {
    /// What stands on the board, and forgets how it came about.
    fn set_up(&mut self, setup: Setup) {
        self.clear_history();
        *self.state = State::of(setup, self.chess960);
    }

    fn clear_history(&mut self) {
        self.moves.clear();
        self.states.clear();
    }

    /// The position, if it can be played.
    pub(crate) fn position(&self) -> PyResult<Position> {
        self.state.position(self.chess960)
    }

    pub(crate) fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// Every state from the start to the one on the board.
    fn history(&self) -> impl DoubleEndedIterator<Item = &State> {
        self.states.iter().chain([&*self.state])
    }

    fn illegal(&self, mv: PyMove) -> PyErr {
        IllegalMoveError::new_err(format!(
            "illegal move: {} in {}",
            mv.text(),
            self.fen_of(text::EnPassant::Legal, false)
        ))
    }

    /// The legal move that is meant, or an error that says so.
    pub(crate) fn legal(&self, mv: PyMove) -> PyResult<rules::Move> {
        self.state.resolve(mv, self.chess960).ok_or_else(|| self.illegal(mv))
    }

    /// Plays a move or passes.
    fn play(&mut self, mv: PyMove) -> PyResult<()> {
        let (shown, next) = if mv.is_null() {
            let next = self.state.pass(self.chess960);
            (mv, next.ok_or_else(|| IllegalMoveError::new_err("illegal move: the turn cannot be passed in check"))?)
        } else {
            let legal = self.legal(mv)?;
            (PyMove::of(legal, self.chess960), self.state.play(legal, self.chess960))
        };
        self.moves.push(shown);
        self.states.push(std::mem::replace(&mut *self.state, next));
        Ok(())
    }

    /// A list of moves as Python objects.
    fn list<'py>(&self, py: Python<'py>, moves: &[rules::Move]) -> PyResult<Bound<'py, PyList>> {
        let interned = moves::interned(py)?;
        PyList::new(py, moves.iter().map(|&mv| &interned[moves::interned_index(mv, self.chess960)]))
    }
}

/// What a board needs to be itself again: its positions, its moves, and whether it plays Chess960.
type Memory = (Vec<String>, Vec<String>, bool);

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyBoard {
        let state = Box::new(State::from(Position::initial()));
        PyBoard { state, moves: Vec::new(), states: Vec::new(), chess960: false }
    }

    #[pyo3(signature = (fen = Some(text::STARTING_FEN.into()), *, chess960 = false))]
    fn __init__(&mut self, fen: Option<std::borrow::Cow<'_, str>>, chess960: bool) -> PyResult<()> {
        self.chess960 = chess960;
        match fen {
            Some(fen) if fen == text::STARTING_FEN => {
                self.clear_history();
                *self.state = State::from(Position::initial());
                Ok(())
            }
            Some(fen) => self.set_fen(&fen),
            None => {
                self.set_up(Setup::empty());
                Ok(())
            }
        }
    }

    #[setter]
    fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
        *self.state = State::of(self.state.setup(), chess960);
    }

    /// Plays a move. A move that is not legal raises `IllegalMoveError` and changes nothing; `Move.null()` passes.
    fn push(&mut self, r#move: &Bound<'_, PyMove>) -> PyResult<()> {
        self.play(*r#move.get())
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self, py: Python<'_>) -> PyResult<Py<PyMove>> {
        let (Some(mv), Some(state)) = (self.moves.pop(), self.states.pop()) else {
            return Err(PyIndexError::new_err("pop from a board without moves"));
        };
        *self.state = state;
        Py::new(py, mv)
    }

    /// The last move.
    fn peek(&self) -> PyResult<PyMove> {
        self.moves.last().copied().ok_or_else(|| PyIndexError::new_err("peek at a board without moves"))
    }

    /// The moves that were played on this board, as a new list.
    #[getter]
    fn move_stack(&self) -> Vec<PyMove> {
        self.moves.clone()
    }

    /// Forgets the moves that were played, and keeps the position.
    fn clear_stack(&mut self) {
        self.clear_history();
    }

    /// Half-moves since the start of the game, by the move number.
    fn ply(&self) -> u32 {
        2 * u32::from(self.state.fullmove_number().saturating_sub(1)) + u32::from(!is_white(self.state.turn()))
    }

    /// Makes this board equal to another, history included; `copy` and `root` are written with it.
    fn _become(&mut self, other: &Bound<'_, PyBoard>, plies: usize) -> PyResult<()> {
        let other = other.try_borrow()?;
        let keep = plies.min(other.moves.len());
        let from = other.moves.len() - keep;
        self.chess960 = other.chess960;
        *self.state = State::clone(&other.state);
        self.moves = other.moves[from..].to_vec();
        self.states = other.states[from..].to_vec();
        Ok(())
    }

    /// Goes back to where the history of this board starts.
    fn _rewind(&mut self) {
        if let Some(first) = self.states.first() {
            *self.state = first.clone();
        }
        self.clear_history();
    }

    fn _memory(&self) -> Memory {
        let fens = self.history().map(|state| text::fen(state, self.chess960, text::EnPassant::Fen, true)).collect();
        let moves = self.moves.iter().map(|mv| mv.text()).collect();
        (fens, moves, self.chess960)
    }

    fn _remember(&mut self, memory: Memory) -> PyResult<()> {
        let (fens, moves, chess960) = memory;
        self.chess960 = chess960;
        let mut states = Vec::new();
        for fen in &fens {
            states.push(State::of(text::parse(fen)?, chess960));
        }
        *self.state = states.pop().ok_or_else(|| PyValueError::new_err("a board has a position"))?;
        self.moves = moves.iter().map(|mv| PyMove::parse(mv)).collect::<PyResult<_>>()?;
        self.states = states;
        Ok(())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<PyBoard>() else { return Ok(py.NotImplemented()) };
        let other = other.try_borrow()?;
        let fen = |board: &PyBoard| text::fen(&board.state, board.chess960, text::EnPassant::Legal, true);
        let is_equal = match (&*self.state, &*other.state) {
            (State::Legal { position: one, .. }, State::Legal { position: other, .. }) => one == other,
            _ => fen(self) == fen(&other),
        };
        Ok(is_equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }
}
