//! Ends what our programs have started when we are killed.
//!
//! The kernel ends the programs themselves (see `starter`), but not what they have started. So a shell waits beside us
//! for the end of a pipe that only we hold. Whatever way we end, the pipe ends with us; then the shell ends every
//! process that carries one of our marks. It is started with the first program, and where there is no shell or no
//! `grep` we go on without.

use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::strays::VARIABLE;

/// `$1` begins the marks of all our programs. Processes are looked for more than once, because they may start others
/// meanwhile.
const SCRIPT: &str = r#"
while read -r _; do :; done
for _ in 1 2 3; do
  grep -lzs "^$1" /proc/[0-9]*/environ | while IFS=/ read -r _ _ process _; do kill -9 "$process"; done
done
"#;

/// The watchdog, and the process that it watches: a fork of ours has the memory, but is another process.
static WATCHDOG: Mutex<Option<(u32, Option<Child>)>> = Mutex::new(None);

/// Starts the watchdog, unless it runs.
pub(crate) fn start() {
    let us = std::process::id();
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    if watchdog.as_ref().is_none_or(|(watched, _)| *watched != us) {
        // That it cannot be started is remembered, too.
        *watchdog = Some((us, spawn(us).ok()));
    }
}

fn spawn(us: u32) -> std::io::Result<Child> {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT, "watchdog", &format!(r"{VARIABLE}={us}\.")]);
    // If we are a program of another Saavedra, the mark that we carry must not be handed on: it is the watchdog's
    // business to outlive us.
    command.env_remove(VARIABLE).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // In a group of its own it does not hear the interrupt of a terminal.
    command.process_group(0).spawn()
}
