//! Imports: PGN files of any size, read while they arrive, by a thread of their own.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use hyper::body::Body as _;
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use utoipa::ToSchema;

use super::reading;
use super::routes::check_labels;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::{GameId, JsonBody};
use crate::games::now;
use crate::random_id;
use crate::state::{App, permit};

/// How many imports are remembered.
const REMEMBERED: usize = 100;

/// How many pieces of a body may wait to be read.
const QUEUE: usize = 16;

/// The longest name of a file.
const LONGEST_NAME: usize = 200;

/// How many problems are told.
pub(super) const MOST_PROBLEMS: usize = 20;

/// A file that is about to be sent.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportRequest {
    /// What the file is called.
    name: Option<String>,
    /// The labels that its games get.
    labels: Option<Vec<String>>,
}

/// How far an import is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ImportState {
    /// The file has not been sent yet.
    Waiting,
    Reading,
    Done,
    /// It was stopped, or the file did not arrive whole. What was read stays.
    Stopped,
    /// It cannot be read any further. What was read stays.
    Failed,
}

/// An import.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct ImportView {
    id: String,
    name: String,
    pub(super) state: ImportState,
    /// How many games are stored, the broken ones among them.
    pub(super) games: u64,
    /// How many games were not stored, because they are there already.
    pub(super) known: u64,
    /// How many games could not be read to their end.
    pub(super) broken: u64,
    /// How many bytes of the file were read.
    pub(super) bytes: u64,
    /// What was wrong, for the first games.
    pub(super) problems: Vec<ImportProblem>,
    /// The first game that was stored, or was there already.
    pub(super) first: Option<String>,
    /// Why it failed.
    pub(super) error: Option<String>,
}

/// Where a game could not be read.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct ImportProblem {
    pub(super) game: u64,
    pub(super) line: u64,
    pub(super) message: String,
}

/// An import as the server knows it.
pub(crate) struct Import {
    number: i64,
    pub(super) labels: Vec<String>,
    view: Mutex<ImportView>,
    is_stopped: AtomicBool,
    /// Whether the whole file has arrived.
    is_complete: AtomicBool,
}

impl Import {
    /// The number by which its games know it.
    pub(crate) fn number(&self) -> i64 {
        self.number
    }

    pub(super) fn view(&self) -> MutexGuard<'_, ImportView> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.is_complete.load(Relaxed)
    }
}

/// The last imports.
#[derive(Default)]
pub(crate) struct Imports(Mutex<VecDeque<Arc<Import>>>);

impl Imports {
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Import>, ApiError> {
        let imports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = imports.iter().find(|import| import.view().id == id);
        found.cloned().ok_or_else(|| ApiError::new(ErrorCode::NotFound, "there is no such import"))
    }

    fn add(&self, import: Import) -> ImportView {
        let view = import.view().clone();
        let mut imports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        imports.push_back(Arc::new(import));
        if imports.len() > REMEMBERED {
            imports.pop_front();
        }
        view
    }
}

/// The pieces of a body, for a thread that waits for them.
pub(super) struct Arriving {
    pieces: mpsc::Receiver<Bytes>,
    piece: Bytes,
    import: Arc<Import>,
}

impl Read for Arriving {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.pieces.blocking_recv() {
                Some(piece) => self.piece = piece,
                None => return Ok(0),
            }
        }
        let count = self.piece.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.piece.split_to(count));
        self.import.view().bytes += count as u64;
        Ok(count)
    }
}

#[utoipa::path(post, path = "/api/imports", tag = "library", request_body = ImportRequest,
    responses((status = 201, body = ImportView), (status = "4XX", body = ErrorBody)))]
/// Prepares an import. Its file is sent to `/api/imports/{id}/body`.
pub(crate) async fn create(
    State(app): State<App>,
    JsonBody(asked): JsonBody<ImportRequest>,
) -> Result<(StatusCode, Json<ImportView>), ApiError> {
    let name: String = asked.name.unwrap_or_default().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    let view = ImportView {
        id: random_id::game_id(),
        name,
        state: ImportState::Waiting,
        games: 0,
        known: 0,
        broken: 0,
        bytes: 0,
        problems: Vec::new(),
        first: None,
        error: None,
    };
    let import = Import {
        // Unique for ever, so that the games of an import are known after a restart.
        number: i64::try_from(now() << 16 | random_id::number() & 0xffff).unwrap_or(i64::MAX),
        labels: check_labels(asked.labels.unwrap_or_default())?,
        view: Mutex::new(view),
        is_stopped: AtomicBool::new(false),
        is_complete: AtomicBool::new(false),
    };
    Ok((StatusCode::CREATED, Json(app.shared().imports.add(import))))
}

