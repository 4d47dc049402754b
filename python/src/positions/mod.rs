//! Many positions at once: made from FENs, boards, games and files, and told as arrays.
//!
//! `Core` holds the positions and fills bytes that Python owns; `saavedra/_positions.py` makes numpy arrays of them.

mod arrays;
mod network;
mod policy;

use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use records::packed::PackedBoard;
use records::pgn::{Interest, Reader, Visitor};
use rules::{Color, Move, Position};

pub(crate) use network::PyNetwork;
pub(crate) use policy::{_policy_move, POLICY_SIZE, policy_index};

use crate::board::PyBoard;
use crate::pgn::{Filter, GameRecord};
use crate::stream::Stream;

/// How many positions are worked on between two looks at signals.
const BLOCK: usize = 1 << 16;

/// What turns squares to the side of the player to move.
fn flip(position: &Position, relative: bool) -> usize {
    if relative && position.turn() == Color::Black { 56 } else { 0 }
}

/// The positions of a `saavedra.Positions`.
#[pyclass(frozen, name = "_Positions", module = "saavedra._saavedra")]
pub(crate) struct Core {
    positions: Arc<Vec<Position>>,
    /// Whether castling is the king taking its rook in all of them.
    #[pyo3(get)]
    chess960: bool,
}

impl Core {
    pub(crate) fn new(positions: Vec<Position>, chess960: bool) -> Core {
        Core { positions: Arc::new(positions), chess960 }
    }
}

/// Collects the positions of games up to a number.
struct Collector<'a> {
    filter: &'a Filter,
    tags: Vec<(String, String)>,
    positions: Vec<Position>,
    limit: usize,
    error: Option<PyErr>,
}

impl Visitor for Collector<'_> {
    fn begin(&mut self) {
        self.tags.clear();
    }

    fn tag(&mut self, name: &[u8], value: records::pgn::TagText<'_>) {
        if !self.filter.is_open() {
            self.tags.push((String::from_utf8_lossy(name).into_owned(), value.decode().into_owned()));
        }
    }

    fn start(&mut self, position: &Position) -> Interest {
        match self.filter.wants(&self.tags) {
            Ok(true) => {
                self.add(position);
                Interest::Read
            }
            Ok(false) => Interest::Skip,
            Err(error) => {
                self.error = Some(error);
                Interest::Skip
            }
        }
    }

    fn played(&mut self, _mv: Move, _before: &Position, after: &Position) {
        self.add(after);
    }

    fn begin_variation(&mut self) -> Interest {
        Interest::Skip
    }
}

impl Collector<'_> {
    fn add(&mut self, position: &Position) {
        if self.positions.len() < self.limit {
            self.positions.push(*position);
        }
    }
}

#[pymethods]
impl Core {
    #[staticmethod]
    fn from_fens(py: Python<'_>, fens: Vec<String>, chess960: bool) -> PyResult<Core> {
        let parse = |(row, fen): (usize, &String)| {
            if row % BLOCK == 0 {
                py.check_signals()?;
            }
            let setup = fen.trim().parse::<rules::Setup>();
            let position = setup.and_then(|setup| Ok(setup.playable_position()?));
            position.map_err(|error| PyValueError::new_err(format!("position {row}: {error}: {fen:?}")))
        };
        Ok(Core::new(fens.iter().enumerate().map(parse).collect::<PyResult<_>>()?, chess960))
    }

    #[staticmethod]
    fn from_boards(boards: Vec<Bound<'_, PyBoard>>, chess960: bool) -> PyResult<Core> {
        let positions = boards.iter().map(|board| board.try_borrow()?.position()).collect::<PyResult<_>>()?;
        Ok(Core::new(positions, chess960))
    }

    /// Positions from 32 bytes each, as training games have them.
    #[staticmethod]
    fn from_packed(py: Python<'_>, bytes: PyBackedBytes, chess960: bool) -> PyResult<Core> {
        let (boards, rest) = bytes.as_chunks::<{ PackedBoard::SIZE }>();
        if !rest.is_empty() {
            return Err(PyValueError::new_err(format!(
                "{} bytes are not boards of {} bytes",
                bytes.len(),
                PackedBoard::SIZE
            )));
        }
        let positions = py.detach(|| {
            let unpack = |(row, board): (usize, &[u8; PackedBoard::SIZE])| {
                PackedBoard::from_bytes(*board).position().map_err(|error| format!("position {row}: {error}"))
            };
            boards.iter().enumerate().map(unpack).collect::<Result<Vec<_>, _>>()
        });
        Ok(Core::new(positions.map_err(PyValueError::new_err)?, chess960))
    }

    /// The positions of a game's main line, the start included.
    #[staticmethod]
    fn from_record(record: &GameRecord) -> Core {
        let mut positions = vec![*record.start_position()];
        for mv in record.main_line() {
            positions.push(positions[positions.len() - 1].play_unchecked(mv));
        }
        Core::new(positions, record.is_chess960())
    }

    /// The positions of all main lines of a file.
    #[staticmethod]
    fn from_pgn(
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        filter: Option<Bound<'_, PyAny>>,
        bounds: Option<&Bound<'_, PyDict>>,
        limit: usize,
        chess960: bool,
    ) -> PyResult<Core> {
        let filter = Filter::new(filter, bounds)?;
        let stream = Stream::open(source)?;
        let failure = stream.failure.clone();
        let positions = py.detach(|| {
            let mut reader = Box::new(Reader::new(stream));
            let mut collector =
                Collector { filter: &filter, tags: Vec::new(), positions: Vec::new(), limit, error: None };
            while collector.positions.len() < limit {
                let report = reader.read_game(&mut collector).map_err(|error| failure.explain(error))?;
                if let Some(error) = collector.error.take() {
                    return Err(error);
                }
                if report.is_none() {
                    break;
                }
            }
            Ok(collector.positions)
        })?;
        Ok(Core::new(positions, chess960))
    }

    /// All of several, one behind the other.
    #[staticmethod]
    fn joined(parts: Vec<Bound<'_, Core>>) -> Core {
        let mut positions = Vec::new();
        for part in &parts {
            positions.extend_from_slice(&part.get().positions);
        }
        Core::new(positions, parts.iter().any(|part| part.get().chess960))
    }

    /// Those of some rows, in the order of the rows.
    fn rows(&self, rows: Vec<usize>) -> PyResult<Core> {
        let row = |&row: &usize| {
            self.positions.get(row).copied().ok_or_else(|| PyIndexError::new_err(format!("there is no position {row}")))
        };
        Ok(Core::new(rows.iter().map(row).collect::<PyResult<_>>()?, self.chess960))
    }

    /// Those of a range of rows.
    fn range(&self, from: usize, to: usize) -> Core {
        let to = to.min(self.positions.len());
        Core::new(self.positions[from.min(to)..to].to_vec(), self.chess960)
    }

    /// The FEN of a row, and whether it needs the rules of Chess960.
    fn fen(&self, row: usize) -> PyResult<(String, bool)> {
        let position =
            self.positions.get(row).ok_or_else(|| PyIndexError::new_err(format!("there is no position {row}")))?;
        Ok((position.to_string(), self.chess960 || position.is_chess960()))
    }

    fn __len__(&self) -> usize {
        self.positions.len()
    }
}
