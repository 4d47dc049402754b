//! What every request can reach.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use search::{Control, Gate};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

use crate::crew::{Crew, Rank, Turn};
use crate::games::Hall;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::refusal::{Code, Refusal};

/// What every request can reach. Clones share it.
#[derive(Clone)]
pub(crate) struct App {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) limits: Limits,
    pub(crate) hall: Hall,
    pub(crate) crew: Crew,
    pub(crate) guard: Guard,
    /// How many are at work at once.
    pub(crate) threads: usize,
    pub(crate) is_memory_only: bool,
    pub(crate) questions: Arc<Semaphore>,
    pub(crate) trees: Arc<Semaphore>,
    pub(crate) sockets: Arc<Semaphore>,
    pub(crate) analyses: Arc<Semaphore>,
    pub(crate) reviews: Arc<Semaphore>,
    /// True once the server is about to end.
    pub(crate) ending: watch::Receiver<bool>,
}

/// Stops the work when whoever asked for it has gone.
pub(crate) struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A piece of work that takes turns with others and ends when nobody wants it any more.
pub(crate) struct Task {
    pub(crate) turn: Arc<Turn>,
    /// Set when the work is to end.
    pub(crate) is_stopped: Arc<AtomicBool>,
}

impl Task {
    /// What ends the work when it is dropped.
    pub(crate) fn stop_on_drop(&self) -> StopOnDrop {
        StopOnDrop(Arc::clone(&self.is_stopped))
    }

    /// The switch of a search that starts now.
    pub(crate) fn control(&self) -> Control {
        Control::sharing(Arc::clone(&self.is_stopped)).behind(self.gate())
    }

    pub(crate) fn gate(&self) -> Arc<dyn Gate> {
        Arc::clone(&self.turn) as Arc<dyn Gate>
    }
}

/// Waits until the server is about to end.
pub(crate) async fn ended(ending: &mut watch::Receiver<bool>) {
    // Nobody left to say so is an end, too.
    drop(ending.wait_for(|ending| *ending).await);
}

/// One of a limited number, if there is one left.
pub(crate) fn one_of(
    places: &Arc<Semaphore>,
    refusal: impl FnOnce() -> Refusal,
) -> Result<OwnedSemaphorePermit, Refusal> {
    Arc::clone(places).try_acquire_owned().map_err(|_| refusal())
}

impl App {
    pub(crate) fn new(shared: Shared) -> App {
        App { shared: Arc::new(shared) }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    pub(crate) fn hall(&self) -> &Hall {
        &self.shared.hall
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// A task that is about to be given.
    pub(crate) fn task(&self, rank: Rank) -> Task {
        Task { turn: self.shared.crew.turn(rank), is_stopped: Arc::default() }
    }

    /// Does a task where thinking is done.
    pub(crate) fn work(&self, task: &Task, job: impl FnOnce() + Send + 'static) -> Result<(), Refusal> {
        let busy = |_| Refusal::new(Code::Busy, "no thread can be had");
        self.shared.crew.work(Arc::clone(&task.turn), job).map_err(busy)
    }

    /// Answers a question that takes a while, where thinking is done. If whoever asked hangs up, it is told to stop.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Control) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let most = self.limits().questions;
        let too_many = || Refusal::new(Code::TooMany, format!("{most} questions are being answered: ask again"));
        let place = one_of(&self.shared.questions, too_many)?;
        let task = self.task(Rank::Hurried);
        let (control, _stop) = (task.control(), task.stop_on_drop());
        let (tell, told) = oneshot::channel();
        let job = move || {
            let answer = work(&control);
            drop(place);
            let _ = tell.send(answer);
        };
        self.work(&task, job)?;
        told.await.unwrap_or_else(|_| Err(Refusal::new(Code::Internal, "the answer got lost")))
    }
}
