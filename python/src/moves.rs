//! A move as Python sees it: two squares and what a pawn becomes.
//!
//! Lists of moves are what Python code spends its time on, so the moves that the generator finds are made once and
//! handed out again: a list of thirty moves costs thirty counts of references and no allocation but its own.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use rules::{CastlingSide, Move, MoveKind, Role, Square};

use crate::convert::{RoleArgument, SquareArgument, role_number};
use crate::errors::InvalidMoveError;

/// A move from a square to a square, perhaps with a promotion. Moves compare by value and do not know a position.
///
/// Castling is the king's move (`e1g1`), on a Chess960 board the king taking its rook (`e1h1`).
#[pyclass(frozen, eq, hash, name = "Move", module = "saavedra")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PyMove {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) promotion: Option<Role>,
    /// What a crazyhouse move drops; no board here accepts it.
    pub(crate) drop: Option<Role>,
}

/// What makes a move again: both squares, the promotion, the drop.
type Values = (usize, usize, Option<u8>, Option<u8>);

/// Every pair of squares, then the promotions by role, color and files.
const PAIRS: usize = 64 * 64;
const PROMOTIONS: usize = 4 * 2 * 64;
static INTERNED: PyOnceLock<Vec<Py<PyMove>>> = PyOnceLock::new();

fn make_interned(py: Python<'_>) -> PyResult<Vec<Py<PyMove>>> {
    let mut moves = Vec::with_capacity(PAIRS + PROMOTIONS);
    for index in 0..PAIRS {
        let (from, to) = (Square::ALL[index / 64], Square::ALL[index % 64]);
        moves.push(Py::new(py, PyMove { from, to, promotion: None, drop: None })?);
    }
    for index in 0..PROMOTIONS {
        let (role, is_black, from, to) = (index / 128, index / 64 % 2 == 1, index / 8 % 8, index % 8);
        let (from_rank, to_rank) = if is_black { (8, 0) } else { (48, 56) };
        let (from, to) = (Square::ALL[from_rank + from], Square::ALL[to_rank + to]);
        moves.push(Py::new(py, PyMove { from, to, promotion: Some(Role::ALL[role + 1]), drop: None })?);
    }
    Ok(moves)
}

