//! One game of the library over HTTP: created, read, saved, labelled, deleted and brought back.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use records::pgn::{self, GameTree, Problem};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

use super::reading::told;
use super::view::{LibraryGame, ListedGame, listed};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::{GameId, JsonBody};
use crate::games::{now, score_sheet, timestamp};
use crate::practice::DAY;
use crate::practice::routes::{CardView, cards_view};
use crate::random_id;
use crate::routes::pgn::{WritePgnRequest, Written};
use crate::sheet::{Sheet, SheetText};
use crate::state::App;
use crate::store::{GameKind, GameRow, NewRow, Saved, Search, Selection, Store};

/// The most labels of a game, and the longest.
const MOST_LABELS: usize = 20;
const LONGEST_LABEL: usize = 40;

/// How many games the front page shows.
const LAST_GAMES: u32 = 6;

/// How many cards the front page gets: those that it shows, and one more because the puzzle is shown by itself.
const FIRST_CARDS: u32 = 4;

/// A game to be stored: a PGN, or its parts as `/api/pgn/write` takes them.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLibraryGame {
    /// `analysis` if not given; a game is `played` only by playing it.
    kind: Option<GameKind>,
    labels: Option<Vec<String>>,
    /// A PGN, of which the first game counts. It excludes the fields below.
    pgn: Option<String>,
    fen: Option<String>,
    moves: Option<Vec<Written>>,
    tags: Option<BTreeMap<String, String>>,
    result: Option<String>,
    comment: Option<String>,
}

/// A game to be saved over one that is there.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveRequest {
    /// The revision that was changed.
    revision: u64,
    labels: Option<Vec<String>>,
    /// A PGN, of which the first game counts. It excludes the fields below.
    pgn: Option<String>,
    fen: Option<String>,
    moves: Option<Vec<Written>>,
    tags: Option<BTreeMap<String, String>>,
    result: Option<String>,
    comment: Option<String>,
}

/// A game was saved.
#[derive(Serialize, ToSchema)]
pub(crate) struct SaveResponse {
    id: String,
    revision: u64,
    updated: String,
}

/// The labels of a game.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Labels {
    labels: Vec<String>,
}

/// An empty body.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RestoreRequest {}

/// The front page.
#[derive(Serialize, ToSchema)]
pub(crate) struct HomeResponse {
    /// Games in progress, the last that changed first.
    r#continue: Vec<ListedGame>,
    /// The last games that are over.
    last: Vec<ListedGame>,
    /// How many games there are.
    games: u64,
    /// How many cards are due.
    due: u64,
    cards: Vec<CardView>,
    /// One of one's own mistakes, another each day.
    puzzle: Option<CardView>,
}

pub(crate) fn check_labels(labels: Vec<String>) -> Result<Vec<String>, ApiError> {
    let mut checked: Vec<String> = Vec::new();
    for label in labels {
        let label = label.trim().to_owned();
        if label.is_empty() || label.chars().count() > LONGEST_LABEL || label.chars().any(char::is_control) {
            return Err(ApiError::bad_request(format!("labels: a label has 1 to {LONGEST_LABEL} letters")));
        }
        if !checked.contains(&label) {
            checked.push(label);
        }
    }
    if checked.len() > MOST_LABELS {
        return Err(ApiError::bad_request(format!("labels: a game has at most {MOST_LABELS} labels")));
    }
    Ok(checked)
}

/// The game of a request, read by a worker, and what spoiled it.
async fn read_tree(
    app: &App,
    text: Option<String>,
    parts: WritePgnRequest,
) -> Result<(GameTree, Sheet, Option<Problem>), ApiError> {
    if text.is_some() && !parts.is_empty() {
        return Err(ApiError::bad_request("pgn excludes fen, moves, tags, result and comment"));
    }
    app.compute(move |_| {
        let (tree, problem) = match text {
            Some(text) => {
                let found = pgn::games(text.as_bytes()).next_game();
                let found = found.map_err(|error| ApiError::new(ErrorCode::BadPgn, format!("pgn: {error}")))?;
                found.ok_or_else(|| ApiError::new(ErrorCode::BadPgn, "pgn: there is no game in the text"))?
            }
            None => (parts.tree()?, None),
        };
        // A text of which not even the first move can be read is no game.
        if let Some(problem) = problem.as_ref().filter(|_| tree.move_count() == 0) {
            return Err(ApiError::new(ErrorCode::BadPgn, format!("pgn: {problem}")));
        }
        let sheet = Sheet::of(&tree);
        Ok((tree, sheet, problem))
    })
    .await
}

