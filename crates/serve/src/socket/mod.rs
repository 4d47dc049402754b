//! The WebSocket: games as they are played, and live analysis.
//!
//! A socket is one loop that reads, writes and keeps time. What it follows (games, analyses, reviews) are tasks of their
//! own with a short queue to that loop: a client that does not read holds up nobody but itself, and what it misses is
//! replaced by what is newer, never piled up.

mod analysis;
mod message;
mod reviewing;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::task::AbortHandle;

use crate::games::{News, Room, Thought};
use crate::refusal::{Code, Refusal};
use crate::state::{App, ended, one_of};
use message::{Request, Tidings};

/// The time in which a message must be taken.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// How often we ask whether anybody is there.
const PING: Duration = Duration::from_secs(20);

/// Who says nothing for so long is gone.
const SILENCE: Duration = Duration::from_secs(60);

/// Messages that wait to be written.
const QUEUE: usize = 16;

/// The least time between two messages about the same thing.
const BETWEEN: Duration = Duration::from_millis(100);

/// The least time between a message about a game and the one after the next: an answer follows a move at once, but moves
/// come fast when two minds play.
const BETWEEN_THREE: Duration = Duration::from_millis(20);

/// Opens a socket, if there is room.
pub(crate) async fn open(
    State(app): State<App>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|error| Refusal::bad_request(error.body_text()))?;
    let most = app.limits().sockets;
    let full = || Refusal::new(Code::Busy, format!("there are {most} sockets: close one first"));
    let place = one_of(&app.shared().sockets, full)?;
    let bytes = app.limits().body_bytes;
    let upgrade = upgrade.max_message_size(bytes).max_frame_size(bytes).max_write_buffer_size(4 * bytes);
    Ok(upgrade.on_upgrade(move |socket| serve(socket, app, place)))
}

/// A task that ends when nobody cares any more.
struct Following(AbortHandle);

impl Drop for Following {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The way to the loop that writes.
#[derive(Clone)]
struct Outlet(mpsc::Sender<Message>);

impl Outlet {
    /// Tells something, when there is room for it. Returns whether anybody listens still.
    async fn tell(&self, tidings: &impl Serialize) -> bool {
        match serde_json::to_string(tidings) {
            Ok(text) => self.0.send(Message::text(text)).await.is_ok(),
            Err(_) => true,
        }
    }
}

/// One socket.
struct Visitor {
    app: App,
    outlet: Outlet,
    watched: HashMap<String, Following>,
    tasks: HashMap<String, Task>,
}

/// Something that was asked for under a name.
struct Task {
    kind: Kind,
    following: Following,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Analysis,
    Review,
}

/// How many messages may still come.
struct Allowance {
    per_second: f64,
    left: f64,
    counted: Instant,
}

impl Allowance {
    fn new(per_second: u32) -> Allowance {
        let per_second = f64::from(per_second);
        Allowance { per_second, left: 2.0 * per_second, counted: Instant::now() }
    }

    /// Takes one. Returns whether there was one.
    fn take(&mut self) -> bool {
        let now = Instant::now();
        let earned = now.duration_since(self.counted).as_secs_f64() * self.per_second;
        self.left = (self.left + earned).min(2.0 * self.per_second) - 1.0;
        self.counted = now;
        self.left >= 0.0
    }
}

async fn serve(mut socket: WebSocket, app: App, _place: OwnedSemaphorePermit) {
    let (outlet, mut outgoing) = mpsc::channel(QUEUE);
    let mut ending = app.shared().ending.clone();
    let mut allowance = Allowance::new(app.limits().messages_per_second);
    let mut visitor = Visitor { app, outlet: Outlet(outlet), watched: HashMap::new(), tasks: HashMap::new() };
    let mut pings = tokio::time::interval(PING);
    let mut heard = Instant::now();
    loop {
        let reply = tokio::select! {
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                heard = Instant::now();
                if !allowance.take() {
                    let refusal = Refusal::new(Code::TooMany, "more messages than the server reads");
                    let _ = write(&mut socket, refused(None, &refusal)).await;
                    return close(socket, close_code::POLICY, "too many messages").await;
                }
                match message {
                    Message::Text(text) => visitor.hear(text.as_str()).await,
                    Message::Binary(_) => Some(refused(None, &Refusal::bad_request("messages are text"))),
                    Message::Close(_) => return,
                    Message::Ping(_) | Message::Pong(_) => None,
                }
            }
            message = outgoing.recv() => message,
            _ = pings.tick() => {
                if heard.elapsed() > SILENCE {
                    return close(socket, close_code::AWAY, "nobody is there").await;
                }
                Some(Message::Ping(Default::default()))
            }
            () = ended(&mut ending) => {
                return close(socket, close_code::AWAY, "the server ends").await;
            }
        };
        if let Some(reply) = reply
            && !write(&mut socket, reply).await
        {
            return;
        }
    }
}

/// Writes a message. Returns whether it was taken in time.
async fn write(socket: &mut WebSocket, message: Message) -> bool {
    matches!(tokio::time::timeout(WRITE_TIME, socket.send(message)).await, Ok(Ok(())))
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code, reason: reason.into() };
    let _ = tokio::time::timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
}

