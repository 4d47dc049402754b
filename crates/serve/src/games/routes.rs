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
use super::room::Room;
use super::score_sheet;
use super::session::{DrawAnswer, Session};
use super::view::{GameView, Status, Summary};
use crate::ask::{Ask, GameName};
use crate::lots;
use crate::place;
use crate::questions::gallery;
use crate::refusal::{ErrorBody, Refusal};
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
pub(crate) enum PlayerQuestion {
    /// A person.
    Human { name: Option<String> },
    /// A mind, as `/api/minds` writes it.
    Mind { mind: String },
}

/// A game to be played.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    white: PlayerQuestion,
    black: PlayerQuestion,
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
pub(crate) struct ListQuestion {
    /// At most so many, 50 if it is left out.
    #[param(maximum = 200)]
    limit: Option<u32>,
    /// After so many.
    offset: Option<u32>,
    status: Option<Status>,
}

/// A page of games.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListAnswer {
    games: Vec<Summary>,
    total: u64,
}

/// A move by a person.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayQuestion {
    #[serde(rename = "move")]
    mv: String,
    /// How many moves whoever asks knows of.
    ply: Option<usize>,
}

/// Nothing more needs to be said.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// Who acts.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Actor {
    /// May be left out where one person plays; where two do, it is the one to move.
    side: Option<Side>,
}

/// A move to consider.
#[derive(Serialize, ToSchema)]
pub(crate) struct HintAnswer {
    ply: usize,
    uci: String,
    san: String,
    score: ScoreView,
    pv: LineView,
}

/// What became of the wish for a draw.
#[derive(Serialize, ToSchema)]
pub(crate) struct DrawReply {
    answer: DrawWord,
    game: GameView,
}

/// Whether it is a draw.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DrawWord {
    Claimed,
    Agreed,
    Declined,
}

impl PlayerQuestion {
    fn seat(self) -> Result<Player, Refusal> {
        match self {
            PlayerQuestion::Human { name } => {
                let name: String = name.unwrap_or_default().trim().chars().filter(|c| !c.is_control()).collect();
                if name.chars().count() > LONGEST_NAME {
                    return Err(Refusal::bad_request(format!("a name has at most {LONGEST_NAME} letters")));
                }
                Ok(Player::Human { name: if name.is_empty() { "You".to_owned() } else { name } })
            }
            PlayerQuestion::Mind { mind } => {
                let spec = gallery::invite(&mind)?;
                Ok(Player::Mind { mind: spec.to_string(), name: gallery::name(&spec) })
            }
        }
    }
}

fn within(name: &str, value: u64, least: u64, most: u64) -> Result<u64, Refusal> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::bad_request(format!("{name} is {value}: expected {least} to {most}")))
}

impl NewGame {
    fn record(self, app: &App) -> Result<Record, Refusal> {
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
            return Err(Refusal::bad_request("pause_ms goes without clocks: it would be nobody's time"));
        }
        let start = match (self.chess960, &self.fen) {
            (Some(_), Some(_)) => return Err(Refusal::bad_request("fen and chess960 exclude each other")),
            (Some(number), None) => Some(
                Position::chess960(number)
                    .ok_or_else(|| Refusal::bad_request(format!("there is no line-up {number}: 0 to 959")))?
                    .to_string(),
            ),
            (None, fen) => fen.clone(),
        };
        let game = place::game(start.as_deref(), self.moves.as_deref(), app.limits().moves)?;
        if let Some(outcome) = game.outcome() {
            return Err(Refusal::conflict(format!("there is nothing to play: {outcome}")));
        }
        let now = record::now();
        Ok(Record {
            id: lots::name(),
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
            seed: lots::draw(),
            fen: String::new(),
            last: None,
        })
    }
}

fn played(game: &Game) -> Vec<Played> {
    let moves = game.positions().iter().zip(game.moves());
    moves.map(|(position, &mv)| Played { uci: position.uci(mv), ms: 0 }).collect()
}

async fn room(app: &App, id: &str) -> Result<Arc<Room>, Refusal> {
    app.hall().room(id).await
}

#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame,
    responses((status = 201, body = GameView), (status = "4XX", body = ErrorBody)))]
/// Sets a game up.
pub(crate) async fn create(
    State(app): State<App>,
    Ask(asked): Ask<NewGame>,
) -> Result<(StatusCode, Json<GameView>), Refusal> {
    let record = asked.record(&app)?;
    let room = app.hall().create(record).await?;
    Ok((StatusCode::CREATED, Json(room.view().await)))
}

#[utoipa::path(get, path = "/api/games", tag = "games", params(ListQuestion),
    responses((status = 200, body = ListAnswer), (status = "4XX", body = ErrorBody)))]
