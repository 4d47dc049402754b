//! Starting programs so that they end when we are killed.
//!
//! After a `kill -9` none of our code runs. On Linux the kernel then ends a program for us, if that was asked for
//! before the program began; but it does so as soon as the *thread* that started the program ends. So one thread
//! starts all programs and lives as long as we do.

use std::io;
use std::process::{Child, Command};

#[cfg(not(target_os = "linux"))]
pub(crate) fn spawn(mut command: Command) -> io::Result<Child> {
    command.spawn()
}

#[cfg(target_os = "linux")]
pub(crate) use linux::spawn;

#[cfg(target_os = "linux")]
mod linux {
    use std::os::unix::process::CommandExt;
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Mutex, PoisonError};

    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::signal::Signal;
    use nix::unistd::{Pid, getppid};

    use super::*;

    /// A program to be started, and where the child goes.
    type Order = (Command, Sender<io::Result<Child>>);

    /// The thread that starts programs.
    struct Starter {
        /// The process it belongs to: a fork of ours has the memory, but not the thread.
        process: u32,
        orders: Sender<Order>,
    }

    static STARTER: Mutex<Option<Starter>> = Mutex::new(None);

    impl Starter {
        fn new() -> io::Result<Starter> {
            let (orders, incoming) = channel::<Order>();
            std::thread::Builder::new().name("starter".to_owned()).spawn(move || {
                for (mut command, answer) in incoming {
                    // The caller waits for it.
                    let _ = answer.send(command.spawn());
                }
            })?;
            Ok(Starter { process: std::process::id(), orders })
        }
    }

    pub(crate) fn spawn(mut command: Command) -> io::Result<Child> {
        let us = Pid::this();
        let end_with_us = move || {
            set_pdeathsig(Signal::SIGKILL)?;
            // If we were killed before that call, nothing will end the program.
            if getppid() == us { Ok(()) } else { Err(io::Error::other("its parent is gone")) }
        };
        // SAFETY: between fork and exec the closure makes two system calls, which are safe to make there. It allocates
        // only if we are gone, and then nothing waits for it.
        unsafe { command.pre_exec(end_with_us) };
        let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
        if starter.as_ref().is_none_or(|starter| starter.process != std::process::id()) {
            *starter = Some(Starter::new()?);
        }
        let (answer, child) = channel();
        let orders = starter.as_ref().map(|starter| starter.orders.clone());
        let ordered = orders.is_some_and(|orders| orders.send((command, answer)).is_ok());
        drop(starter);
        let gone = || io::Error::other("the thread that starts programs is gone");
        if ordered { child.recv().map_err(|_| gone())? } else { Err(gone()) }
    }
}
