//! A set of squares with the operations of Python's sets and of masks.

use pyo3::basic::CompareOp;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rules::{Bitboard, Rank, Square, attacks};

use crate::convert::{MaskArgument, SquareArgument};

/// A set of squares: from a mask, from another set, or from any iterable of squares.
#[pyclass(name = "SquareSet", module = "saavedra", subclass)]
#[derive(Clone, Copy)]
pub(crate) struct PySquareSet {
    /// Bit 0 is a1, bit 63 is h8.
    #[pyo3(get, set)]
    pub(crate) mask: u64,
}

impl PySquareSet {
    pub(crate) fn of(squares: Bitboard) -> PySquareSet {
        PySquareSet { mask: squares.0 }
    }

    fn squares(&self) -> Bitboard {
        Bitboard(self.mask)
    }

    /// A bit moved by a number of squares; what leaves the board is lost.
    fn shifted_left(&self, count: u32) -> u64 {
        self.mask.checked_shl(count).unwrap_or(0)
    }

    fn shifted_right(&self, count: u32) -> u64 {
        self.mask.checked_shr(count).unwrap_or(0)
    }
}

/// The union of several sets.
fn joined(others: &Bound<'_, PyTuple>) -> PyResult<u64> {
    others.iter().try_fold(0, |all, other| Ok(all | other.extract::<MaskArgument>()?.0.0))
}

/// What several sets have in common.
fn common(others: &Bound<'_, PyTuple>) -> PyResult<u64> {
    others.iter().try_fold(!0, |all, other| Ok(all & other.extract::<MaskArgument>()?.0.0))
}

/// Squares as a list of Python's numbers, and an iterator over it.
fn iterator<'py>(py: Python<'py>, squares: impl Iterator<Item = Square>) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::new(py, squares.map(Square::index).collect::<Vec<_>>())?;
    Ok(list.try_iter()?.into_any())
}

#[pymethods]
impl PySquareSet {
    #[new]
    #[pyo3(signature = (squares = MaskArgument(Bitboard::EMPTY)))]
    fn new(squares: MaskArgument) -> PySquareSet {
        PySquareSet::of(squares.0)
    }

    /// The set with one square.
    #[staticmethod]
    fn from_square(square: SquareArgument) -> PySquareSet {
        PySquareSet::of(square.0.bitboard())
    }

    /// All squares on the line through two squares; none if there is no such line.
    #[staticmethod]
    fn ray(a: SquareArgument, b: SquareArgument) -> PySquareSet {
        PySquareSet::of(if a.0 == b.0 { Bitboard::EMPTY } else { attacks::line(a.0, b.0) })
    }

    /// The squares between two squares, without them.
    #[staticmethod]
    fn between(a: SquareArgument, b: SquareArgument) -> PySquareSet {
        PySquareSet::of(if a.0 == b.0 { Bitboard::EMPTY } else { attacks::between(a.0, b.0) })
    }

    fn __contains__(&self, square: SquareArgument) -> bool {
        self.squares().contains(square.0)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        iterator(py, self.squares().into_iter())
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let squares: Vec<Square> = self.squares().into_iter().collect();
        iterator(py, squares.into_iter().rev())
    }

    fn __len__(&self) -> usize {
        self.squares().count() as usize
    }

