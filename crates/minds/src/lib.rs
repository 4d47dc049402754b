//! Minds: whoever chooses a move, from a player who draws lots to an engine in another process.
//!
//! A [`Mind`] is told of a new game, asked for moves, and told how the game ended. Whoever runs a game, be it a match, a
//! board on a terminal or a UCI loop, needs to know nothing else.
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

mod diluted;
mod fault;
mod mind;
mod network;
mod outside;
mod random;
mod searching;
mod speak_world;
mod spec;
mod standing;
mod tree;

pub use diluted::DilutedMind;
pub use fault::{Fault, Misdeed};
pub use mind::{Allowance, Choice, Ending, Mind};
pub use network::{LoadError, cached_network, load_network};
pub use outside::{CecpMind, LineMind, UciMind, WorldMind};
pub use random::{CaptureMind, RandomMind};
pub use searching::SearchMind;
pub use speak_world::speak_world;
pub use spec::{Judge, MindKind, MindSpec, ProgramSpec, Protocol, SearchSpec, SpecError, Ties, TreeSpec};
pub use tree::{Looked, TreeMind};

// A mind speaks of limits, lines and switches as the search does.
pub use search::{Clock, Control, Gate, Limits, Line, Reporter, Score, SearchStats};
