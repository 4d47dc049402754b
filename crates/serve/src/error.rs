//! Error responses: a status, a code for programs, and a message for people.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rules::FenError;
use serde::Serialize;
use thiserror::Error;
use utoipa::ToSchema;

/// Why a request failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ErrorCode {
    /// The request cannot be read.
    BadRequest,
    /// The token is missing or wrong.
    Unauthorized,
    /// The request names another host or comes from another origin.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// The path exists, but not for this method.
    MethodNotAllowed,
    /// The request does not fit the state of the game.
    Conflict,
    /// The request is too long.
    TooLarge,
    /// The request is not JSON.
    UnsupportedMediaType,
    /// The position cannot be played.
    IllegalPosition,
    /// The move cannot be played.
    IllegalMove,
    /// There is no such engine, or requests may not use it.
    BadMind,
    /// There is no game in the text.
    BadPgn,
    /// A limit is reached.
    TooMany,
    /// An error of the server.
    Internal,
    /// The server cannot do it now.
    Busy,
}

impl ErrorCode {
    fn status(self) -> StatusCode {
        match self {
            ErrorCode::BadRequest => StatusCode::BAD_REQUEST,
            ErrorCode::Unauthorized => StatusCode::UNAUTHORIZED,
            ErrorCode::Forbidden => StatusCode::FORBIDDEN,
            ErrorCode::NotFound => StatusCode::NOT_FOUND,
            ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ErrorCode::Conflict => StatusCode::CONFLICT,
            ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ErrorCode::IllegalPosition | ErrorCode::IllegalMove | ErrorCode::BadMind | ErrorCode::BadPgn => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            ErrorCode::TooMany => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// An error, for programs and for people.
#[derive(Clone, Debug, Error, Serialize, ToSchema)]
#[error("{message}")]
pub(crate) struct ApiError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    /// All reasons, where there are several.
    pub(crate) problems: Vec<String>,
}

/// The body of an error response.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    error: ApiError,
}

impl ApiError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> ApiError {
        ApiError { code, message: message.into(), problems: Vec::new() }
    }

    pub(crate) fn conflict(message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorCode::Conflict, message)
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorCode::BadRequest, message)
    }

    pub(crate) fn illegal_move(error: impl std::fmt::Display) -> ApiError {
        ApiError::new(ErrorCode::IllegalMove, error.to_string())
    }

    /// The server shuts down.
    pub(crate) fn shutting_down() -> ApiError {
        ApiError::new(ErrorCode::Busy, "the server is shutting down")
    }
}

impl From<FenError> for ApiError {
    fn from(error: FenError) -> ApiError {
        let message = flaw(&error);
        let problems = match &error {
            FenError::Illegal(setup) => setup.problems().iter().map(ToString::to_string).collect(),
            _ => vec![message.clone()],
        };
        ApiError { code: ErrorCode::IllegalPosition, message, problems }
    }
}

/// What is wrong with a FEN, for players: what the field is about, not which one it is.
fn flaw(error: &FenError) -> String {
    match error {
        FenError::Fields(found) => {
            format!("a FEN has four to six parts with single spaces between them, this one has {found}")
        }
        FenError::Ranks(found) => {
            format!("a FEN has eight ranks with slashes between them, this one has {found}")
        }
        FenError::RankLength(rank, found) => format!("rank {rank} of the FEN has {found} squares instead of eight"),
        FenError::Placement(rank, letter) => {
            format!("rank {rank} of the FEN cannot be read at {:?}", letter.to_string())
        }
        FenError::Turn(text) => format!("the side to move of the FEN is {text:?}: expected w or b"),
        FenError::Castling(text) => {
            format!("the castling rights of the FEN are {text:?}: expected - or letters like KQkq, none twice")
        }
        FenError::EnPassant(text) => {
            format!("the en passant square of the FEN is {text:?}: expected - or a square like e3")
        }
        FenError::HalfmoveClock(text) => {
            format!("the half-move clock of the FEN is {text:?}: expected a number up to {}", u16::MAX)
        }
        FenError::FullmoveNumber(text) => {
            format!("the move number of the FEN is {text:?}: expected a number up to {}", u16::MAX)
        }
        // What cannot be played has reasons of its own.
        other => other.to_string(),
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match self.code {
            ErrorCode::Internal => tracing::error!(message = self.message, "a request failed"),
            code => tracing::debug!(?code, message = self.message, "refused a request"),
        }
        (self.code.status(), Json(ErrorBody { error: self })).into_response()
    }
}
