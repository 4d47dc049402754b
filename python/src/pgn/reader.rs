//! The games of a stream, one by one.

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use records::pgn::Reader;

use super::filter::Filter;
use super::record::{Collector, GameRecord};
use crate::stream::{Failure, PythonFile, Stream};

/// Reads games as they are asked for. `saavedra.pgn.read_pgn` makes one.
#[pyclass(frozen, module = "saavedra._saavedra")]
pub(crate) struct PgnReader {
    games: Mutex<Option<Games>>,
    failure: Failure,
    filter: Filter,
    is_only_headers: bool,
}

/// In a box, because a position is aligned to cache lines and Python's objects are not.
struct Games(Box<Reader<Stream>>);

impl PgnReader {
    /// The next game that is wanted.
    pub(crate) fn next_game(&self, py: Python<'_>) -> PyResult<Option<GameRecord>> {
        loop {
            let told = py.detach(|| self.read_one())?;
            match told {
                Told::Game(record) => return Ok(Some(*record)),
                Told::Unwanted => {}
                Told::End => return Ok(None),
            }
        }
    }

    /// The reader, if it is free. It is not waited for, because a filter would wait for itself.
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<Games>>> {
        match self.games.try_lock() {
            Ok(games) => Ok(games),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the games are being read by another thread, or by their own filter"))
            }
        }
    }

    /// Reads up to a game that is wanted, or through a good many that are not.
    fn read_one(&self) -> PyResult<Told> {
        const AT_ONCE: usize = 1_000;
        let mut games = self.lock()?;
        let Some(reader) = games.as_mut() else { return Ok(Told::End) };
        for _ in 0..AT_ONCE {
            let mut collector = Collector::new(&self.filter, self.is_only_headers);
            let report = match reader.0.read_game(&mut collector) {
                Ok(Some(report)) => report,
                Ok(None) => {
                    *games = None;
                    return Ok(Told::End);
                }
                Err(error) => {
                    *games = None;
                    return Err(self.failure.explain(error));
                }
            };
            if let Some(record) = collector.finish(report)? {
                return Ok(Told::Game(Box::new(record)));
            }
        }
        Ok(Told::Unwanted)
    }
}

enum Told {
    Game(Box<GameRecord>),
    Unwanted,
    End,
}

#[pymethods]
impl PgnReader {
    #[new]
    #[pyo3(signature = (source, filter = None, bounds = None, only_headers = false))]
    fn new(
        source: &Bound<'_, PyAny>,
        filter: Option<Bound<'_, PyAny>>,
        bounds: Option<&Bound<'_, PyDict>>,
        only_headers: bool,
    ) -> PyResult<PgnReader> {
        let filter = Filter::new(filter, bounds)?;
        let stream = Stream::open(source)?;
        let failure = stream.failure.clone();
        Ok(PgnReader {
            games: Mutex::new(Some(Games(Box::new(Reader::new(stream))))),
            failure,
            filter,
            is_only_headers: only_headers,
        })
    }

    fn __iter__(slf: Py<PgnReader>) -> Py<PgnReader> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<GameRecord>> {
        py.check_signals()?;
        self.next_game(py)
    }

    /// Closes the file; there are no more games.
    fn close(&self) -> PyResult<()> {
        *self.lock()? = None;
        Ok(())
    }
}

/// Reads one game of an object with a method `readline`, and no line behind it. Returns the game, and what was taken
/// that belongs to the next one.
#[pyfunction]
pub(crate) fn read_one_game(
    file: &Bound<'_, PyAny>,
    before: Vec<u8>,
    only_headers: bool,
) -> PyResult<(Option<GameRecord>, Vec<u8>)> {
    let (filter, failure) = (Filter::default(), Failure::default());
    let mut reader = Reader::new(PythonFile::lines(file, before, failure.clone()));
    let mut collector = Collector::new(&filter, only_headers);
    match reader.read_game(&mut collector).map_err(|error| failure.explain(error))? {
        Some(report) => Ok((collector.finish(report)?, reader.unread().to_vec())),
        None => Ok((None, Vec::new())),
    }
}
