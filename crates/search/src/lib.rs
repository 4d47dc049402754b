//! The search: alpha-beta with what half a century has added to it, pure and quiet.
//!
//! A [`Searcher`] holds what outlives a single search: the table, and what each thread has learnt. It is given a
//! [`Request`] (a game, [`Limits`], [`Options`]), a [`Control`] to stop it by and a [`Reporter`] to tell, and returns an
//! [`Answer`]. It reads nothing, prints nothing, and starts no thread that outlives the call.
//!
//! ```
//! use rules::Game;
//! use saavedra_search::{Control, Limits, Line, PieceSquare, Reporter, Request, SearchStats, Searcher};
//!
//! /// Counts the depths that were finished.
//! struct Depths(usize);
//!
//! impl Reporter for Depths {
//!     fn line(&mut self, line: &Line, _stats: &SearchStats) {
//!         self.0 = line.depth;
//!     }
//! }
//!
//! // What Saavedra saw in 1895: a queen would be lured into stalemate by Rc4+, so White makes a rook.
//! let game = Game::new("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1".parse()?);
//! let mut depths = Depths(0);
//! let request = Request::new(&game, Limits::depth(20));
//! let answer = Searcher::new(PieceSquare::new()).search(&request, &Control::new(), &mut depths);
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
//! | the face | `searcher` `request` | what searches, and what one search is given |
//! | the frame | `root` `time` `vote` | iterative deepening with a window, when to stop, which thread's move is played |
//! | a thread | `worker` `stack` `thread_data` `shared` `node` `draws` | where it stands, what it keeps, what ends a line |
//! | the heart | `alpha_beta` `quiescence` | both search functions, as numbered steps |
//! | the steps | `pruning` `reductions` `null_move` `probcut` `singular` | what not to search, what to search less or more |
//! | the order | `picker` `history` `history_updates` | which move is next, what moves have done before, what a node teaches |
//! | the evaluation | `evaluation` `static_eval` `correction` `tablebase` `tablebase_probe` | what a position is worth |
//! | the table | `tt` `huge_pages` | what is known of positions, shared without a lock |
//! | numbers | `tunables` `wdl` | every number that games may improve, one line each; what a score means in wins, draws, losses |
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
mod correction;
mod draws;
mod evaluation;
mod history;
mod history_updates;
mod huge_pages;
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
pub use interface::{
    Answer, Bound, Clock, Control, Gate, Limits, Line, MAX_PLY, Reporter, STACK_SIZE, Score, SearchStats, Verdict,
    nodes_per_second,
};

pub use evaluation::{AnyEvaluator, Evaluator, MATERIAL, PieceSquare, piece_square_value};
pub use huge_pages::OutOfMemory;
pub use request::{Options, Request};
pub use searcher::{DEFAULT_HASH, Searcher};
pub use strength::Strength;
pub use tablebase::{RankedMove, Tablebase, TablebaseResult};
pub use tunables::{SWITCHES, TUNABLES, Tunable};
#[cfg(feature = "tuning")]
pub use tunables::{set_switch, set_tunable};
pub use watcher::{Ending, Skip, Visit, Watcher};
pub use wdl::{WdlModel, pieces_left, win_draw_loss};
