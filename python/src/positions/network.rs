//! Networks that evaluate positions: the one of the engine, or one from a file.

use std::path::PathBuf;
use std::sync::Arc;

use nnue::Accumulators;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use rules::Position;
use search::AnyEvaluator;

use super::{BLOCK, Core};

/// A network: `Network()` is the one that the engine plays with, `Network("x.nnue")` is read from a file.
#[pyclass(frozen, name = "Network", module = "saavedra")]
pub(crate) struct PyNetwork(Arc<nnue::Network>);

#[pymethods]
impl PyNetwork {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(path: Option<PathBuf>) -> PyResult<PyNetwork> {
        let Some(path) = path else {
            let evaluator = AnyEvaluator::default();
            let network = evaluator.network().ok_or_else(|| PyValueError::new_err("there is no network"))?;
            return Ok(PyNetwork(Arc::clone(network)));
        };
        let bytes = std::fs::read(&path).map_err(|error| {
            PyErr::from(std::io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display())))
        })?;
        let network = nnue::Network::read(&bytes)
            .map_err(|error| PyValueError::new_err(format!("{} is not a network: {error}", path.display())))?;
        Ok(PyNetwork(Arc::new(network)))
    }

    /// What the file says about the network.
    #[getter]
    fn description(&self) -> &str {
        self.0.description()
    }

    /// The values of each position's hidden layer for each player.
    #[getter]
    fn hidden(&self) -> usize {
        self.0.architecture().hidden()
    }

    /// The inputs of the network that are set: for each position 32 numbers of `int32` for the player to move, then 32
    /// for the other one, with -1 behind the last piece.
    fn _features<'py>(&self, py: Python<'py>, core: &Core) -> PyResult<Bound<'py, PyByteArray>> {
        let buckets = self.0.architecture().king_buckets();
        core.fill(py, 4 * 2 * 32, |position, target| {
            let slots = target.as_chunks_mut::<4>().0;
            slots.fill((-1_i32).to_ne_bytes());
            for (half, color) in [position.turn(), !position.turn()].into_iter().enumerate() {
                let view = buckets.view(color, position.king(color));
                for (slot, square) in slots[32 * half..].iter_mut().take(32).zip(position.occupied()) {
                    let piece = position.piece_at(square).expect("the square is occupied");
                    *slot = (view.feature_index(piece, square) as i32).to_ne_bytes();
                }
            }
        })
    }

    /// How many different inputs there are.
    #[getter]
    fn inputs(&self) -> usize {
        self.0.architecture().king_buckets().count() * nnue::FEATURES
    }

    /// Centipawns of each position from the side of the player to move, as bytes of `int32`.
    fn _evaluate<'py>(&self, py: Python<'py>, core: &Core, threads: usize) -> PyResult<Bound<'py, PyByteArray>> {
        let positions = &core.positions[..];
        let threads = threads.clamp(1, positions.len().div_ceil(BLOCK).max(1));
        let mut accumulators: Vec<_> = (0..threads).map(|_| Accumulators::new(Arc::clone(&self.0))).collect();
        PyByteArray::new_with(py, 4 * positions.len(), |target| {
            let values = target.as_chunks_mut::<4>().0;
            for (positions, values) in positions.chunks(BLOCK * threads).zip(values.chunks_mut(BLOCK * threads)) {
                py.check_signals()?;
                py.detach(|| {
                    std::thread::scope(|scope| {
                        let work = positions.chunks(BLOCK).zip(values.chunks_mut(BLOCK)).zip(&mut accumulators);
                        for ((positions, values), accumulators) in work {
                            scope.spawn(move || evaluate(accumulators, positions, values));
                        }
                    });
                });
            }
            Ok(())
        })
    }
}

fn evaluate(accumulators: &mut Accumulators, positions: &[Position], values: &mut [[u8; 4]]) {
    for (position, value) in positions.iter().zip(values) {
        *value = accumulators.restart(position).to_ne_bytes();
    }
}
