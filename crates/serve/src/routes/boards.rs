//! The memory of the boards after a line of moves, and what the last move did to it.

use std::str::FromStr;

use axum::Json;
use axum::extract::State;
use classic::inspect::{InspectRequest, Inspection, StepSelection};
use classic::{BoardKind, StandardSetup, UciMove};
use rules::Setup;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::extract::JsonBody;
use crate::parse;
use crate::state::App;

/// A line of moves, and which boards to look into.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardsRequest {
    fen: Option<String>,
    moves: Option<Vec<String>>,
    /// `mailbox`, `packed`, `movemap`, `bitboard`; all four by default.
    #[schema(max_items = 4)]
    boards: Option<Vec<String>>,
    /// Where to flip a bit: a square, a place such as `list[12]`, or `any`.
    corrupt: Option<String>,
    /// Which of the bits there; 1 by default.
    seed: Option<u64>,
}

/// The memory of each board.
#[derive(Serialize, ToSchema)]
pub(crate) struct BoardsResponse {
    boards: Vec<Inspection>,
}

/// The boards in the order in which to read them.
const ALL: [BoardKind; 4] = [BoardKind::Mailbox, BoardKind::Packed, BoardKind::Movemap, BoardKind::Bitboard];

#[utoipa::path(post, path = "/api/boards", tag = "tools", request_body = BoardsRequest,
    responses((status = 200, body = BoardsResponse), (status = "4XX", body = ErrorBody)))]
/// How boards keep a position in memory, and what the last move changed.
pub(crate) async fn boards(
    State(app): State<App>,
    JsonBody(asked): JsonBody<BoardsRequest>,
) -> Result<Json<BoardsResponse>, ApiError> {
    let game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    let refused = |error: &dyn std::fmt::Display| ApiError::bad_request(error.to_string());
    // A FEN may tell of an en-passant square that no pawn can use. Some boards keep it, so it is read again.
    let setup = asked.fen.as_deref().map_or(Ok(Setup::initial()), |fen| fen.trim().parse::<Setup>())?;
    let start = StandardSetup::try_from(setup).map_err(|error| refused(&error))?;
    let spelled = game.positions().iter().zip(game.moves()).map(|(position, &mv)| position.uci(mv).parse());
    let moves: Vec<UciMove> = spelled.collect::<Result<_, _>>().map_err(|error| refused(&error))?;
    let kinds = kinds(asked.boards.as_deref())?;
    let inspect = move |kind: BoardKind| {
        let corrupt = asked.corrupt.as_deref().map(|place| (place, asked.seed.unwrap_or(1)));
        let question = InspectRequest { steps: StepSelection::Last, corrupt, ..InspectRequest::new(&start, &moves) };
        kind.inspect(&question).map_err(|error| ApiError::bad_request(format!("{kind}: {error}")))
    };
    let work = move || kinds.into_iter().map(inspect).collect::<Result<_, _>>();
    app.compute(move |_| Ok(BoardsResponse { boards: work()? })).await.map(Json)
}

/// The boards that are asked for, each at most once.
fn kinds(asked: Option<&[String]>) -> Result<Vec<BoardKind>, ApiError> {
    let Some(names) = asked else { return Ok(ALL.to_vec()) };
    let mut kinds = Vec::new();
    for name in names {
        let name: String = name.chars().take(40).collect();
        let kind = BoardKind::from_str(&name).map_err(|error| ApiError::bad_request(error.to_string()))?;
        if kinds.contains(&kind) {
            return Err(ApiError::bad_request(format!("{kind} is asked for twice")));
        }
        kinds.push(kind);
    }
    Ok(kinds)
}
