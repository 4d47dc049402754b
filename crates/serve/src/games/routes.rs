//! Games over HTTP.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::{HeaderName, StatusCode, header};
use game::{DrawAnswer, HINT_TIME};
use rules::{Color, Game, Position};
use search::{AnyEvaluator, Limits, Request, Searcher};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::record::{self, Help, Played, Player, Record, Time};
use super::room::GameRoom;
use super::score_sheet;
use super::stored_game::StoredGame;
use super::view::{GameView, Status, Summary};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{GameId, JsonBody};
use crate::parse;
use crate::random_id;
use crate::routes::engines;
use crate::state::App;
use crate::view::{LineView, ScoreView, Side};

/// The longest name of a player.
const LONGEST_NAME: usize = 60;

/// The longest pause before an engine's move.
const LONGEST_PAUSE: u64 = 10_000;

/// The default time for an engine's move in a game without a time control.
const DEFAULT_MOVE_TIME: u64 = 1000;

/// A player of a new game.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum PlayerRequest {
    /// A person.
    Human { name: Option<String> },
    /// An engine, named as in `/api/minds`.
    Mind { mind: String },
}

/// A new game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    white: PlayerRequest,
    black: PlayerRequest,
    fen: Option<String>,
    moves: Option<Vec<String>>,
    /// The number of a Chess960 position; excludes `fen`.
    #[schema(maximum = 959)]
    chess960: Option<u16>,
    time: Option<Time>,
    /// The time for an engine's move in a game without a time control.
    #[schema(minimum = 1, maximum = 60_000)]
    move_ms: Option<u64>,
    /// How long an engine waits before it thinks about a move. Its clock stands meanwhile.
    #[schema(maximum = 10_000)]
    pause_ms: Option<u64>,
    /// What the players may ask for; everything if left out.
    help: Option<Help>,
}

/// Which games to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// The most games; 50 by default.
    #[param(maximum = 200)]
    limit: Option<u32>,
    /// How many to skip.
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
    /// The number of moves that the client knows of.
    ply: Option<usize>,
}

/// An empty body.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmptyRequest {}

/// Which player acts.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SideRequest {
    /// By default the person who plays, or the one to move if two do.
    side: Option<Side>,
}

/// A hint.
#[derive(Serialize, ToSchema)]
pub(crate) struct HintResponse {
    ply: usize,
    uci: String,
    san: String,
    score: ScoreView,
    pv: LineView,
}

/// The answer to a draw offer or claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct DrawResponse {
    answer: DrawResult,
    game: GameView,
}

/// Whether the game is drawn now.
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
                let spec = engines::parse(&mind)?;
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
        let move_ms = within("move_ms", self.move_ms.unwrap_or(DEFAULT_MOVE_TIME), 1, most)?;
        let pause_ms = within("pause_ms", self.pause_ms.unwrap_or(0), 0, LONGEST_PAUSE)?;
        let start = match (self.chess960, &self.fen) {
            (Some(_), Some(_)) => return Err(ApiError::bad_request("fen and chess960 exclude each other")),
            (Some(number), None) => Some(
                Position::chess960(number)
                    .ok_or_else(|| {
                        ApiError::bad_request(format!(
                            "there is no Chess960 position {number}: the numbers are 0 to 959"
                        ))
                    })?
                    .to_string(),
            ),
            (None, fen) => fen.clone(),
        };
        let game = parse::game(start.as_deref(), self.moves.as_deref(), app.limits().moves)?;
        if let Some(outcome) = game.outcome() {
            return Err(ApiError::conflict(format!("the game is already over: {outcome}")));
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
            help: self.help.unwrap_or_default(),
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
/// Starts a game.
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
    let page = app.games().service().store.list_played(is_over, limit, asked.offset.unwrap_or(0)).await?;
    let games = page.games.iter().map(|(record, plies)| Summary::new(record, *plies)).collect();
    Ok(Json(ListResponse { games, total: page.total }))
}