/// Lists games, the last that changed first.
pub(crate) async fn list(
    State(app): State<App>,
    query: Result<Query<ListQuestion>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<ListAnswer>, Refusal> {
    const MOST: u32 = 200;
    let Query(asked) = query.map_err(|error| Refusal::bad_request(error.body_text()))?;
    let limit = asked.limit.unwrap_or(50);
    if limit > MOST {
        return Err(Refusal::bad_request(format!("limit is {limit}: expected 0 to {MOST}")));
    }
    let is_over = asked.status.map(|status| status == Status::Over);
    let page = app.hall().service().keeper.list(is_over, limit, asked.offset.unwrap_or(0)).await?;
    Ok(Json(ListAnswer { games: page.records.iter().map(Summary::new).collect(), total: page.total }))
}

#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// A game as it stands.
pub(crate) async fn fetch(State(app): State<App>, GameName(id): GameName) -> Result<Json<GameView>, Refusal> {
    Ok(Json(room(&app, &id).await?.view().await))
}

#[utoipa::path(delete, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 204), (status = "4XX", body = ErrorBody)))]
/// Deletes a game.
pub(crate) async fn delete(State(app): State<App>, GameName(id): GameName) -> Result<StatusCode, Refusal> {
    app.hall().delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[utoipa::path(post, path = "/api/games/{id}/move", tag = "games", params(("id" = String, Path)),
    request_body = PlayQuestion, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// A person plays a move.
pub(crate) async fn play(
    State(app): State<App>,
    GameName(id): GameName,
    Ask(asked): Ask<PlayQuestion>,
) -> Result<Json<GameView>, Refusal> {
    let most = app.limits().moves;
    let act = move |session: &mut Session, now| session.play(&asked.mv, asked.ply, most, now);
    let ((), view) = room(&app, &id).await?.change(act).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/takeback", tag = "games", params(("id" = String, Path)),
    request_body = Nothing, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// Takes moves back until it is a person's turn.
pub(crate) async fn take_back(
    State(app): State<App>,
    GameName(id): GameName,
    Ask(Nothing {}): Ask<Nothing>,
) -> Result<Json<GameView>, Refusal> {
    let room = room(&app, &id).await?;
    if room.is_over() {
        app.hall().check_room()?;
    }
    let ((), view) = room.change(|session, now| session.take_back(now)).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)),
    request_body = Actor, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// A person gives up.
pub(crate) async fn resign(
    State(app): State<App>,
    GameName(id): GameName,
    Ask(asked): Ask<Actor>,
) -> Result<Json<GameView>, Refusal> {
    let act = move |session: &mut Session, _| session.resign(asked.side.map(Color::from));
    let ((), view) = room(&app, &id).await?.change(act).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/draw", tag = "games", params(("id" = String, Path)),
    request_body = Actor, responses((status = 200, body = DrawReply), (status = "4XX", body = ErrorBody)))]
/// A person claims a draw, accepts one, or asks for one.
pub(crate) async fn draw(
    State(app): State<App>,
    GameName(id): GameName,
    Ask(asked): Ask<Actor>,
) -> Result<Json<DrawReply>, Refusal> {
    let room = room(&app, &id).await?;
    let side = asked.side.map(Color::from);
    // A draw that is declined changes nothing, and a mind that thinks goes on thinking.
    if room.look(|session| session.clone().draw(side)).await? == DrawAnswer::Declined {
        return Ok(Json(DrawReply { answer: DrawWord::Declined, game: room.view().await }));
    }
    let (answer, game) = room.change(move |session, _| session.draw(side)).await?;
    let answer = match answer {
        DrawAnswer::Claimed => DrawWord::Claimed,
        DrawAnswer::Agreed => DrawWord::Agreed,
        DrawAnswer::Declined => DrawWord::Declined,
    };
    Ok(Json(DrawReply { answer, game }))
}

#[utoipa::path(post, path = "/api/games/{id}/abort", tag = "games", params(("id" = String, Path)),
    request_body = Nothing, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// Breaks a game off.
pub(crate) async fn abort(
    State(app): State<App>,
    GameName(id): GameName,
    Ask(Nothing {}): Ask<Nothing>,
) -> Result<Json<GameView>, Refusal> {
    let ((), view) = room(&app, &id).await?.change(|session, _| session.abort()).await?;
    Ok(Json(view))
}

#[utoipa::path(post, path = "/api/games/{id}/now", tag = "games", params(("id" = String, Path)),
    request_body = Nothing, responses((status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
/// The mind that thinks plays at once.
pub(crate) async fn now(
    State(app): State<App>,
    GameName(id): GameName,
    Ask(Nothing {}): Ask<Nothing>,
) -> Result<Json<GameView>, Refusal> {
    Ok(Json(room(&app, &id).await?.hurry().await?))
}

#[utoipa::path(post, path = "/api/games/{id}/hint", tag = "games", params(("id" = String, Path)),
    request_body = Nothing, responses((status = 200, body = HintAnswer), (status = "4XX", body = ErrorBody)))]
/// A move to consider.
pub(crate) async fn hint(
    State(app): State<App>,
    GameName(id): GameName,
    Ask(Nothing {}): Ask<Nothing>,
) -> Result<Json<HintAnswer>, Refusal> {
    let room = room(&app, &id).await?;
    let (game, is_over) = room.look(|session| (session.game().clone(), session.is_over())).await;
    if is_over {
        return Err(Refusal::conflict("the game is over"));
    }
    let answer = app.think(move |control| {
        let request = Request::new(&game, Limits::move_time(HINT_TIME));
        let answer = Searcher::new(AnyEvaluator::default()).search(&request, control, &mut ());
        let position = game.position();
        let best = answer.best.ok_or_else(|| Refusal::conflict("there is nothing to play"))?;
        Ok(HintAnswer {
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
    GameName(id): GameName,
) -> Result<([(HeaderName, &'static str); 2], String), Refusal> {
    let text = room(&app, &id).await?.look(|session| score_sheet::tree(session).to_string()).await;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"saavedra.pgn\""),
    ];
    Ok((headers, text))
}

/// The game of a room as a tree, for a review.
pub(crate) async fn tree(app: &App, id: &str) -> Result<records::pgn::GameTree, Refusal> {
    Ok(room(app, id).await?.look(score_sheet::tree).await)
}
