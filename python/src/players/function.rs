//! A Python function as a mind.
//!
//! The mind runs on a thread of the arena and asks; the function is called by the Python thread that waits for the
//! match. So a function never runs on a thread that Python does not know, two functions never run at once, and Ctrl-C
//! reaches a function that does not return.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use minds::{Allowance, Choice, Control, Fault, FaultKind, Mind, Reporter};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rules::{Color, Game, Position};
use search::{Clock, Limits};

use crate::board::board_of;
use crate::moves::PyMove;
use crate::state::State;

/// A question to a function.
pub(super) struct Question {
    /// Which function is asked.
    pub(super) function: usize,
    game: Game,
    limits: Limits,
    answer: SyncSender<Answer>,
}

/// What the function chose, and how long it took.
struct Answer {
    choice: Result<Choice, FaultKind>,
    time: Duration,
}

/// Brings a question to the Python thread; false if that does not listen any more.
type Ask = Box<dyn Fn(Box<Question>) -> bool + Send>;

/// A Python function as a mind.
pub(super) struct FunctionMind {
    name: String,
    function: usize,
    ask: Ask,
    time: Option<Duration>,
}

impl FunctionMind {
    pub(super) fn new(name: &str, function: usize, ask: Ask) -> FunctionMind {
        FunctionMind { name: name.to_owned(), function, ask, time: None }
    }
}

impl Mind for FunctionMind {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        _control: &Control,
        _reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        let (answer, heard) = sync_channel(1);
        let (game, limits) = (game.clone(), allowance.limits.clone());
        (self.ask)(Box::new(Question { function: self.function, game, limits, answer }));
        // The question, and with it the other end, is dropped when the Python thread does not listen any more.
        let Ok(Answer { choice, time }) = heard.recv() else {
            return Err(Fault::new(&self.name, FaultKind::Refused { text: "it was interrupted".to_owned() }));
        };
        self.time = Some(time);
        choice.map_err(|kind| Fault::new(&self.name, kind))
    }

    fn time_taken(&self) -> Option<Duration> {
        self.time
    }
}

impl Question {
    /// Calls the function and answers. An exception forfeits the game, unless it is one that ends programs, such as
    /// `KeyboardInterrupt`, which is raised.
    pub(super) fn put(self: Box<Self>, function: &Bound<'_, PyAny>) -> Result<(), (Box<Question>, PyErr)> {
        self.put_to(function, |error| error.is_instance_of::<PyException>(function.py()))
    }

    /// The same, but every exception is raised.
    pub(super) fn put_strictly(self: Box<Self>, function: &Bound<'_, PyAny>) -> Result<(), (Box<Question>, PyErr)> {
        self.put_to(function, |_| false)
    }

    fn put_to(
        self: Box<Self>,
        function: &Bound<'_, PyAny>,
        forfeits: impl Fn(&PyErr) -> bool,
    ) -> Result<(), (Box<Question>, PyErr)> {
        let py = function.py();
        let started = Instant::now();
        let called = self.arguments(py).and_then(|arguments| function.call1(arguments));
        let time = started.elapsed();
        let choice = match called {
            Ok(answer) => self.read(&answer),
            Err(error) if forfeits(&error) => Err(FaultKind::Crashed { last_words: format!("it raised {error}") }),
            Err(error) => return Err((self, error)),
        };
        // The mind waits for it.
        let _ = self.answer.send(Answer { choice, time });
        Ok(())
    }

    /// The board, and the limits by the names of python-chess.
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let limits = PyDict::new(py);
        let Limits { depth, nodes, move_time, clock, opponent_clock, .. } = &self.limits;
        limits.set_item("depth", depth)?;
        limits.set_item("nodes", nodes)?;
        limits.set_item("time", move_time.map(|time| time.as_secs_f64()))?;
        let (white, black) = match self.game.position().turn() {
            Color::White => (clock, opponent_clock),
            Color::Black => (opponent_clock, clock),
        };
        let remaining = |clock: &Option<Clock>| clock.map(|clock| clock.remaining.as_secs_f64());
        let increment = |clock: &Option<Clock>| clock.map(|clock| clock.increment.as_secs_f64());
        limits.set_item("white_clock", remaining(white))?;
        limits.set_item("black_clock", remaining(black))?;
        limits.set_item("white_inc", increment(white))?;
        limits.set_item("black_inc", increment(black))?;
        limits.set_item("remaining_moves", clock.and_then(|clock| clock.moves_to_go))?;
        Ok((board_of(py, &self.game)?, limits))
    }

    /// A legal move, as a `Move` or as text, or `resign`.
    fn read(&self, answer: &Bound<'_, PyAny>) -> Result<Choice, FaultKind> {
        let position = self.game.position();
        let chosen = if let Ok(mv) = answer.cast::<PyMove>() {
            resolve(position, *mv.get()).map(Choice::Move)
        } else if let Ok(text) = answer.cast::<PyString>() {
            read_text(position, text.to_string_lossy().trim())
        } else {
            None
        };
        chosen.ok_or_else(|| {
            let text = answer.repr().map_or_else(|_| "something".to_owned(), |text| text.to_string());
            FaultKind::IllegalMove { text, fen: position.to_string() }
        })
    }
}

fn resolve(position: &Position, mv: PyMove) -> Option<rules::Move> {
    let state = State::from(*position);
    // Both spellings of castling are understood.
    state.resolve(mv, position.is_chess960()).or_else(|| state.resolve(mv, true))
}

fn read_text(position: &Position, text: &str) -> Option<Choice> {
    if text == "resign" {
        return Some(Choice::Resign);
    }
    position.parse_uci(text).ok().or_else(|| position.parse_san(text).ok()).map(Choice::Move)
}
