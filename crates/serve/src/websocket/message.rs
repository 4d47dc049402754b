//! The messages on a WebSocket, in both directions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::games::{GameChange, GameView, Thought};
use crate::routes::perft::{PerftRequest, PerftResponse};
use crate::view::{BoundView, ScoreView};

/// A message from the client.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ClientMessage {
    /// Follow a game.
    Watch {
        game: String,
        /// Whether to send only what changed after the whole game was sent once.
        changes: Option<bool>,
    },
    /// Stop following a game.
    Unwatch {
        game: String,
    },
    /// Play a move of a person. The answer is the change of the game, for those who watch it.
    Play {
        id: String,
        game: String,
        #[serde(rename = "move")]
        mv: String,
        /// The number of moves that the client knows of.
        ply: Option<usize>,
    },
    Analyse(Analyse),
    Review(ReviewRequest),
    /// Count the leaves of a tree, however long it takes.
    Perft {
        id: String,
        request: PerftRequest,
    },
    /// Stop the analysis, review or count with this id.
    Stop {
        id: String,
    },
    /// Ask for a pong.
    Ping {},
}

/// Analyse a position until it is stopped.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Analyse {
    pub(super) id: String,
    pub(super) fen: Option<String>,
    pub(super) moves: Option<Vec<String>>,
    pub(super) lines: Option<usize>,
    pub(super) depth: Option<usize>,
    pub(super) seconds: Option<u64>,
    /// An engine of `programs` in `/api/minds`; Saavedra if left out.
    pub(super) engine: Option<String>,
    /// Holds Saavedra back to this rating: the line that a player of this strength would see.
    pub(super) elo: Option<u32>,
    /// How many threads search, as many as the server has to spare; 1 if left out.
    pub(super) threads: Option<usize>,
    /// The size of the transposition table in MiB.
    pub(super) hash: Option<usize>,
}

/// Review a game, given as a PGN or by its id.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    pub(super) id: String,
    pub(super) pgn: Option<String>,
    pub(super) game: Option<String>,
    pub(super) effort: Option<ReviewEffort>,
}

/// How long to search each position.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReviewEffort {
    Quick,
    Normal,
    Deep,
}

impl ReviewEffort {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ReviewEffort::Quick => "quick",
            ReviewEffort::Normal => "normal",
            ReviewEffort::Deep => "deep",
        }
    }
}

/// A message from the server.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage<'a> {
    Game {
        #[schema(value_type = GameView)]
        game: &'a GameView,
    },
    /// What changed in a game. A page whose revision is not the one that this follows asks for the game again.
    Change {
        game: &'a str,
        #[serde(flatten)]
        #[schema(value_type = GameChange)]
        change: &'a GameChange,
    },
    Thought {
        game: &'a str,
        #[serde(flatten)]
        #[schema(value_type = Thought)]
        thought: &'a Thought,
    },
    Gone {
        game: &'a str,
    },
    Analysis {
        #[serde(flatten)]
        #[schema(value_type = Analysis)]
        analysis: &'a Analysis,
    },
    ReviewProgress {
        id: &'a str,
        done: usize,
        total: usize,
    },
    Review {
        id: &'a str,
        #[schema(value_type = review::ReviewJson)]
        review: &'a review::Review,
        pgn: &'a str,
    },
    PerftProgress {
        id: &'a str,
        done: usize,
        total: usize,
    },
    Perft {
        id: &'a str,
        #[schema(value_type = PerftResponse)]
        perft: &'a PerftResponse,
    },
    Stopped {
        id: &'a str,
    },
    Error {
        id: Option<&'a str>,
        #[serde(flatten)]
        #[schema(value_type = ApiError)]
        error: &'a ApiError,
    },
    Pong,
}

/// The current state of an analysis.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct Analysis {
    pub(super) id: String,
    /// What the engine is called here.
    pub(super) engine: String,
    pub(super) fen: String,
    pub(super) depth: usize,
    pub(super) selective_depth: usize,
    pub(super) nodes: u64,
    pub(super) nps: u64,
    pub(super) time_ms: u64,
    pub(super) hash_full: u32,
    pub(super) lines: Vec<AnalysisLine>,
    pub(super) done: bool,
    pub(super) reason: Option<AnalysisEnd>,
}

/// Why an analysis is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnalysisEnd {
    /// The requested depth is reached, or there is nothing deeper.
    Depth,
    /// The requested time is used up.
    Time,
    /// The game is over in this position.
    Over,
}

/// A line of an analysis, seen from White.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct AnalysisLine {
    pub(super) rank: usize,
    pub(super) depth: usize,
    pub(super) score: ScoreView,
    pub(super) bound: BoundView,
    /// Chances of a win, a draw and a loss, in thousandths.
    #[schema(min_items = 3, max_items = 3)]
    pub(super) wdl: [u32; 3],
    pub(super) uci: Vec<String>,
    pub(super) san: Vec<String>,
}