/// All moves that a generator can find, each as one object.
pub(crate) fn interned(py: Python<'_>) -> PyResult<&'static [Py<PyMove>]> {
    INTERNED.get_or_try_init(py, || make_interned(py)).map(Vec::as_slice)
}

/// Where a move stands among the interned ones.
#[inline]
pub(crate) fn interned_index(mv: Move, chess960: bool) -> usize {
    let (from, to) = (mv.from().index(), mv.to().index());
    match mv.kind() {
        MoveKind::Normal | MoveKind::EnPassant => from * 64 + to,
        MoveKind::Promotion(role) => {
            let is_black = usize::from(to < 8);
            PAIRS + (role as usize - 1) * 128 + is_black * 64 + (from % 8) * 8 + to % 8
        }
        MoveKind::Castle if chess960 => from * 64 + to,
        MoveKind::Castle => from * 64 + castled_king(mv).index(),
    }
}

/// Where the king ends that castles.
pub(crate) fn castled_king(mv: Move) -> Square {
    Square::new(CastlingSide::of(mv.from(), mv.to()).king_file(), mv.from().rank())
}

/// The object for a move of the rules.
#[inline]
pub(crate) fn to_python(py: Python<'_>, mv: Move, chess960: bool) -> PyResult<Py<PyMove>> {
    Ok(interned(py)?[interned_index(mv, chess960)].clone_ref(py))
}

impl PyMove {
    /// Passing the turn: `0000`.
    pub(crate) const NULL: PyMove = PyMove { from: Square::A1, to: Square::A1, promotion: None, drop: None };

    pub(crate) fn of(mv: Move, chess960: bool) -> PyMove {
        let to = if mv.kind() == MoveKind::Castle && !chess960 { castled_king(mv) } else { mv.to() };
        PyMove { from: mv.from(), to, promotion: mv.promotion_role(), drop: None }
    }

    pub(crate) fn is_null(self) -> bool {
        self == PyMove::NULL
    }

    pub(crate) fn is_drop(self) -> bool {
        self.drop.is_some()
    }

    pub(crate) fn parse(text: &str) -> PyResult<PyMove> {
        if text == "0000" {
            return Ok(PyMove::NULL);
        }
        let parsed = || {
            if let Some((piece, to)) = text.split_once('@') {
                let mut letters = piece.chars();
                let drop = Role::from_letter(letters.next()?.to_ascii_lowercase());
                let to: Square = to.parse().ok()?;
                return (letters.next().is_none() && drop.is_some()).then_some(PyMove {
                    from: to,
                    to,
                    promotion: None,
                    drop,
                });
            }
            let (from, to): (Square, Square) = (text.get(0..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
            let mut rest = text.get(4..)?.chars();
            let promotion = match rest.next() {
                None => None,
                Some(letter) => Some(Role::from_letter(letter)?),
            };
            (rest.next().is_none() && from != to).then_some(PyMove { from, to, promotion, drop: None })
        };
        parsed().ok_or_else(|| {
            InvalidMoveError::new_err(format!("{text:?} is not a UCI move: expected something like e2e4 or e7e8q"))
        })
    }

    pub(crate) fn text(self) -> String {
        match (self.drop, self.promotion) {
            (Some(role), _) => format!("{}@{}", role.upper_letter(), self.to),
            (None, Some(role)) => format!("{}{}{}", self.from, self.to, role.letter()),
            (None, None) if self.is_null() => "0000".to_owned(),
            (None, None) => format!("{}{}", self.from, self.to),
        }
    }
}

#[pymethods]
impl PyMove {
    #[new]
    #[pyo3(signature = (from_square, to_square, promotion = None, drop = None))]
    fn new(
        from_square: SquareArgument,
        to_square: SquareArgument,
        promotion: Option<RoleArgument>,
        drop: Option<RoleArgument>,
    ) -> PyMove {
        let role = |role: Option<RoleArgument>| role.map(|role| role.0);
        PyMove { from: from_square.0, to: to_square.0, promotion: role(promotion), drop: role(drop) }
    }

    /// The move that a UCI string spells, such as `e2e4` or `e7e8q`.
    #[staticmethod]
    fn from_uci(uci: &str) -> PyResult<PyMove> {
        PyMove::parse(uci)
    }

    /// A move that passes the turn.
    #[staticmethod]
    fn null() -> PyMove {
        PyMove::NULL
    }

    /// The square that the piece leaves.
    #[getter(from_square)]
    fn origin(&self) -> usize {
        self.from.index()
    }

    /// The square that the piece reaches.
    #[getter(to_square)]
    fn target(&self) -> usize {
        self.to.index()
    }

    /// The piece type that a pawn becomes.
    #[getter]
    fn promotion(&self) -> Option<u8> {
        self.promotion.map(role_number)
    }

    /// The piece type that is dropped, which happens on no board of this package.
    #[getter]
    fn drop(&self) -> Option<u8> {
        self.drop.map(role_number)
    }

    /// The move as UCI writes it.
    fn uci(&self) -> String {
        self.text()
    }

    /// The move as XBoard writes it.
    fn xboard(&self) -> String {
        if self.is_null() { "@@@@".to_owned() } else { self.text() }
    }

    fn __bool__(&self) -> bool {
        !self.is_null()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.text())
    }

    fn __copy__(slf: Py<PyMove>) -> Py<PyMove> {
        slf
    }

    fn __deepcopy__(slf: Py<PyMove>, _memo: &Bound<'_, PyAny>) -> Py<PyMove> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, Values) {
        let values = (self.from.index(), self.to.index(), self.promotion(), self.drop());
        (py.get_type::<PyMove>().into_any(), values)
    }
}

/// The moves with these numbers, as columns and packed games hold them.
#[pyfunction]
#[pyo3(signature = (bits, chess960 = false))]
pub(crate) fn moves_from_bits<'py>(
    py: Python<'py>,
    bits: Vec<u16>,
    chess960: bool,
) -> PyResult<Bound<'py, pyo3::types::PyList>> {
    let interned = interned(py)?;
    let moves = bits.into_iter().map(|bits| {
        let mv =
            Move::from_bits(bits).ok_or_else(|| InvalidMoveError::new_err(format!("{bits:#06x} is not a move")))?;
        Ok(&interned[interned_index(mv, chess960)])
    });
    pyo3::types::PyList::new(py, moves.collect::<PyResult<Vec<_>>>()?)
}