    fn __bool__(&self) -> bool {
        self.mask != 0
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let (CompareOp::Eq | CompareOp::Ne, Ok(other)) = (op, other.extract::<MaskArgument>()) else {
            return Ok(py.NotImplemented());
        };
        let is_true = (self.mask == other.0.0) == matches!(op, CompareOp::Eq);
        Ok(is_true.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __int__(&self) -> u64 {
        self.mask
    }

    fn __index__(&self) -> u64 {
        self.mask
    }

    fn __and__(&self, other: MaskArgument) -> PySquareSet {
        PySquareSet { mask: self.mask & other.0.0 }
    }

    fn __or__(&self, other: MaskArgument) -> PySquareSet {
        PySquareSet { mask: self.mask | other.0.0 }
    }

    fn __xor__(&self, other: MaskArgument) -> PySquareSet {
        PySquareSet { mask: self.mask ^ other.0.0 }
    }

    fn __sub__(&self, other: MaskArgument) -> PySquareSet {
        PySquareSet { mask: self.mask & !other.0.0 }
    }

    fn __rand__(&self, other: MaskArgument) -> PySquareSet {
        self.__and__(other)
    }

    fn __ror__(&self, other: MaskArgument) -> PySquareSet {
        self.__or__(other)
    }

    fn __rxor__(&self, other: MaskArgument) -> PySquareSet {
        self.__xor__(other)
    }

    fn __rsub__(&self, other: MaskArgument) -> PySquareSet {
        PySquareSet { mask: other.0.0 & !self.mask }
    }

    fn __invert__(&self) -> PySquareSet {
        PySquareSet { mask: !self.mask }
    }

    fn __lshift__(&self, count: u32) -> PySquareSet {
        PySquareSet { mask: self.shifted_left(count) }
    }

    fn __rshift__(&self, count: u32) -> PySquareSet {
        PySquareSet { mask: self.shifted_right(count) }
    }

    fn __iand__(&mut self, other: MaskArgument) {
        self.mask &= other.0.0;
    }

    fn __ior__(&mut self, other: MaskArgument) {
        self.mask |= other.0.0;
    }

    fn __ixor__(&mut self, other: MaskArgument) {
        self.mask ^= other.0.0;
    }

    fn __isub__(&mut self, other: MaskArgument) {
        self.mask &= !other.0.0;
    }

    fn __ilshift__(&mut self, count: u32) {
        self.mask = self.shifted_left(count);
    }

    fn __irshift__(&mut self, count: u32) {
        self.mask = self.shifted_right(count);
    }

    /// Whether the sets have no square in common.
    fn isdisjoint(&self, other: MaskArgument) -> bool {
        self.mask & other.0.0 == 0
    }

    /// Whether every square of this set is in the other.
    fn issubset(&self, other: MaskArgument) -> bool {
        self.mask & !other.0.0 == 0
    }

    /// Whether every square of the other set is in this one.
    fn issuperset(&self, other: MaskArgument) -> bool {
        other.0.0 & !self.mask == 0
    }

    /// The squares that are in any of the sets.
    #[pyo3(signature = (*others))]
    fn union(&self, others: &Bound<'_, PyTuple>) -> PyResult<PySquareSet> {
        Ok(PySquareSet { mask: self.mask | joined(others)? })
    }

    /// The squares that are in all of the sets.
    #[pyo3(signature = (*others))]
    fn intersection(&self, others: &Bound<'_, PyTuple>) -> PyResult<PySquareSet> {
        Ok(PySquareSet { mask: self.mask & common(others)? })
    }

    /// The squares of this set that are in none of the others.
    #[pyo3(signature = (*others))]
    fn difference(&self, others: &Bound<'_, PyTuple>) -> PyResult<PySquareSet> {
        Ok(PySquareSet { mask: self.mask & !joined(others)? })
    }

    /// The squares that are in just one of the two sets.
    fn symmetric_difference(&self, other: MaskArgument) -> PySquareSet {
        self.__xor__(other)
    }

    /// Adds the squares of other sets.
    #[pyo3(signature = (*others))]
    fn update(&mut self, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.mask |= joined(others)?;
        Ok(())
    }

    /// Keeps the squares that are in all of the other sets.
    #[pyo3(signature = (*others))]
    fn intersection_update(&mut self, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.mask &= common(others)?;
        Ok(())
    }

    /// Removes the squares of the other sets.
    #[pyo3(signature = (*others))]
    fn difference_update(&mut self, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.mask &= !joined(others)?;
        Ok(())
    }

    /// Keeps the squares that are in just one of the two sets.
    fn symmetric_difference_update(&mut self, other: MaskArgument) {
        self.mask ^= other.0.0;
    }

    /// Adds a square.
    fn add(&mut self, square: SquareArgument) {
        self.mask |= square.0.bitboard().0;
    }

    /// Removes a square, if it is there.
    fn discard(&mut self, square: SquareArgument) {
        self.mask &= !square.0.bitboard().0;
    }

    /// Removes a square; a `KeyError` if it is not there.
    fn remove(&mut self, square: SquareArgument) -> PyResult<()> {
        if !self.squares().contains(square.0) {
            return Err(PyKeyError::new_err(square.0.index()));
        }
        self.discard(square);
        Ok(())
    }

    /// Removes and returns the lowest square; a `KeyError` if there is none.
    fn pop(&mut self) -> PyResult<usize> {
        let first = self.squares().first().ok_or_else(|| PyKeyError::new_err("the set of squares is empty"))?;
        self.mask &= !first.bitboard().0;
        Ok(first.index())
    }

    /// Removes all squares.
    fn clear(&mut self) {
        self.mask = 0;
    }

    /// The same squares in a set of its own.
    fn copy(&self) -> PySquareSet {
        *self
    }

    fn __copy__(&self) -> PySquareSet {
        *self
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PySquareSet {
        *self
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (u64,)) {
        (py.get_type::<PySquareSet>().into_any(), (self.mask,))
    }

    /// Every subset of this set, as masks: 2 to the power of its size.
    fn carry_rippler(&self) -> Subsets {
        Subsets { of: self.mask, next: Some(0) }
    }

    /// The set as the other player sees it: ranks swapped.
    fn mirror(&self) -> PySquareSet {
        PySquareSet::of(self.squares().flip_ranks())
    }

    /// Sixty-four truth values, a1 first.
    fn tolist(&self) -> Vec<bool> {
        Square::ALL.into_iter().map(|square| self.squares().contains(square)).collect()
    }

    fn __str__(&self) -> String {
        let rank = |rank: Rank| {
            let letter = |file| if self.squares().contains(Square::new(file, rank)) { "1" } else { "." };
            rules::File::ALL.map(letter).join(" ")
        };
        Rank::ALL.into_iter().rev().map(rank).collect::<Vec<_>>().join("\n")
    }

    fn __repr__(&self) -> String {
        format!("SquareSet({:#018x})", self.mask)
    }
}

/// The subsets of a set, one after the other.
#[pyclass(module = "saavedra")]
pub(crate) struct Subsets {
    of: u64,
    next: Option<u64>,
}

#[pymethods]
impl Subsets {
    fn __iter__(slf: Py<Subsets>) -> Py<Subsets> {
        slf
    }

    fn __next__(&mut self) -> Option<u64> {
        let subset = self.next?;
        // Counting with only the bits of the set gives all its subsets.
        let next = subset.wrapping_sub(self.of) & self.of;
        self.next = (next != 0).then_some(next);
        Some(subset)
    }
}
