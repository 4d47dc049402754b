//! The worker pool: threads that search, as many at once as there are processors, in short time slices.
//!
//! A job has a thread of its own while it lasts, but runs only while it holds a slot. There are as many slots as
//! processors. A job that has run for a [`SLICE`] while others wait gives its slot up at the next [gate](Gate) and
//! joins the end of a queue. There are three queues: interactive jobs that have not run yet, interactive jobs that
//! have, and background jobs. New jobs are served first, so that short jobs end soon, but a share of the slots goes to
//! the other queues first, so that no job starves. In addition a few new jobs may run for one slice in extra slots,
//! beside the regular ones: most moves are chosen by then.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use search::{Gate, STACK_SIZE};

/// How long a job runs before it gives way to waiting jobs.
const SLICE: Duration = Duration::from_millis(5);

/// Which queue is served first, slot by slot, in rotation.
const ROTATION: [QueueKind; 4] = [QueueKind::New, QueueKind::Resumed, QueueKind::New, QueueKind::Background];

/// Extra slots for each regular slot.
const EXTRA_SLOTS: usize = 2;

/// By how much workers lower their priority, so that the threads that answer requests run first.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// How long a thread without a job waits for the next one before it ends.
const IDLE_TIME: Duration = Duration::from_secs(10);

/// How urgent a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Priority {
    /// A player waits for a move or an answer.
    Interactive,
    /// Analyses and reviews, which use all the time they are given.
    Background,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum QueueKind {
    /// Interactive jobs that have not run yet.
    New,
    /// Interactive jobs that have used up a slice.
    Resumed,
    Background,
}

/// There is no thread for the job, and none can be started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoThread;

type Job = Box<dyn FnOnce() + Send>;

/// The worker pool. Clones share it.
#[derive(Clone)]
pub(crate) struct WorkerPool {
    shared: Arc<Shared>,
}

struct Shared {
    max_threads: usize,
    threads: Mutex<Threads>,
    /// Wakes threads without a job.
    job_added: Condvar,
    scheduler: Mutex<Scheduler>,
}

#[derive(Default)]
struct Threads {
    backlog: VecDeque<(Arc<TimeShare>, Job)>,
    count: usize,
    idle: usize,
}

struct Scheduler {
    free_slots: usize,
    free_extra_slots: usize,
    /// The waiting jobs, by kind of queue.
    queues: [VecDeque<Arc<Waiter>>; 3],
    slots_given: usize,
}

/// A job that waits for a slot.
#[derive(Default)]
struct Waiter {
    slot: Mutex<Option<Slot>>,
    granted: Condvar,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Regular,
    /// One slice for a new job, beside the regular slots.
    Extra,
}

/// A job's share of the processors. The job passes it as a [`Gate`] every few thousand nodes.
pub(crate) struct TimeShare {
    shared: Arc<Shared>,
    priority: Priority,
    /// While the job runs: since when, and in which slot.
    running: Mutex<Option<(Instant, Slot)>>,
}

impl std::fmt::Debug for TimeShare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TimeShare").field("priority", &self.priority).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerPool {
    /// A pool that runs `slots` jobs at once.
    pub(crate) fn new(slots: usize, max_threads: usize) -> WorkerPool {
        let slots = slots.max(1);
        let scheduler = Scheduler {
            free_slots: slots,
            free_extra_slots: slots * EXTRA_SLOTS,
            queues: Default::default(),
            slots_given: 0,
        };
        WorkerPool {
            shared: Arc::new(Shared {
                max_threads: max_threads.max(1),
                threads: Mutex::default(),
                job_added: Condvar::new(),
                scheduler: Mutex::new(scheduler),
            }),
        }
    }

    /// The share of a job that is about to be spawned.
    pub(crate) fn share(&self, priority: Priority) -> Arc<TimeShare> {
        Arc::new(TimeShare { shared: Arc::clone(&self.shared), priority, running: Mutex::default() })
    }

    /// Runs a job as soon as it gets a slot.
    pub(crate) fn spawn(&self, share: Arc<TimeShare>, job: impl FnOnce() + Send + 'static) -> Result<(), NoThread> {
        let mut threads = lock(&self.shared.threads);
        if threads.idle <= threads.backlog.len() && threads.count < self.shared.max_threads {
            let shared = Arc::clone(&self.shared);
            let builder = thread::Builder::new().name("worker".to_owned()).stack_size(STACK_SIZE);
            // If the system refuses a thread, the job waits for one of those that run.
            match builder.spawn(move || shared.work()) {
                Ok(_) => threads.count += 1,
                Err(error) => {
                    tracing::warn!(%error, threads = threads.count, "cannot start a worker thread");
                    if threads.count == 0 {
                        return Err(NoThread);
                    }
                }
            }
        }
        threads.backlog.push_back((share, Box::new(job)));
        self.shared.job_added.notify_one();
        Ok(())
    }
}

