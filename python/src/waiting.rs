//! Waiting for work that runs on threads of ours, so that other Python threads run meanwhile and Ctrl-C is heard.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use interface::STACK_SIZE;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long a wait lasts before signals are looked at again.
pub(crate) const GLANCE: Duration = Duration::from_millis(20);

/// Waits with `look`, which waits at most so long and tells whether it has seen what is waited for. A signal whose
/// handler raises an exception ends the wait.
pub(crate) fn wait_until(py: Python<'_>, mut look: impl FnMut(Duration) -> bool + Send) -> PyResult<()> {
    while !py.detach(|| look(GLANCE)) {
        py.check_signals()?;
    }
    Ok(())
}

/// What a panic said. It is an error of ours, and told as such instead of crossing the border.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why");
    format!("a defect of saavedra, please report it: {said}")
}

/// What work on another thread tells the thread that waits for it.
pub(crate) enum Word<M, T> {
    /// Something on the way.
    Message(M),
    /// The work is over, or has panicked.
    Over(Result<T, String>),
}

/// Sends messages to the thread that waits.
pub(crate) type Messages<M, T> = SyncSender<Word<M, T>>;

/// Does work on a thread with the stack of a search, hands its messages to `hear` on this thread, and returns what came
/// of it. If a signal or `hear` raises an exception, `stop` is called, which tells whether the work will end: then the
/// exception is raised when it is over, and otherwise at once. No message is heard after that.
pub(crate) fn work<M: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Messages<M, T>) -> T + Send + 'static,
    stop: impl Fn() -> bool,
    mut hear: impl FnMut(Python<'_>, M) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(64);
    // Only this thread locks it: a receiver alone cannot be used while other Python threads run.
    let receiver = Mutex::new(receiver);
    let run = move || {
        let result = catch_unwind(AssertUnwindSafe(|| work(&sender)));
        // If the receiver is gone, so is its need.
        let _ = sender.send(Word::Over(result.map_err(|panic| panic_text(&*panic))));
    };
    thread::Builder::new().name("saavedra".to_owned()).stack_size(STACK_SIZE).spawn(run)?;
    let mut raised = None;
    loop {
        let step = match next_word(py, &receiver) {
            Ok(Word::Over(result)) => return raised.map_or_else(|| result.map_err(PyRuntimeError::new_err), Err),
            Ok(Word::Message(message)) if raised.is_none() => hear(py, message),
            Ok(Word::Message(_)) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = step {
            let ends = stop();
            let error = raised.get_or_insert(error);
            if !ends {
                return Err(error.clone_ref(py));
            }
        }
    }
}

fn next_word<M: Send, T: Send>(py: Python<'_>, receiver: &Mutex<Receiver<Word<M, T>>>) -> PyResult<Word<M, T>> {
    let look = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(GLANCE);
    loop {
        // Before every message, because where they never stop no wait lasts long enough.
        py.check_signals()?;
        match py.detach(look) {
            Ok(word) => return Ok(word),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(Word::Over(Err("its thread is gone".to_owned()))),
        }
    }
}
