//! Perft with all its counters, in parts small enough to share a processor with other jobs.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use rules::{Counters, Perft, Position};
use search::Control;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::JsonBody;
use crate::parse;
use crate::state::App;

/// The greatest depth.
const MAX_DEPTH: u32 = 8;

/// Trees of this depth are counted without a pause: a thousand leaves, or ten thousand with many queens.
const PART_DEPTH: u32 = 2;

/// A position, and how deep to count.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PerftRequest {
    fen: Option<String>,
    moves: Option<Vec<String>>,
    #[schema(maximum = 8)]
    depth: u32,
}

/// The leaves of a tree.
#[derive(Serialize, ToSchema)]
pub(crate) struct PerftResponse {
    depth: u32,
    total: CountersView,
    divide: Vec<DivideEntry>,
    time_ms: u64,
}

/// The leaves below a move.
#[derive(Serialize, ToSchema)]
pub(crate) struct DivideEntry {
    uci: String,
    san: String,
    counters: CountersView,
}

/// How many of the moves to the leaves are of each kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct CountersView {
    nodes: u64,
    captures: u64,
    en_passant: u64,
    castles: u64,
    promotions: u64,
    checks: u64,
    discovered_checks: u64,
    double_checks: u64,
    checkmates: u64,
    stalemates: u64,
}

impl From<Counters> for CountersView {
    fn from(counters: Counters) -> CountersView {
        CountersView {
            nodes: counters.nodes,
            captures: counters.captures,
            en_passant: counters.en_passant,
            castles: counters.castles,
            promotions: counters.promotions,
            checks: counters.checks,
            discovered_checks: counters.discovered_checks,
            double_checks: counters.double_checks,
            checkmates: counters.checkmates,
            stalemates: counters.stalemates,
        }
    }
}

#[utoipa::path(post, path = "/api/perft", tag = "tools", request_body = PerftRequest,
    responses((status = 200, body = PerftResponse), (status = "4XX", body = ErrorBody)))]
/// Counts the leaves of the tree of legal moves, by kind and by first move.
pub(crate) async fn perft(
    State(app): State<App>,
    JsonBody(asked): JsonBody<PerftRequest>,
) -> Result<Json<PerftResponse>, ApiError> {
    let game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    if asked.depth > MAX_DEPTH {
        return Err(ApiError::bad_request(format!("depth {} is more than {MAX_DEPTH}", asked.depth)));
    }
    let (position, time) = (*game.position(), app.limits().task_time);
    let answer = app.compute(move |control| answer(&position, asked.depth, &Deadline { control, time })).await?;
    Ok(Json(answer))
}

/// When to stop.
struct Deadline<'a> {
    control: &'a Control,
    time: Duration,
}

impl Deadline<'_> {
    fn check(&self) -> Result<(), ApiError> {
        if self.control.is_stopped_at_gate() {
            return Err(ApiError::shutting_down());
        }
        if self.control.elapsed() > self.time {
            let message = format!("counting takes longer than {} s: choose a smaller depth", self.time.as_secs());
            return Err(ApiError::new(ErrorCode::TooMany, message));
        }
        Ok(())
    }
}

fn answer(position: &Position, depth: u32, deadline: &Deadline) -> Result<PerftResponse, ApiError> {
    let started = Instant::now();
    let (mut total, mut divide) = (Counters::default(), Vec::new());
    if depth == 0 {
        total.nodes = 1;
    } else if depth == 1 {
        divide = Perft::new().divide_counters(position, 1);
    } else {
        for mv in position.legal_moves() {
            divide.push((mv, count(&position.play_unchecked(mv), depth - 1, deadline)?));
        }
    }
    for (_, counters) in &divide {
        total += *counters;
    }
    let part = |(mv, counters): (rules::Move, Counters)| DivideEntry {
        uci: position.uci(mv),
        san: position.san(mv),
        counters: counters.into(),
    };
    let time_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(PerftResponse { depth, total: total.into(), divide: divide.into_iter().map(part).collect(), time_ms })
}

fn count(position: &Position, depth: u32, deadline: &Deadline) -> Result<Counters, ApiError> {
    if depth <= PART_DEPTH {
        deadline.check()?;
        return Ok(Perft::new().counters(position, depth));
    }
    let mut sum = Counters::default();
    for mv in position.legal_moves() {
        sum += count(&position.play_unchecked(mv), depth - 1, deadline)?;
    }
    Ok(sum)
}
