#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod board;
mod columns;
mod convert;
mod data;
mod engine;
mod errors;
mod loose;
mod moves;
mod pgn;
mod piece;
mod players;
mod positions;
mod review;
mod square_set;
mod state;
mod stats;
mod stream;
mod waiting;

use pyo3::prelude::*;

/// The compiled half of the package; `saavedra/__init__.py` is the other half and the one to import.
#[pymodule(gil_used = false)]
mod _saavedra {
    use super::*;

    #[pymodule_export]
    use super::board::{MoveGenerator, PyBoard};
    #[pymodule_export]
    use super::columns::ArrowStream;
    #[pymodule_export]
    use super::data::{DataReader, DataWriter, TrainingGame};
    #[pymodule_export]
    use super::engine::{EngineCore, Search};
    #[pymodule_export]
    use super::errors::{AmbiguousMoveError, IllegalMoveError, IllegalPositionError, InvalidMoveError};
    #[pymodule_export]
    use super::errors::{DamagedFileError, PgnError};
    #[pymodule_export]
    use super::moves::{PyMove, moves_from_bits};
    #[pymodule_export]
    use super::pgn::{GameRecord, PgnReader, read_one_game};
    #[pymodule_export]
    use super::piece::PyPiece;
    #[pymodule_export]
    use super::players::{play_match, run_player};
    #[pymodule_export]
    use super::positions::{_policy_move, Core, PyNetwork, policy_index};
    #[pymodule_export]
    use super::review::review_game;
    #[pymodule_export]
    use super::square_set::PySquareSet;
    #[pymodule_export]
    use super::stats::{elo_of_score, expected_score, performance_of, rate, sprt_of};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("POLICY_SIZE", super::positions::POLICY_SIZE)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
