//! Who may use an engine: one at a time.
//!
//! Calls wait for each other. Nothing waits for an analysis that is open, because it may never end, and no thread waits
//! for itself: both are refused at once.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use interface::Control;
use pyo3::prelude::*;

use super::failure::{EngineBusyError, EngineTerminatedError};
use crate::waiting;

/// What an engine is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// The thread waits until it is done.
    Call,
    /// It goes on by itself, and will end.
    Background,
    /// It goes on until it is stopped.
    Analysis,
}

struct Holder {
    purpose: Use,
    control: Arc<Control>,
    thread: ThreadId,
}

#[derive(Default)]
struct State {
    holder: Option<Holder>,
    /// Why the engine cannot be used any more.
    end: Option<String>,
}

/// The turns of an engine.
#[derive(Default)]
pub(super) struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

/// The right to use an engine, given back when it is dropped.
pub(super) struct Turn(Arc<Turns>);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.state().holder = None;
        self.0.changed.notify_all();
    }
}

impl Turns {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the engine cannot be used, for this reason. An earlier reason stays.
    pub(super) fn end(&self, reason: &str) {
        self.state().end.get_or_insert_with(|| reason.to_owned());
        self.changed.notify_all();
    }

    /// Why the engine cannot be used any more.
    pub(super) fn ended(&self) -> Option<String> {
        self.state().end.clone()
    }

    /// Stops what is under way.
    pub(super) fn stop(&self) {
        if let Some(holder) = &self.state().holder {
            holder.control.stop();
        }
    }

    /// Waits until the engine is free, and tells whether that was so within a time.
    pub(super) fn are_free_within(&self, patience: std::time::Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.state(), patience, |state| state.holder.is_some());
        waited.unwrap_or_else(PoisonError::into_inner).0.holder.is_none()
    }

    /// Waits for its turn; what is begun will be stopped by the control.
    pub(super) fn take(turns: &Arc<Turns>, py: Python<'_>, purpose: Use, control: &Arc<Control>) -> PyResult<Turn> {
        let thread = thread::current().id();
        loop {
            if let Some(turn) = Turns::try_take(turns, Holder { purpose, control: Arc::clone(control), thread })? {
                return Ok(turn);
            }
            py.detach(|| turns.are_free_within(waiting::GLANCE));
            py.check_signals()?;
        }
    }

    fn try_take(turns: &Arc<Turns>, wish: Holder) -> PyResult<Option<Turn>> {
        let mut state = turns.state();
        if let Some(reason) = &state.end {
            return Err(EngineTerminatedError::new_err(reason.clone()));
        }
        match &state.holder {
            None => {
                state.holder = Some(wish);
                Ok(Some(Turn(Arc::clone(turns))))
            }
            Some(holder) if holder.purpose == Use::Analysis && !holder.control.is_stopped() => Err(
                EngineBusyError::new_err("an analysis of this engine is open: stop it first, or use another engine"),
            ),
            Some(holder) if holder.purpose == Use::Call && holder.thread == wish.thread => {
                Err(EngineBusyError::new_err("this thread is already waiting for this engine"))
            }
            Some(_) => Ok(None),
        }
    }
}
