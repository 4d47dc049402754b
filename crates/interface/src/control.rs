//! The switch of a running search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::Gate;

/// The switch of a running search, held by the thread that may want to stop it.
#[derive(Debug)]
pub struct Control {
    /// Several searches may be stopped by one switch.
    is_stopped: Arc<AtomicBool>,
    gate: Option<Arc<dyn Gate>>,
    is_pondering: AtomicBool,
    started: Instant,
    /// Wakes the thread that waits for the switch to be thrown.
    lock: Mutex<()>,
    thrown: Condvar,
}

impl Control {
    /// A switch for a search that starts now.
    pub fn new() -> Control {
        Control::started_at(Instant::now(), false)
    }

    /// A switch for a search on the opponent's time: no limit of time counts until [`ponder_hit`](Control::ponder_hit).
    pub fn pondering() -> Control {
        Control::started_at(Instant::now(), true)
    }

    /// A switch for a search whose time counts from an earlier moment, such as the arrival of the command.
    pub fn started_at(started: Instant, is_pondering: bool) -> Control {
        Control {
            is_stopped: Arc::default(),
            gate: None,
            is_pondering: AtomicBool::new(is_pondering),
            started,
            lock: Mutex::new(()),
            thrown: Condvar::new(),
        }
    }

    /// A switch for a search that starts now and ends when the flag is set, which may end other searches as well.
    ///
    /// Setting the flag wakes no thread: one that [waits](Control::wait_for_release) is woken only by
    /// [`stop`](Control::stop).
    pub fn sharing(is_stopped: Arc<AtomicBool>) -> Control {
        Control { is_stopped, ..Control::new() }
    }

    /// The same switch for a search that takes turns with others: it has to pass a gate.
    #[must_use]
    pub fn behind(self, gate: Arc<dyn Gate>) -> Control {
        Control { gate: Some(gate), ..self }
    }

    /// Passes the gate, if there is one, and tells whether the search has to end. For a single thread, every thousand
    /// positions or so.
    pub fn is_stopped_at_gate(&self) -> bool {
        if let Some(gate) = &self.gate {
            gate.pass();
        }
        self.is_stopped()
    }

    /// Ends the search as soon as it looks, within a few thousand positions.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.wake();
    }

    /// The opponent played the expected move: from now on the limits of time count, from the start of the search.
    pub fn ponder_hit(&self) {
        self.is_pondering.store(false, Ordering::Relaxed);
        self.wake();
    }

    /// Whether the search was told to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Whether the search still runs on the opponent's time.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.is_pondering.load(Ordering::Relaxed)
    }

    /// When the search started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// The time since the search started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Waits until the search is stopped or, if it was pondering, until the opponent has moved as expected.
    ///
    /// A search that has nothing left to do still owes its answer only then.
    pub fn wait_for_release(&self, is_infinite: bool) {
        let guard = self.lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let keeps_waiting = |_: &mut ()| !self.is_stopped() && (is_infinite || self.is_pondering());
        drop(self.thrown.wait_while(guard, keeps_waiting));
    }

    fn wake(&self) {
        let _guard = self.lock.lock();
        self.thrown.notify_all();
    }
}

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}
