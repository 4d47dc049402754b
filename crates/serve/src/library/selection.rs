//! Lists and searches of the library, and what is done to many games at once.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::routes::check_labels;
use super::view::{ListedGame, listed};
use crate::error::{ApiError, ErrorBody};
use crate::extract::JsonBody;
use crate::games::{now, timestamp};
use crate::parse;
use crate::sheet;
use crate::state::App;
use crate::store::{Deletion, Search, Selection};

/// How many games a page of the list has.
const DEFAULT_LIMIT: u32 = 50;
const MOST: u32 = 200;

/// How many deletions are listed.
const MOST_DELETIONS: u32 = 50;

/// The most games that are named one by one.
const MOST_IDS: usize = 20_000;

/// What to look for in the library.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LibraryQuery {
    /// Words of players, events, openings and labels, and `result:`, `year:`, `eco:`, `tag:`, `player:`, `white:`,
    /// `black:`, `event:`, `opening:`, `kind:`, `broken:`.
    q: Option<String>,
    /// A position that the game reached.
    fen: Option<String>,
    /// The most games; 50 by default.
    #[param(maximum = 200)]
    limit: Option<u32>,
    /// Where the page before ended.
    cursor: Option<String>,
}

/// A page of the library.
#[derive(Serialize, ToSchema)]
pub(crate) struct LibraryResponse {
    games: Vec<ListedGame>,
    /// How many games fit.
    total: u64,
    /// What to ask the next page with, if there is one.
    cursor: Option<String>,
}

/// Games by their ids, or all that a search finds.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelectionRequest {
    ids: Option<Vec<String>>,
    q: Option<String>,
    fen: Option<String>,
    /// The id of an import: all that it brought.
    import: Option<String>,
}

/// Games that were deleted, and how to bring them back.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeleteResponse {
    deleted: u64,
    undo: String,
}

/// What was deleted within a day, the last first.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeletionsResponse {
    deletions: Vec<DeletionView>,
}

/// Games that were deleted together.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeletionView {
    /// What brings them back.
    undo: String,
    deleted: String,
    games: u64,
    /// The players of the newest of them.
    white: String,
    black: String,
}

/// A deletion to be undone.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoRequest {
    undo: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct UndoResponse {
    restored: u64,
}

/// Labels to be added and removed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabelRequest {
    games: SelectionRequest,
    add: Option<Vec<String>>,
    remove: Option<Vec<String>>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct LabelResponse {
    changed: u64,
}

/// All labels.
#[derive(Serialize, ToSchema)]
pub(crate) struct LabelsResponse {
    labels: Vec<LabelView>,
}

/// A label and how many games have it.
#[derive(Serialize, ToSchema)]
pub(crate) struct LabelView {
    label: String,
    games: u64,
}

/// The search that a request describes.
pub(super) fn search(q: Option<&str>, fen: Option<&str>) -> Result<Search, ApiError> {
    let mut search = Search::parse(q.unwrap_or_default())?;
    if let Some(fen) = fen {
        let position =
            parse::position(fen).map_err(|error| ApiError { message: format!("fen: {}", error.message), ..error })?;
        search.key = Some(sheet::key(&position));
    }
    Ok(search)
}

impl SelectionRequest {
    pub(super) fn selection(self, app: &App) -> Result<Selection, ApiError> {
        match (self.ids, self.q, self.fen, self.import) {
            (Some(ids), None, None, None) if ids.len() <= MOST_IDS => Ok(Selection::Ids(ids)),
            (Some(_), None, None, None) => Err(ApiError::bad_request(format!("ids: at most {MOST_IDS} at once"))),
            (None, None, None, Some(id)) => {
                Ok(Selection::Search(Search::of_import(app.shared().imports.find(&id)?.number())))
            }
            (None, None, None, None) => Err(ApiError::bad_request("expected ids, q, fen or import")),
            (None, q, fen, None) => Ok(Selection::Search(search(q.as_deref(), fen.as_deref())?)),
            _ => Err(ApiError::bad_request("ids and import exclude q and fen")),
        }
    }
}

#[utoipa::path(get, path = "/api/library", tag = "library", params(LibraryQuery),
    responses((status = 200, body = LibraryResponse), (status = "4XX", body = ErrorBody)))]
