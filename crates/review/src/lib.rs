//! Looking back at a game, and into a search.
//!
//! A [`Reviewer`] judges every move of a game by searching the positions before and after it. What a move lost is counted
//! in chances of winning, and what it did wrong is told as [`Reason`]s: claims with the facts in them, each of which can be
//! checked on the board. [`annotate`](fn@annotate) writes the review into the game's PGN. A [`trace`](fn@trace) shows how a search found
//! its move, node by node.
//!
//! ```
//! use review::{Effort, Judgement, Reason, Reviewer};
//! use rules::Game;
//! # use saavedra_review as review;
//!
//! let mut game = Game::default();
//! for san in ["f3", "e5", "g4", "Qh4"] {
//!     let mv = game.position().parse_san(san)?;
//!     game.play(mv)?;
//! }
//! let never = std::sync::Arc::default();
//! let review = Reviewer::new(Effort::Nodes(2_000)).review(&game, &never, &mut |_| {})?;
//! let blunder = &review.moves[2];
//! assert_eq!(blunder.judgement, Judgement::Blunder);
//! assert!(matches!(&blunder.reasons[0], Reason::AllowsMate(mate) if mate.moves == 1));
//! assert_eq!(blunder.reasons[0].to_string(), "allows mate in 1, whatever the replies: 2... Qh4#");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alternative;
mod annotate;
mod chances;
mod effort;
mod exchange;
mod finding;
mod json;
mod mate;
mod reason;
mod report;
mod reviewer;
mod tactic;
mod trace;
mod variation;

pub use alternative::Alternative;
pub use annotate::{annotate, is_reviewed};
pub use chances::{Chances, Judgement, accuracy};
pub use effort::Effort;
pub use exchange::{EXCHANGE_VALUES, Exchange, Hanging, Setting};
pub use json::ReviewJson;
pub use mate::{Mate, Proof};
pub use reason::{BookMoves, Reason};
pub use report::{MoveReview, Outlook, PlayerReview, Review};
pub use reviewer::{Reviewer, Step, Stopped};
pub use tactic::{Tactic, TacticKind};
pub use trace::{Bounds, Method, MethodError, SkippedMove, Totals, Trace, TraceNode, VisitKind, trace};
pub use variation::Variation;
