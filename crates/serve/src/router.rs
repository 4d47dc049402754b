//! Which question goes where, and the description of them all.

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::middleware;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::{OpenApi, ToSchema};

use crate::ask::Ask;
use crate::games::routes as games;
use crate::guard;
use crate::limits::LimitsView;
use crate::page;
use crate::questions::{exchange, gallery, perft, pgn, position, tree};
use crate::refusal::{Code, ErrorBody, Refusal};
use crate::socket;
use crate::state::App;

/// The most that a page may keep, in bytes.
const SETTINGS_BYTES: usize = 16 << 10;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Saavedra",
        description = "Chess over HTTP. Games and live analysis are told on the WebSocket /api/ws; docs/board.md describes it."
    ),
    paths(
        position::legal,
        position::make,
        position::line,
        position::check,
        position::chess960,
        perft::perft,
        exchange::see,
        tree::tree,
        pgn::read,
        pgn::write,
        gallery::minds,
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
    )
)]
struct Description;

/// The server, as a page is told.
#[derive(Serialize, ToSchema)]
pub(crate) struct About {
    name: &'static str,
    /// How many threads think at once.
    threads: usize,
    /// Whether everything is forgotten when the server ends.
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
        .route("/api/perft", post(perft::perft))
        .route("/api/see", post(exchange::see))
        .route("/api/tree", post(tree::tree))
        .route("/api/pgn/read", post(pgn::read))
        .route("/api/pgn/write", post(pgn::write))
        .route("/api/minds", get(gallery::minds))
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
        .route("/api/ws", get(socket::open));
    router
        .method_not_allowed_fallback(wrong_method)
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(app.clone(), guard::check))
        .with_state(app)
}

async fn wrong_method() -> Refusal {
    Refusal::new(Code::MethodNotAllowed, "this can be asked, but not by this method: see /api/openapi.json")
}

async fn describe() -> impl IntoResponse {
    Json(Description::openapi())
}

#[utoipa::path(get, path = "/api/about", tag = "server", responses((status = 200, body = About)))]
/// What this server is, and what it allows.
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
/// What the page keeps.
async fn settings(State(app): State<App>) -> Result<Json<Value>, Refusal> {
    let text = app.hall().service().keeper.settings().await?;
    serde_json::from_str(&text).map(Json).map_err(|error| Refusal::new(Code::Internal, error.to_string()))
}

#[utoipa::path(put, path = "/api/settings", tag = "server", request_body = Object,
    responses((status = 200, body = Object), (status = "4XX", body = ErrorBody)))]
/// Keeps what the page wants to keep.
async fn save_settings(
    State(app): State<App>,
    Ask(settings): Ask<Map<String, Value>>,
) -> Result<Json<Map<String, Value>>, Refusal> {
    let text = serde_json::to_string(&settings).map_err(|error| Refusal::bad_request(error.to_string()))?;
    if text.len() > SETTINGS_BYTES {
        return Err(Refusal::new(Code::TooLarge, format!("settings have at most {SETTINGS_BYTES} bytes")));
    }
    app.hall().service().keeper.save_settings(text).await?;
    Ok(Json(settings))
}
