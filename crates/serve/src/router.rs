//! The routes, and the OpenAPI document that describes them.

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::middleware;
use axum::response::IntoResponse;
use axum::routing::{get, post, put};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::{OpenApi, ToSchema};

use crate::access;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::JsonBody;
use crate::games::routes as games;
use crate::library;
use crate::limits::LimitsView;
use crate::page;
use crate::practice::routes as practice;
use crate::routes::{boards, engines, exchange, judge, perft, pgn, position, tree};
use crate::state::App;
use crate::websocket;
use crate::websocket::message::{ClientMessage, ServerMessage};

/// The size of the page's settings, at most.
const SETTINGS_BYTES: usize = 16 << 10;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Saavedra",
        description = "Chess over HTTP. Games, live analysis, reviews and long counts are also on the WebSocket /api/ws, which carries ClientMessage and ServerMessage as JSON texts."
    ),
    paths(
        position::legal,
        position::make,
        position::line,
        position::check,
        position::chess960,
        boards::boards,
        perft::perft,
        exchange::see,
        tree::tree,
        judge::judge,
        pgn::read,
        pgn::write,
        engines::minds,
        about,
        settings,
        save_settings,
        games::create,
        games::list,
        games::fetch,
        games::delete,
        games::play,
        games::take_back,
        games::hint,
        games::resign,
        games::draw,
        games::now,
        games::abort,
        games::score,
        library::selection::list,
        library::selection::labels,
        library::selection::label,
        library::selection::delete,
        library::selection::deleted,
        library::selection::undo,
        library::export::export,
        library::export::export_selection,
        library::routes::create,
        library::routes::fetch,
        library::routes::save,
        library::routes::set_labels,
        library::routes::delete,
        library::routes::restore,
        library::routes::score,
        library::routes::home,
        library::review::fetch,
        library::import::create,
        library::import::fetch,
        library::import::stop,
        library::import::receive,
        library::explorer::explore,
        practice::practice,
        practice::card,
        practice::grade,
        practice::delete,
        practice::make_cards,
        practice::export,
    ),
    components(schemas(ClientMessage, ServerMessage))
)]
struct Description;

/// What the server is.
#[derive(Serialize, ToSchema)]
pub(crate) struct About {
    name: &'static str,
    /// How many searches run at once.
    threads: usize,
    /// Whether games are lost when the server stops.
    memory_only: bool,
    limits: LimitsView,
}

pub(crate) fn router(app: App) -> Router {
    let router = Router::new()
        .route("/api/legal", post(position::legal))
        .route("/api/move", post(position::make))
        .route("/api/line", post(position::line))
        .route("/api/check", post(position::check))
        .route("/api/chess960", post(position::chess960))
        .route("/api/boards", post(boards::boards))
        .route("/api/perft", post(perft::perft))
        .route("/api/see", post(exchange::see))
        .route("/api/tree", post(tree::tree))
        .route("/api/judge", post(judge::judge))
        .route("/api/pgn/read", post(pgn::read))
        .route("/api/pgn/write", post(pgn::write))
        .route("/api/minds", get(engines::minds))
        .route("/api/about", get(about))
        .route("/api/settings", get(settings).put(save_settings))
        .route("/api/openapi.json", get(describe))
        .route("/api/games", get(games::list).post(games::create))
        .route("/api/games/{id}", get(games::fetch).delete(games::delete))
        .route("/api/games/{id}/move", post(games::play))
        .route("/api/games/{id}/takeback", post(games::take_back))
        .route("/api/games/{id}/hint", post(games::hint))
        .route("/api/games/{id}/resign", post(games::resign))
        .route("/api/games/{id}/draw", post(games::draw))
        .route("/api/games/{id}/now", post(games::now))
        .route("/api/games/{id}/abort", post(games::abort))
        .route("/api/games/{id}/pgn", get(games::score))
        .route("/api/ws", get(websocket::open));
    router
        .merge(library_router())
        .method_not_allowed_fallback(wrong_method)
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(app.clone(), access::check))
        .with_state(app)
}

