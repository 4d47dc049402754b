#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod alpha_beta;
pub mod bench;
mod correction;
mod draws;
mod evaluation;
mod history;
mod history_updates;
mod node;
mod null_move;
mod picker;
mod probcut;
mod pruning;
mod quiescence;
mod reductions;
mod request;
mod root;
mod searcher;
mod shared;
mod singular;
mod stack;
mod static_eval;
mod strength;
mod tablebase;
mod tablebase_probe;
mod thread_data;
mod time;
mod tt;
mod tunables;
mod vote;
mod watcher;
mod wdl;
mod worker;

// What a search is asked and tells, so that its users need no second crate.
/// The rules of chess, whose positions are searched.
pub use rules;

pub use interface::{
    Answer, Bound, Clock, Control, Gate, Limits, Line, MAX_PLY, Reporter, STACK_SIZE, Score, SearchStats, UciScore,
    nodes_per_second,
};

pub use evaluation::{AnyEvaluator, Evaluator, MATERIAL, PieceSquare, piece_square_value};
pub use picker::SEE_VALUES;
pub use request::{Options, Request};
pub use searcher::{DEFAULT_HASH, Searcher};
pub use strength::Strength;
pub use tablebase::{RankedMove, Tablebase, TablebaseResult};
pub use tt::OutOfMemory;
pub use tunables::{SWITCHES, TUNABLES, Tunable};
#[cfg(feature = "tuning")]
pub use tunables::{set_switch, set_tunable};
pub use watcher::{NodeEnd, Skip, Visit, Watcher};
pub use wdl::{WdlModel, pieces_left, win_draw_loss};
