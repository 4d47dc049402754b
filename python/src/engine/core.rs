//! The class behind `saavedra.Engine` and `saavedra.UciEngine`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use interface::{Control, STACK_SIZE};
use programs::CommandLine;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use uci::{EngineOption, OptionKind};

use super::backend::{Backend, Order};
use super::failure::{EngineError, Failure};
use super::feed::Feed;
use super::limits;
use super::outside::{OutsideEngine, Patience};
use super::own::OwnEngine;
use super::search::Search;
use super::turns::{Turn, Turns, Use};
use crate::board::PyBoard;
use crate::waiting::{self, wait_until};

/// What the threads of an engine share.
struct Shared {
    /// None once the engine is closed.
    backend: Mutex<Option<Box<dyn Backend>>>,
    turns: Arc<Turns>,
    give_up: Option<Arc<AtomicBool>>,
}

impl Shared {
    /// Does something with the engine. A failure that ends it is remembered.
    fn perform<T>(&self, job: impl FnOnce(&mut dyn Backend) -> Result<T, Failure>) -> Result<T, Failure> {
        let mut backend = self.backend.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(backend) = backend.as_mut() else { return Err(Failure::Gone(CLOSED.to_owned())) };
        let done = catch_unwind(AssertUnwindSafe(|| job(&mut **backend)));
        let done = done.unwrap_or_else(|panic| Err(Failure::Defect(waiting::panic_text(&*panic))));
        if let Err(failure) = &done
            && let Some(reason) = failure.ends_engine()
        {
            self.turns.end(&format!("the engine has ended: {reason}"));
        }
        done
    }
}

const CLOSED: &str = "the engine is closed";

/// An engine, in this process or outside.
#[pyclass(frozen, weakref, name = "EngineCore", module = "saavedra._saavedra")]
pub(crate) struct EngineCore {
    shared: Arc<Shared>,
    /// The process that made it.
    process: u32,
}