/// Searches the library; the newest games come first.
pub(crate) async fn list(
    State(app): State<App>,
    query: Result<Query<LibraryQuery>, QueryRejection>,
) -> Result<Json<LibraryResponse>, ApiError> {
    let Query(asked) = query.map_err(|error| ApiError::bad_request(error.body_text()))?;
    let limit = asked.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::bad_request(format!("limit is {limit}: expected 1 to {MOST}")));
    }
    let cursor = asked.cursor.map(|cursor| cursor.parse());
    let before = cursor.transpose().map_err(|_| ApiError::bad_request("cursor: not one that a list has given"))?;
    let search = search(asked.q.as_deref(), asked.fen.as_deref())?;
    let store = &app.games().service().store;
    let found = store.search(search, before, limit).await?;
    Ok(Json(LibraryResponse {
        games: listed(store, found.games).await?,
        total: found.total,
        cursor: found.cursor.map(|number| number.to_string()),
    }))
}

#[utoipa::path(get, path = "/api/library/labels", tag = "library",
    responses((status = 200, body = LabelsResponse), (status = "4XX", body = ErrorBody)))]
/// All labels, the most used first.
pub(crate) async fn labels(State(app): State<App>) -> Result<Json<LabelsResponse>, ApiError> {
    let labels = app.games().service().store.labels().await?;
    let labels = labels.into_iter().map(|count| LabelView { label: count.label, games: count.games }).collect();
    Ok(Json(LabelsResponse { labels }))
}

#[utoipa::path(post, path = "/api/library/label", tag = "library", request_body = LabelRequest,
    responses((status = 200, body = LabelResponse), (status = "4XX", body = ErrorBody)))]
/// Adds labels to games, and removes others.
pub(crate) async fn label(
    State(app): State<App>,
    JsonBody(asked): JsonBody<LabelRequest>,
) -> Result<Json<LabelResponse>, ApiError> {
    let add = check_labels(asked.add.unwrap_or_default())?;
    let selection = asked.games.selection(&app)?;
    let changed = app.games().service().store.label(selection, add, asked.remove.unwrap_or_default()).await?;
    Ok(Json(LabelResponse { changed }))
}

#[utoipa::path(post, path = "/api/library/delete", tag = "library", request_body = SelectionRequest,
    responses((status = 200, body = DeleteResponse), (status = "4XX", body = ErrorBody)))]
/// Deletes games, except those in progress. For a day they can be brought back.
pub(crate) async fn delete(
    State(app): State<App>,
    JsonBody(asked): JsonBody<SelectionRequest>,
) -> Result<Json<DeleteResponse>, ApiError> {
    let selection = asked.selection(&app)?;
    let (deleted, moment) = app.games().service().store.delete(selection, now()).await?;
    app.games().forget_deleted().await?;
    Ok(Json(DeleteResponse { deleted, undo: moment.to_string() }))
}

#[utoipa::path(get, path = "/api/library/deleted", tag = "library",
    responses((status = 200, body = DeletionsResponse), (status = "4XX", body = ErrorBody)))]
/// What was deleted and can still be brought back.
pub(crate) async fn deleted(State(app): State<App>) -> Result<Json<DeletionsResponse>, ApiError> {
    let deletions = app.games().service().store.deletions(MOST_DELETIONS).await?.into_iter();
    let view = |deletion: Deletion| DeletionView {
        undo: deletion.moment.to_string(),
        deleted: timestamp(deletion.moment),
        games: deletion.games,
        white: deletion.white,
        black: deletion.black,
    };
    Ok(Json(DeletionsResponse { deletions: deletions.map(view).collect() }))
}

#[utoipa::path(post, path = "/api/library/undo", tag = "library", request_body = UndoRequest,
    responses((status = 200, body = UndoResponse), (status = "4XX", body = ErrorBody)))]
/// Brings back what was deleted together.
pub(crate) async fn undo(
    State(app): State<App>,
    JsonBody(asked): JsonBody<UndoRequest>,
) -> Result<Json<UndoResponse>, ApiError> {
    let moment = asked.undo.parse().map_err(|_| ApiError::bad_request("undo: not one that a deletion has given"))?;
    let restored = app.games().service().store.undelete(moment).await?;
    Ok(Json(UndoResponse { restored }))
}
