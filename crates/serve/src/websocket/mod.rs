//! The WebSocket: games as they are played, live analysis, reviews and long counts.
//!
//! Each connection is one loop that reads, writes and keeps time. The games, analyses and so on that it follows are
//! tasks with a short queue to that loop. A client that does not read delays only itself, and what it misses is
//! replaced by what is newer, never piled up.

mod analysis;
mod collector;
pub(crate) mod message;
mod perft;
mod review;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::task::AbortHandle;

use crate::error::{ApiError, ErrorCode};
use crate::games::{GameChange, GameEvent, GameRoom, GameView, Thought};
use crate::routes::perft::PerftRequest;
use crate::state::{App, StopOnDrop, permit, stopped};
use crate::view::ShownMove;
use message::{ClientMessage, ServerMessage};

/// The time in which a message must be sent.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// The time in which a client must close a connection that the server ends.
const CLOSE_TIME: Duration = Duration::from_secs(1);

/// The time between two pings.
const PING: Duration = Duration::from_secs(20);

/// A client that sends nothing for so long, not even a pong, is gone.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(60);

/// How many messages may wait to be sent.
const QUEUE: usize = 16;

/// The least time between two messages about the same task.
const MESSAGE_INTERVAL: Duration = Duration::from_millis(100);

/// The least time between a message about a game and the one after the next. So an answer follows a move at once, but
/// the moves of two fast engines do not flood the client.
const GAME_INTERVAL: Duration = Duration::from_millis(20);

/// How far a long task is.
#[derive(Clone)]
enum Update<T> {
    Progress { done: usize, total: usize },
    Done(T),
}

/// Sends the newest state of a task at a limited rate, and the last one in any case.
async fn forward<T: Clone>(
    id: &str,
    mut receive: watch::Receiver<Option<Update<T>>>,
    outbox: &Outbox,
    stop: StopOnDrop,
    message: for<'m> fn(&'m str, &'m Update<T>) -> ServerMessage<'m>,
) {
    while receive.changed().await.is_ok() {
        let newest = receive.borrow_and_update().clone();
        if let Some(update) = newest {
            let is_open = outbox.send(&message(id, &update)).await;
            if !is_open || matches!(update, Update::Done(_)) {
                break;
            }
        }
        tokio::time::sleep(MESSAGE_INTERVAL).await;
    }
    drop(stop);
}

/// Opens a WebSocket, if there are fewer than the limit.
pub(crate) async fn open(
    State(app): State<App>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|error| ApiError::bad_request(error.body_text()))?;
    let most = app.limits().sockets;
    let full = || ApiError::new(ErrorCode::Busy, format!("there are {most} WebSockets: close one first"));
    let permit = permit(&app.shared().sockets, full)?;
    let bytes = app.limits().body_bytes;
    let upgrade = upgrade.max_message_size(bytes).max_frame_size(bytes).max_write_buffer_size(4 * bytes);
    Ok(upgrade.on_upgrade(move |socket| serve(socket, app, permit)))
}

/// Aborts a task when it is dropped.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Sends messages to the loop that writes.
#[derive(Clone)]
struct Outbox(mpsc::Sender<Message>);

impl Outbox {
    /// Queues a message, when there is room for it. Returns whether the connection is still open.
    async fn send(&self, message: &impl Serialize) -> bool {
        self.queue(serialized(message)).await
    }

    /// The same for a message that was serialized already.
    async fn queue(&self, message: Message) -> bool {
        self.0.send(message).await.is_ok()
    }
}

/// One WebSocket connection.
struct Connection {
    app: App,
    outbox: Outbox,
    watched: HashMap<String, AbortOnDrop>,
    tasks: HashMap<String, Task>,
}

/// An analysis, a review or a count, known by the client's id.
struct Task {
    kind: Kind,
    handle: AbortOnDrop,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Analysis,
    Review,
    Perft,
}

/// A token bucket that limits the rate of messages.
struct RateLimit {
    per_second: f64,
    left: f64,
    counted: Instant,
}

impl RateLimit {
    fn new(per_second: u32) -> RateLimit {
        let per_second = f64::from(per_second);
        RateLimit { per_second, left: 2.0 * per_second, counted: Instant::now() }
    }

    /// Takes a token. Returns whether there was one.
    fn take(&mut self) -> bool {
        let now = Instant::now();
        let earned = now.duration_since(self.counted).as_secs_f64() * self.per_second;
        self.left = (self.left + earned).min(2.0 * self.per_second) - 1.0;
        self.counted = now;
        self.left >= 0.0
    }
}

