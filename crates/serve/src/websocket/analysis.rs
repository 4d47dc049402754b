//! Live analysis: an engine that searches while a client follows it, ours or one that the owner of the server allows.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, ThreadId};
use std::time::Duration;

use minds::{Allowance, Fault, Mind};
use rules::Game;
use search::{AnyEvaluator, Control, Gate, Limits, Options, Request, Searcher, Strength};
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::collector::{Collector, News};
use super::message::{Analyse, ServerMessage};
use super::{AbortOnDrop, MESSAGE_INTERVAL, Outbox, check_id, error_message};
use crate::bots;
use crate::error::{ApiError, ErrorCode};
use crate::outside::Hired;
use crate::parse;
use crate::state::{App, StopOnDrop, permit};
use crate::worker_pool::Priority;

/// The most lines.
const MAX_LINES: usize = 10;

/// The greatest depth.
const MAX_DEPTH: usize = 100;

/// How many seconds an analysis takes by default.
const DEFAULT_SECONDS: u64 = 60;

/// How long an outside engine may take to stop.
const TIME_TO_STOP: Duration = Duration::from_secs(2);

/// What is analysed, within the limits of the server.
struct Question {
    id: String,
    game: Game,
    lines: usize,
    limits: Limits,
    threads: usize,
    hash: usize,
    /// Given back when the analysis is over.
    _permits: [OwnedSemaphorePermit; 2],
}

impl Question {
    fn new(app: &App, asked: &Analyse) -> Result<Question, ApiError> {
        let (limits, shared) = (app.limits(), app.shared());
        let game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), limits.moves)?;
        let lines = within("lines", asked.lines.unwrap_or(1), MAX_LINES)?;
        let depth = asked.depth.map(|depth| within("depth", depth, MAX_DEPTH)).transpose()?;
        let longest = usize::try_from(limits.analysis_time.as_secs()).unwrap_or(usize::MAX);
        let seconds = within("seconds", asked.seconds.unwrap_or(DEFAULT_SECONDS) as usize, longest)?;
        let threads = within("threads", asked.threads.unwrap_or(1), shared.threads)?;
        let hash = within("hash", asked.hash.unwrap_or(limits.hash), limits.analysis_hash)?;
        let most = limits.analyses;
        let full = || ApiError::new(ErrorCode::TooMany, format!("{most} analyses are in progress"));
        let place = permit(&shared.analyses, full)?;
        let too_large = |_| ApiError::new(ErrorCode::TooMany, "hash: other analyses take the memory, ask for less");
        let mebibytes = u32::try_from(hash).unwrap_or(u32::MAX);
        let memory = Arc::clone(&shared.analysis_memory).try_acquire_many_owned(mebibytes).map_err(too_large)?;
        let limits = Limits { depth, move_time: Some(Duration::from_secs(seconds as u64)), ..Limits::default() };
        Ok(Question { id: check_id(&asked.id)?, game, lines, limits, threads, hash, _permits: [place, memory] })
    }
}

fn within(name: &str, value: usize, most: usize) -> Result<usize, ApiError> {
    if (1..=most).contains(&value) {
        return Ok(value);
    }
    Err(ApiError::bad_request(format!("{name} is {value}: expected 1 to {most}")))
}

/// Starts an analysis. It ends when the returned handle is dropped.
pub(super) fn start(app: &App, asked: &Analyse, outbox: Outbox) -> Result<AbortOnDrop, ApiError> {
    if let (Some(_), Some(_)) = (&asked.engine, asked.elo) {
        return Err(ApiError::bad_request("elo is for Saavedra: not with engine"));
    }
    let question = Question::new(app, asked)?;
    let (send, receive) = watch::channel(None);
    let stop = match &asked.engine {
        Some(name) => start_outside(app, name, question, send)?,
        None => start_ours(app, asked.elo, question, send)?,
    };
    let id = asked.id.clone();
    let task = tokio::spawn(async move { forward(&id, receive, &outbox, stop).await });
    Ok(AbortOnDrop(task.abort_handle()))
}

/// Lets only the first thread of a search take turns with others. The threads that help it are few and counted, and a
/// gate that all of them passed would give the turn away twice.
#[derive(Debug)]
struct FirstThreadGate {
    gate: Arc<dyn Gate>,
    first: ThreadId,
}

impl Gate for FirstThreadGate {
    fn pass(&self) {
        if thread::current().id() == self.first {
            self.gate.pass();
        }
    }
}

