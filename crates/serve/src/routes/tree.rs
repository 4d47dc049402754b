//! Search trees: what minimax searches, what alpha-beta skips, what the full search prunes, and why.

use std::str::FromStr;

use axum::Json;
use axum::extract::State;
use review::{Bounds, Method, Trace};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::extract::JsonBody;
use crate::parse;
use crate::state::App;

/// The greatest depth.
const MAX_DEPTH: usize = 6;

/// The most nodes that are sent.
const MAX_SHOWN: usize = 5_000;

/// A position, and how to search it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeRequest {
    fen: Option<String>,
    moves: Option<Vec<String>>,
    /// `minimax`, `alphabeta`, `alphabeta-unordered` or `full` (also called `search`).
    method: String,
    /// The depth in plies.
    #[schema(minimum = 1, maximum = 6)]
    depth: usize,
    /// How many nodes to show.
    #[schema(minimum = 1, maximum = 5000)]
    most_shown: Option<usize>,
}

#[utoipa::path(post, path = "/api/tree", tag = "tools", request_body = TreeRequest,
    responses((status = 200, body = Trace), (status = "4XX", body = ErrorBody)))]
/// A search as a tree.
pub(crate) async fn tree(
    State(app): State<App>,
    JsonBody(asked): JsonBody<TreeRequest>,
) -> Result<Json<Trace>, ApiError> {
    let game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    let name = if asked.method == "search" { "full" } else { &asked.method };
    let method = Method::from_str(name).map_err(|error| ApiError::bad_request(error.to_string()))?;
    let within = |name: &str, value: usize, most: usize| match (1..=most).contains(&value) {
        true => Ok(value),
        false => Err(ApiError::bad_request(format!("{name} is {value}: expected 1 to {most}"))),
    };
    let usual = Bounds::default();
    let bounds = Bounds {
        depth: within("depth", asked.depth, MAX_DEPTH)?,
        most_shown: within("most_shown", asked.most_shown.unwrap_or(usual.most_shown), MAX_SHOWN)?,
        ..usual
    };
    // A tree is held in memory while it is searched, so a few are searched at once and the others wait.
    let _permit = app.shared().trees.acquire().await.map_err(|_| ApiError::shutting_down())?;
    app.compute(move |control| Ok(review::trace(&game, method, &bounds, control))).await.map(Json)
}
