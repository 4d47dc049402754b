//! Requests with a JSON body: read within bounds of size and time, refused with a line that names what was wrong.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::refusal::{Code, Refusal};
use crate::state::App;

/// The body of a request.
pub(crate) struct Ask<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Ask<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Result<Ask<T>, Refusal> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        // Forms of foreign pages cannot send this type without asking first, and we never agree.
        if kind.split(';').next().is_none_or(|kind| !kind.trim().eq_ignore_ascii_case("application/json")) {
            return Err(Refusal::new(Code::UnsupportedMediaType, "the body must be application/json"));
        }
        let bytes = read(request.into_body(), app).await?;
        let value = serde_json::from_slice(&bytes)
            .map_err(|error| Refusal::bad_request(format!("the body cannot be read: {error}")))?;
        Ok(Ask(value))
    }
}

/// The name of a game in the path of a request.
pub(crate) struct GameName(pub(crate) String);

impl FromRequestParts<App> for GameName {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<GameName, Refusal> {
        match Path::from_request_parts(parts, app).await {
            Ok(Path(name)) => Ok(GameName(name)),
            // Whatever it is, it is not a name that we gave.
            Err(_) => Err(Refusal::new(Code::NotFound, "there is no such game")),
        }
    }
}

async fn read(body: Body, app: &App) -> Result<axum::body::Bytes, Refusal> {
    let limits = app.limits();
    let too_large = || Refusal::new(Code::TooLarge, format!("the body has more than {} bytes", limits.body_bytes));
    // The length is told beforehand more often than not, and then nothing needs to be read.
    if axum::body::HttpBody::size_hint(&body).lower() > limits.body_bytes as u64 {
        return Err(too_large());
    }
    match tokio::time::timeout(limits.request_time, to_bytes(body, limits.body_bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_about_length(&error) => Err(too_large()),
        Ok(Err(_)) => Err(Refusal::bad_request("the body ended before its end")),
        Err(_) => {
            Err(Refusal::bad_request(format!("the body did not arrive within {} s", limits.request_time.as_secs())))
        }
    }
}

fn is_about_length(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.to_string().contains("length limit"))
}
