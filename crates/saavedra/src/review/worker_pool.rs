//! Games reviewed side by side, one to a thread as long as there are enough of them.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, Scope};

use anyhow::{Context, anyhow};
use records::pgn::GameTree;
use records::polyglot::Book;
use review::{Effort, Puzzle, Review, Reviewer};
use rules::Game;
use search::STACK_SIZE;
use syzygy::Syzygy;

use crate::failure::Failure;

/// What every reviewer of a run is made with.
pub(super) struct ReviewerOptions {
    pub(super) effort: Effort,
    pub(super) hash: usize,
    pub(super) book: Option<PathBuf>,
    pub(super) tablebase: Option<Arc<Syzygy>>,
    pub(super) makes_puzzles: bool,
}

impl ReviewerOptions {
    /// A reviewer that works with so many threads.
    pub(super) fn reviewer(&self, threads: usize) -> Result<Reviewer, Failure> {
        let mut reviewer = Reviewer::new(self.effort);
        reviewer
            .set_hash(self.hash)
            .and_then(|()| reviewer.set_threads(threads))
            .map_err(|error| Failure::Failed(anyhow!("{error}")))?;
        if let Some(path) = &self.book {
            let mut book = Book::open(path).with_context(|| format!("cannot use {}", path.display()))?;
            // A read error ends the book.
            reviewer.set_book(move |position| {
                let moves = book.moves(position).map_or(Vec::new(), |moves| moves.0);
                moves.iter().map(|candidate| candidate.mv).collect()
            });
        }
        if let Some(tables) = &self.tablebase {
            reviewer.set_tablebase(Arc::clone(tables) as _);
        }
        Ok(reviewer)
    }
}

/// A game to review.
pub(super) struct Job {
    /// Its number among the games of the run.
    pub(super) number: usize,
    pub(super) tree: GameTree,
}

/// A game that was reviewed.
pub(super) struct Reviewed {
    pub(super) tree: GameTree,
    pub(super) review: Review,
    pub(super) puzzles: Vec<Puzzle>,
}

/// What a thread reports about a game, by its number.
pub(super) enum Message {
    Progress(usize, [usize; 2]),
    /// `None` if it was stopped.
    Done(usize, Option<Box<Reviewed>>),
    /// The thread has panicked.
    Panicked,
}

/// Reports a panic, so that the session does not wait for that thread's game.
struct PanicReport(mpsc::Sender<Message>);

impl Drop for PanicReport {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Message::Panicked);
        }
    }
}

/// Threads that review games.
pub(super) struct WorkerPool {
    jobs: mpsc::Sender<Job>,
    pub(super) messages: mpsc::Receiver<Message>,
    pub(super) size: usize,
}

impl WorkerPool {
    /// Starts as many reviewers as there are games to begin with, and shares the threads among them.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        options: &'scope ReviewerOptions,
        games: usize,
        threads: usize,
        stop: &Arc<AtomicBool>,
    ) -> Result<WorkerPool, Failure> {
        let size = games.clamp(1, threads);
        let (jobs, waiting) = mpsc::channel::<Job>();
        let waiting = Arc::new(Mutex::new(waiting));
        let (sender, messages) = mpsc::channel();
        for index in 0..size {
            // Threads that cannot be shared evenly go to the first reviewers.
            let own = threads / size + usize::from(index < threads % size);
            let mut reviewer = options.reviewer(own)?;
            let (waiting, sender, stop) = (Arc::clone(&waiting), sender.clone(), Arc::clone(stop));
            let work = move || {
                let _report = PanicReport(sender.clone());
                loop {
                    // A lock that another thread has poisoned ends this one, too.
                    let Ok(Ok(job)) = waiting.lock().map(|waiting| waiting.recv()) else { return };
                    let number = job.number;
                    let done = review(&mut reviewer, job, options.makes_puzzles, &stop, &sender);
                    if sender.send(Message::Done(number, done.map(Box::new))).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work).context("cannot start a thread")?;
        }
        Ok(WorkerPool { jobs, messages, size })
    }

    /// Hands a game to the next thread that is free.
    pub(super) fn give(&self, job: Job) {
        // The threads wait for jobs as long as there is a sender.
        let _ = self.jobs.send(job);
    }
}

fn review(
    reviewer: &mut Reviewer,
    Job { number, tree }: Job,
    makes_puzzles: bool,
    stop: &Arc<AtomicBool>,
    sender: &mpsc::Sender<Message>,
) -> Option<Reviewed> {
    let game: Game = tree.game();
    let mut progress = |step: review::Step<'_>| {
        // If this fails the session has ended, and the review is dropped.
        let _ = sender.send(Message::Progress(number, [step.done, step.total]));
    };
    let review = reviewer.review(&game, stop, &mut progress).ok()?;
    let puzzles = if makes_puzzles { reviewer.puzzles(&game, &review, stop).ok()? } else { Vec::new() };
    Some(Reviewed { tree, review, puzzles })
}
