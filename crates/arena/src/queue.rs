//! Where work is done: a queue takes units of work and gives back what came of them.
//!
//! What owns a journal or a file (an event, a run of self-play) knows no threads and no network: it gives units of work
//! to a [`Queue`] and writes down what comes back, in any order. The queue of this crate is threads of this process;
//! another crate may have one whose workers are on other machines. The journal stays the only truth: a unit that comes
//! back twice changes nothing, and one that never comes back is given out again.

use std::error::Error;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, Scope};
use std::time::Duration;

use thiserror::Error;

/// A unit of work: plain data that says all there is to do, so that it can be done anywhere and any number of times.
pub trait Unit: Clone + Send + Sync + 'static {
    /// What comes of it.
    type Outcome: Clone + Send + Sync + 'static;

    /// Its number among the units of what it belongs to.
    fn number(&self) -> u64;

    /// Why this cannot be what came of it, if it cannot. Outcomes may come from programs that are not ours.
    fn check(&self, outcome: &Self::Outcome) -> Result<(), String>;

    /// Whether it comes out the same wherever it is done.
    fn is_repeatable(&self) -> bool;

    /// Where two outcomes of a repeatable unit differ, if they do.
    fn difference(one: &Self::Outcome, other: &Self::Outcome) -> Option<String>;
}

/// What a queue gives back.
#[derive(Debug)]
pub enum Report<U: Unit> {
    /// What came of a unit.
    Done {
        /// The unit's number.
        number: u64,
        /// What came of it.
        outcome: U::Outcome,
    },
    /// The unit was interrupted, and nothing came of it.
    Dropped(U),
}

/// Why a queue works no longer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueueError {
    /// A thread of ours ended.
    #[error("a thread that plays has ended")]
    Thread,
    /// What carries units elsewhere has failed for good.
    #[error(transparent)]
    Elsewhere(Box<dyn Error + Send + Sync>),
}

/// Where units are done.
pub trait Queue<U: Unit> {
    /// How many games a unit had best hold: one where giving it out costs nothing.
    fn games_per_unit(&self) -> u64;

    /// How many more units are wanted now.
    fn room(&self) -> usize;

    /// Gives a unit out.
    fn push(&mut self, unit: U);

    /// What came of a unit, if something does within this time.
    fn next(&mut self, longest: Duration) -> Result<Option<Report<U>>, QueueError>;

    /// The outcome of a unit is written down, or was not needed: nothing has to remember it any longer.
    fn settle(&mut self, number: u64);

    /// No unit is wanted any longer: takes back those that would not come back by themselves.
    fn recall(&mut self) -> Vec<U>;
}

/// The queue in this process: a thread works on one unit at a time, and some may wait for each.
pub(crate) struct ThreadQueue<U: Unit> {
    /// For each thread its orders, and how many it has.
    threads: Vec<(Sender<U>, usize)>,
    done: Receiver<(usize, Option<Report<U>>)>,
    /// How many units a thread may have at once.
    ahead: usize,
}

impl<U: Unit> ThreadQueue<U> {
    /// Starts a thread for each maker of a worker. The maker is called on its thread.
    pub(crate) fn start<'scope, W>(
        scope: &'scope Scope<'scope, '_>,
        ahead: usize,
        makers: impl IntoIterator<Item: FnOnce() -> W + Send + 'scope>,
    ) -> ThreadQueue<U>
    where
        W: FnMut(U) -> Report<U>,
    {
        let (report, done) = mpsc::channel();
        let mut threads = Vec::new();
        for (number, make) in makers.into_iter().enumerate() {
            let (orders, units) = mpsc::channel();
            let reporter = Reporter { number, report: Sender::clone(&report) };
            scope.spawn(move || reporter.work(&units, make()));
            threads.push((orders, 0));
        }
        ThreadQueue { threads, done, ahead }
    }
}

impl<U: Unit> Queue<U> for ThreadQueue<U> {
    fn games_per_unit(&self) -> u64 {
        1
    }

    fn room(&self) -> usize {
        self.threads.iter().map(|(_, busy)| self.ahead - busy).sum()
    }

    fn push(&mut self, unit: U) {
        let (orders, busy) = (self.threads.iter_mut().min_by_key(|(_, busy)| *busy)).expect("there is a thread");
        *busy += 1;
        // A thread that has ended tells so by itself.
        let _ = orders.send(unit);
    }

    fn next(&mut self, longest: Duration) -> Result<Option<Report<U>>, QueueError> {
        match self.done.recv_timeout(longest) {
            Ok((thread, Some(report))) => {
                self.threads[thread].1 -= 1;
                Ok(Some(report))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok((_, None)) | Err(RecvTimeoutError::Disconnected) => Err(QueueError::Thread),
        }
    }

    fn settle(&mut self, _number: u64) {}

    fn recall(&mut self) -> Vec<U> {
        // Threads come back with all that they were given.
        Vec::new()
    }
}

/// What a thread reports with; also that it ends where it should not.
struct Reporter<U: Unit> {
    number: usize,
    report: Sender<(usize, Option<Report<U>>)>,
}

impl<U: Unit> Reporter<U> {
    /// Works until no more orders can come.
    fn work(&self, units: &Receiver<U>, mut work: impl FnMut(U) -> Report<U>) {
        for unit in units {
            if self.report.send((self.number, Some(work(unit)))).is_err() {
                break;
            }
        }
    }
}

impl<U: Unit> Drop for Reporter<U> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.report.send((self.number, None));
        }
    }
}
