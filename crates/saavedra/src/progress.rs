//! A bar for long runs: on a terminal, after a moment; never in a pipe, and never for what is over at once.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Runs shorter than this show no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// How far a run has come.
pub(crate) struct Bar {
    bar: ProgressBar,
    started: Instant,
    on_terminal: bool,
}

impl Bar {
    /// A bar drawn by one of indicatif's templates.
    pub(crate) fn new(template: &str) -> Bar {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::hidden().with_style(style);
        Bar { bar, started: Instant::now(), on_terminal: io::stderr().is_terminal() }
    }

    /// Says how much is done of how much.
    pub(crate) fn set(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        if self.on_terminal && self.bar.is_hidden() && self.started.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        }
    }

    /// Takes the bar away while something else is printed.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Says what is being done.
    pub(crate) fn say(&self, message: String) {
        self.bar.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
