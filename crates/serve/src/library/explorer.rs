//! The explorer: what was played in a position, in the library or in an opening book.

use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use records::polyglot::{Book, RawMove};
use rules::{Move, Position};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::view::{ListedGame, listed};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::parse;
use crate::sheet;
use crate::state::App;
use crate::store::{Explored, Results, Search};
use crate::view::OpeningView;

/// A book that all requests share. Looking something up reads a few entries of the file.
pub(crate) type SharedBook = Arc<Mutex<Book<File>>>;

/// Where the moves come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExplorerSource {
    /// The finished games of the library.
    Library,
    /// The opening book that the server was started with.
    Book,
}

/// Which position to explore.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExplorerQuery {
    /// The starting position if left out.
    fen: Option<String>,
    /// `library` if left out.
    source: Option<ExplorerSource>,
    /// Only the games of the library that this search finds, written as in `/api/library`.
    q: Option<String>,
}

/// What was played in a position.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExplorerResponse {
    fen: String,
    source: ExplorerSource,
    /// The sources that this server has.
    sources: Vec<ExplorerSource>,
    /// What the position is called.
    opening: Option<OpeningView>,
    /// How many finished games reached the position.
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    /// The moves, the most played first.
    moves: Vec<ExplorerMove>,
    /// Some of the games, the newest first.
    samples: Vec<ListedGame>,
}

/// A move and what came of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExplorerMove {
    uci: String,
    san: String,
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    /// The share of the move in a book, in percent.
    weight: Option<f64>,
    /// What the position after the move is called.
    opening: Option<OpeningView>,
}

#[utoipa::path(get, path = "/api/explorer", tag = "library", params(ExplorerQuery),
    responses((status = 200, body = ExplorerResponse), (status = "4XX", body = ErrorBody)))]
/// What was played in a position, and how the games ended.
pub(crate) async fn explore(
    State(app): State<App>,
    query: Result<Query<ExplorerQuery>, QueryRejection>,
) -> Result<Json<ExplorerResponse>, ApiError> {
    let Query(asked) = query.map_err(|error| ApiError::bad_request(error.body_text()))?;
    let position = asked.fen.as_deref().map_or(Ok(Position::initial()), parse::position);
    let position = position.map_err(|error| ApiError { message: format!("fen: {}", error.message), ..error })?;
    let source = asked.source.unwrap_or(ExplorerSource::Library);
    let book = app.shared().book.clone();
    let mut sources = vec![ExplorerSource::Library];
    sources.extend(book.as_ref().map(|_| ExplorerSource::Book));
    let mut response = ExplorerResponse {
        fen: position.to_string(),
        source,
        sources,
        opening: OpeningView::of(&position),
        games: 0,
        white: 0,
        draws: 0,
        black: 0,
        moves: Vec::new(),
        samples: Vec::new(),
    };
    match (source, book) {
        (ExplorerSource::Library, _) => {
            let store = &app.games().service().store;
            let only = asked.q.as_deref().map(Search::parse).transpose()?.filter(|search| *search != Search::default());
            let (explored, games) = store.explore(sheet::key(&position), only).await?;
            let Results { white, draws, black } = explored.results;
            (response.games, response.white, response.draws, response.black) =
                (explored.results.games(), white, draws, black);
            response.moves = library_moves(&position, &explored);
            response.samples = listed(store, games).await?;
        }
        (ExplorerSource::Book, Some(book)) => {
            response.moves = app.compute(move |_| book_moves(&position, &book)).await?;
        }
        (ExplorerSource::Book, None) => {
            return Err(ApiError::bad_request("source: the server was started without --book"));
        }
    }
    Ok(Json(response))
}

impl ExplorerMove {
    fn new(position: &Position, mv: Move, results: Results, weight: Option<f64>) -> ExplorerMove {
        ExplorerMove {
            uci: position.uci(mv),
            san: position.san(mv),
            games: results.games(),
            white: results.white,
            draws: results.draws,
            black: results.black,
            weight,
            opening: OpeningView::of(&position.play_unchecked(mv)),
        }
    }
}

fn library_moves(position: &Position, explored: &Explored) -> Vec<ExplorerMove> {
    let moves = explored.moves.iter().filter_map(|(&raw, &results)| Some((RawMove(raw).read(position)?, results)));
    let mut moves: Vec<ExplorerMove> =
        moves.map(|(mv, results)| ExplorerMove::new(position, mv, results, None)).collect();
    moves.sort_by_key(|mv| std::cmp::Reverse(mv.games));
    moves
}

fn book_moves(position: &Position, book: &SharedBook) -> Result<Vec<ExplorerMove>, ApiError> {
    let moves = book.lock().unwrap_or_else(PoisonError::into_inner).moves(position);
    let moves = moves.map_err(|error| ApiError::new(ErrorCode::Internal, format!("the book: {error}")))?.0;
    let total: f64 = moves.iter().map(|candidate| f64::from(candidate.weight)).sum();
    let share = |weight: u16| if total > 0.0 { 100.0 * f64::from(weight) / total } else { 0.0 };
    let view = |candidate: &records::polyglot::BookMove| {
        ExplorerMove::new(position, candidate.mv, Results::default(), Some(share(candidate.weight)))
    };
    Ok(moves.iter().map(view).collect())
}
