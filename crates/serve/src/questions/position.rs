//! Positions: what can be played, what a move leads to, and what is wrong with a board that somebody set up.

use axum::Json;
use axum::extract::State;
use random::Random;
use rules::{Game, Position, Setup};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ask::Ask;
use crate::place;
use crate::refusal::{ErrorBody, Refusal};
use crate::state::App;
use crate::view::{MoveView, PositionView};

/// A position: where it starts, and the moves from there.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Where {
    /// The initial position if it is left out.
    fen: Option<String>,
    /// UCI or algebraic notation.
    moves: Option<Vec<String>>,
}

/// A position and a move in it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveQuestion {
    fen: Option<String>,
    moves: Option<Vec<String>>,
    /// UCI or algebraic notation.
    #[serde(rename = "move")]
    mv: String,
}

/// A move and where it leads.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveAnswer {
    #[serde(rename = "move")]
    mv: MoveView,
    position: PositionView,
}

/// A line, move by move.
#[derive(Serialize, ToSchema)]
pub(crate) struct LineAnswer {
    start_fen: String,
    moves: Vec<MoveView>,
    position: PositionView,
}

/// A board as somebody set it up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckQuestion {
    fen: String,
}

/// What is wrong with a board, if anything is.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckAnswer {
    legal: bool,
    /// Whether one could play on all the same, although no game leads there.
    playable: bool,
    /// The position as we would write it, if it is legal.
    fen: Option<String>,
    problems: Vec<String>,
    position: Option<PositionView>,
}

/// The number of a line-up, or none to draw one by lot.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chess960Question {
    #[schema(maximum = 959)]
    number: Option<u16>,
}

/// A line-up of Chess960.
#[derive(Serialize, ToSchema)]
pub(crate) struct Chess960Answer {
    number: u16,
    fen: String,
}

#[utoipa::path(post, path = "/api/legal", tag = "questions", request_body = Where,
    responses((status = 200, body = PositionView), (status = "4XX", body = ErrorBody)))]
/// What can be played in a position.
pub(crate) async fn legal(State(app): State<App>, Ask(asked): Ask<Where>) -> Result<Json<PositionView>, Refusal> {
    let game = place::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    Ok(Json(PositionView::new(&game)))
}

#[utoipa::path(post, path = "/api/move", tag = "questions", request_body = MoveQuestion,
    responses((status = 200, body = MoveAnswer), (status = "4XX", body = ErrorBody)))]
/// What a move leads to.
pub(crate) async fn make(State(app): State<App>, Ask(asked): Ask<MoveQuestion>) -> Result<Json<MoveAnswer>, Refusal> {
    let mut game = place::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    let mv = place::mv(game.position(), &asked.mv)?;
    let view = MoveView::new(game.position(), mv);
    game.play(mv).map_err(Refusal::illegal_move)?;
    Ok(Json(MoveAnswer { mv: view, position: PositionView::new(&game) }))
}

#[utoipa::path(post, path = "/api/line", tag = "questions", request_body = Where,
    responses((status = 200, body = LineAnswer), (status = "4XX", body = ErrorBody)))]
/// A whole line at once, for browsing.
pub(crate) async fn line(State(app): State<App>, Ask(asked): Ask<Where>) -> Result<Json<LineAnswer>, Refusal> {
    let game = place::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    let (start_fen, moves) = (game.start().to_string(), MoveView::all(&game));
    Ok(Json(LineAnswer { start_fen, moves, position: PositionView::new(&game) }))
}

#[utoipa::path(post, path = "/api/check", tag = "questions", request_body = CheckQuestion,
    responses((status = 200, body = CheckAnswer), (status = "4XX", body = ErrorBody)))]
/// Everything that is wrong with a board somebody set up.
pub(crate) async fn check(Ask(asked): Ask<CheckQuestion>) -> Result<Json<CheckAnswer>, Refusal> {
    let wrong = |playable: bool, problems: Vec<String>| CheckAnswer {
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
            Ok(position) => CheckAnswer {
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

#[utoipa::path(post, path = "/api/chess960", tag = "questions", request_body = Chess960Question,
    responses((status = 200, body = Chess960Answer), (status = "4XX", body = ErrorBody)))]
/// A line-up of Chess960, by number or by lot.
pub(crate) async fn chess960(Ask(asked): Ask<Chess960Question>) -> Result<Json<Chess960Answer>, Refusal> {
    const LINE_UPS: u16 = 960;
    let number = asked.number.unwrap_or_else(|| Random::new(crate::lots::draw()).below(LINE_UPS.into()) as u16);
    let position = Position::chess960(number)
        .ok_or_else(|| Refusal::bad_request(format!("there is no line-up {number}: they go from 0 to 959")))?;
    Ok(Json(Chess960Answer { number, fen: position.to_string() }))
}
