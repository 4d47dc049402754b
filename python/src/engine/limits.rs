//! Limits of a search, from any object with the attributes of python-chess's `Limit`.

use std::time::Duration;

use interface::{Clock, Limits, MAX_PLY};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rules::{Color, Position};

use crate::board::PyBoard;
use crate::moves::PyMove;

/// Longer than any game; more would overflow sums of times.
const LONGEST: f64 = 1e7;

/// The limits that an object sets; `None` sets none.
pub(super) fn limits(limit: Option<&Bound<'_, PyAny>>, position: &Position) -> PyResult<Limits> {
    let Some(limit) = limit else { return Ok(Limits::default()) };
    let moves_to_go = count(limit, "remaining_moves", 0)?.map(|moves| moves.min(u32::MAX.into()) as u32);
    let clock = |name: &str, increment: &str| -> PyResult<Option<Clock>> {
        let (remaining, increment) = (seconds(limit, name)?, seconds(limit, increment)?);
        let known = remaining.is_some() || increment.is_some();
        Ok(known.then(|| Clock {
            remaining: remaining.unwrap_or_default(),
            increment: increment.unwrap_or_default(),
            moves_to_go: moves_to_go.filter(|&moves| moves > 0),
        }))
    };
    let (white, black) = (clock("white_clock", "white_inc")?, clock("black_clock", "black_inc")?);
    let (own, opponent) = if position.turn() == Color::White { (white, black) } else { (black, white) };
    Ok(Limits {
        depth: count(limit, "depth", 1)?.map(|depth| depth.min(MAX_PLY as u64) as usize),
        nodes: count(limit, "nodes", 1)?,
        soft_nodes: None,
        mate: count(limit, "mate", 1)?.map(|mate| mate.min(MAX_PLY as u64) as u32),
        move_time: seconds(limit, "time")?,
        // If only the opponent's clock is known, ours is taken to show the same.
        clock: own.or(opponent),
        opponent_clock: opponent,
        moves: None,
    })
}

/// The moves to choose from, each of which must be legal.
pub(super) fn root_moves(board: &PyBoard, moves: &Bound<'_, PyAny>) -> PyResult<Vec<rules::Move>> {
    let mut chosen = Vec::new();
    for mv in moves.try_iter()? {
        chosen.push(board.legal(*mv?.cast::<PyMove>()?.get())?);
    }
    if chosen.is_empty() {
        return Err(PyValueError::new_err("root_moves is empty: leave it out to search all moves"));
    }
    Ok(chosen)
}

fn attribute<'py, T>(limit: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    match limit.getattr_opt(name)? {
        Some(value) if !value.is_none() => value.extract().map(Some),
        _ => Ok(None),
    }
}

fn seconds(limit: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Duration>> {
    attribute::<f64>(limit, name)?.map(|time| duration(name, time)).transpose()
}

/// A time in seconds.
pub(crate) fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    if !seconds.is_finite() || seconds < 0.0 {
        return Err(PyValueError::new_err(format!("{name} is a time in seconds, zero or more, not {seconds}")));
    }
    Ok(Duration::from_secs_f64(seconds.min(LONGEST)))
}

fn count(limit: &Bound<'_, PyAny>, name: &str, least: u64) -> PyResult<Option<u64>> {
    let number: Option<i128> = attribute(limit, name)?;
    let bounded = |number: i128| {
        let wrong = || PyValueError::new_err(format!("{name} is a whole number, {least} or more, not {number}"));
        u64::try_from(number).ok().filter(|&number| number >= least).ok_or_else(wrong)
    };
    number.map(bounded).transpose()
}