fn unknown() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "there is no such game")
}

fn store(app: &App) -> &Store {
    &app.games().service().store
}

/// The row and the tree of a game, deleted or not.
async fn find(app: &App, id: &str) -> Result<(GameRow, GameTree), ApiError> {
    let (row, text) = store(app).game(id).await?.ok_or_else(unknown)?;
    if row.kind == GameKind::Played && !row.is_over && row.deleted.is_none() {
        let tree = app.games().room(id).await?.read(score_sheet::tree).await;
        return Ok((row, tree));
    }
    let result = row.result;
    let text = text.unwrap_or_else(SheetText::empty);
    let unreadable = |error: crate::sheet::BadSheet| ApiError::new(ErrorCode::Internal, error.to_string());
    let tree = app.compute(move |_| text.tree(result).map_err(unreadable)).await?;
    Ok((row, tree))
}

/// The tree of a game.
pub(crate) async fn tree(app: &App, id: &str) -> Result<GameTree, ApiError> {
    find(app, id).await.map(|(_, tree)| tree)
}

async fn view(app: &App, id: &str) -> Result<LibraryGame, ApiError> {
    let (row, tree) = find(app, id).await?;
    let reviews = store(app).review_efforts(row.number).await?;
    app.compute(move |_| Ok(LibraryGame::new(row, &tree, reviews))).await
}

#[utoipa::path(post, path = "/api/library", tag = "library", request_body = NewLibraryGame,
    responses((status = 201, body = LibraryGame), (status = "4XX", body = ErrorBody)))]
/// Stores a game. Of a broken PGN the good part is kept. An imported game that is there already is not stored again.
pub(crate) async fn create(
    State(app): State<App>,
    JsonBody(asked): JsonBody<NewLibraryGame>,
) -> Result<(StatusCode, Json<LibraryGame>), ApiError> {
    let kind = asked.kind.unwrap_or(GameKind::Analysis);
    if kind == GameKind::Played {
        return Err(ApiError::bad_request("kind: a game is played by POST /api/games"));
    }
    let labels = check_labels(asked.labels.unwrap_or_default())?;
    let most = app.limits().kept_games;
    if store(&app).count().await? >= most as u64 {
        return Err(ApiError::new(ErrorCode::TooMany, format!("{most} games are stored: delete some first")));
    }
    let parts = WritePgnRequest::new(asked.fen, asked.moves, asked.tags, asked.result, asked.comment);
    let (tree, sheet, problem) = read_tree(&app, asked.pgn, parts).await?;
    let row = NewRow {
        id: random_id::game_id(),
        kind,
        is_over: true,
        revision: 1,
        created: now(),
        labels,
        problem: problem.map(|problem| told(&tree, &problem)),
        import: None,
    };
    let id = store(&app).add(row, sheet).await?;
    Ok((StatusCode::CREATED, Json(view(&app, &id).await?)))
}

#[utoipa::path(get, path = "/api/library/{id}", tag = "library", params(("id" = String, Path)),
    responses((status = 200, body = LibraryGame), (status = "4XX", body = ErrorBody)))]
/// A game of any kind, with its variations and comments.
pub(crate) async fn fetch(State(app): State<App>, GameId(id): GameId) -> Result<Json<LibraryGame>, ApiError> {
    view(&app, &id).await.map(Json)
}

#[utoipa::path(put, path = "/api/library/{id}", tag = "library", params(("id" = String, Path)),
    request_body = SaveRequest, responses((status = 200, body = SaveResponse), (status = "4XX", body = ErrorBody)))]