/// Saavedra, in the worker pool.
fn start_ours(
    app: &App,
    elo: Option<u32>,
    question: Question,
    send: watch::Sender<News>,
) -> Result<StopOnDrop, ApiError> {
    let range = Strength::ELO;
    if let Some(elo) = elo.filter(|elo| !range.contains(elo)) {
        let message = format!("elo is {elo}: expected {} to {}", range.start(), range.end());
        return Err(ApiError::bad_request(message));
    }
    let task = app.task(Priority::Background);
    let (stop, is_stopped, gate) = (task.stop_on_drop(), Arc::clone(&task.is_stopped), task.gate());
    // As many helpers as there are to spare.
    let spare = &app.shared().helper_threads;
    let helpers: Vec<OwnedSemaphorePermit> =
        (1..question.threads).map_while(|_| Arc::clone(spare).try_acquire_owned().ok()).collect();
    let job = move || {
        let Question { id, game, lines, limits, hash, .. } = &question;
        let gate = FirstThreadGate { gate, first: thread::current().id() };
        let control = Control::sharing(is_stopped).behind(Arc::new(gate));
        let mut collector = Collector::new(id.clone(), bots::name_at(elo), game, send);
        let mut searcher = Searcher::new(AnyEvaluator::default());
        // If the memory for this table is missing, the default one will do.
        let _ = searcher.set_hash(*hash);
        searcher.set_threads(1 + helpers.len());
        let options = Options { strength: elo.map(Strength::of_elo), spares_checks: true, ..Options::default() };
        if game.position().has_legal_moves() {
            let request = Request::new(game, limits.clone()).with_options(options).with_lines(*lines);
            searcher.search(&request, &control, &mut collector);
        }
        drop((searcher, helpers));
        collector.finish(&control, limits.move_time);
    };
    app.spawn(&task, job)?;
    Ok(stop)
}

/// An outside engine, which has its own process. The thread that waits for it takes no turns from searches.
fn start_outside(app: &App, name: &str, question: Question, send: watch::Sender<News>) -> Result<StopOnDrop, ApiError> {
    let hired = app.shared().outside.hire(name)?;
    let is_stopped = Arc::<AtomicBool>::default();
    let stop = StopOnDrop::new(Arc::clone(&is_stopped));
    let name = name.to_owned();
    let work = move || {
        let control = Control::sharing(is_stopped);
        let mut collector = Collector::new(question.id.clone(), name, &question.game, send);
        match ask(hired, &question, &control, &mut collector) {
            Ok(()) => collector.finish(&control, question.limits.move_time),
            Err(fault) => collector.fail(ApiError::new(ErrorCode::BadMind, fault.to_string())),
        }
    };
    let busy = |_| ApiError::new(ErrorCode::Busy, "the server cannot start a thread");
    thread::Builder::new().name("analysis".to_owned()).spawn(work).map_err(busy)?;
    Ok(stop)
}

/// Has an engine analyse. One that failed is not used again.
fn ask(mut hired: Hired, question: &Question, control: &Control, collector: &mut Collector<'_>) -> Result<(), Fault> {
    let Question { game, lines, limits, threads, hash, .. } = question;
    if !game.position().has_legal_moves() {
        hired.release();
        return Ok(());
    }
    let number = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
    for (option, value) in [("Threads", *threads), ("Hash", *hash), ("MultiPV", *lines)] {
        hired.engine.set_number(option, number(value))?;
    }
    let allowance = Allowance { limits: limits.clone(), grace: TIME_TO_STOP };
    hired.engine.choose(game, &allowance, control, collector)?;
    hired.release();
    Ok(())
}

/// Sends the newest state at a limited rate, and the last one in any case.
async fn forward(id: &str, mut receive: watch::Receiver<News>, outbox: &Outbox, stop: StopOnDrop) {
    while receive.changed().await.is_ok() {
        let newest = receive.borrow_and_update().clone();
        match &newest {
            None => continue,
            Some(Ok(analysis)) => {
                if !outbox.send(&ServerMessage::Analysis { analysis }).await || analysis.done {
                    break;
                }
            }
            Some(Err(error)) => {
                // The analysis is over, whether or not the client still hears of it.
                outbox.queue(error_message(Some(id), error)).await;
                break;
            }
        }
        tokio::time::sleep(MESSAGE_INTERVAL).await;
    }
    drop(stop);
}
