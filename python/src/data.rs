//! Packed training games: read as games and as arrays, and written.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use records::GameResult;
use records::packed::{Moment, PackedBoard, PackedError, PackedGame, Ply, Reader, Writer};

use crate::board::PyBoard;
use crate::columns::bytes;
use crate::errors::DamagedFileError;
use crate::moves::{self, PyMove};
use crate::stream::{Failure, Stream};

/// A finished game with a score for every position in which a move was played.
#[pyclass(frozen, name = "_TrainingGame", module = "saavedra._saavedra")]
pub(crate) struct TrainingGame(Box<PackedGame>);

/// 1, 0 or -1 as White won, drew or lost.
fn number(result: GameResult) -> i8 {
    result as i8 - 1
}

fn result_of(number: i8) -> PyResult<GameResult> {
    GameResult::ALL
        .into_iter()
        .find(|&result| self::number(result) == number)
        .ok_or_else(|| PyValueError::new_err(format!("{number} is not a result: they are 1, 0 and -1")))
}

#[pymethods]
impl TrainingGame {
    #[new]
    fn new(
        start: &Bound<'_, PyBoard>,
        moves: Vec<Bound<'_, PyMove>>,
        scores: Vec<i16>,
        result: i8,
    ) -> PyResult<TrainingGame> {
        if moves.len() != scores.len() {
            return Err(PyValueError::new_err(format!("{} scores for {} moves", scores.len(), moves.len())));
        }
        let start = start.try_borrow()?;
        let (first, is_chess960) = (start.position()?, start.is_chess960());
        let (mut position, mut plies) = (first, Vec::with_capacity(moves.len()));
        for (mv, score) in moves.iter().zip(scores) {
            let state = crate::state::State::from(position);
            let mv = state.resolve(*mv.get(), is_chess960 || position.is_chess960()).ok_or_else(|| {
                crate::errors::IllegalMoveError::new_err(format!("illegal move: {} in {position}", mv.get().text()))
            })?;
            plies.push(Ply { mv, score });
            position = position.play_unchecked(mv);
        }
        let game = PackedGame::new(first, plies, result_of(result)?);
        Ok(TrainingGame(Box::new(game.map_err(|error| PyValueError::new_err(error.to_string()))?)))
    }

    #[getter]
    fn start(&self) -> (String, bool) {
        (self.0.start().to_string(), self.0.start().is_chess960())
    }

    fn moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyMove>>> {
        let chess960 = self.0.start().is_chess960();
        self.0.plies().iter().map(|ply| moves::to_python(py, ply.mv, chess960)).collect()
    }

    fn scores(&self) -> Vec<i16> {
        self.0.plies().iter().map(|ply| ply.score).collect()
    }

    #[getter]
    fn result(&self) -> i8 {
        number(self.0.result())
    }

    fn __len__(&self) -> usize {
        self.0.plies().len()
    }

    fn __eq__(&self, other: &Bound<'_, TrainingGame>) -> bool {
        self.0 == other.get().0
    }
}

/// The error of a file by its name.
fn explain(name: &str, failure: &Failure, error: PackedError) -> PyErr {
    match error {
        PackedError::Io(error) => failure.explain(error),
        error => DamagedFileError::new_err(format!("{name}: {error}")),
    }
}

/// Reads a file of training games.
#[pyclass(frozen, module = "saavedra._saavedra")]
pub(crate) struct DataReader {
    name: String,
    skips_damage: bool,
    failure: Failure,
    reader: Mutex<Reading>,
}

struct Reading {
    games: Option<Reader<Stream>>,
    /// The positions of a game that did not fit into the last array.
    left: std::vec::IntoIter<Moment>,
    damage: Vec<String>,
}

impl DataReader {
    /// The next game; damage is an error, or noted down.
    fn next_game(&self, reading: &mut Reading) -> PyResult<Option<PackedGame>> {
        loop {
            let Some(games) = &mut reading.games else { return Ok(None) };
            match games.next() {
                Some(Ok(game)) => return Ok(Some(game)),
                Some(Err(error @ PackedError::Io(_))) => {
                    reading.games = None;
                    return Err(explain(&self.name, &self.failure, error));
                }
                Some(Err(error)) if self.skips_damage => reading.damage.push(error.to_string()),
                Some(Err(error)) => return Err(explain(&self.name, &self.failure, error)),
                None => {
                    let torn = games.torn_tail();
                    reading.games = None;
                    if torn > 0 {
                        let text = format!("the last {torn} bytes are not a whole block: writing it was interrupted");
                        if !self.skips_damage {
                            return Err(DamagedFileError::new_err(format!("{}: {text}", self.name)));
                        }
                        reading.damage.push(text);
                    }
                }
            }
        }
    }

