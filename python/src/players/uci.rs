//! A Python function as a UCI engine on standard input and output.

use std::io::{self, BufReader};

use engine::MindEngine;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use super::function::{FunctionMind, Question};
use crate::waiting::{self, Messages, Word};

/// Runs until `quit` or the end of the input. An exception of the function is raised, and the answer that it owes is
/// never given, so that the other side sees a program that ends.
#[pyfunction]
pub(crate) fn run_player(py: Python<'_>, name: String, function: Bound<'_, PyAny>) -> PyResult<()> {
    let work = move |tell: &Messages<Box<Question>, io::Result<()>>| {
        let tell = tell.clone();
        let ask = move |question| tell.send(Word::Message(question)).is_ok();
        let mind = FunctionMind::new(&name, 0, Box::new(ask));
        ::engine::run(MindEngine::new(Box::new(mind)), BufReader::new(io::stdin()), io::stdout())
    };
    let ended = waiting::work(
        py,
        work,
        || false,
        |_, question| match question.put_strictly(&function) {
            Ok(()) => Ok(()),
            Err((question, error)) => {
                // The mind waits for its answer until the process ends.
                std::mem::forget(question);
                Err(error)
            }
        },
    )?;
    ended.map_err(|error| PyOSError::new_err(error.to_string()))
}
