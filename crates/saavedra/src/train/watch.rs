//! Looks on while a training runs: a bar, a line for every epoch, checkpoints, and the wish to stop.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use records::packed::PackedError;
use train::{Go, Progress, Pulse, ReadWatcher, Watcher};

use super::report::Report;
use crate::numbers::{grouped, minutes};
use crate::progress::Bar;

/// Looks on while games are read.
pub(super) struct Reading<'a> {
    pub(super) files: &'a [PathBuf],
    pub(super) bar: Bar,
}

impl ReadWatcher for Reading<'_> {
    fn progress(&self, file: usize, positions: u64) {
        self.bar.set(file, self.files.len());
        self.bar.say(format!("reading {}: {} positions so far", self.files[file].display(), grouped(positions)));
    }

    fn damage(&self, file: usize, error: &PackedError) {
        self.bar.aside(|| {
            let _ = writeln!(io::stderr(), "saavedra: {}: {error}", self.files[file].display());
        });
    }
}

/// The watcher of a training.
pub(super) struct Watch<'a> {
    stop: &'a AtomicBool,
    report: &'a mut Report,
    checkpoint: Option<&'a Path>,
    is_json: bool,
    bar: Bar,
    begun: Instant,
    /// How many samples had been seen when this run began.
    seen_before: u64,
    epoch_begun: Instant,
    /// How many had been seen when the epoch began.
    epoch_seen: u64,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        stop: &'a AtomicBool,
        report: &'a mut Report,
        checkpoint: Option<&'a Path>,
        is_json: bool,
        progress: &Progress,
    ) -> Watch<'a> {
        let bar = Bar::new("{bar:30} {percent:>3} % {wide_msg}");
        let now = Instant::now();
        let seen_before = progress.seen();
        let (begun, epoch_begun, epoch_seen) = (now, now, seen_before);
        Watch { stop, report, checkpoint, is_json, bar, begun, seen_before, epoch_begun, epoch_seen }
    }
}

impl Watcher for Watch<'_> {
    fn pulse(&mut self, pulse: &Pulse) -> Go {
        let seconds = self.begun.elapsed().as_secs_f64();
        let speed = (pulse.seen - self.seen_before) as f64 / seconds.max(1e-9);
        let left = (pulse.total - pulse.seen) as f64 / speed.max(1e-9);
        self.bar.set(pulse.seen as usize, pulse.total as usize);
        self.bar.say(format!(
            "epoch {}, loss {:.5}, {} a second, {} left",
            pulse.epoch,
            pulse.loss,
            grouped(speed as u64),
            minutes(left)
        ));
        if self.stop.load(Ordering::Relaxed) { Go::Stop } else { Go::On }
    }

    fn epoch(&mut self, progress: &Progress) -> io::Result<()> {
        if let Some(path) = self.checkpoint {
            progress.save(path)?;
        }
        let seconds = self.epoch_begun.elapsed().as_secs_f64();
        self.epoch_begun = Instant::now();
        let speed = (progress.seen() - self.epoch_seen) as f64 / seconds.max(1e-9);
        self.epoch_seen = progress.seen();
        self.bar.aside(|| self.report.epoch(progress, speed, self.is_json))
    }
}