#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// The state of a game.
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
/// Plays a move of a person.
pub(crate) async fn play(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(asked): JsonBody<PlayMoveRequest>,
) -> Result<Json<GameView>, ApiError> {
    let act = move |game: &mut StoredGame, now| game.play(&asked.mv, asked.ply, now);
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
    let ((), view) = room.change(|game, now| game.take_back(now)).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)),
    request_body = SideRequest, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// Resigns for a person.
pub(crate) async fn resign(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(asked): JsonBody<SideRequest>,
) -> Result<Json<GameView>, ApiError> {
    let act = move |game: &mut StoredGame, now| game.resign(asked.side.map(Color::from), now);
    let ((), view) = room(&app, &id).await?.change(act).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/draw", tag = "games", params(("id" = String, Path)),
    request_body = SideRequest, responses((status = 200, body = DrawResponse), (status = "4XX", body = ErrorBody)))]
/// Claims, accepts or offers a draw for a person.
pub(crate) async fn draw(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(asked): JsonBody<SideRequest>,
) -> Result<Json<DrawResponse>, ApiError> {
    let room = room(&app, &id).await?;
    let side = asked.side.map(Color::from);
    // A draw that is declined changes nothing, and an engine that is thinking continues.
    if room.read(|game| game.clone().draw(side, Instant::now())).await? == DrawAnswer::Declined {
        return Ok(Json(DrawResponse { answer: DrawResult::Declined, game: room.view().await }));
    }
    let (answer, game) = room.change(move |game, now| game.draw(side, now)).await?;
    let answer = match answer {
        DrawAnswer::Claimed => DrawResult::Claimed,
        DrawAnswer::Agreed => DrawResult::Agreed,
        DrawAnswer::Declined => DrawResult::Declined,
    };
    Ok(Json(DrawResponse { answer, game }))
}

#[utoipa::path(post, path = "/api/games/{id}/abort", tag = "games", params(("id" = String, Path)),
    request_body = EmptyRequest, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// Aborts a game.
pub(crate) async fn abort(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(EmptyRequest {}): JsonBody<EmptyRequest>,
) -> Result<Json<GameView>, ApiError> {
    let ((), view) = room(&app, &id).await?.change(|game, now| game.abort(now)).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/now", tag = "games", params(("id" = String, Path)),
    request_body = EmptyRequest, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// Makes the engine that is thinking move at once.
pub(crate) async fn now(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(EmptyRequest {}): JsonBody<EmptyRequest>,
) -> Result<Json<GameView>, ApiError> {
    Ok(Json(room(&app, &id).await?.move_now().await?))
}

#[utoipa::path(post, path = "/api/games/{id}/hint", tag = "games", params(("id" = String, Path)),
    request_body = EmptyRequest, responses((status = 200, body = HintResponse), (status = "4XX", body = ErrorBody)))]
/// Suggests a move.
pub(crate) async fn hint(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(EmptyRequest {}): JsonBody<EmptyRequest>,
) -> Result<Json<HintResponse>, ApiError> {
    let room = room(&app, &id).await?;
    let (game, is_over, help) =
        room.read(|game| (game.session().game().clone(), game.is_over(), game.record().help)).await;
    if is_over {
        return Err(ApiError::conflict("the game is over"));
    }
    if !help.hints {
        return Err(ApiError::conflict("this game is played without hints"));
    }
    let answer = app.compute(move |control| {
        let request = Request::new(&game, Limits::move_time(HINT_TIME));
        let answer = Searcher::new(AnyEvaluator::default()).search(&request, control, &mut ());
        let position = game.position();
        let best = answer.best.ok_or_else(|| ApiError::conflict("the game is over"))?;
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
/// A game as PGN.
pub(crate) async fn score(
    State(app): State<App>,
    GameId(id): GameId,
) -> Result<([(HeaderName, &'static str); 2], String), ApiError> {
    let text = room(&app, &id).await?.read(|game| score_sheet::tree(game).to_string()).await;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"saavedra.pgn\""),
    ];
    Ok((headers, text))
}
