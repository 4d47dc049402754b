//! What a training prints: a bar and a line for every epoch, unless only a program reads what comes of it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arena::plot::{Chart, Curve, CurvePoint};
use evolve::{LeftOut, TrainingReport, TrainingReporter, active_pairs, held_out};
use records::packed::PackedError;
use train::{Progress, Pulse, VERIFIED};

use crate::numbers::{grouped, minutes};
use crate::progress::Bar;

/// Prints how a training goes.
pub(crate) struct Printer {
    is_quiet: bool,
    plot: Option<PathBuf>,
    bar: Bar,
}

impl Printer {
    /// Prints everything, or nothing if it is to be quiet; draws the losses into a file if one is given.
    pub(crate) fn new(is_quiet: bool, plot: Option<PathBuf>) -> Printer {
        Printer { is_quiet, plot, bar: Bar::new("{spinner} {wide_msg}") }
    }
}

impl TrainingReporter for Printer {
    fn reading(&self, file: &Path, done: usize, files: usize, positions: u64) {
        self.bar.set(done, files);
        self.bar.say(format!("reading {}: {} positions so far", file.display(), grouped(positions)));
    }

    fn damage(&self, file: &Path, error: &PackedError) {
        self.bar.aside(|| {
            let _ = writeln!(io::stderr(), "saavedra: {}: {error}", file.display());
        });
    }

    fn begin(&mut self, report: &TrainingReport, _progress: &Progress) -> io::Result<()> {
        self.bar = Bar::new("{bar:30} {percent:>3} % {wide_msg}");
        if self.is_quiet {
            return Ok(());
        }
        let LeftOut { opening, checks, captures, scores } = report.left_out;
        let mut out = io::stdout().lock();
        writeln!(out, "games     {}, {} of them held out", grouped(report.games), grouped(report.held_out_games))?;
        writeln!(
            out,
            "samples   {} to learn from, {} held out, of {} positions",
            grouped(report.samples as u64),
            grouped(report.held_out_samples as u64),
            grouped(report.positions)
        )?;
        writeln!(
            out,
            "skipped   {} in the opening, {} before captures, {} in check, {} with large scores",
            grouped(opening),
            grouped(captures),
            grouped(checks),
            grouped(scores)
        )?;
        writeln!(out, "network   {}", report.shape)?;
        writeln!(out, "device    {}", report.device)?;
        out.flush()
    }

    fn pulse(&mut self, pulse: &Pulse, samples_per_second: f64, seconds_left: f64) {
        self.bar.set(pulse.seen as usize, pulse.total as usize);
        self.bar.say(format!(
            "epoch {}, loss {:.5}, {} a second, {} left",
            pulse.epoch,
            pulse.loss,
            grouped(samples_per_second as u64),
            minutes(seconds_left)
        ));
    }

    fn epoch(&mut self, report: &TrainingReport, progress: &Progress) -> io::Result<()> {
        let Some(epoch) = report.epochs.last().filter(|_| !self.is_quiet) else { return Ok(()) };
        self.bar.aside(|| {
            let mut out = io::stdout().lock();
            writeln!(
                out,
                "epoch {:>3} of {}: loss {:.6}, {}{}, {} samples a second",
                epoch.epoch,
                progress.settings.epochs,
                epoch.loss,
                held_out(epoch.held_out_loss),
                active_pairs(epoch.active_pairs),
                grouped(epoch.samples_per_second as u64)
            )?;
            out.flush()
        })
    }

    fn trained(&mut self, progress: &Progress) -> io::Result<()> {
        // A bar that is over is taken away.
        self.bar = Bar::new("");
        match &self.plot {
            Some(path) => train::write_whole(path, plot(progress).as_bytes())
                .map_err(|error| io::Error::other(format!("cannot write {}: {error}", path.display()))),
            None => Ok(()),
        }
    }

    fn end(&mut self, report: &TrainingReport, progress: &Progress) -> io::Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        write!(out, "\n{}\n", progress.curve.sketch(64, 12))?;
        let speed = grouped(report.samples_per_second as u64);
        writeln!(out, "time      {}, {speed} samples a second", minutes(report.seconds))?;
        writeln!(out, "chosen    {}, {}", report.chosen, held_out(report.held_out_loss))?;
        writeln!(out, "written   {}, the same to the bit in {} positions", report.network, grouped(VERIFIED as u64))?;
        out.flush()
    }
}

/// The losses as a picture.
fn plot(progress: &Progress) -> String {
    let curve = |name: &str, points: Vec<(f64, f64)>| Curve {
        name: name.to_owned(),
        points: points.into_iter().map(|(x, y)| CurvePoint { x, y, error: None }).collect(),
    };
    let curves = [("training", progress.curve.training()), ("held out", progress.curve.held_out())];
    let chart = Chart {
        title: "Loss".to_owned(),
        x_label: "million samples".to_owned(),
        y_label: "squared error of the expected points".to_owned(),
        curves: curves.into_iter().map(|(name, points)| curve(name, points)).collect(),
    };
    chart.to_svg()
}
