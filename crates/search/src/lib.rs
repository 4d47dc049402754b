//! The search: alpha-beta with what half a century has added to it, pure and quiet.
//!
//! A [`Searcher`] holds what outlives a single search: the table, one memory for each thread, the [`Options`]. It is
//! given a game, [`Limits`], a [`Control`] to stop it by and a [`Reporter`] to tell, and returns an [`Answer`]. It reads
//! nothing, prints nothing, and starts no thread that outlives the call.
//!
//! ```
//! use rules::Game;
//! use saavedra_search::{Control, Limits, Line, PieceSquare, Progress, Reporter, Searcher};
//!
//! /// Counts the depths that were finished.
//! struct Depths(usize);
//!
//! impl Reporter for Depths {
//!     fn line(&mut self, line: &Line, _progress: &Progress) {
//!         self.0 = line.depth;
//!     }
//! }
//!
//! // What Saavedra saw in 1895: a queen would be lured into stalemate by Rc4+, so White makes a rook.
//! let game = Game::new("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1".parse()?);
//! let limits = Limits { depth: Some(20), ..Limits::default() };
//! let mut depths = Depths(0);
//! let answer = Searcher::new(PieceSquare::new()).search(&game, &limits, &Control::new(), &mut depths);
//! assert_eq!(answer.best.map(|mv| game.position().san(mv)).as_deref(), Some("c8=R"));
//! assert_eq!(depths.0, 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A tour
//!
//! From the outside in. `docs/search.md` tells the same as a story, heuristic by heuristic.
//!
//! | | modules | what they hold |
//! |---|---|---|
//! | the face | `searcher` `limits` `report` `score` | who searches, until when, what is told, in which unit |
//! | the frame | `root` `time` `vote` | deepening with a window, when to stop, whose move is played |
//! | a thread | `worker` `node` `draws` | where it stands, which kinds of nodes there are, what ends a line |
//! | the heart | `alpha_beta` `quiescence` | both search functions, as numbered steps |
//! | the steps | `pruning` `reductions` `side_searches` `glance` | what not to search, what to search less, what to ask first |
//! | the order | `picker` `history` `lessons` | which move is next, what moves have done before, what a node teaches |
//! | knowledge | `evaluation` `correction` `tablebase` `endgame` | what a position is worth, and how far off that was |
//! | memory | `table` `memory` | what is known of positions, shared without a lock |
//! | numbers | `tunables` | every number that games may improve, one line each |
//! | manners | `strength` | playing worse on purpose, the way people do |
//!
//! Three seams are open to others. An [`Evaluator`] judges positions and hears of every piece that moves; it may be a
//! network, [`nnue::Accumulators`], or [`PieceSquare`] tables, and [`AnyEvaluator`] is either. A [`Tablebase`] knows endgames; the crate `saavedra-syzygy` brings one.
//! A [`Watcher`] sees the tree itself; `()` watches nothing and costs nothing.
//!
//! # Promises
//!
//! * With one thread, the same game, limits other than time, and a fresh searcher, the same nodes are visited on every
//!   machine.
//! * There is an answer whenever there is a legal move to choose: the first depth is always searched to its end.
//! * Any bits that the table may hold are a valid entry, and a move from it is checked before it is played.
//! * A table that does not fit into memory is refused with [`OutOfMemory`], and the old one stays.

mod alpha_beta;
mod chances;
mod correction;
mod draws;
mod endgame;
mod evaluation;
mod glance;
mod history;
mod lessons;
mod limits;
mod memory;
mod node;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod score;
mod searcher;
mod side_searches;
mod strength;
mod table;
mod tablebase;
mod time;
mod tunables;
mod vote;
mod watcher;
mod worker;

pub use chances::win_draw_loss;
pub use evaluation::{AnyEvaluator, Evaluator, MATERIAL, PieceSquare, piece_square_value};
pub use limits::{Clock, Control, Gate, Limits};
pub use memory::OutOfMemory;
pub use report::{Answer, Bound, Line, Progress, Reporter};
pub use score::{MAX_PLY, Score, Verdict};
pub use searcher::{DEFAULT_HASH, Options, Searcher};
pub use strength::Strength;
pub use tablebase::{RankedMove, Tablebase, TablebaseResult};
pub use tunables::{SWITCHES, TUNABLES, Tunable};
#[cfg(feature = "tuning")]
pub use tunables::{set_switch, set_tunable};
pub use watcher::{Ending, Skip, Visit, Watcher};