impl Shared {
    /// What a thread does: job after job, until it has been idle for too long.
    fn work(&self) {
        lower_priority();
        let mut threads = lock(&self.threads);
        loop {
            if let Some((share, job)) = threads.backlog.pop_front() {
                drop(threads);
                share.begin();
                // A panic ends the job, not the thread. The channel to the requester closes, and it answers with an
                // error.
                if panic::catch_unwind(AssertUnwindSafe(job)).is_err() {
                    tracing::error!(?share, "a job panicked");
                }
                share.end();
                threads = lock(&self.threads);
                continue;
            }
            threads.idle += 1;
            let (guard, waited) =
                self.job_added.wait_timeout(threads, IDLE_TIME).unwrap_or_else(PoisonError::into_inner);
            threads = guard;
            threads.idle -= 1;
            if waited.timed_out() && threads.backlog.is_empty() {
                threads.count -= 1;
                return;
            }
        }
    }
}

/// Lets the threads that answer requests run first.
fn lower_priority() {
    // On Linux the niceness belongs to the thread. Without it the worker only competes more with the requests.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

impl Scheduler {
    fn enqueue(&mut self, kind: QueueKind) -> Arc<Waiter> {
        let waiter = Arc::new(Waiter::default());
        self.queues[kind as usize].push_back(Arc::clone(&waiter));
        waiter
    }

    /// Takes the next job out of its queue.
    fn next(&mut self) -> Option<Arc<Waiter>> {
        self.slots_given = self.slots_given.wrapping_add(1);
        let first = ROTATION[self.slots_given % ROTATION.len()];
        let others = [QueueKind::New, QueueKind::Resumed, QueueKind::Background];
        std::iter::once(first).chain(others).find_map(|kind| self.first_of(kind))
    }

    fn first_of(&mut self, kind: QueueKind) -> Option<Arc<Waiter>> {
        self.queues[kind as usize].pop_front()
    }

    fn free(&mut self, slot: Slot) {
        match slot {
            Slot::Regular => self.free_slots += 1,
            Slot::Extra => self.free_extra_slots += 1,
        }
    }

    /// Gives all free slots to waiting jobs.
    fn fill(&mut self) {
        while self.free_slots > 0
            && let Some(waiter) = self.next()
        {
            self.free_slots -= 1;
            waiter.grant(Slot::Regular);
        }
        while self.free_extra_slots > 0
            && let Some(waiter) = self.first_of(QueueKind::New)
        {
            self.free_extra_slots -= 1;
            waiter.grant(Slot::Extra);
        }
    }
}

impl Waiter {
    fn grant(&self, slot: Slot) {
        *lock(&self.slot) = Some(slot);
        self.granted.notify_one();
    }

    /// Unlocks the scheduler and waits for a slot.
    fn wait(&self, scheduler: MutexGuard<'_, Scheduler>) -> Option<Slot> {
        drop(scheduler);
        let slot = lock(&self.slot);
        *self.granted.wait_while(slot, |slot| slot.is_none()).unwrap_or_else(PoisonError::into_inner)
    }
}

impl TimeShare {
    /// Waits for the first slot.
    fn begin(&self) {
        let kind = if self.priority == Priority::Interactive { QueueKind::New } else { QueueKind::Background };
        self.wait_in(kind, None);
    }

    fn end(&self) {
        let mut scheduler = lock(&self.shared.scheduler);
        if let Some((_, slot)) = lock(&self.running).take() {
            scheduler.free(slot);
            scheduler.fill();
        }
    }

    /// Gives up the slot, if there is one, and waits for the next.
    fn wait_in(&self, kind: QueueKind, slot: Option<Slot>) {
        let mut scheduler = lock(&self.shared.scheduler);
        let waiter = scheduler.enqueue(kind);
        if let Some(slot) = slot {
            scheduler.free(slot);
        }
        scheduler.fill();
        let slot = waiter.wait(scheduler);
        *lock(&self.running) = slot.map(|slot| (Instant::now(), slot));
    }
}

impl Gate for TimeShare {
    fn pass(&self) {
        let running = *lock(&self.running);
        if let Some((began, slot)) = running
            && began.elapsed() >= SLICE
        {
            let kind = if self.priority == Priority::Interactive { QueueKind::Resumed } else { QueueKind::Background };
            self.wait_in(kind, Some(slot));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
    use std::sync::mpsc;

    use super::*;

    /// Starts a job that runs until the flag is set. Returns the count of its rounds.
    fn busy(workers: &WorkerPool, priority: Priority, is_over: &Arc<AtomicBool>) -> Arc<AtomicU64> {
        let (rounds, share, is_over) = (Arc::new(AtomicU64::new(0)), workers.share(priority), Arc::clone(is_over));
        let (count, gate) = (Arc::clone(&rounds), Arc::clone(&share));
        workers
            .spawn(share, move || {
                while !is_over.load(Relaxed) {
                    thread::sleep(Duration::from_millis(1));
                    count.fetch_add(1, Relaxed);
                    gate.pass();
                }
            })
            .expect("a thread");
        rounds
    }

    #[test]
    fn every_job_gets_slots_and_a_move_does_not_wait_for_analyses_to_end() {
        let (workers, is_over) = (WorkerPool::new(1, 16), Arc::new(AtomicBool::new(false)));
        let rounds: Vec<_> = (0..5).map(|_| busy(&workers, Priority::Background, &is_over)).collect();
        for _ in 0..20 {
            let (send, receive) = mpsc::channel();
            let share = workers.share(Priority::Interactive);
            workers.spawn(share, move || send.send(()).expect("a receiver")).expect("a thread");
            receive.recv().expect("the move is made although analyses never end");
        }
        while rounds.iter().any(|rounds| rounds.load(Relaxed) < 10) {
            thread::sleep(Duration::from_millis(1));
        }
        is_over.store(true, Relaxed);
    }

    #[test]
    fn interactive_jobs_do_not_starve_background_jobs() {
        let (workers, is_over) = (WorkerPool::new(1, 16), Arc::new(AtomicBool::new(false)));
        let interactive: Vec<_> = (0..3).map(|_| busy(&workers, Priority::Interactive, &is_over)).collect();
        let background = busy(&workers, Priority::Background, &is_over);
        while background.load(Relaxed) < 20 || interactive.iter().any(|rounds| rounds.load(Relaxed) < 20) {
            thread::sleep(Duration::from_millis(1));
        }
        is_over.store(true, Relaxed);
    }

    #[test]
    fn a_new_job_runs_in_an_extra_slot_for_a_slice_and_then_waits_for_a_regular_one() {
        let workers = WorkerPool::new(1, 4);
        let (release, released) = mpsc::channel();
        let share = workers.share(Priority::Background);
        workers.spawn(share, move || released.recv().expect("a sender")).expect("a thread");
        let (send, receive) = mpsc::channel();
        let share = workers.share(Priority::Interactive);
        let gate = Arc::clone(&share);
        let job = move || {
            send.send("runs").expect("a receiver");
            thread::sleep(SLICE);
            gate.pass();
            send.send("has a regular slot").expect("a receiver");
        };
        workers.spawn(share, job).expect("a thread");
        assert_eq!(receive.recv(), Ok("runs"), "although the only regular slot is taken");
        while lock(&workers.shared.scheduler).queues[QueueKind::Resumed as usize].is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(receive.try_recv().is_err());
        release.send(()).expect("a receiver");
        assert_eq!(receive.recv(), Ok("has a regular slot"));
    }

    #[test]
    fn new_jobs_are_served_first_and_no_queue_is_forgotten() {
        let mut scheduler =
            Scheduler { free_slots: 0, free_extra_slots: 0, queues: Default::default(), slots_given: 0 };
        let kinds = [QueueKind::New, QueueKind::Resumed, QueueKind::Background];
        let waiters: Vec<_> = (0..30).map(|index| (kinds[index % 3], scheduler.enqueue(kinds[index % 3]))).collect();
        let kind_of =
            |waiter: &Arc<Waiter>| waiters.iter().find(|(_, known)| Arc::ptr_eq(known, waiter)).map(|(kind, _)| *kind);
        let served: Vec<_> = std::iter::from_fn(|| scheduler.next()).filter_map(|waiter| kind_of(&waiter)).collect();
        assert_eq!(served.len(), 30);
        let among_the_first = |kind| served[..12].iter().filter(|&&served| served == kind).count();
        assert_eq!(kinds.map(among_the_first), [6, 3, 3]);
    }

    #[test]
    fn a_job_that_panics_does_not_end_its_thread() {
        let workers = WorkerPool::new(1, 1);
        workers.spawn(workers.share(Priority::Interactive), || panic!("on purpose")).expect("a thread");
        let (send, receive) = mpsc::channel();
        let share = workers.share(Priority::Interactive);
        workers.spawn(share, move || send.send(7).expect("a receiver")).expect("a thread");
        assert_eq!(receive.recv(), Ok(7));
    }
}
