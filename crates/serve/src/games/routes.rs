//! Games over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::{HeaderName, StatusCode, header};
use rules::{Color, Game, Position};
use search::{AnyEvaluator, Limits, Request, Searcher};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::record::{self, Played, Player, Record, Time};
use super::room::GameRoom;
use super::score_sheet;
use super::session::{DrawAnswer, Session};
use super::view::{GameView, Status, Summary};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{GameId, JsonBody};
use crate::parse;
use crate::random_id;
use crate::routes::engines;
use crate::state::App;
use crate::view::{LineView, ScoreView, Side};

/// How long a hint is thought about.
const HINT_TIME: Duration = Duration::from_millis(700);

/// The longest name of a person.
const LONGEST_NAME: usize = 60;

/// The longest pause before a mind's move.
const LONGEST_PAUSE: u64 = 10_000;

/// How long a mind thinks about a move without clocks, if nobody says otherwise.
const USUAL_MOVE_TIME: u64 = 1000;

/// Who is to sit at the board.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum PlayerRequest {
    /// A person.
    Human { name: Option<String> },
    /// A mind, as `/api/minds` writes it.
    Mind { mind: String },
}

/// A game to be played.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    white: PlayerRequest,
    black: PlayerRequest,
    fen: Option<String>,
    moves: Option<Vec<String>>,
    /// The number of a line-up; excludes `fen`.
    #[schema(maximum = 959)]
    chess960: Option<u16>,
    time: Option<Time>,
    /// How long minds think about a move without clocks.
    #[schema(minimum = 1, maximum = 60_000)]
    move_ms: Option<u64>,
    /// How long minds wait before a move is shown. Not with clocks.
    #[schema(maximum = 10_000)]
    pause_ms: Option<u64>,
}

/// Which games.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// At most so many, 50 if it is left out.
    #[param(maximum = 200)]
    limit: Option<u32>,
    /// After so many.
    offset: Option<u32>,
    status: Option<Status>,
}

/// A page of games.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListResponse {
    games: Vec<Summary>,
    total: u64,
}

/// A move by a person.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayMoveRequest {
    #[serde(rename = "move")]
    mv: String,
    /// How many moves whoever asks knows of.
    ply: Option<usize>,
}

/// Nothing more needs to be said.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmptyRequest {}

/// Who acts.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SideRequest {
    /// May be left out where one person plays; where two do, it is the one to move.
    side: Option<Side>,
}

/// A move to consider.
#[derive(Serialize, ToSchema)]
pub(crate) struct HintResponse {
    ply: usize,
    uci: String,
    san: String,
    score: ScoreView,
    pv: LineView,
}

/// What became of the wish for a draw.
#[derive(Serialize, ToSchema)]
pub(crate) struct DrawResponse {
    answer: DrawResult,
    game: GameView,
}

/// Whether it is a draw.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DrawResult {
    Claimed,
    Agreed,
    Declined,
}

impl PlayerRequest {
    fn seat(self) -> Result<Player, ApiError> {
        match self {
            PlayerRequest::Human { name } => {
                let name: String = name.unwrap_or_default().trim().chars().filter(|c| !c.is_control()).collect();
                if name.chars().count() > LONGEST_NAME {
                    return Err(ApiError::bad_request(format!("a name has at most {LONGEST_NAME} letters")));
                }
                Ok(Player::Human { name: if name.is_empty() { "You".to_owned() } else { name } })
            }
            PlayerRequest::Mind { mind } => {
                let spec = engines::invite(&mind)?;
                Ok(Player::Mind { mind: spec.to_string(), name: engines::name(&spec) })
            }
        }
    }
}

fn within(name: &str, value: u64, least: u64, most: u64) -> Result<u64, ApiError> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(ApiError::bad_request(format!("{name} is {value}: expected {least} to {most}")))
}