fn library_router() -> Router<App> {
    Router::new()
        .route("/api/home", get(library::routes::home))
        .route("/api/library", get(library::selection::list).post(library::routes::create))
        .route("/api/library/labels", get(library::selection::labels))
        .route("/api/library/label", post(library::selection::label))
        .route("/api/library/delete", post(library::selection::delete))
        .route("/api/library/deleted", get(library::selection::deleted))
        .route("/api/library/undo", post(library::selection::undo))
        .route("/api/library/export", get(library::export::export).post(library::export::export_selection))
        .route(
            "/api/library/{id}",
            get(library::routes::fetch).put(library::routes::save).delete(library::routes::delete),
        )
        .route("/api/library/{id}/labels", put(library::routes::set_labels))
        .route("/api/library/{id}/restore", post(library::routes::restore))
        .route("/api/library/{id}/pgn", get(library::routes::score))
        .route("/api/library/{id}/review", get(library::review::fetch))
        .route("/api/library/{id}/cards", post(practice::make_cards))
        .route("/api/imports", post(library::import::create))
        .route("/api/imports/{id}", get(library::import::fetch).delete(library::import::stop))
        .route("/api/imports/{id}/body", put(library::import::receive))
        .route("/api/explorer", get(library::explorer::explore))
        .route("/api/practice", get(practice::practice))
        .route("/api/practice/export", get(practice::export))
        .route("/api/practice/{id}", get(practice::card).post(practice::grade).delete(practice::delete))
}

async fn wrong_method() -> ApiError {
    ApiError::new(ErrorCode::MethodNotAllowed, "wrong method for this path: see /api/openapi.json")
}

async fn describe() -> impl IntoResponse {
    Json(openapi())
}

/// The OpenAPI document of the server. The types of the page are generated from it.
///
/// utoipa marks an `Option` as a property that may be missing. That is true of requests; responses always contain all
/// properties, with null for `None`. So every schema that is not part of a request requires all its properties.
pub fn openapi() -> Value {
    let mut document = serde_json::to_value(Description::openapi()).unwrap_or_default();
    let mut requests = vec!["ClientMessage".to_owned()];
    for path in document["paths"].as_object().into_iter().flat_map(Map::values) {
        for operation in path.as_object().into_iter().flat_map(Map::values) {
            requests.extend(references(&operation["requestBody"]));
        }
    }
    let schemas = &document["components"]["schemas"];
    let mut index = 0;
    while index < requests.len() {
        let more: Vec<String> =
            references(&schemas[&requests[index]]).filter(|name| !requests.contains(name)).collect();
        requests.extend(more);
        index += 1;
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        for (_, schema) in schemas.iter_mut().filter(|(name, _)| !requests.contains(name)) {
            require_all(schema);
        }
    }
    document
}

/// The names of the schemas that a part of the document refers to.
fn references(value: &Value) -> Box<dyn Iterator<Item = String> + '_> {
    match value {
        Value::Object(map) => Box::new(map.iter().flat_map(|(key, value)| match (key.as_str(), value) {
            ("$ref", Value::String(path)) => Box::new(path.rsplit('/').next().map(str::to_owned).into_iter()),
            _ => references(value),
        })),
        Value::Array(items) => Box::new(items.iter().flat_map(references)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Makes all properties of a schema required.
fn require_all(schema: &mut Value) {
    let names = schema["properties"].as_object().map(|properties| properties.keys().cloned().collect::<Vec<_>>());
    if let Some(names) = names {
        schema["required"] = names.into();
    }
    for key in ["allOf", "oneOf"] {
        if let Some(parts) = schema.get_mut(key).and_then(Value::as_array_mut) {
            parts.iter_mut().for_each(require_all);
        }
    }
}

#[utoipa::path(get, path = "/api/about", tag = "server", responses((status = 200, body = About)))]
/// What this server is, and its limits.
async fn about(State(app): State<App>) -> Json<About> {
    let shared = app.shared();
    Json(About {
        name: concat!("Saavedra ", env!("CARGO_PKG_VERSION")),
        threads: shared.threads,
        memory_only: shared.is_memory_only,
        limits: app.limits().into(),
    })
}

#[utoipa::path(get, path = "/api/settings", tag = "server",
    responses((status = 200, body = Object), (status = "4XX", body = ErrorBody)))]
/// The settings of the page.
async fn settings(State(app): State<App>) -> Result<Json<Value>, ApiError> {
    let text = app.games().service().store.settings().await?;
    serde_json::from_str(&text).map(Json).map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))
}

#[utoipa::path(put, path = "/api/settings", tag = "server", request_body = Object,
    responses((status = 200, body = Object), (status = "4XX", body = ErrorBody)))]
/// Stores the settings of the page.
async fn save_settings(
    State(app): State<App>,
    JsonBody(settings): JsonBody<Map<String, Value>>,
) -> Result<Json<Map<String, Value>>, ApiError> {
    let text = serde_json::to_string(&settings).map_err(|error| ApiError::bad_request(error.to_string()))?;
    if text.len() > SETTINGS_BYTES {
        return Err(ApiError::new(ErrorCode::TooLarge, format!("settings have at most {SETTINGS_BYTES} bytes")));
    }
    app.games().service().store.save_settings(text).await?;
    Ok(Json(settings))
}
