//! The thread that the engine thinks on, so that the board reacts meanwhile.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use game::{HINT_TIME, guarded};
use minds::{Allowance, Choice, Control, GameEnd, Limits, Line, Mind, Reporter, SearchMind, SearchStats};
use rules::{Game, Move, Position};

use super::terminal_game::Ticket;

/// What the thread tells.
pub(crate) enum Event {
    /// The engine is ready for a game, and this is its name.
    Ready(String),
    EngineLine(Ticket, Line),
    Chose(Ticket, Result<Choice, String>),
    Hint(Ticket, Option<Move>),
}

/// What the thread is asked to do.
enum Request {
    Replace(Box<dyn Mind>),
    Begin(Position),
    Choose(Ticket, Game, Allowance, Arc<Control>),
    Hint(Ticket, Game, Arc<Control>),
    End(GameEnd),
}

/// How long an engine gets to end when the program does.
const FAREWELL: Duration = Duration::from_secs(2);

/// The thread has ended, which happens only if an engine panics while it is dropped.
pub(crate) struct Gone;

pub(crate) struct EngineThread {
    requests: Option<Sender<Request>>,
    events: Receiver<Event>,
    /// Stops what is being thought about now.
    control: Arc<Control>,
}

impl EngineThread {
    /// Starts the thread with its first engine.
    pub(crate) fn new(mind: Box<dyn Mind>) -> EngineThread {
        let (requests, incoming) = mpsc::channel();
        let (outgoing, events) = mpsc::channel();
        thread::spawn(move || think(mind, &incoming, &outgoing));
        EngineThread { requests: Some(requests), events, control: Arc::new(Control::new()) }
    }

    fn request(&self, request: Request) {
        // If the thread has ended, `event` reports it.
        if let Some(requests) = &self.requests {
            let _ = requests.send(request);
        }
    }

    /// Another engine takes over.
    pub(crate) fn replace(&mut self, mind: Box<dyn Mind>) {
        self.interrupt();
        self.request(Request::Replace(mind));
    }

    pub(crate) fn begin(&mut self, start: &Position) {
        self.interrupt();
        self.request(Request::Begin(*start));
    }

    pub(crate) fn choose(&mut self, ticket: Ticket, game: &Game, allowance: Allowance) {
        self.interrupt();
        self.control = Arc::new(Control::new());
        self.request(Request::Choose(ticket, game.clone(), allowance, Arc::clone(&self.control)));
    }

    pub(crate) fn hint(&mut self, ticket: Ticket, game: &Game) {
        self.interrupt();
        self.control = Arc::new(Control::new());
        self.request(Request::Hint(ticket, game.clone(), Arc::clone(&self.control)));
    }

    pub(crate) fn end(&mut self, ending: GameEnd) {
        self.interrupt();
        self.request(Request::End(ending));
    }

    /// Makes the engine answer at once.
    pub(crate) fn interrupt(&self) {
        self.control.stop();
    }

    /// The next event, if there is one before the time is up.
    pub(crate) fn event(&self, timeout: Duration) -> Result<Option<Event>, Gone> {
        match self.events.recv_timeout(timeout) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Gone),
        }
    }
}

/// Engines may be other programs, and get some time to end.
impl Drop for EngineThread {
    fn drop(&mut self) {
        self.interrupt();
        self.requests = None;
        let deadline = Instant::now() + FAREWELL;
        while let Ok(Some(_)) = self.event(deadline.saturating_duration_since(Instant::now())) {}
    }
}

/// The thread's work. It ends when the sender of requests is dropped.
fn think(mut mind: Box<dyn Mind>, requests: &Receiver<Request>, events: &Sender<Event>) {
    let mut adviser = None;
    // What went wrong when the game began is reported when a move is wanted.
    let mut fault: Option<String> = None;
    for request in requests {
        let event = match request {
            Request::Replace(another) => {
                mind = another;
                continue;
            }
            Request::Begin(start) => {
                fault = guarded(|| mind.new_game(&start)).err();
                Event::Ready(mind.name().to_owned())
            }
            Request::Choose(ticket, ..) if fault.is_some() => {
                Event::Chose(ticket, Err(fault.clone().unwrap_or_default()))
            }
            Request::Choose(ticket, game, allowance, control) => {
                let mut listener = Listener { ticket, events };
                Event::Chose(ticket, guarded(|| mind.choose(&game, &allowance, &control, &mut listener)))
            }
            Request::Hint(ticket, game, control) => {
                let adviser = adviser.get_or_insert_with(|| SearchMind::new(Limits::default()));
                let choice = guarded(|| adviser.choose(&game, &Allowance::time(HINT_TIME), &control, &mut ()));
                Event::Hint(ticket, choice.ok().and_then(Choice::mv))
            }
            Request::End(ending) => {
                let _ = guarded(|| {
                    mind.end_game(ending);
                    Ok(())
                });
                continue;
            }
        };
        if events.send(event).is_err() {
            break;
        }
    }
}

/// Passes the lines of a search on.
struct Listener<'a> {
    ticket: Ticket,
    events: &'a Sender<Event>,
}

impl Reporter for Listener<'_> {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        let _ = self.events.send(Event::EngineLine(self.ticket, line.clone()));
    }
}