impl NewGame {
    fn record(self, app: &App) -> Result<Record, ApiError> {
        const DAY: u64 = 86_400_000;
        const HOUR: u64 = 3_600_000;
        if let Some(time) = self.time {
            within("time.base_ms", time.base_ms, 1000, DAY)?;
            within("time.increment_ms", time.increment_ms, 0, HOUR)?;
        }
        let most = u64::try_from(app.limits().move_time.as_millis()).unwrap_or(u64::MAX);
        let move_ms = within("move_ms", self.move_ms.unwrap_or(USUAL_MOVE_TIME), 1, most)?;
        let pause_ms = within("pause_ms", self.pause_ms.unwrap_or(0), 0, LONGEST_PAUSE)?;
        if self.time.is_some() && pause_ms > 0 {
            return Err(ApiError::bad_request("pause_ms goes without clocks: it would be nobody's time"));
        }
        let start = match (self.chess960, &self.fen) {
            (Some(_), Some(_)) => return Err(ApiError::bad_request("fen and chess960 exclude each other")),
            (Some(number), None) => Some(
                Position::chess960(number)
                    .ok_or_else(|| ApiError::bad_request(format!("there is no line-up {number}: 0 to 959")))?
                    .to_string(),
            ),
            (None, fen) => fen.clone(),
        };
        let game = parse::game(start.as_deref(), self.moves.as_deref(), app.limits().moves)?;
        if let Some(outcome) = game.outcome() {
            return Err(ApiError::conflict(format!("there is nothing to play: {outcome}")));
        }
        let now = record::now();
        Ok(Record {
            id: random_id::game_id(),
            created: now,
            updated: now,
            revision: 0,
            white: self.white.seat()?,
            black: self.black.seat()?,
            chess960: self.chess960,
            start_fen: game.start().to_string(),
            time: self.time,
            move_ms,
            pause_ms,
            opening: game.moves().len(),
            moves: played(&game),
            over: None,
            seed: random_id::number(),
            fen: String::new(),
            last: None,
        })
    }
}

fn played(game: &Game) -> Vec<Played> {
    let moves = game.positions().iter().zip(game.moves());
    moves.map(|(position, &mv)| Played { uci: position.uci(mv), ms: 0 }).collect()
}

async fn room(app: &App, id: &str) -> Result<Arc<GameRoom>, ApiError> {
    app.games().room(id).await
}

#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame,
    responses((status = 201, body = GameView), (status = "4XX", body = ErrorBody)))]
/// Sets a game up.
pub(crate) async fn create(
    State(app): State<App>,
    JsonBody(asked): JsonBody<NewGame>,
) -> Result<(StatusCode, Json<GameView>), ApiError> {
    let record = asked.record(&app)?;
    let room = app.games().create(record).await?;
    Ok((StatusCode::CREATED, Json(room.view().await)))
}

#[utoipa::path(get, path = "/api/games", tag = "games", params(ListQuery),
    responses((status = 200, body = ListResponse), (status = "4XX", body = ErrorBody)))]
