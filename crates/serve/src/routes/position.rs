//! Positions: legal moves, the position after a move, and what is wrong with a board.

use axum::Json;
use axum::extract::State;
use random::Random;
use rules::{Game, Position, Setup};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::extract::JsonBody;
use crate::parse;
use crate::state::App;
use crate::view::{MoveView, PositionView};

/// A position: a FEN, and the moves from there.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionRequest {
    /// The starting position by default.
    fen: Option<String>,
    /// UCI or algebraic notation.
    moves: Option<Vec<String>>,
}

/// A position and a move in it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveRequest {
    fen: Option<String>,
    moves: Option<Vec<String>>,
    /// UCI or algebraic notation.
    #[serde(rename = "move")]
    mv: String,
}

/// A move and the position after it.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveResponse {
    #[serde(rename = "move")]
    mv: MoveView,
    position: PositionView,
}

/// A line, move by move.
#[derive(Serialize, ToSchema)]
pub(crate) struct LineResponse {
    start_fen: String,
    moves: Vec<MoveView>,
    position: PositionView,
}

/// A board to be checked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    fen: String,
}

/// What is wrong with a board.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckResponse {
    legal: bool,
    /// Whether it can be played all the same, although no game leads there.
    playable: bool,
    /// The normalised FEN, if the position is legal.
    fen: Option<String>,
    problems: Vec<String>,
    position: Option<PositionView>,
}

/// The number of a starting position of Chess960; random by default.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chess960Request {
    #[schema(maximum = 959)]
    number: Option<u16>,
}

/// A starting position of Chess960.
#[derive(Serialize, ToSchema)]
pub(crate) struct Chess960Response {
    number: u16,
    fen: String,
}

#[utoipa::path(post, path = "/api/legal", tag = "tools", request_body = PositionRequest,
    responses((status = 200, body = PositionView), (status = "4XX", body = ErrorBody)))]
/// A position and its legal moves.
pub(crate) async fn legal(
    State(app): State<App>,
    JsonBody(asked): JsonBody<PositionRequest>,
) -> Result<Json<PositionView>, ApiError> {
    let game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    Ok(Json(PositionView::new(&game)))
}

#[utoipa::path(post, path = "/api/move", tag = "tools", request_body = MoveRequest,
    responses((status = 200, body = MoveResponse), (status = "4XX", body = ErrorBody)))]
/// The position after a move.
pub(crate) async fn make(
    State(app): State<App>,
    JsonBody(asked): JsonBody<MoveRequest>,
) -> Result<Json<MoveResponse>, ApiError> {
    let mut game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    let mv = parse::mv(game.position(), &asked.mv)?;
    let view = MoveView::new(game.position(), mv);
    game.play(mv).map_err(ApiError::illegal_move)?;
    Ok(Json(MoveResponse { mv: view, position: PositionView::new(&game) }))
}

#[utoipa::path(post, path = "/api/line", tag = "tools", request_body = PositionRequest,
    responses((status = 200, body = LineResponse), (status = "4XX", body = ErrorBody)))]
/// All positions of a line.
pub(crate) async fn line(
    State(app): State<App>,
    JsonBody(asked): JsonBody<PositionRequest>,
) -> Result<Json<LineResponse>, ApiError> {
    let game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    let (start_fen, moves) = (game.start().to_string(), MoveView::all(&game));
    Ok(Json(LineResponse { start_fen, moves, position: PositionView::new(&game) }))
}

#[utoipa::path(post, path = "/api/check", tag = "tools", request_body = CheckRequest,
    responses((status = 200, body = CheckResponse), (status = "4XX", body = ErrorBody)))]
/// Everything that is wrong with a board.
pub(crate) async fn check(JsonBody(asked): JsonBody<CheckRequest>) -> Result<Json<CheckResponse>, ApiError> {
    let wrong = |playable: bool, problems: Vec<String>| CheckResponse {
        legal: false,
        playable,
        fen: None,
        problems,
        position: None,
    };
    let answer = match asked.fen.trim().parse::<Setup>() {
        Err(error) => wrong(false, vec![error.to_string()]),
        Ok(setup) => match setup.position() {
            Err(illegal) => {
                let problems = illegal.problems().iter().map(ToString::to_string).collect();
                wrong(setup.playable_position().is_ok(), problems)
            }
            Ok(position) => CheckResponse {
                legal: true,
                playable: true,
                fen: Some(position.to_string()),
                problems: Vec::new(),
                position: Some(PositionView::new(&Game::new(position))),
            },
        },
    };
    Ok(Json(answer))
}

#[utoipa::path(post, path = "/api/chess960", tag = "tools", request_body = Chess960Request,
    responses((status = 200, body = Chess960Response), (status = "4XX", body = ErrorBody)))]
/// A starting position of Chess960, by number or random.
pub(crate) async fn chess960(JsonBody(asked): JsonBody<Chess960Request>) -> Result<Json<Chess960Response>, ApiError> {
    const POSITIONS: u16 = 960;
    let number = asked.number.unwrap_or_else(|| Random::new(crate::random_id::number()).below(POSITIONS.into()) as u16);
    let position = Position::chess960(number).ok_or_else(|| {
        ApiError::bad_request(format!("there is no Chess960 position {number}: the numbers are 0 to 959"))
    })?;
    Ok(Json(Chess960Response { number, fen: position.to_string() }))
}
