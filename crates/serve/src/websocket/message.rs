//! What is said on a socket, in both directions.

use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::games::{GameView, Thought};
use crate::view::{BoundView, ScoreView};

/// What a page says.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Request {
    /// Tell me of this game from now on.
    Watch {
        game: String,
    },
    /// No longer.
    Unwatch {
        game: String,
    },
    Analyse(Analyse),
    Review(Review),
    /// End what has this name.
    Stop {
        id: String,
    },
    /// Are you there?
    Ping {},
}

/// Think about a position for as long as I look at it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Analyse {
    pub(super) id: String,
    pub(super) fen: Option<String>,
    pub(super) moves: Option<Vec<String>>,
    pub(super) lines: Option<usize>,
    pub(super) depth: Option<usize>,
    pub(super) seconds: Option<u64>,
}

/// Judge the moves of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Review {
    pub(super) id: String,
    pub(super) pgn: Option<String>,
    pub(super) game: Option<String>,
    pub(super) effort: Option<ReviewEffort>,
}

/// How closely to look.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReviewEffort {
    Quick,
    Normal,
    Deep,
}

/// What the server says.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ServerMessage<'a> {
    Game {
        game: &'a GameView,
    },
    Thought {
        game: &'a str,
        #[serde(flatten)]
        thought: &'a Thought,
    },
    Gone {
        game: &'a str,
    },
    Analysis(&'a Analysis),
    ReviewProgress {
        id: &'a str,
        done: usize,
        total: usize,
    },
    Review {
        id: &'a str,
        review: &'a review::Review,
        pgn: &'a str,
    },
    Stopped {
        id: &'a str,
    },
    Error {
        id: Option<&'a str>,
        #[serde(flatten)]
        error: &'a ApiError,
    },
    Pong,
}

/// How far an analysis has come.
#[derive(Clone, Serialize)]
pub(super) struct Analysis {
    pub(super) id: String,
    pub(super) fen: String,
    pub(super) depth: usize,
    pub(super) selective_depth: usize,
    pub(super) nodes: u64,
    pub(super) nps: u64,
    pub(super) time_ms: u64,
    pub(super) hash_full: u32,
    pub(super) lines: Vec<AnalysisLine>,
    pub(super) done: bool,
    pub(super) reason: Option<Reason>,
}

/// Why an analysis is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    /// As deep as was asked for, or as deep as there is anything to see.
    Depth,
    /// As long as was asked for.
    Time,
    /// There is nothing to play.
    Over,
}

/// A line of an analysis, seen from White.
#[derive(Clone, Serialize)]
pub(super) struct AnalysisLine {
    pub(super) rank: usize,
    pub(super) depth: usize,
    pub(super) score: ScoreView,
    pub(super) bound: BoundView,
    pub(super) wdl: [u32; 3],
    pub(super) uci: Vec<String>,
    pub(super) san: Vec<String>,
}