/// Lists games, the last that changed first.
pub(crate) async fn list(
    State(app): State<App>,
    query: Result<Query<ListQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<ListResponse>, ApiError> {
    const MOST: u32 = 200;
    let Query(asked) = query.map_err(|error| ApiError::bad_request(error.body_text()))?;
    let limit = asked.limit.unwrap_or(50);
    if limit > MOST {
        return Err(ApiError::bad_request(format!("limit is {limit}: expected 0 to {MOST}")));
    }
    let is_over = asked.status.map(|status| status == Status::Over);
    let page = app.games().service().store.list(is_over, limit, asked.offset.unwrap_or(0)).await?;
    Ok(Json(ListResponse { games: page.records.iter().map(Summary::new).collect(), total: page.total }))
}

#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// A game as it stands.
pub(crate) async fn fetch(State(app): State<App>, GameId(id): GameId) -> Result<Json<GameView>, ApiError> {
    Ok(Json(room(&app, &id).await?.view().await))
}

#[utoipa::path(delete, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 204), (status = "4XX", body = ErrorBody)))]
/// Deletes a game.
pub(crate) async fn delete(State(app): State<App>, GameId(id): GameId) -> Result<StatusCode, ApiError> {
    app.games().delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[utoipa::path(post, path = "/api/games/{id}/move", tag = "games", params(("id" = String, Path)),
    request_body = PlayMoveRequest, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// A person plays a move.
pub(crate) async fn play(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(asked): JsonBody<PlayMoveRequest>,
) -> Result<Json<GameView>, ApiError> {
    let most = app.limits().moves;
    let act = move |session: &mut Session, now| session.play(&asked.mv, asked.ply, most, now);
    let ((), view) = room(&app, &id).await?.change(act).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/takeback", tag = "games", params(("id" = String, Path)),
    request_body = EmptyRequest, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// Takes moves back until it is a person's turn.
pub(crate) async fn take_back(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(EmptyRequest {}): JsonBody<EmptyRequest>,
) -> Result<Json<GameView>, ApiError> {
    let room = room(&app, &id).await?;
    if room.is_over() {
        app.games().check_capacity()?;
    }
    let ((), view) = room.change(|session, now| session.take_back(now)).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)),
    request_body = SideRequest, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// A person gives up.
pub(crate) async fn resign(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(asked): JsonBody<SideRequest>,
) -> Result<Json<GameView>, ApiError> {
    let act = move |session: &mut Session, _| session.resign(asked.side.map(Color::from));
    let ((), view) = room(&app, &id).await?.change(act).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/draw", tag = "games", params(("id" = String, Path)),
    request_body = SideRequest, responses((status = 200, body = DrawResponse), (status = "4XX", body = ErrorBody)))]
/// A person claims a draw, accepts one, or asks for one.
pub(crate) async fn draw(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(asked): JsonBody<SideRequest>,
) -> Result<Json<DrawResponse>, ApiError> {
    let room = room(&app, &id).await?;
    let side = asked.side.map(Color::from);
    // A draw that is declined changes nothing, and a mind that thinks goes on thinking.
    if room.read(|session| session.clone().draw(side)).await? == DrawAnswer::Declined {
        return Ok(Json(DrawResponse { answer: DrawResult::Declined, game: room.view().await }));
    }
    let (answer, game) = room.change(move |session, _| session.draw(side)).await?;
    let answer = match answer {
        DrawAnswer::Claimed => DrawResult::Claimed,
        DrawAnswer::Agreed => DrawResult::Agreed,
        DrawAnswer::Declined => DrawResult::Declined,
    };
    Ok(Json(DrawResponse { answer, game }))
}

#[utoipa::path(post, path = "/api/games/{id}/abort", tag = "games", params(("id" = String, Path)),
    request_body = EmptyRequest, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// Breaks a game off.
pub(crate) async fn abort(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(EmptyRequest {}): JsonBody<EmptyRequest>,
) -> Result<Json<GameView>, ApiError> {
    let ((), view) = room(&app, &id).await?.change(|session, _| session.abort()).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/now", tag = "games", params(("id" = String, Path)),
    request_body = EmptyRequest, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// The mind that thinks plays at once.
pub(crate) async fn now(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(EmptyRequest {}): JsonBody<EmptyRequest>,
) -> Result<Json<GameView>, ApiError> {
    Ok(Json(room(&app, &id).await?.move_now().await?))
}

#[utoipa::path(post, path = "/api/games/{id}/hint", tag = "games", params(("id" = String, Path)),
    request_body = EmptyRequest, responses((status = 200, body = HintResponse), (status = "4XX", body = ErrorBody)))]
/// A move to consider.
pub(crate) async fn hint(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(EmptyRequest {}): JsonBody<EmptyRequest>,
) -> Result<Json<HintResponse>, ApiError> {
    let room = room(&app, &id).await?;
    let (game, is_over) = room.read(|session| (session.game().clone(), session.is_over())).await;
    if is_over {
        return Err(ApiError::conflict("the game is over"));
    }
    let answer = app.compute(move |control| {
        let request = Request::new(&game, Limits::move_time(HINT_TIME));
        let answer = Searcher::new(AnyEvaluator::default()).search(&request, control, &mut ());
        let position = game.position();
        let best = answer.best.ok_or_else(|| ApiError::conflict("there is nothing to play"))?;
        Ok(HintResponse {
            ply: game.moves().len(),
            uci: position.uci(best),
            san: position.san(best),
            score: ScoreView::new(answer.line.score, position.turn()),
            pv: LineView::new(position, &answer.line.moves),
        })
    });
    answer.await.map(Json)
}

#[utoipa::path(get, path = "/api/games/{id}/pgn", tag = "games", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/x-chess-pgn", body = String), (status = "4XX", body = ErrorBody)))]
/// A game as a game score.
pub(crate) async fn score(
    State(app): State<App>,
    GameId(id): GameId,
) -> Result<([(HeaderName, &'static str); 2], String), ApiError> {
    let text = room(&app, &id).await?.read(|session| score_sheet::tree(session).to_string()).await;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"saavedra.pgn\""),
    ];
    Ok((headers, text))
}

/// The game of a room as a tree, for a review.
pub(crate) async fn tree(app: &App, id: &str) -> Result<records::pgn::GameTree, ApiError> {
    Ok(room(app, id).await?.read(score_sheet::tree).await)
}