async fn serve(mut socket: WebSocket, app: App, _permit: OwnedSemaphorePermit) {
    let (outbox, mut outgoing) = mpsc::channel(QUEUE);
    let mut shutdown = app.shared().shutdown.clone();
    let mut rate_limit = RateLimit::new(app.limits().messages_per_second);
    let mut connection = Connection { app, outbox: Outbox(outbox), watched: HashMap::new(), tasks: HashMap::new() };
    let mut pings = tokio::time::interval(PING);
    let mut last_heard = Instant::now();
    loop {
        let reply = tokio::select! {
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                last_heard = Instant::now();
                if !rate_limit.take() {
                    let error = ApiError::new(ErrorCode::TooMany, "too many messages");
                    let _ = write(&mut socket, error_message(None, &error)).await;
                    tracing::warn!("closed a WebSocket that sent too many messages");
                    return close(socket, close_code::POLICY, "too many messages").await;
                }
                match message {
                    Message::Text(text) => connection.handle(text.as_str()).await,
                    Message::Binary(_) => Some(error_message(None, &ApiError::bad_request("messages must be text"))),
                    Message::Close(_) => return,
                    Message::Ping(_) | Message::Pong(_) => None,
                }
            }
            message = outgoing.recv() => message,
            _ = pings.tick() => {
                if last_heard.elapsed() > CLIENT_TIMEOUT {
                    tracing::debug!("closed a WebSocket without a sign of life");
                    return close(socket, close_code::AWAY, "the client does not answer").await;
                }
                Some(Message::Ping(Default::default()))
            }
            () = stopped(&mut shutdown) => {
                return close(socket, close_code::AWAY, "the server shuts down").await;
            }
        };
        if let Some(reply) = reply
            && !write(&mut socket, reply).await
        {
            tracing::warn!("dropped a WebSocket that does not take its messages");
            return;
        }
    }
}

/// Sends a message. Returns whether it was sent in time.
async fn write(socket: &mut WebSocket, message: Message) -> bool {
    matches!(tokio::time::timeout(WRITE_TIME, socket.send(message)).await, Ok(Ok(())))
}

/// Says why the connection ends, then reads on until the client has closed it too. A socket that is closed while
/// something is unread is reset, and the client may never see the reason.
async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code, reason: reason.into() };
    let handshake = async {
        if socket.send(Message::Close(Some(frame))).await.is_ok() {
            while let Some(Ok(_)) = socket.recv().await {}
        }
    };
    let _ = tokio::time::timeout(CLOSE_TIME, handshake).await;
}

fn serialized(message: &impl Serialize) -> Message {
    Message::text(serde_json::to_string(message).unwrap_or_default())
}

fn error_message(id: Option<&str>, error: &ApiError) -> Message {
    serialized(&ServerMessage::Error { id, error })
}

impl Connection {
    /// Handles a message. Returns the reply that is due at once, if any.
    async fn handle(&mut self, message: &str) -> Option<Message> {
        let request: ClientMessage = match serde_json::from_str(message) {
            Ok(request) => request,
            Err(error) => {
                let error = ApiError::bad_request(format!("the message cannot be read: {error}"));
                return Some(error_message(None, &error));
            }
        };
        match request {
            ClientMessage::Ping {} => Some(serialized(&ServerMessage::Pong)),
            ClientMessage::Watch { game, changes } => {
                let detail = if changes == Some(true) { Detail::Changes } else { Detail::Games };
                self.watch(game, detail).await.err().map(|error| error_message(None, &error))
            }
            ClientMessage::Play { id, game, mv, ply } => {
                self.play(&game, mv, ply).await.err().map(|error| error_message(Some(&id), &error))
            }
            ClientMessage::Unwatch { game } => {
                self.watched.remove(&game);
                None
            }
            ClientMessage::Analyse(asked) => {
                let id = asked.id.clone();
                self.analyse(asked).err().map(|error| error_message(Some(&id), &error))
            }
            ClientMessage::Review(asked) => {
                let id = asked.id.clone();
                self.review(asked).await.err().map(|error| error_message(Some(&id), &error))
            }
            ClientMessage::Perft { id, request } => {
                self.perft(&id, &request).err().map(|error| error_message(Some(&id), &error))
            }
            ClientMessage::Stop { id } => {
                self.tasks.remove(&id);
                Some(serialized(&ServerMessage::Stopped { id: &id }))
            }
        }
    }

    async fn play(&self, game: &str, mv: String, ply: Option<usize>) -> Result<(), ApiError> {
        let room = self.app.games().room(game).await?;
        room.change(move |game, now| game.play(&mv, ply, now)).await.map(drop)
    }

    async fn watch(&mut self, id: String, detail: Detail) -> Result<(), ApiError> {
        let most = self.app.limits().watched_games;
        if self.watched.len() >= most && !self.watched.contains_key(&id) {
            return Err(ApiError::new(ErrorCode::TooMany, format!("a socket watches at most {most} games")));
        }
        let room = self.app.games().room(&id).await?;
        let (outbox, name) = (self.outbox.clone(), id.clone());
        let task = tokio::spawn(async move { follow(&room, &name, detail, &outbox).await });
        self.watched.insert(id, AbortOnDrop(task.abort_handle()));
        Ok(())
    }

