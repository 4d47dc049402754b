//! How a request is refused: a status, a code for programs, and a line for people.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rules::FenError;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    /// The request cannot be read.
    BadRequest,
    /// The token is missing or wrong.
    Unauthorized,
    /// The request comes from, or goes to, somewhere it should not.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// There is such a thing, but not for this method.
    MethodNotAllowed,
    /// It cannot be done as things stand.
    Conflict,
    /// The request is longer than we read.
    TooLarge,
    /// The request is not JSON.
    UnsupportedMediaType,
    /// The position cannot be played.
    IllegalPosition,
    /// The move cannot be played.
    IllegalMove,
    /// There is no such mind, or not for a request.
    BadMind,
    /// There is no game in the text.
    BadPgn,
    /// A limit is reached.
    TooMany,
    /// The fault is ours.
    Internal,
    /// We cannot do it now.
    Busy,
}

impl Code {
    fn status(self) -> StatusCode {
        match self {
            Code::BadRequest => StatusCode::BAD_REQUEST,
            Code::Unauthorized => StatusCode::UNAUTHORIZED,
            Code::Forbidden => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::Conflict => StatusCode::CONFLICT,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::IllegalPosition | Code::IllegalMove | Code::BadMind | Code::BadPgn => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Code::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// What went wrong, for programs and for people.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) message: String,
    /// Every reason, where there may be several.
    pub(crate) problems: Vec<String>,
}

/// A refusal as it is sent.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    error: Refusal,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), problems: Vec::new() }
    }

    pub(crate) fn conflict(message: impl Into<String>) -> Refusal {
        Refusal::new(Code::Conflict, message)
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Refusal {
        Refusal::new(Code::BadRequest, message)
    }

    pub(crate) fn illegal_move(error: impl std::fmt::Display) -> Refusal {
        Refusal::new(Code::IllegalMove, error.to_string())
    }

    /// The server ends, or a thread that should answer is gone.
    pub(crate) fn gone() -> Refusal {
        Refusal::new(Code::Busy, "the server is about to end")
    }
}

impl From<FenError> for Refusal {
    fn from(error: FenError) -> Refusal {
        let problems = match &error {
            FenError::Illegal(setup) => setup.problems().iter().map(ToString::to_string).collect(),
            other => vec![other.to_string()],
        };
        Refusal { code: Code::IllegalPosition, message: error.to_string(), problems }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.code.status(), Json(ErrorBody { error: self })).into_response()
    }
}
