//! A piece with its color.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use rules::{Color, Piece};

use crate::convert::{ColorArgument, RoleArgument, is_white, role_number};

/// A piece with a type and a color.
#[pyclass(frozen, eq, name = "Piece", module = "saavedra")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PyPiece(pub(crate) Piece);

/// The twelve pieces, made once.
static PIECES: PyOnceLock<[Py<PyPiece>; 12]> = PyOnceLock::new();

impl PyPiece {
    /// The one object for a piece.
    pub(crate) fn of(py: Python<'_>, piece: Piece) -> PyResult<Py<PyPiece>> {
        let all = PIECES.get_or_try_init(py, || {
            let mut pieces = Vec::new();
            for color in Color::ALL {
                for role in rules::Role::ALL {
                    pieces.push(Py::new(py, PyPiece(role.of(color)))?);
                }
            }
            pieces.try_into().map_err(|_| PyValueError::new_err("there are twelve pieces"))
        });
        let index = piece.color as usize * 6 + piece.role as usize;
        all.map(|all| all[index].clone_ref(py))
    }
}

/// The picture of a piece among the Unicode characters.
pub(crate) fn unicode(piece: Piece) -> char {
    let letters = match piece.color {
        Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
        Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
    };
    letters[piece.role as usize]
}

#[pymethods]
impl PyPiece {
    #[new]
    fn new(piece_type: RoleArgument, color: ColorArgument) -> PyPiece {
        PyPiece(piece_type.0.of(color.0))
    }

    /// The piece with a letter: upper case for White.
    #[staticmethod]
    fn from_symbol(py: Python<'_>, symbol: &str) -> PyResult<Py<PyPiece>> {
        let mut letters = symbol.chars();
        match (letters.next().and_then(Piece::from_letter), letters.next()) {
            (Some(piece), None) => PyPiece::of(py, piece),
            _ => Err(PyValueError::new_err(format!("{symbol:?} is not a piece: expected one letter of PNBRQKpnbrqk"))),
        }
    }

    /// The piece type: 1 (pawn) to 6 (king).
    #[getter]
    fn piece_type(&self) -> u8 {
        role_number(self.0.role)
    }

    /// The color: `True` is White.
    #[getter]
    fn color(&self) -> bool {
        is_white(self.0.color)
    }

    /// The letter: `N` for a white knight, `n` for a black one.
    fn symbol(&self) -> String {
        self.0.letter().to_string()
    }

    /// The Unicode character.
    #[pyo3(signature = (*, invert_color = false))]
    fn unicode_symbol(&self, invert_color: bool) -> String {
        let color = if invert_color { !self.0.color } else { self.0.color };
        unicode(self.0.role.of(color)).to_string()
    }

    fn __hash__(&self) -> isize {
        self.0.role as isize + if is_white(self.0.color) { 6 } else { 0 }
    }

    fn __str__(&self) -> String {
        self.symbol()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.0.letter())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u8, bool))> {
        Ok((py.get_type::<PyPiece>().into_any(), (self.piece_type(), self.color())))
    }
}
