//! Searches shown as trees: what minimax looks at, what alpha-beta leaves out, and what the full search cuts and why.
//!
//! The searches are the real ones; they are watched. What they visit is written down and cut to a size that can be
//! shown: from the root downwards, with a count of what lies hidden below each node.

mod method;
mod node;
mod recorder;
mod shown;

use minds::{Allowance, TreeMind};
use rules::{Game, Move};
use search::{AnyEvaluator, Control, Limits, Request, Score, Searcher};
use serde::Serialize;

use crate::{Outlook, Variation};
use recorder::Recorder;

pub use method::{Method, MethodError};
pub use node::{SkippedMove, Totals, TraceNode, VisitKind};

/// How much of a tree is searched, and how much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How many plies to look ahead, at least one.
    pub depth: usize,
    /// Nodes after which the search is ended; all of them are held in memory for a while.
    pub most_searched: u64,
    /// Nodes that are shown; at least the root is.
    pub most_shown: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { depth: 3, most_searched: 500_000, most_shown: 2_000 }
    }
}

/// A search as a tree.
///
/// ```
/// use saavedra_review::rules::Game;
/// use saavedra_review::{Bounds, Method, trace};
///
/// let (game, bounds) = (Game::default(), Bounds { depth: 3, ..Bounds::default() });
/// let trace = |method| trace(&game, method, &bounds, &Default::default());
/// let (minimax, alpha_beta) = (trace(Method::Minimax), trace(Method::AlphaBeta));
/// // One root, and 20, 400 and 8,902 positions below it.
/// assert_eq!(minimax.totals.nodes, 1 + 20 + 400 + 8_902);
/// assert!(alpha_beta.totals.nodes < minimax.totals.nodes / 3);
/// assert_eq!(minimax.score, alpha_beta.score);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Trace {
    /// Who searched.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub method: Method,
    /// How many plies ahead.
    pub depth: usize,
    /// The position.
    pub fen: String,
    /// Whether the search came to its end.
    pub is_complete: bool,
    /// The best line; empty if there is none.
    #[cfg_attr(feature = "schema", schema(value_type = crate::json::VariationJson))]
    pub best: Variation,
    /// What it is worth, seen from White; none if the search was stopped too early to say.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::json::OutlookJson>))]
    pub score: Option<Outlook>,
    /// The whole search in numbers, with all its depths and all that is hidden.
    pub totals: Totals,
    /// How many nodes are shown.
    pub shown: usize,
    /// How many nodes of the tree are not.
    pub hidden: u64,
    /// The tree, level by level: the root first, and every node after its parent.
    pub nodes: Vec<TraceNode>,
}

/// Searches a game's position and shows how. The switch ends the search.
pub fn trace(game: &Game, method: Method, bounds: &Bounds, control: &Control) -> Trace {
    let depth = bounds.depth.clamp(1, TreeMind::MOST_PLIES);
    let mut recorder = Recorder::new(*game.position());
    let limits = Limits { nodes: Some(bounds.most_searched.max(1)), ..Limits::default() };
    let (line, score, is_complete) = match method {
        Method::Full => {
            let limits = Limits { depth: Some(depth), ..limits };
            let mut searcher = Searcher::new(AnyEvaluator::default());
            let request = Request::new(game, limits);
            let answer = searcher.search_watched(&request, control, &mut (), &mut recorder);
            (answer.line.moves, Some(answer.line.score), answer.line.depth >= depth || answer.best.is_none())
        }
        Method::Minimax | Method::AlphaBeta | Method::AlphaBetaUnordered => {
            let allowance = Allowance { limits, ..Allowance::default() };
            let looked = method.tree_mind(depth).search_watched(game, &allowance, control, &mut recorder);
            let score = (looked.score > -Score::INFINITE).then_some(looked.score);
            (looked.line, score, looked.is_complete)
        }
    };
    let totals = recorder.totals();
    let (nodes, hidden) = recorder.shown(bounds.most_shown);
    Trace {
        method,
        depth,
        fen: game.position().to_string(),
        is_complete,
        best: best_line(game, line),
        score: score.map(|score| Outlook::of(score, game.position().turn())),
        totals,
        shown: nodes.len(),
        hidden,
        nodes,
    }
}

fn best_line(game: &Game, moves: Vec<Move>) -> Variation {
    Variation::new(*game.position(), moves)
}
