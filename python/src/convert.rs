//! Squares, colors, piece types and masks as Python writes them: numbers and truth values.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rules::{Bitboard, Color, Role, Square};

use crate::square_set::PySquareSet;

/// A square as a number from 0 (a1) to 63 (h8).
#[derive(Clone, Copy)]
pub(crate) struct SquareArgument(pub(crate) Square);

impl<'py> FromPyObject<'_, 'py> for SquareArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<SquareArgument> {
        let number: i64 = object.extract()?;
        usize::try_from(number)
            .ok()
            .and_then(Square::from_index)
            .map(SquareArgument)
            .ok_or_else(|| PyValueError::new_err(format!("{number} is not a square: squares are 0 (a1) to 63 (h8)")))
    }
}

/// A color: `True` is White, `False` is Black.
#[derive(Clone, Copy)]
pub(crate) struct ColorArgument(pub(crate) Color);

impl<'py> FromPyObject<'_, 'py> for ColorArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<ColorArgument> {
        Ok(ColorArgument(if object.is_truthy()? { Color::White } else { Color::Black }))
    }
}

pub(crate) fn is_white(color: Color) -> bool {
    color == Color::White
}

/// A whole number from zero to `MOST`.
#[derive(Clone, Copy)]
pub(crate) struct Count<const MOST: u64>(pub(crate) u64);

impl<'py, const MOST: u64> FromPyObject<'_, 'py> for Count<MOST> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Count<MOST>> {
        let number: i128 = object.extract()?;
        let count = u64::try_from(number).ok().filter(|&count| count <= MOST);
        count.map(Count).ok_or_else(|| {
            PyValueError::new_err(format!("{number} is out of range: expected a whole number from 0 to {MOST}"))
        })
    }
}

/// A piece type as a number from 1 (pawn) to 6 (king).
#[derive(Clone, Copy)]
pub(crate) struct RoleArgument(pub(crate) Role);

impl<'py> FromPyObject<'_, 'py> for RoleArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<RoleArgument> {
        let number: i64 = object.extract()?;
        role(number).map(RoleArgument).ok_or_else(|| {
            PyValueError::new_err(format!("{number} is not a piece type: they are 1 (pawn) to 6 (king)"))
        })
    }
}

/// The role with a number from 1 to 6.
pub(crate) fn role(number: i64) -> Option<Role> {
    usize::try_from(number.checked_sub(1)?).ok().and_then(|index| Role::ALL.get(index).copied())
}

pub(crate) fn role_number(role: Role) -> u8 {
    role as u8 + 1
}

/// A set of squares: a mask, a `SquareSet`, or any iterable of squares.
#[derive(Clone, Copy)]
pub(crate) struct MaskArgument(pub(crate) Bitboard);

impl<'py> FromPyObject<'_, 'py> for MaskArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<MaskArgument> {
        if let Ok(set) = object.cast::<PySquareSet>() {
            return Ok(MaskArgument(Bitboard(set.try_borrow()?.mask)));
        }
        if let Ok(mask) = object.extract::<u64>() {
            return Ok(MaskArgument(Bitboard(mask)));
        }
        if let Ok(masked) = object.bitand(u64::MAX) {
            // A negative number, such as the complement of a mask.
            return Ok(MaskArgument(Bitboard(masked.extract()?)));
        }
        let Ok(squares) = object.try_iter() else {
            return Err(PyTypeError::new_err("expected a mask, a SquareSet or an iterable of squares"));
        };
        let mut mask = Bitboard::EMPTY;
        for square in squares {
            mask = mask.with(square?.extract::<SquareArgument>()?.0);
        }
        Ok(MaskArgument(mask))
    }
}

/// All squares, unless a mask was given.
pub(crate) fn or_all(mask: Option<MaskArgument>) -> Bitboard {
    mask.map_or(Bitboard::ALL, |mask| mask.0)
}
