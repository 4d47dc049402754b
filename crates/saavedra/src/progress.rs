//! How far a long run has come: on a terminal a bar, after a moment; elsewhere a line every minute. What is over at
//! once shows neither.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::numbers::{grouped, hms};

/// Runs shorter than this show no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often a line is written where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// How far a run has come.
pub(crate) struct Bar {
    bar: ProgressBar,
    started: Instant,
    /// When the last line was written.
    told: Mutex<Instant>,
    on_terminal: bool,
}

impl Bar {
    /// A bar drawn by one of indicatif's templates.
    pub(crate) fn new(template: &str) -> Bar {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::hidden().with_style(style);
        let started = Instant::now();
        Bar { bar, started, told: Mutex::new(started), on_terminal: io::stderr().is_terminal() }
    }

    /// How often something new is shown.
    pub(crate) fn refresh_interval(&self) -> Duration {
        if self.on_terminal { Duration::from_millis(250) } else { LINE_INTERVAL }
    }

    /// Says how much is done of how much.
    pub(crate) fn set(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        if self.on_terminal && self.bar.is_hidden() && self.started.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.on_terminal && told.elapsed() >= LINE_INTERVAL {
            *told = Instant::now();
            // If it cannot be written, it will not be missed.
            let _ = writeln!(io::stderr(), "{}", line(self.started.elapsed(), done, total, &self.bar.message()));
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

/// A line of progress: how long it took so far, how much is done, and what else there is to say.
fn line(elapsed: Duration, done: usize, total: usize, message: &str) -> String {
    let elapsed = hms(elapsed.as_secs_f64());
    let line = format!("{elapsed}  {} of {}  {message}", grouped(done as u64), grouped(total as u64));
    line.trim_end().to_owned()
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_much_is_done_of_how_much() {
        let minute = Duration::from_secs(60);
        assert_eq!(line(minute, 1234, 50_000, "+1 =2 -3"), "1:00  1,234 of 50,000  +1 =2 -3");
        assert_eq!(line(minute, 0, 1, ""), "1:00  0 of 1");
    }
}
