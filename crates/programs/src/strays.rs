//! What a program has started and left behind, outside its process group.
//!
//! A program that becomes a daemon leaves its group and its parent, but it keeps the environment it was given. So each
//! program gets a mark there, and when it ends, Linux is asked which processes still carry it.

use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// The variable that carries the mark.
pub(crate) const VARIABLE: &str = "SAAVEDRA_PROGRAM";

/// How often we look again for what strays have started meanwhile.
#[cfg(target_os = "linux")]
const ROUNDS: usize = 10;

/// What tells a program and everything it starts from all others.
pub(crate) struct Mark(String);

impl Mark {
    pub(crate) fn new() -> Mark {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Mark(format!("{}.{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    /// Marks a program that is about to be started.
    pub(crate) fn set(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }

    /// Ends every process with the mark. Elsewhere than on Linux this does nothing.
    #[cfg(target_os = "linux")]
    pub(crate) fn end_strays(&self) {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        let entry = format!("{VARIABLE}={}", self.0);
        for _ in 0..ROUNDS {
            let strays: Vec<i32> = processes().filter(|&process| carries(process, entry.as_bytes())).collect();
            if strays.is_empty() {
                return;
            }
            for stray in strays {
                // It fails if the process has gone by itself.
                let _ = kill(Pid::from_raw(stray), Signal::SIGKILL);
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn end_strays(&self) {}
}

/// The numbers of all processes, as far as we may know.
#[cfg(target_os = "linux")]
fn processes() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Whether the environment of a process has this entry. That of a process which is not ours, or gone, has none.
#[cfg(target_os = "linux")]
fn carries(process: i32, entry: &[u8]) -> bool {
    let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|found| found == entry)
}
