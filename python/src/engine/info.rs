//! What an engine tells, as dictionaries with python-chess's keys.
//!
//! Scores and chances are plain numbers here, for the player to move; `saavedra.engine` makes its classes of them.

use interface::{Bound as ScoreBound, UciScore};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rules::Position;
use uci::Info;

use crate::moves;

/// The moves of a line as far as they can be played.
pub(super) fn line<'py>(
    py: Python<'py>,
    root: &Position,
    texts: &[String],
    chess960: bool,
) -> PyResult<Bound<'py, PyList>> {
    let mut position = *root;
    let list = PyList::empty(py);
    for text in texts {
        let Ok(mv) = position.parse_uci(text) else { break };
        list.append(moves::to_python(py, mv, chess960)?)?;
        position = position.play_unchecked(mv);
    }
    Ok(list)
}

/// An info as a dictionary.
pub(super) fn to_python<'py>(
    py: Python<'py>,
    info: &Info,
    root: &Position,
    chess960: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let set = |name: &str, number: Option<u64>| number.map_or(Ok(()), |number| told.set_item(name, number));
    set("depth", info.depth.map(u64::from))?;
    set("seldepth", info.selective_depth.map(u64::from))?;
    set("multipv", info.multi_pv.map(u64::from))?;
    set("nodes", info.nodes)?;
    set("nps", info.nps)?;
    set("hashfull", info.hash_full.map(u64::from))?;
    set("tbhits", info.tablebase_hits)?;
    set("sbhits", info.shredder_hits)?;
    set("cpuload", info.cpu_load.map(u64::from))?;
    set("currmovenumber", info.current_move_number.map(u64::from))?;
    if let Some(milliseconds) = info.time {
        told.set_item("time", milliseconds as f64 / 1000.0)?;
    }
    if let Some(score) = info.score {
        told.set_item("score", numbers(score))?;
        match info.bound {
            ScoreBound::Exact => {}
            ScoreBound::Lower => told.set_item("lowerbound", true)?,
            ScoreBound::Upper => told.set_item("upperbound", true)?,
        }
    }
    if let Some([win, draw, loss]) = info.wdl {
        told.set_item("wdl", (win, draw, loss))?;
    }
    if let Some(text) = &info.string {
        told.set_item("string", text)?;
    }
    for (name, texts) in [("pv", &info.pv), ("refutation", &info.refutation)] {
        if !texts.is_empty() {
            told.set_item(name, line(py, root, texts, chess960)?)?;
        }
    }
    if let Some(mv) = info.current_move.as_ref().and_then(|text| root.parse_uci(text).ok()) {
        told.set_item("currmove", moves::to_python(py, mv, chess960)?)?;
    }
    Ok(told)
}

/// A score as centipawns and no mate, or as no centipawns and a mate.
fn numbers(score: UciScore) -> (Option<i32>, Option<i64>) {
    match score {
        UciScore::Centipawns(centipawns) => (Some(centipawns), None),
        UciScore::MateIn(moves) => (None, Some(moves.into())),
        UciScore::MatedIn(moves) => (None, Some(-i64::from(moves))),
    }
}
