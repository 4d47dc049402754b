#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod diluted;
mod external;
mod fault;
pub mod founding;
mod founding_eval;
mod mind;
mod network;
mod random;
mod searching;
mod speak_world;
mod spec;
mod tree;

/// The rules of chess that minds play by.
pub use rules;

pub use diluted::DilutedMind;
pub use external::{CecpMind, LineMind, UciAnswer, UciMind, world_answer};
pub use fault::{Fault, FaultKind};
pub use mind::{Allowance, Choice, GameEnd, Mind};
pub use network::{LoadError, cached_network, load_network};
pub use random::{CaptureMind, RandomMind};
pub use searching::SearchMind;
pub use speak_world::speak_world;
pub use spec::{EvaluationSpec, MindKind, MindSpec, ProgramSpec, Protocol, SearchSpec, SpecError, Ties, TreeSpec};
pub use tree::{TreeMind, TreeResult};

/// How an outside program is started.
pub use programs::{BadCommandLine, CommandLine};

// What a mind is asked and tells, so that its users need no second crate.
pub use interface::{Clock, Control, Gate, Limits, Line, Reporter, Score, SearchStats};
