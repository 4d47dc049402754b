//! The thread on which minds think, so that the board stays alive meanwhile.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use minds::{Allowance, Choice, Control, Ending, Fault, Limits, Line, Mind, Reporter, SearchMind, SearchStats};
use rules::{Game, Move, Position};

use super::session::Ticket;

/// What the thread has to tell.
pub(crate) enum Event {
    /// The mind is ready for a game, and this is its name.
    Ready(String),
    Thought(Ticket, Line),
    Chose(Ticket, Result<Choice, String>),
    Hint(Ticket, Option<Move>),
}

/// What the thread is asked to do.
enum Order {
    Summon(Box<dyn Mind>),
    Begin(Position),
    Choose(Ticket, Game, Allowance, Arc<Control>),
    Hint(Ticket, Game, Arc<Control>),
    End(Ending),
}

/// How long a hint is thought about.
const HINT_TIME: Duration = Duration::from_millis(700);

/// How long we wait at the end for minds to pack up.
const FAREWELL: Duration = Duration::from_secs(2);

/// The thread has ended, which only a mind that cannot even be dropped brings about.
pub(crate) struct Gone;

pub(crate) struct Thinker {
    orders: Option<Sender<Order>>,
    events: Receiver<Event>,
    /// The switch of what is being thought about now.
    control: Arc<Control>,
}

impl Thinker {
    /// Starts the thread with its first mind.
    pub(crate) fn new(mind: Box<dyn Mind>) -> Thinker {
        let (orders, incoming) = mpsc::channel();
        let (outgoing, events) = mpsc::channel();
        thread::spawn(move || think(mind, &incoming, &outgoing));
        Thinker { orders: Some(orders), events, control: Arc::new(Control::new()) }
    }

    fn order(&self, order: Order) {
        // If the thread is gone, its silence will be noticed where answers are awaited.
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }

    /// Lets another mind take over.
    pub(crate) fn summon(&mut self, mind: Box<dyn Mind>) {
        self.interrupt();
        self.order(Order::Summon(mind));
    }

    pub(crate) fn begin(&mut self, start: &Position) {
        self.interrupt();
        self.order(Order::Begin(*start));
    }

    pub(crate) fn choose(&mut self, ticket: Ticket, game: &Game, allowance: Allowance) {
        self.interrupt();
        self.control = Arc::new(Control::new());
        self.order(Order::Choose(ticket, game.clone(), allowance, Arc::clone(&self.control)));
    }

    pub(crate) fn hint(&mut self, ticket: Ticket, game: &Game) {
        self.interrupt();
        self.control = Arc::new(Control::new());
        self.order(Order::Hint(ticket, game.clone(), Arc::clone(&self.control)));
    }

    pub(crate) fn end(&mut self, ending: Ending) {
        self.interrupt();
        self.order(Order::End(ending));
    }

    /// Makes whoever thinks answer at once.
    pub(crate) fn interrupt(&self) {
        self.control.stop();
    }

    /// The next thing told, if there is any before the time is up.
    pub(crate) fn event(&self, patience: Duration) -> Result<Option<Event>, Gone> {
        match self.events.recv_timeout(patience) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Gone),
        }
    }
}

/// Minds may hold other programs, and get some time to end them.
impl Drop for Thinker {
    fn drop(&mut self) {
        self.interrupt();
        self.orders = None;
        let deadline = Instant::now() + FAREWELL;
        while let Ok(Some(_)) = self.event(deadline.saturating_duration_since(Instant::now())) {}
    }
}

/// The thread's work. It ends when nobody can give orders any more.
fn think(mut mind: Box<dyn Mind>, orders: &Receiver<Order>, events: &Sender<Event>) {
    let mut adviser = None;
    // What went wrong when the game began is told when a move is wanted.
    let mut fault: Option<String> = None;
    for order in orders {
        let event = match order {
            Order::Summon(another) => {
                mind = another;
                continue;
            }
            Order::Begin(start) => {
                fault = guarded(|| mind.new_game(&start)).err();
                Event::Ready(mind.name().to_owned())
            }
            Order::Choose(ticket, ..) if fault.is_some() => {
                Event::Chose(ticket, Err(fault.clone().unwrap_or_default()))
            }
            Order::Choose(ticket, game, allowance, control) => {
                let mut listener = Listener { ticket, events };
                Event::Chose(ticket, guarded(|| mind.choose(&game, &allowance, &control, &mut listener)))
            }
            Order::Hint(ticket, game, control) => {
                let adviser = adviser.get_or_insert_with(|| SearchMind::new(Limits::default()));
                let choice = guarded(|| adviser.choose(&game, &Allowance::time(HINT_TIME), &control, &mut ()));
                Event::Hint(ticket, choice.ok().and_then(Choice::mv))
            }
            Order::End(ending) => {
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

/// What a mind answers, its panics told as faults like any other.
fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, String> {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|fault| fault.to_string()),
        Err(_) => Err("the mind broke down".to_owned()),
    }
}

/// Passes lines of thought on.
struct Listener<'a> {
    ticket: Ticket,
    events: &'a Sender<Event>,
}

impl Reporter for Listener<'_> {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        let _ = self.events.send(Event::Thought(self.ticket, line.clone()));
    }
}
