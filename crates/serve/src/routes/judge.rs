//! Judging a single move, for a player who tries again.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use review::{MoveReview, MoveReviewJson, Reviewer};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::JsonBody;
use crate::parse;
use crate::state::App;
use crate::websocket::message::ReviewEffort;
use crate::worker_pool::Priority;

/// A move, and the position it is played in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JudgeRequest {
    fen: Option<String>,
    /// In UCI or algebraic notation.
    r#move: String,
    /// `quick` if not given.
    effort: Option<ReviewEffort>,
}

#[utoipa::path(post, path = "/api/judge", tag = "tools", request_body = JudgeRequest,
    responses((status = 200, body = MoveReviewJson), (status = "4XX", body = ErrorBody)))]
/// Judges a move as a review does: what it is called, what it loses, and why.
pub(crate) async fn judge(
    State(app): State<App>,
    JsonBody(asked): JsonBody<JudgeRequest>,
) -> Result<Json<MoveReview>, ApiError> {
    let mut game = parse::game(asked.fen.as_deref(), None, app.limits().moves)?;
    let mv = parse::mv(game.position(), &asked.r#move)?;
    game.play(mv).map_err(ApiError::illegal_move)?;
    let permit = app.review_permit()?;
    let task = app.task(Priority::Interactive);
    let (gate, is_stopped) = (task.gate(), Arc::clone(&task.is_stopped));
    let effort = asked.effort.unwrap_or(ReviewEffort::Quick).into();
    let work = move || {
        let mut reviewer = Reviewer::new(effort);
        reviewer.set_gate(gate);
        let review = reviewer.review(&game, &is_stopped, &mut |_| {});
        drop((reviewer, permit));
        review.ok().and_then(|review| review.moves.into_iter().next()).ok_or_else(ApiError::shutting_down)
    };
    let time = app.limits().task_time;
    // The work is told to stop when the future that waits for it is dropped.
    match tokio::time::timeout(time, app.compute_by(task, work)).await {
        Ok(judged) => judged.map(Json),
        Err(_) => {
            let message = format!("judging takes longer than {} s: choose less effort", time.as_secs());
            Err(ApiError::new(ErrorCode::TooMany, message))
        }
    }
}
