//! Minds: everything that chooses a move, from a random mover to an engine in another process.
//!
//! A [`Mind`] is told of a new game, asked for moves, and told how the game ended. A match, a board on a terminal or a UCI
//! session needs to know nothing else of it.
//!
//! ```
//! use rules::Game;
//! use saavedra_minds::{Allowance, Choice, Control, Mind, RandomMind};
//!
//! let mut mind = RandomMind::new(7);
//! mind.new_game(Game::default().start())?;
//! let choice = mind.choose(&Game::default(), &Allowance::default(), &Control::new(), &mut ())?;
//! assert!(matches!(choice, Choice::Move(mv) if Game::default().position().is_legal(mv)));
//! # Ok::<(), saavedra_minds::Fault>(())
//! ```

#![forbid(unsafe_code)]

mod diluted;
mod external;
mod fault;
mod founding_eval;
mod mind;
mod network;
mod random;
mod searching;
mod speak_world;
mod spec;
mod tree;

pub use diluted::DilutedMind;
pub use external::{CecpMind, LineMind, UciMind, WorldMind};
pub use fault::{Fault, Misdeed};
pub use mind::{Allowance, Choice, Ending, Mind};
pub use network::{LoadError, cached_network, load_network};
pub use random::{CaptureMind, RandomMind};
pub use searching::SearchMind;
pub use speak_world::speak_world;
pub use spec::{Evaluation, MindKind, MindSpec, ProgramSpec, Protocol, SearchSpec, SpecError, Ties, TreeSpec};
pub use tree::{TreeMind, TreeResult};

// What a mind is asked and tells, so that its users need no second crate.
pub use interface::{Clock, Control, Gate, Limits, Line, Reporter, Score, SearchStats};