/// Saves a game over the revision that was changed. If another page has saved it meanwhile, the answer is a conflict.
pub(crate) async fn save(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(asked): JsonBody<SaveRequest>,
) -> Result<Json<SaveResponse>, ApiError> {
    let (row, text) = store(&app).game(&id).await?.filter(|(row, _)| row.deleted.is_none()).ok_or_else(unknown)?;
    if !row.is_over {
        return Err(ApiError::conflict("the game is in progress"));
    }
    let labels = asked.labels.map(check_labels).transpose()?;
    let parts = WritePgnRequest::new(asked.fen, asked.moves, asked.tags, asked.result, asked.comment);
    let (_, sheet, problem) = read_tree(&app, asked.pgn, parts).await?;
    if let Some(problem) = problem {
        return Err(ApiError::new(ErrorCode::BadPgn, format!("pgn: {problem}")));
    }
    if row.kind == GameKind::Played && text.is_some_and(|text| text.line != sheet.text.line) {
        return Err(ApiError::conflict("moves: the main line of a game that was played stays as it was"));
    }
    match store(&app).save_sheet(&id, asked.revision, sheet, labels, now()).await? {
        Saved::Done { revision, updated } => Ok(Json(SaveResponse { id, revision, updated: timestamp(updated) })),
        Saved::Stale(revision) => Err(ApiError::conflict(format!(
            "revision: the game was saved elsewhere and is at revision {revision}, not {}",
            asked.revision
        ))),
        Saved::Missing => Err(unknown()),
    }
}

#[utoipa::path(put, path = "/api/library/{id}/labels", tag = "library", params(("id" = String, Path)),
    request_body = Labels, responses((status = 200, body = Labels), (status = "4XX", body = ErrorBody)))]
/// Sets the labels of a game.
pub(crate) async fn set_labels(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(Labels { labels }): JsonBody<Labels>,
) -> Result<Json<Labels>, ApiError> {
    let labels = check_labels(labels)?;
    let (row, _) = store(&app).game(&id).await?.ok_or_else(unknown)?;
    let remove = row.labels.into_iter().filter(|label| !labels.contains(label)).collect();
    store(&app).label(Selection::Ids(vec![id]), labels.clone(), remove).await?;
    Ok(Json(Labels { labels }))
}

#[utoipa::path(delete, path = "/api/library/{id}", tag = "library", params(("id" = String, Path)),
    responses((status = 204), (status = "4XX", body = ErrorBody)))]
/// Deletes a game. For a day it can be brought back.
pub(crate) async fn delete(State(app): State<App>, GameId(id): GameId) -> Result<StatusCode, ApiError> {
    let (row, _) = store(&app).game(&id).await?.filter(|(row, _)| row.deleted.is_none()).ok_or_else(unknown)?;
    match row.kind {
        GameKind::Played => app.games().delete(&id).await?,
        GameKind::Imported | GameKind::Analysis => store(&app).delete_game(&id, now()).await?,
    }
    Ok(StatusCode::NO_CONTENT)
}

#[utoipa::path(post, path = "/api/library/{id}/restore", tag = "library", params(("id" = String, Path)),
    request_body = RestoreRequest, responses((status = 200, body = LibraryGame), (status = "4XX", body = ErrorBody)))]
/// Brings back a game that was deleted.
pub(crate) async fn restore(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(RestoreRequest {}): JsonBody<RestoreRequest>,
) -> Result<Json<LibraryGame>, ApiError> {
    store(&app).restore(&id).await?;
    view(&app, &id).await.map(Json)
}

#[utoipa::path(get, path = "/api/library/{id}/pgn", tag = "library", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/x-chess-pgn", body = String), (status = "4XX", body = ErrorBody)))]
/// A game as PGN.
pub(crate) async fn score(
    State(app): State<App>,
    GameId(id): GameId,
) -> Result<([(HeaderName, &'static str); 2], String), ApiError> {
    let tree = tree(&app, &id).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"saavedra.pgn\""),
    ];
    Ok((headers, tree.to_string()))
}

#[utoipa::path(get, path = "/api/home", tag = "library",
    responses((status = 200, body = HomeResponse), (status = "4XX", body = ErrorBody)))]
/// What the front page shows.
pub(crate) async fn home(State(app): State<App>) -> Result<Json<HomeResponse>, ApiError> {
    let store = store(&app);
    let playing = store.search(Search::in_progress(), None, LAST_GAMES).await?;
    let last = store.search(Search::own(), None, LAST_GAMES).await?;
    let counts = store.practice_counts(now()).await?;
    let cards = store.due_cards(now(), None, FIRST_CARDS).await?;
    let puzzle = store.card_of_the_day(now() / DAY).await?;
    Ok(Json(HomeResponse {
        r#continue: listed(store, playing.games).await?,
        games: store.count().await?,
        last: listed(store, last.games).await?,
        due: counts.due,
        cards: cards_view(&cards),
        puzzle: cards_view(puzzle.as_slice()).pop(),
    }))
}