#[utoipa::path(get, path = "/api/imports/{id}", tag = "library", params(("id" = String, Path)),
    responses((status = 200, body = ImportView), (status = "4XX", body = ErrorBody)))]
/// How far an import is.
pub(crate) async fn fetch(State(app): State<App>, GameId(id): GameId) -> Result<Json<ImportView>, ApiError> {
    let view = app.shared().imports.find(&id)?.view().clone();
    Ok(Json(view))
}

#[utoipa::path(delete, path = "/api/imports/{id}", tag = "library", params(("id" = String, Path)),
    responses((status = 204), (status = "4XX", body = ErrorBody)))]
/// Stops an import. What was read stays.
pub(crate) async fn stop(State(app): State<App>, GameId(id): GameId) -> Result<StatusCode, ApiError> {
    app.shared().imports.find(&id)?.is_stopped.store(true, Relaxed);
    Ok(StatusCode::NO_CONTENT)
}

#[utoipa::path(put, path = "/api/imports/{id}/body", tag = "library", params(("id" = String, Path)),
    request_body(content = String, content_type = "application/octet-stream"),
    responses((status = 200, body = ImportView), (status = "4XX", body = ErrorBody)))]
/// Takes the file of an import: PGN, plain or packed by gzip, Zstandard or ZIP. The answer comes when it was read.
pub(crate) async fn receive(
    State(app): State<App>,
    GameId(id): GameId,
    request: Request,
) -> Result<Json<ImportView>, ApiError> {
    let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // A page of another origin cannot send this type without a preflight request, which the server does not answer.
    if content_type != "application/octet-stream" {
        return Err(ApiError::new(ErrorCode::UnsupportedMediaType, "the body must be application/octet-stream"));
    }
    let import = app.shared().imports.find(&id)?;
    let most = app.limits().imports;
    let full = || ApiError::new(ErrorCode::TooMany, format!("{most} imports are in progress: try again"));
    let permit = permit(&app.shared().import_permits, full)?;
    {
        let mut view = import.view();
        if view.state != ImportState::Waiting {
            return Err(ApiError::conflict("the file of this import was sent already"));
        }
        view.state = ImportState::Reading;
    }
    let (pieces, incoming) = mpsc::channel(QUEUE);
    let done = start_reading(&app, &import, incoming, permit)?;
    let arrived = pass_on(request.into_body(), &app, &pieces).await;
    import.is_complete.store(arrived.is_ok(), Relaxed);
    drop(pieces);
    done.await.map_err(|_| ApiError::new(ErrorCode::Internal, "the import failed"))?;
    arrived?;
    let view = import.view().clone();
    Ok(Json(view))
}

/// Starts the thread that reads. It ends when the pieces do.
fn start_reading(
    app: &App,
    import: &Arc<Import>,
    pieces: mpsc::Receiver<Bytes>,
    permit: OwnedSemaphorePermit,
) -> Result<oneshot::Receiver<()>, ApiError> {
    let (send, done) = oneshot::channel();
    let (app, import) = (app.clone(), Arc::clone(import));
    let read = move || {
        let arriving = Arriving { pieces, piece: Bytes::new(), import: Arc::clone(&import) };
        reading::read_all(&app, &import, arriving);
        drop(permit);
        let _ = send.send(());
    };
    let started = std::thread::Builder::new().name("import".to_owned()).spawn(read);
    started.map_err(|_| ApiError::new(ErrorCode::Busy, "the server cannot start a thread"))?;
    Ok(done)
}

/// Passes the pieces of a body on, as fast as they are read. Each must arrive in time, the whole may take as long as
/// it takes.
async fn pass_on(mut body: Body, app: &App, pieces: &mpsc::Sender<Bytes>) -> Result<(), ApiError> {
    let time = app.limits().request_time;
    loop {
        let next = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let frame = match tokio::time::timeout(time, next).await {
            Ok(None) => return Ok(()),
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(_))) => return Err(ApiError::bad_request("the body is incomplete")),
            Err(_) => return Err(ApiError::bad_request(format!("nothing arrived for {} s", time.as_secs()))),
        };
        if let Ok(piece) = frame.into_data()
            && pieces.send(piece).await.is_err()
        {
            // The thread has ended: it was stopped, or cannot read any further.
            return Ok(());
        }
    }
}
