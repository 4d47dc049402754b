//! The state that all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use search::{Control, Gate};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

use crate::access::Access;
use crate::error::{ApiError, ErrorCode};
use crate::games::GameRegistry;
use crate::library::{Imports, SharedBook};
use crate::limits::ServerLimits;
use crate::outside::OutsideEngines;
use crate::worker_pool::{Priority, TimeShare, WorkerPool};

/// The application. Clones share its state.
#[derive(Clone)]
pub(crate) struct App {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) limits: ServerLimits,
    pub(crate) games: GameRegistry,
    pub(crate) workers: WorkerPool,
    pub(crate) access: Access,
    /// How many jobs run at once.
    pub(crate) threads: usize,
    pub(crate) is_memory_only: bool,
    pub(crate) tasks: Arc<Semaphore>,
    pub(crate) trees: Arc<Semaphore>,
    pub(crate) sockets: Arc<Semaphore>,
    pub(crate) analyses: Arc<Semaphore>,
    pub(crate) reviews: Arc<Semaphore>,
    pub(crate) counts: Arc<Semaphore>,
    /// The MiB that tables of analyses may still take.
    pub(crate) analysis_memory: Arc<Semaphore>,
    /// The threads that analyses may start besides their first.
    pub(crate) helper_threads: Arc<Semaphore>,
    pub(crate) outside: OutsideEngines,
    pub(crate) imports: Imports,
    pub(crate) import_permits: Arc<Semaphore>,
    /// The opening book that the explorer shows, if there is one.
    pub(crate) book: Option<SharedBook>,
    /// True once the server shuts down.
    pub(crate) shutdown: watch::Receiver<bool>,
}

/// Stops a task when it is dropped, which happens when the client that wanted it is gone.
pub(crate) struct StopOnDrop(Arc<AtomicBool>);

impl StopOnDrop {
    pub(crate) fn new(is_stopped: Arc<AtomicBool>) -> StopOnDrop {
        StopOnDrop(is_stopped)
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Work for the worker pool that can be stopped.
pub(crate) struct Task {
    share: Arc<TimeShare>,
    /// Set when the work is to end.
    pub(crate) is_stopped: Arc<AtomicBool>,
}

impl Task {
    /// A value that stops the task when it is dropped.
    pub(crate) fn stop_on_drop(&self) -> StopOnDrop {
        StopOnDrop(Arc::clone(&self.is_stopped))
    }

    /// The control of a search that starts now.
    pub(crate) fn control(&self) -> Control {
        Control::sharing(Arc::clone(&self.is_stopped)).behind(self.gate())
    }

    pub(crate) fn gate(&self) -> Arc<dyn Gate> {
        Arc::clone(&self.share) as Arc<dyn Gate>
    }
}

/// Waits until the server shuts down.
pub(crate) async fn stopped(shutdown: &mut watch::Receiver<bool>) {
    // An error means that the server is gone, which is the same.
    drop(shutdown.wait_for(|is_over| *is_over).await);
}

/// Takes a permit, or answers with an error if there is none left.
pub(crate) fn permit(
    semaphore: &Arc<Semaphore>,
    error: impl FnOnce() -> ApiError,
) -> Result<OwnedSemaphorePermit, ApiError> {
    Arc::clone(semaphore).try_acquire_owned().map_err(|_| error())
}

impl App {
    pub(crate) fn new(shared: Shared) -> App {
        App { shared: Arc::new(shared) }
    }

    pub(crate) fn limits(&self) -> &ServerLimits {
        &self.shared.limits
    }

    pub(crate) fn games(&self) -> &GameRegistry {
        &self.shared.games
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The right to review a game or a move, each of which takes a hash table.
    pub(crate) fn review_permit(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let most = self.limits().reviews;
        let full = || ApiError::new(ErrorCode::TooMany, format!("{most} reviews are in progress"));
        permit(&self.shared.reviews, full)
    }

    /// A task that is about to be spawned.
    pub(crate) fn task(&self, priority: Priority) -> Task {
        Task { share: self.shared.workers.share(priority), is_stopped: Arc::default() }
    }

    /// Runs a task in the worker pool.
    pub(crate) fn spawn(&self, task: &Task, job: impl FnOnce() + Send + 'static) -> Result<(), ApiError> {
        let busy = |_| ApiError::new(ErrorCode::Busy, "the server cannot start a thread");
        self.shared.workers.spawn(Arc::clone(&task.share), job).map_err(busy)
    }

    /// Computes an answer in the worker pool. If the client hangs up, the work is told to stop.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Control) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let task = self.task(Priority::Interactive);
        let control = task.control();
        self.compute_by(task, move || work(&control)).await
    }

    /// The same by a given task, for work that needs more of it than the control of one search.
    pub(crate) async fn compute_by<T: Send + 'static>(
        &self,
        task: Task,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let most = self.limits().tasks;
        let too_many = || ApiError::new(ErrorCode::TooMany, format!("{most} requests are being computed: try again"));
        let permit = permit(&self.shared.tasks, too_many)?;
        let _stop = task.stop_on_drop();
        let (send, receive) = oneshot::channel();
        let job = move || {
            let answer = work();
            drop(permit);
            let _ = send.send(answer);
        };
        self.spawn(&task, job)?;
        // The sender is dropped without an answer if the work panicked.
        receive.await.unwrap_or_else(|_| Err(ApiError::new(ErrorCode::Internal, "the computation failed")))
    }
}
