//! Reviews of stored games: kept when they are made, and read again.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use review::{Review, ReviewJson};
use rules::Color;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::GameId;
use crate::games::{Player, now, timestamp};
use crate::practice;
use crate::state::App;
use crate::store::NewReview;
use crate::websocket::message::ReviewEffort;

/// What is known of a review before it is made.
pub(crate) struct KeptReview {
    pub(crate) game: String,
    /// The main line that is reviewed.
    pub(crate) line: Vec<u8>,
    pub(crate) effort: ReviewEffort,
}

/// Which review to read.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReviewQuery {
    /// The deepest one if left out.
    effort: Option<ReviewEffort>,
}

/// A review that was stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReviewResponse {
    effort: String,
    created: String,
    /// Whether the game still has the main line that was reviewed.
    current: bool,
    #[schema(value_type = ReviewJson)]
    review: Value,
    /// The game with the review's comments.
    pgn: String,
}

/// Stores a review, and the mistakes of the people who played as cards. A failure costs only the stored copy.
pub(crate) async fn keep_review(app: &App, kept: KeptReview, review: &Review, pgn: &str) {
    if let Err(error) = try_to_keep(app, kept, review, pgn).await {
        tracing::error!(%error, "a review cannot be stored");
    }
}

async fn try_to_keep(app: &App, kept: KeptReview, review: &Review, pgn: &str) -> Result<(), ApiError> {
    let store = &app.games().service().store;
    let unwritable = |error: serde_json::Error| ApiError::new(ErrorCode::Internal, error.to_string());
    let json = serde_json::to_value(review).map_err(unwritable)?;
    let accuracy = |color: Color| review.players[color].accuracy;
    store
        .save_review(NewReview {
            game: kept.game.clone(),
            effort: kept.effort.as_str(),
            created: now(),
            line: kept.line,
            white_accuracy: accuracy(Color::White),
            black_accuracy: accuracy(Color::Black),
            review: json.to_string(),
            pgn: pgn.to_owned(),
        })
        .await?;
    if let Some(record) = store.load(&kept.game).await? {
        for (color, player) in [("white", &record.white), ("black", &record.black)] {
            if matches!(player, Player::Human { .. }) {
                store.add_cards(&kept.game, practice::from_review(&json, color), now()).await?;
            }
        }
    }
    Ok(())
}

#[utoipa::path(get, path = "/api/library/{id}/review", tag = "library", params(("id" = String, Path), ReviewQuery),
    responses((status = 200, body = ReviewResponse), (status = "4XX", body = ErrorBody)))]
/// A review that was made of a game.
pub(crate) async fn fetch(
    State(app): State<App>,
    GameId(id): GameId,
    query: Result<Query<ReviewQuery>, QueryRejection>,
) -> Result<Json<ReviewResponse>, ApiError> {
    let Query(asked) = query.map_err(|error| ApiError::bad_request(error.body_text()))?;
    let effort = asked.effort.map(|effort| effort.as_str().to_owned());
    let stored = app.games().service().store.review(&id, effort).await?;
    let stored = stored.ok_or_else(|| ApiError::new(ErrorCode::NotFound, "there is no such review"))?;
    // A long review is a large text.
    let response = app.compute(move |_| {
        let review = serde_json::from_str(&stored.review)
            .map_err(|error| ApiError::new(ErrorCode::Internal, format!("the review cannot be read: {error}")))?;
        Ok(ReviewResponse {
            effort: stored.effort,
            created: timestamp(stored.created),
            current: stored.is_current,
            review,
            pgn: stored.pgn,
        })
    });
    response.await.map(Json)
}
