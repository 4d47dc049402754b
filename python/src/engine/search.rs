//! A search under way, as Python waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use interface::Control;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::{Move, Position};

use super::backend::Best;
use super::failure::Failure;
use super::feed::{Feed, Next};
use super::{info, limits};
use crate::moves;
use crate::waiting::{GLANCE, wait_until};

/// A search under way. It is stopped when it is dropped.
#[pyclass(frozen, name = "Search", module = "saavedra._saavedra")]
pub(crate) struct Search {
    pub(super) feed: Arc<Feed>,
    pub(super) control: Arc<Control>,
    pub(super) give_up: Option<Arc<AtomicBool>>,
    /// In a box, because a position is aligned to cache lines and Python's objects are not.
    pub(super) root: Box<Position>,
    pub(super) chess960: bool,
    /// The process it belongs to: in a fork there is no search.
    pub(super) process: u32,
}

/// The move to play and the reply to expect.
type BestMoves = (Option<Py<moves::PyMove>>, Option<Py<moves::PyMove>>);

impl Search {
    fn to_python(&self, py: Python<'_>, best: Best) -> PyResult<BestMoves> {
        let object = |mv: Option<Move>| mv.map(|mv| moves::to_python(py, mv, self.chess960)).transpose();
        Ok((object(best.mv)?, object(best.ponder)?))
    }

    /// Waits for the end. Ctrl-C stops the search; an engine that does not stop within a second is given up.
    pub(super) fn finish(&self, py: Python<'_>) -> PyResult<Best> {
        const TIME_TO_STOP: Duration = Duration::from_secs(1);
        let waited = wait_until(py, |glance| self.feed.ends_within(glance));
        if waited.is_err() {
            self.control.stop();
            if !py.detach(|| self.feed.ends_within(TIME_TO_STOP))
                && let Some(give_up) = &self.give_up
            {
                give_up.store(true, Ordering::Relaxed);
            }
            py.detach(|| while !self.feed.ends_within(TIME_TO_STOP) {});
        }
        waited?;
        let gone = || Failure::Gone("the search is gone".to_owned());
        Ok(self.feed.outcome().unwrap_or_else(|| Err(gone()))?)
    }
}

#[pymethods]
impl Search {
    /// The next info, or nothing when there will be none, or none came within so many seconds.
    #[pyo3(signature = (timeout = None))]
    fn next<'py>(&self, py: Python<'py>, timeout: Option<f64>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let patience = timeout.map(|timeout| limits::duration("timeout", timeout)).transpose()?;
        let started = Instant::now();
        loop {
            let left = patience.map_or(GLANCE, |patience| patience.saturating_sub(started.elapsed()).min(GLANCE));
            match py.detach(|| self.feed.next(left)) {
                Next::Info(told) => return info::to_python(py, &told, &self.root, self.chess960).map(Some),
                Next::Over => return Ok(None),
                Next::Nothing if patience.is_some_and(|patience| started.elapsed() >= patience) => return Ok(None),
                // Who is interrupted does not want the rest.
                Next::Nothing => py.check_signals().inspect_err(|_| self.control.stop())?,
            }
        }
    }

    /// Waits for the end: the move to play and the reply to expect.
    fn wait(&self, py: Python<'_>) -> PyResult<BestMoves> {
        let best = self.finish(py)?;
        self.to_python(py, best)
    }

    /// Ends the search soon.
    fn stop(&self) {
        if self.process == std::process::id() {
            self.control.stop();
        }
    }

    /// Whether the search has ended.
    fn is_over(&self) -> bool {
        self.feed.outcome().is_some()
    }

    /// Whether `next` would not have to wait.
    fn is_ready(&self) -> bool {
        self.feed.is_ready()
    }

    /// What is known of each line, the best first.
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.feed.lines().iter().map(|told| info::to_python(py, told, &self.root, self.chess960)).collect()
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
    }
}