fn text(tidings: &impl Serialize) -> Message {
    Message::text(serde_json::to_string(tidings).unwrap_or_default())
}

fn refused(id: Option<&str>, refusal: &Refusal) -> Message {
    text(&Tidings::Error { id, refusal })
}

impl Visitor {
    /// Does what a message asks for. What has to be said at once is returned.
    async fn hear(&mut self, message: &str) -> Option<Message> {
        let request: Request = match serde_json::from_str(message) {
            Ok(request) => request,
            Err(error) => {
                let refusal = Refusal::bad_request(format!("the message cannot be read: {error}"));
                return Some(refused(None, &refusal));
            }
        };
        match request {
            Request::Ping {} => Some(text(&Tidings::Pong)),
            Request::Watch { game } => self.watch(game).await.err().map(|refusal| refused(None, &refusal)),
            Request::Unwatch { game } => {
                self.watched.remove(&game);
                None
            }
            Request::Analyse(asked) => {
                let id = asked.id.clone();
                self.analyse(asked).err().map(|refusal| refused(Some(&id), &refusal))
            }
            Request::Review(asked) => {
                let id = asked.id.clone();
                self.review(asked).await.err().map(|refusal| refused(Some(&id), &refusal))
            }
            Request::Stop { id } => {
                self.tasks.remove(&id);
                Some(text(&Tidings::Stopped { id: &id }))
            }
        }
    }

    async fn watch(&mut self, id: String) -> Result<(), Refusal> {
        let most = self.app.limits().watched_games;
        if self.watched.len() >= most && !self.watched.contains_key(&id) {
            return Err(Refusal::new(Code::TooMany, format!("a socket watches at most {most} games")));
        }
        let room = self.app.hall().room(&id).await?;
        let (outlet, name) = (self.outlet.clone(), id.clone());
        let task = tokio::spawn(async move { follow(&room, &name, &outlet).await });
        self.watched.insert(id, Following(task.abort_handle()));
        Ok(())
    }

    /// Makes room for a task. One that has its name ends.
    fn clear(&mut self, id: &str, kind: Kind, most: usize) -> Result<(), Refusal> {
        self.tasks.remove(id);
        self.tasks.retain(|_, task| !task.following.0.is_finished());
        if self.tasks.values().filter(|task| task.kind == kind).count() >= most {
            return Err(Refusal::new(Code::TooMany, format!("a socket has at most {most} of these at once")));
        }
        Ok(())
    }

    async fn review(&mut self, asked: message::Review) -> Result<(), Refusal> {
        let id = check_id(&asked.id)?;
        self.clear(&id, Kind::Review, 1)?;
        let following = reviewing::start(&self.app, asked, self.outlet.clone()).await?;
        self.tasks.insert(id, Task { kind: Kind::Review, following });
        Ok(())
    }

    fn analyse(&mut self, asked: message::Analyse) -> Result<(), Refusal> {
        let id = check_id(&asked.id)?;
        self.clear(&id, Kind::Analysis, self.app.limits().analyses_per_socket)?;
        let following = analysis::start(&self.app, asked, self.outlet.clone())?;
        self.tasks.insert(id, Task { kind: Kind::Analysis, following });
        Ok(())
    }
}

/// The name of a task, if it can be one.
fn check_id(id: &str) -> Result<String, Refusal> {
    const LONGEST: usize = 64;
    if id.is_empty() || id.len() > LONGEST {
        return Err(Refusal::bad_request(format!("an id has 1 to {LONGEST} letters")));
    }
    Ok(id.to_owned())
}

/// Tells of a game until it is gone or nobody listens.
async fn follow(room: &Room, id: &str, outlet: &Outlet) {
    let (mut news, mut thoughts) = (room.news(), room.thoughts());
    news.mark_changed();
    thoughts.mark_unchanged();
    // When the last two messages were sent.
    let mut told: [Option<tokio::time::Instant>; 2] = [None, None];
    let mut is_open = true;
    while is_open {
        is_open = tokio::select! {
            changed = news.changed() => {
                if let [Some(before_last), _] = told {
                    tokio::time::sleep_until(before_last + BETWEEN_THREE).await;
                }
                told = [told[1], Some(tokio::time::Instant::now())];
                changed.is_ok() && tell_news(room, id, &mut news, outlet).await
            }
            changed = thoughts.changed() => changed.is_ok() && tell_thought(id, &mut thoughts, outlet).await,
        };
    }
}

async fn tell_news(room: &Room, id: &str, news: &mut watch::Receiver<News>, outlet: &Outlet) -> bool {
    let is_gone = *news.borrow_and_update() == News::Gone;
    if is_gone {
        outlet.tell(&Tidings::Gone { game: id }).await;
        return false;
    }
    let view = room.view().await;
    outlet.tell(&Tidings::Game { game: &view }).await
}

async fn tell_thought(id: &str, thoughts: &mut watch::Receiver<Option<Thought>>, outlet: &Outlet) -> bool {
    let thought = thoughts.borrow_and_update().clone();
    match thought {
        Some(thought) => outlet.tell(&Tidings::Thought { game: id, thought: &thought }).await,
        None => true,
    }
}