    /// Up to so many positions.
    fn next_moments(&self, count: usize) -> PyResult<Vec<Moment>> {
        let mut reading = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let reading = &mut *reading;
        let mut moments = Vec::new();
        while moments.len() < count {
            if let Some(moment) = reading.left.next() {
                moments.push(moment);
                continue;
            }
            match self.next_game(reading) {
                Ok(Some(game)) => reading.left = game.moments().collect::<Vec<_>>().into_iter(),
                Ok(None) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(moments)
    }
}

/// Boards, moves, scores, results and plies.
type Arrays<'py> = [Bound<'py, PyByteArray>; 5];

#[pymethods]
impl DataReader {
    #[new]
    fn new(source: &Bound<'_, PyAny>, skips_damage: bool) -> PyResult<DataReader> {
        let stream = Stream::open(source)?;
        let failure = stream.failure.clone();
        let name =
            source.extract::<PathBuf>().map_or_else(|_| "the stream".to_owned(), |path| path.display().to_string());
        let games = Reader::new(stream).map_err(|error| explain(&name, &failure, error))?;
        let reading = Reading { games: Some(games), left: Vec::new().into_iter(), damage: Vec::new() };
        Ok(DataReader { name, skips_damage, failure, reader: Mutex::new(reading) })
    }

    fn next_one(&self, py: Python<'_>) -> PyResult<Option<TrainingGame>> {
        py.check_signals()?;
        let game = py.detach(|| self.next_game(&mut self.reader.lock().unwrap_or_else(PoisonError::into_inner)))?;
        Ok(game.map(|game| TrainingGame(Box::new(game))))
    }

    /// Up to so many positions as arrays; nothing at the end.
    fn next_arrays<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Option<Arrays<'py>>> {
        py.check_signals()?;
        let moments = py.detach(|| self.next_moments(count))?;
        if moments.is_empty() {
            return Ok(None);
        }
        let boards = PyByteArray::new_with(py, PackedBoard::SIZE * moments.len(), |target| {
            py.detach(|| {
                for (target, moment) in target.as_chunks_mut::<{ PackedBoard::SIZE }>().0.iter_mut().zip(&moments) {
                    *target = *moment.sample().bytes();
                }
            });
            Ok(())
        })?;
        let plies: Vec<u32> = moments.iter().map(|moment| u32::try_from(moment.ply).unwrap_or(u32::MAX)).collect();
        Ok(Some([
            boards,
            bytes(py, &moments, |moment| moment.mv.bits().to_ne_bytes())?,
            bytes(py, &moments, |moment| moment.score.to_ne_bytes())?,
            bytes(py, &moments, |moment| number(moment.result).to_ne_bytes())?,
            bytes(py, &plies, u32::to_ne_bytes)?,
        ]))
    }

    /// What was left out.
    #[getter]
    fn damage(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.reader.lock().unwrap_or_else(PoisonError::into_inner).damage.clone())
    }
}

/// Writes a file of training games.
#[pyclass(frozen, module = "saavedra._saavedra")]
pub(crate) struct DataWriter {
    name: String,
    writer: Mutex<Option<Writer<File>>>,
}

impl DataWriter {
    fn explain(&self, error: PackedError) -> PyErr {
        match error {
            PackedError::Io(error) => {
                PyErr::from(std::io::Error::new(error.kind(), format!("cannot write {}: {error}", self.name)))
            }
            error => PyValueError::new_err(format!("{}: {error}", self.name)),
        }
    }
}

#[pymethods]
impl DataWriter {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, append: bool) -> PyResult<DataWriter> {
        let writer = DataWriter { name: path.display().to_string(), writer: Mutex::new(None) };
        let opened = py.detach(|| if append { Writer::append(&path) } else { Writer::create(&path) });
        let opened = opened.map_err(|error| writer.explain(error))?;
        *writer.writer.lock().unwrap_or_else(PoisonError::into_inner) = Some(opened);
        Ok(writer)
    }

    fn write(&self, game: &TrainingGame) -> PyResult<()> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = writer.as_mut().ok_or_else(|| PyValueError::new_err(format!("{} is closed", self.name)))?;
        writer.write(&game.0).map_err(|error| self.explain(error))
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let closed = py.detach(|| {
            let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
            writer.map_or(Ok(()), |mut writer| writer.flush())
        });
        closed.map_err(|error| self.explain(error.into()))
    }
}
