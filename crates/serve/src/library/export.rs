//! Games as a stream of PGN, however many there are.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use serde::Deserialize;
use tokio::sync::mpsc;
use utoipa::IntoParams;

use super::selection::{SelectionRequest, search};
use crate::error::{ApiError, ErrorBody};
use crate::extract::JsonBody;
use crate::sheet::SheetText;
use crate::state::App;
use crate::store::{GameRow, Selection};

/// How many games are read at once.
const CHUNK: u32 = 200;

/// How many pieces may wait to be sent.
const QUEUE: usize = 2;

/// Which games to write.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportQuery {
    q: Option<String>,
    fen: Option<String>,
}

/// A body whose pieces come through a channel.
struct Pieces(mpsc::Receiver<Result<Bytes, ApiError>>);

impl hyper::body::Body for Pieces {
    type Data = Bytes;
    type Error = ApiError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, ApiError>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}

#[utoipa::path(get, path = "/api/library/export", tag = "library", params(ExportQuery),
    responses((status = 200, content_type = "application/x-chess-pgn", body = String), (status = "4XX", body = ErrorBody)))]
/// All games that a search finds, as PGN.
pub(crate) async fn export(
    State(app): State<App>,
    query: Result<Query<ExportQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(asked) = query.map_err(|error| ApiError::bad_request(error.body_text()))?;
    let search = search(asked.q.as_deref(), asked.fen.as_deref())?;
    Ok(stream(app, Selection::Search(search)))
}

#[utoipa::path(post, path = "/api/library/export", tag = "library", request_body = SelectionRequest,
    responses((status = 200, content_type = "application/x-chess-pgn", body = String), (status = "4XX", body = ErrorBody)))]
/// Selected games as PGN.
pub(crate) async fn export_selection(
    State(app): State<App>,
    JsonBody(asked): JsonBody<SelectionRequest>,
) -> Result<Response, ApiError> {
    let selection = asked.selection(&app)?;
    Ok(stream(app, selection))
}

fn stream(app: App, selection: Selection) -> Response {
    let (send, receive) = mpsc::channel(QUEUE);
    tokio::spawn(async move {
        if let Err(error) = write_all(&app, selection, &send).await {
            let _ = send.send(Err(error)).await;
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"saavedra.pgn\""),
    ];
    (headers, Body::new(Pieces(receive))).into_response()
}

/// Sends games until there are no more, or the client has gone.
async fn write_all(
    app: &App,
    selection: Selection,
    send: &mpsc::Sender<Result<Bytes, ApiError>>,
) -> Result<(), ApiError> {
    let mut last = i64::MIN;
    loop {
        let games = app.games().service().store.texts(selection.clone(), last, CHUNK).await?;
        let Some((row, _)) = games.last() else { return Ok(()) };
        last = row.number;
        let text = app.compute(move |_| Ok(games.iter().map(written).collect::<String>())).await?;
        if send.send(Ok(text.into())).await.is_err() {
            return Ok(());
        }
    }
}

/// A game with an empty line after it. One in progress is not written.
fn written((row, text): &(GameRow, Option<SheetText>)) -> String {
    match text.as_ref().map(|text| text.tree(row.result)) {
        Some(Ok(tree)) => format!("{tree}\n"),
        Some(Err(error)) => {
            tracing::error!(%error, row.id, "a stored game cannot be read");
            String::new()
        }
        None => String::new(),
    }
}
