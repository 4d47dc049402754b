//! Process groups, and the promise that none outlives us.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

use crate::interrupt::on_interrupt;
use crate::starter;
use crate::strays::Mark;

/// The programs that must not outlive us, each with its mark. Each is ended once: later its number may belong to
/// another process.
static RUNNING: Mutex<BTreeMap<u32, Mark>> = Mutex::new(BTreeMap::new());

/// Starts a program and remembers it.
pub(crate) fn spawn(mut command: Command) -> io::Result<Child> {
    let mark = Mark::new();
    mark.set(&mut command);
    #[cfg(target_os = "linux")]
    crate::watchdog::start();
    // The lock is held meanwhile: an interrupt in between would miss the newborn.
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let child = starter::spawn(command)?;
    running.insert(child.id(), mark);
    Ok(child)
}

/// Ends a program with everything it has started, unless that was done before.
pub(crate) fn end(id: u32) {
    let mark = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    if let Some(mark) = mark {
        kill(id);
        mark.end_strays();
    }
}

/// Ends every running program, with everything it has started, and then us, as an interrupt does.
pub fn exit_interrupted() -> ! {
    // The lock is kept: a thread that sees a program end and wants to clean up after it waits here until we are gone,
    // instead of reporting a fault that is none.
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for (id, mark) in std::mem::take(&mut *running) {
        kill(id);
        mark.end_strays();
    }
    // What shells report for a program that was interrupted.
    std::process::exit(130);
}

/// Ends all programs and then us when we are interrupted or terminated. In groups of their own they do not hear the
/// interrupt of a terminal themselves.
pub fn end_with_us() {
    // If there is another handler already, it calls `exit_interrupted`.
    on_interrupt(|_| exit_interrupted());
}

#[cfg(unix)]
fn kill(id: u32) {
    signal(id, nix::sys::signal::Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill(_id: u32) {}

/// Interrupts a program as a terminal does. Elsewhere than on Unix this does nothing, and says so.
pub(crate) fn interrupt(id: u32) -> bool {
    #[cfg(unix)]
    signal(id, nix::sys::signal::Signal::SIGINT);
    let _ = id;
    cfg!(unix)
}

#[cfg(unix)]
fn signal(id: u32, signal: nix::sys::signal::Signal) {
    if let Ok(id) = i32::try_from(id) {
        // It fails if all of the group are gone, and that is as well.
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(id), signal);
    }
}
