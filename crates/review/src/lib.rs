#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod alternative;
mod analysis;
mod annotate;
mod chances;
mod clock;
mod digest;
mod effort;
mod exchange;
mod facts;
mod finding;
mod json;
mod judge;
mod judgement;
mod mate;
mod phase;
mod puzzle;
mod reason;
mod report;
mod reviewer;
mod summary;
mod summary_page;
mod tactic;
mod threads;
mod trace;
mod variation;

pub use alternative::Alternative;
pub use annotate::{annotate, is_reviewed};
pub use chances::{Chances, accuracy, win_draw_loss};
pub use clock::TimeUse;
pub use digest::GameDigest;
pub use effort::Effort;
pub use exchange::{Exchange, Hanging, HangingCause};
pub use json::{MoveReviewJson, ReviewJson, ReviewedGameJson};
pub use judgement::Judgement;
pub use mate::{Mate, Proof};
pub use phase::Phase;
pub use puzzle::Puzzle;
pub use reason::{BookMoves, EndgameResults, Reason};
pub use report::{MoveReview, Outlook, PhaseAccuracy, PlayerReview, Review};
pub use reviewer::{Reviewer, Step, Stopped};
pub use summary::{GameScore, OpeningSummary, PhaseSummary, PlayerSummary, TimeSummary};
pub use tactic::{Tactic, TacticKind};
pub use trace::{Bounds, Method, MethodError, SkippedMove, Totals, Trace, TraceNode, VisitKind, trace};
pub use variation::Variation;

/// The rules of chess, whose games are reviewed.
pub use rules;