/// An option as Python sees it: name, type, default, least, greatest, choices.
type OptionTuple = (String, &'static str, Option<Py<PyAny>>, Option<i64>, Option<i64>, Vec<String>);

impl EngineCore {
    fn new(backend: Box<dyn Backend>) -> EngineCore {
        let give_up = backend.give_up_flag();
        let shared = Shared { backend: Mutex::new(Some(backend)), turns: Arc::default(), give_up };
        EngineCore { shared: Arc::new(shared), process: std::process::id() }
    }

    fn is_ours(&self) -> bool {
        self.process == std::process::id()
    }

    /// A fork has the memory of an engine, but neither its threads nor a program of its own.
    fn check_process(&self) -> PyResult<()> {
        if self.is_ours() {
            return Ok(());
        }
        let (theirs, ours) = (self.process, std::process::id());
        let text =
            format!("this engine belongs to process {theirs}, and this is {ours}: make an engine after the fork");
        Err(EngineError::new_err(text))
    }

    /// Does something that may take long, on a thread of its own. Ctrl-C gives the engine up.
    fn job<T: Send + 'static>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut dyn Backend) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        self.check_process()?;
        let turn = Turns::take(&self.shared.turns, py, Use::Call, &Arc::new(Control::new()))?;
        let shared = Arc::clone(&self.shared);
        let give_up = || {
            if let Some(flag) = &self.shared.give_up {
                flag.store(true, Ordering::Relaxed);
            }
            true
        };
        let done = waiting::work::<(), _>(py, move |_| shared.perform(job), give_up, |_, ()| Ok(()));
        drop(turn);
        Ok(done??)
    }

    fn begin(&self, py: Python<'_>, order: Order, chess960: bool, purpose: Use) -> PyResult<Search> {
        self.check_process()?;
        let control = Arc::new(Control::new());
        let turn = Turns::take(&self.shared.turns, py, purpose, &control)?;
        let search = Search {
            feed: Arc::new(Feed::default()),
            control,
            give_up: self.shared.give_up.clone(),
            root: Box::new(*order.game.position()),
            chess960,
            process: self.process,
        };
        let (shared, feed, control) = (Arc::clone(&self.shared), Arc::clone(&search.feed), Arc::clone(&search.control));
        let run = move |turn: Turn| {
            let outcome = shared.perform(|backend| backend.search(&order, &control, &feed));
            // What a search has found that was broken off by `close` is not what was asked for.
            let outcome = outcome.and_then(|best| shared.turns.ended().map_or(Ok(best), |end| Err(Failure::Gone(end))));
            // Free before it is told, so that the next call need not wait.
            drop(turn);
            feed.finish(outcome);
        };
        thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE).spawn(move || run(turn))?;
        Ok(search)
    }

    fn order(
        &self,
        board: &PyBoard,
        limit: Option<&Bound<'_, PyAny>>,
        lines: u32,
        root_moves: Option<&Bound<'_, PyAny>>,
        is_new_game: bool,
    ) -> PyResult<Order> {
        if !(1..=256).contains(&lines) {
            return Err(PyValueError::new_err(format!("multipv is a number from 1 to 256, not {lines}")));
        }
        let game = board.game()?;
        let mut limits = limits::limits(limit, game.position())?;
        limits.moves = root_moves.map(|moves| limits::root_moves(board, moves)).transpose()?;
        Ok(Order { game, limits, lines, is_new_game })
    }

    /// Ends what is under way, then the engine. What it takes to end a program is waited for.
    fn end(&self) {
        let shared = &self.shared;
        shared.turns.end(CLOSED);
        shared.turns.stop();
        // An outside engine that does not stop is ended when its time is over.
        let patience = Duration::from_secs(1);
        if !shared.turns.are_free_within(patience)
            && let Some(give_up) = &shared.give_up
        {
            give_up.store(true, Ordering::Relaxed);
        }
        drop(shared.backend.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

#[pymethods]
impl EngineCore {
    /// The search in this process.
    #[staticmethod]
    #[pyo3(signature = (seed = None))]
    fn own(py: Python<'_>, seed: Option<u64>) -> EngineCore {
        EngineCore::new(Box::new(py.detach(|| OwnEngine::new(seed))))
    }

    /// A UCI program, started and asked for its options.
    #[staticmethod]
    #[pyo3(signature = (command, folder, timeout, longest_search))]
    fn outside(
        py: Python<'_>,
        command: Vec<std::ffi::OsString>,
        folder: Option<PathBuf>,
        timeout: f64,
        longest_search: Option<f64>,
    ) -> PyResult<EngineCore> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(PyValueError::new_err("the command is empty: expected a program to start"));
        };
        let mut command = CommandLine::new(program).with_arguments(arguments);
        if let Some(folder) = folder {
            command = command.in_folder(folder);
        }
        let search = longest_search.map(|time| limits::duration("longest_search", time)).transpose()?;
        let patience =
            Patience { answer: limits::duration("timeout", timeout)?, search: search.unwrap_or(Duration::MAX) };
        let core = EngineCore::new(Box::new(OutsideEngine::new(command, patience)));
        core.job(py, |backend| backend.ping())?;
        Ok(core)
    }

    /// The words of a command line: split at blanks, quotes of either kind hold blanks together.
    #[staticmethod]
    fn words(text: &str) -> PyResult<Vec<std::ffi::OsString>> {
        let command: CommandLine = text.parse().map_err(|error: programs::BadCommandLine| {
            PyValueError::new_err(format!("{error}: expected a program to start"))
        })?;
        Ok(std::iter::once(command.program().to_owned()).chain(command.arguments().iter().cloned()).collect())
    }

    /// Searches and waits: the move to play, the reply to expect, and what is known of each line.
    #[pyo3(signature = (board, limit, lines, root_moves, is_new_game))]
    fn run<'py>(
        &self,
        board: &Bound<'py, PyBoard>,
        limit: Option<&Bound<'py, PyAny>>,
        lines: u32,
        root_moves: Option<&Bound<'py, PyAny>>,
        is_new_game: bool,
    ) -> PyResult<Bound<'py, Search>> {
        let search = self.begin_of(board, limit, lines, root_moves, is_new_game, Use::Call)?;
        search.finish(board.py())?;
        Bound::new(board.py(), search)
    }

    /// Begins a search that ends by itself or is an analysis.
    #[pyo3(signature = (board, limit, lines, root_moves, is_new_game, is_analysis))]
    fn start<'py>(
        &self,
        board: &Bound<'py, PyBoard>,
        limit: Option<&Bound<'py, PyAny>>,
        lines: u32,
        root_moves: Option<&Bound<'py, PyAny>>,
        is_new_game: bool,
        is_analysis: bool,
    ) -> PyResult<Search> {
        let purpose = if is_analysis { Use::Analysis } else { Use::Background };
        self.begin_of(board, limit, lines, root_moves, is_new_game, purpose)
    }

    /// The static evaluation in centipawns, for the player to move.
    fn evaluate(&self, board: &Bound<'_, PyBoard>) -> PyResult<i32> {
        let py = board.py();
        self.check_process()?;
        let position = board.try_borrow()?.position()?;
        let turn = Turns::take(&self.shared.turns, py, Use::Call, &Arc::new(Control::new()))?;
        let value = py.detach(|| self.shared.perform(|backend| backend.evaluate(&position)));
        drop(turn);
        Ok(value?)
    }

    /// Sets an option, whose value is written as UCI does.
    fn set_option(&self, py: Python<'_>, name: String, value: String) -> PyResult<()> {
        self.job(py, move |backend| backend.set_option(&name, &value))
    }

    /// Waits until everything before is done.
    fn ping(&self, py: Python<'_>) -> PyResult<()> {
        self.job(py, |backend| backend.ping())
    }

    /// What the engine calls itself, and who wrote it.
    fn id(&self, py: Python<'_>) -> PyResult<(String, String)> {
        self.job(py, |backend| Ok(backend.id()))
    }

    /// The options of the engine.
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let options = self.job(py, |backend| Ok(backend.options()))?;
        let tuples: PyResult<Vec<OptionTuple>> = options.into_iter().map(|option| tuple(py, option)).collect();
        PyList::new(py, tuples?)
    }

    /// Why the engine cannot be used any more; nothing if it can.
    fn ended(&self) -> Option<String> {
        self.shared.turns.ended()
    }

    /// Ends the engine.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_ours() {
            // What runs is stopped first, so that this does not last.
            py.detach(|| self.end());
            wait_until(py, |glance| self.shared.turns.are_free_within(glance))?;
        }
        Ok(())
    }
}

