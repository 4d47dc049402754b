//! Perft with all its counters, on any of the boards, in parts small enough to share a processor with other jobs.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use classic::{BoardKind, Detail, Division, StandardSetup};
use rules::{Counters, Move, Perft, PerftProgress, Position, UciMove};
use search::Control;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::JsonBody;
use crate::limits::ServerLimits;
use crate::parse;
use crate::state::App;

/// The greatest depth.
const MAX_DEPTH: u32 = 8;

/// Trees of this depth are counted without a pause: a thousand leaves, or ten thousand with many queens.
const PART_DEPTH: u32 = 2;

/// A position, how deep to count, and on which board.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PerftRequest {
    fen: Option<String>,
    moves: Option<Vec<String>>,
    #[schema(maximum = 8)]
    depth: u32,
    /// `bitboard` if not given; `mailbox`, `packed`, `movemap`, `movemap-rights`, `movemap-lines` or `movemap-both`.
    board: Option<String>,
}

/// The leaves of a tree.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct PerftResponse {
    depth: u32,
    board: &'static str,
    total: CountersView,
    divide: Vec<DivideEntry>,
    time_ms: u64,
}

/// The leaves below a move.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct DivideEntry {
    uci: String,
    san: String,
    counters: CountersView,
}

/// How many of the moves to the leaves are of each kind.
#[derive(Clone, Serialize, ToSchema)]
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
/// Counts the leaves of the tree of legal moves, by kind and by first move. What takes longer than a request may is
/// counted over the WebSocket.
pub(crate) async fn perft(
    State(app): State<App>,
    JsonBody(asked): JsonBody<PerftRequest>,
) -> Result<Json<PerftResponse>, ApiError> {
    let (count, time) = (Count::new(&asked, app.limits())?, app.limits().task_time);
    let answer = app.compute(move |control| {
        let watch = |_: PerftProgress| match control.is_stopped_at_gate() || control.elapsed() > time {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        count.run(&watch).ok_or_else(|| why_stopped(control, time))
    });
    Ok(Json(answer.await?))
}

fn why_stopped(control: &Control, time: Duration) -> ApiError {
    if control.is_stopped() {
        return ApiError::shutting_down();
    }
    let message = format!("counting takes longer than {} s: choose a smaller depth", time.as_secs());
    ApiError::new(ErrorCode::TooMany, message)
}

/// A tree that is to be counted.
pub(crate) struct Count {
    position: Position,
    depth: u32,
    kind: BoardKind,
    /// The position for the classic boards, which know only standard chess.
    start: Option<StandardSetup>,
}

/// Is told how far the count is, and says whether to go on.
pub(crate) type Watcher<'a> = dyn Fn(PerftProgress) -> ControlFlow<()> + Sync + 'a;

impl Count {
    /// Reads a request.
    pub(crate) fn new(asked: &PerftRequest, limits: &ServerLimits) -> Result<Count, ApiError> {
        let game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), limits.moves)?;
        if asked.depth > MAX_DEPTH {
            return Err(ApiError::bad_request(format!("depth {} is more than {MAX_DEPTH}", asked.depth)));
        }
        let name = asked.board.as_deref().unwrap_or(BoardKind::Bitboard.name());
        let kind: BoardKind = name.parse().map_err(|error| ApiError::bad_request(format!("{error}")))?;
        let position = *game.position();
        let start = match kind {
            BoardKind::Bitboard => None,
            _ => {
                let setup = StandardSetup::try_from(position.setup());
                Some(setup.map_err(|error| ApiError::bad_request(error.to_string()))?)
            }
        };
        Ok(Count { position, depth: asked.depth, kind, start })
    }

    /// Counts. None, if the watcher has ended it.
    pub(crate) fn run(&self, watcher: &Watcher) -> Option<PerftResponse> {
        let started = Instant::now();
        let divide = match &self.start {
            Some(start) => {
                let moves = Division::new(self.kind, Detail::Kinds).watched_by(watcher).run(start, self.depth)?;
                let resolve = |(mv, counters): (UciMove, Counters)| Some((mv.resolve(&self.position).ok()?, counters));
                moves.into_iter().filter_map(resolve).collect()
            }
            None => divide(&self.position, self.depth, watcher)?,
        };
        let mut total = Counters { nodes: u64::from(self.depth == 0), ..Counters::default() };
        for (_, counters) in &divide {
            total += *counters;
        }
        let entry = |(mv, counters): (Move, Counters)| DivideEntry {
            uci: self.position.uci(mv),
            san: self.position.san(mv),
            counters: counters.into(),
        };
        Some(PerftResponse {
            depth: self.depth,
            board: self.kind.name(),
            total: total.into(),
            divide: divide.into_iter().map(entry).collect(),
            time_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        })
    }
}

/// The counters below each move on the bitboard, which knows Chess960 as well.
fn divide(position: &Position, depth: u32, watcher: &Watcher) -> Option<Vec<(Move, Counters)>> {
    if depth <= PART_DEPTH {
        return Perft::new().divide_counters(position, depth).ok();
    }
    let roots: Vec<_> = position.legal_moves().into_iter().map(|mv| (mv, position.play_unchecked(mv))).collect();
    let total = roots.iter().map(|(_, next)| next.legal_move_count()).sum();
    let (mut done, mut divide) = (0, Vec::new());
    for (mv, next) in roots {
        let mut sum = Counters::default();
        for reply in next.legal_moves() {
            let pause = || watcher(PerftProgress { done, total });
            sum += count(&next.play_unchecked(reply), depth - 2, &pause)?;
            done += 1;
        }
        divide.push((mv, sum));
    }
    Some(divide)
}

/// The counters below a position, with a pause before each part.
fn count(position: &Position, depth: u32, pause: &dyn Fn() -> ControlFlow<()>) -> Option<Counters> {
    if depth <= PART_DEPTH {
        return if pause().is_break() { None } else { Perft::new().counters(position, depth).ok() };
    }
    let mut sum = Counters::default();
    for mv in position.legal_moves() {
        sum += count(&position.play_unchecked(mv), depth - 1, pause)?;
    }
    Some(sum)
}
