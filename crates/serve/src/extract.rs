//! Extractors: JSON bodies, read within limits of size and time, and the identifiers of games in paths.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, ErrorCode};
use crate::state::App;

/// The JSON body of a request.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<JsonBody<T>, ApiError> {
        let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let mime_type = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
        // A page of another origin cannot send this type without a preflight request, which the server does not answer.
        if !mime_type.trim().eq_ignore_ascii_case("application/json") {
            return Err(ApiError::new(ErrorCode::UnsupportedMediaType, "the body must be application/json"));
        }
        let bytes = read(request.into_body(), app).await?;
        let value = serde_json::from_slice(&bytes)
            .map_err(|error| ApiError::bad_request(format!("the body cannot be read: {error}")))?;
        Ok(JsonBody(value))
    }
}

/// The identifier of a game in the path of a request.
pub(crate) struct GameId(pub(crate) String);

impl FromRequestParts<App> for GameId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<GameId, ApiError> {
        match Path::from_request_parts(parts, app).await {
            Ok(Path(id)) => Ok(GameId(id)),
            // What is not even text cannot be the identifier of a game.
            Err(_) => Err(ApiError::new(ErrorCode::NotFound, "there is no such game")),
        }
    }
}

async fn read(body: Body, app: &App) -> Result<axum::body::Bytes, ApiError> {
    let limits = app.limits();
    let too_large =
        || ApiError::new(ErrorCode::TooLarge, format!("the body has more than {} bytes", limits.body_bytes));
    // Most requests state their length, and then nothing needs to be read.
    if axum::body::HttpBody::size_hint(&body).lower() > limits.body_bytes as u64 {
        return Err(too_large());
    }
    match tokio::time::timeout(limits.request_time, to_bytes(body, limits.body_bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_about_length(&error) => Err(too_large()),
        Ok(Err(_)) => Err(ApiError::bad_request("the body is incomplete")),
        Err(_) => {
            Err(ApiError::bad_request(format!("the body did not arrive within {} s", limits.request_time.as_secs())))
        }
    }
}

fn is_about_length(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.to_string().contains("length limit"))
}