impl EngineCore {
    fn begin_of<'py>(
        &self,
        board: &Bound<'py, PyBoard>,
        limit: Option<&Bound<'py, PyAny>>,
        lines: u32,
        root_moves: Option<&Bound<'py, PyAny>>,
        is_new_game: bool,
        purpose: Use,
    ) -> PyResult<Search> {
        let borrowed = board.try_borrow()?;
        let order = self.order(&borrowed, limit, lines, root_moves, is_new_game)?;
        let chess960 = borrowed.is_chess960();
        drop(borrowed);
        self.begin(board.py(), order, chess960, purpose)
    }
}

impl Drop for EngineCore {
    fn drop(&mut self) {
        // The engine of another process is not ours to end.
        if self.is_ours() {
            self.end();
        } else {
            // In a fork it stays as it is: to drop a program there would end that of the other process.
            std::mem::forget(Arc::clone(&self.shared));
        }
    }
}

fn tuple(py: Python<'_>, option: EngineOption) -> PyResult<OptionTuple> {
    let object = |value: Bound<'_, PyAny>| Some(value.unbind());
    let text = |text: String| PyResult::Ok(object(text.into_pyobject(py)?.into_any()));
    let name = option.name;
    Ok(match option.kind {
        OptionKind::Check { default } => {
            let default = object(default.into_pyobject(py)?.to_owned().into_any());
            (name, "check", default, None, None, Vec::new())
        }
        OptionKind::Spin { default, min, max } => {
            (name, "spin", object(default.into_pyobject(py)?.into_any()), Some(min), Some(max), Vec::new())
        }
        OptionKind::Combo { default, choices } => (name, "combo", text(default)?, None, None, choices),
        OptionKind::Button => (name, "button", None, None, None, Vec::new()),
        OptionKind::Text { default } => (name, "string", text(default)?, None, None, Vec::new()),
    })
}