    /// Makes room for a task. A task with the same id ends.
    fn make_room(&mut self, id: &str, kind: Kind, most: usize) -> Result<(), ApiError> {
        self.tasks.remove(id);
        self.tasks.retain(|_, task| !task.handle.0.is_finished());
        if self.tasks.values().filter(|task| task.kind == kind).count() >= most {
            return Err(ApiError::new(ErrorCode::TooMany, format!("a socket has at most {most} of these at once")));
        }
        Ok(())
    }

    async fn review(&mut self, asked: message::ReviewRequest) -> Result<(), ApiError> {
        let id = check_id(&asked.id)?;
        self.make_room(&id, Kind::Review, 1)?;
        let handle = review::start(&self.app, asked, self.outbox.clone()).await?;
        self.tasks.insert(id, Task { kind: Kind::Review, handle });
        Ok(())
    }

    fn perft(&mut self, id: &str, asked: &PerftRequest) -> Result<(), ApiError> {
        let id = check_id(id)?;
        self.make_room(&id, Kind::Perft, self.app.limits().counts_per_socket)?;
        let handle = perft::start(&self.app, id.clone(), asked, self.outbox.clone())?;
        self.tasks.insert(id, Task { kind: Kind::Perft, handle });
        Ok(())
    }

    fn analyse(&mut self, asked: message::Analyse) -> Result<(), ApiError> {
        let id = check_id(&asked.id)?;
        self.make_room(&id, Kind::Analysis, self.app.limits().analyses_per_socket)?;
        let handle = analysis::start(&self.app, &asked, self.outbox.clone())?;
        self.tasks.insert(id, Task { kind: Kind::Analysis, handle });
        Ok(())
    }
}

/// Checks the id that a client gave to a task.
fn check_id(id: &str) -> Result<String, ApiError> {
    const LONGEST: usize = 64;
    if id.is_empty() || id.len() > LONGEST {
        return Err(ApiError::bad_request(format!("an id has 1 to {LONGEST} letters")));
    }
    Ok(id.to_owned())
}

/// Sends a game after every change, until it is deleted or the connection closes.
async fn follow(room: &GameRoom, id: &str, detail: Detail, outbox: &Outbox) {
    let mut known = Known::default();
    let (mut events, mut thoughts) = (room.events(), room.thoughts());
    events.mark_changed();
    thoughts.mark_unchanged();
    // When the last two messages were sent.
    let mut sent: [Option<tokio::time::Instant>; 2] = [None, None];
    let mut is_open = true;
    while is_open {
        is_open = tokio::select! {
            changed = events.changed() => {
                if let [Some(before_last), _] = sent {
                    tokio::time::sleep_until(before_last + GAME_INTERVAL).await;
                }
                sent = [sent[1], Some(tokio::time::Instant::now())];
                changed.is_ok() && send_game(room, id, detail, &mut known, &mut events, outbox).await
            }
            changed = thoughts.changed() => changed.is_ok() && send_thought(id, &mut thoughts, outbox).await,
        };
    }
}

/// What a watcher is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// The whole game after every change.
    Games,
    /// The whole game once, and then what changed.
    Changes,
}

/// What a watcher knows of a game.
#[derive(Default)]
struct Known {
    revision: Option<u64>,
    moves: Vec<ShownMove>,
}

async fn send_game(
    room: &GameRoom,
    id: &str,
    detail: Detail,
    known: &mut Known,
    events: &mut watch::Receiver<GameEvent>,
    outbox: &Outbox,
) -> bool {
    let is_deleted = *events.borrow_and_update() == GameEvent::Gone;
    if is_deleted {
        outbox.send(&ServerMessage::Gone { game: id }).await;
        return false;
    }
    let follows = known.revision.filter(|_| detail == Detail::Changes);
    let moves = std::mem::take(&mut known.moves);
    let (message, next) = room
        .read(|game| {
            let next = Known { revision: Some(game.record().revision), moves: game.shown().to_vec() };
            let now = Instant::now();
            let message = match follows {
                Some(follows) => {
                    let change = GameChange::new(game, follows, &moves, now);
                    serialized(&ServerMessage::Change { game: id, change: &change })
                }
                None => serialized(&ServerMessage::Game { game: &GameView::new(game, now) }),
            };
            (message, next)
        })
        .await;
    *known = next;
    outbox.queue(message).await
}

async fn send_thought(id: &str, thoughts: &mut watch::Receiver<Option<Thought>>, outbox: &Outbox) -> bool {
    let thought = thoughts.borrow_and_update().clone();
    match thought {
        Some(thought) => outbox.send(&ServerMessage::Thought { game: id, thought: &thought }).await,
        None => true,
    }
}
