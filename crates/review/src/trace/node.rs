//! A node of a tree as it is shown, and a whole tree in numbers.

use std::collections::BTreeMap;

use rules::Color;
use search::{NodeEnd, Score, Skip};
use serde::{Serialize, Serializer};

use crate::Outlook;
#[cfg(feature = "schema")]
use crate::json::OutlookJson;

/// A node as it is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TraceNode {
    /// The place of its parent in the list; the root has none.
    pub parent: Option<usize>,
    /// The move that leads here, as people write it; none at the root, after a pass, and where a position is looked at
    /// again.
    pub san: Option<String>,
    /// The same as engines write it.
    pub uci: Option<String>,
    /// What kind of look it is.
    pub kind: VisitKind,
    /// Whether the same move was searched here before, with less depth or another window.
    pub is_again: bool,
    /// Moves from the root; another look at a position counts none.
    pub ply: usize,
    /// How many plies it was to look ahead; none among captures.
    pub depth: Option<usize>,
    /// The lower end of the window, for the player to move; none if it is open.
    #[serde(serialize_with = "bound")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<OutlookJson>))]
    pub alpha: Option<Score>,
    /// The upper end.
    #[serde(serialize_with = "bound")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<OutlookJson>))]
    pub beta: Option<Score>,
    /// The score, for the player to move.
    #[serde(serialize_with = "score")]
    #[cfg_attr(feature = "schema", schema(value_type = OutlookJson))]
    pub score: Score,
    /// Why the node was over.
    pub ending: &'static str,
    /// Moves that were left out, each for its reason.
    pub skipped: Vec<SkippedMove>,
    /// Legal moves that were not looked at: the node was over before, or no quiet move was wanted any more.
    pub never_tried: usize,
    /// Nodes below this one that are not shown, and do not lie below a child that is.
    pub hidden: u64,
}

/// What kind of look at a position a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum VisitKind {
    /// The usual one.
    Search,
    /// Captures only, until the position is quiet.
    Quiescence,
    /// The player before has passed: is that still good enough?
    Pass,
    /// Another look at the parent's position, to answer a question about it.
    Verification,
}

/// A move that was left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SkippedMove {
    /// As people write it.
    pub san: String,
    /// As engines write it.
    pub uci: String,
    /// Why.
    pub why: &'static str,
}

/// A search in numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Totals {
    /// Nodes, of all kinds.
    pub nodes: u64,
    /// Nodes among captures.
    pub quiescence_nodes: u64,
    /// How often a position was judged.
    pub evaluations: u64,
    /// How many nodes ended for each reason.
    pub endings: BTreeMap<&'static str, u64>,
    /// How many moves were left out for each reason.
    pub skips: BTreeMap<&'static str, u64>,
    /// Legal moves that were not looked at. The moves beyond the horizon, where every search ends, are not counted.
    pub never_tried: u64,
}

/// A score for the player to move, in the form of all scores.
fn score<S: Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    Outlook::of(*score, Color::White).serialize(serializer)
}

fn bound<S: Serializer>(bound: &Option<Score>, serializer: S) -> Result<S::Ok, S::Error> {
    bound.map(|score| Outlook::of(score, Color::White)).serialize(serializer)
}

/// The name of an ending, for programs.
pub(super) fn ending_name(ending: NodeEnd) -> &'static str {
    match ending {
        NodeEnd::AllMoves => "all_moves",
        NodeEnd::Cutoff => "beta_cutoff",
        NodeEnd::Horizon => "horizon",
        NodeEnd::StandPat => "stand_pat",
        NodeEnd::TtCutoff => "table",
        NodeEnd::Tablebase => "tablebase",
        NodeEnd::Draw => "draw",
        NodeEnd::Mate => "mate",
        NodeEnd::Stalemate => "stalemate",
        NodeEnd::MateDistance => "mate_distance",
        NodeEnd::ReverseFutility => "reverse_futility",
        NodeEnd::NullMove => "null_move",
        NodeEnd::ProbCut => "probcut",
        NodeEnd::MultiCut => "multi_cut",
        NodeEnd::Stopped => "stopped",
    }
}

/// The name of the reason for leaving a move out.
pub(super) fn skip_name(skip: Skip) -> &'static str {
    match skip {
        Skip::Late => "late_move",
        Skip::Futile => "futility",
        Skip::History => "history",
        Skip::LosesMaterial => "losing_exchange",
        Skip::EnoughTried => "enough_tried",
    }
}
