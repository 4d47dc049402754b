//! What a training prints: a bar and a line for every epoch, unless only a program reads what comes of it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arena::plot::{Chart, Curve, CurvePoint};
use evolve::{LeftOut, TrainingReport, TrainingReporter, active_pairs, validation_loss};
use records::packed::PackedError;
use records::source::input_name;
use train::{Pulse, TrainingProgress, VERIFIED};

use crate::numbers::{grouped, hms};
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
        self.bar.say(format!("reading {}: {} positions so far", input_name(file), grouped(positions)));
    }

    fn damage(&self, file: &Path, error: &PackedError) {
        self.bar.aside(|| {
            let _ = writeln!(io::stderr(), "saavedra: {}: left out: {error}", input_name(file));
        });
    }

    fn begin(&mut self, report: &TrainingReport, _progress: &TrainingProgress) -> io::Result<()> {
        self.bar = Bar::new("{bar:30} {percent:>3} % {wide_msg}");
        if self.is_quiet {
            return Ok(());
        }
        let LeftOut { opening, checks, captures, scores } = report.left_out;
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "games     {}, {} of them for validation",
            grouped(report.games),
            grouped(report.validation_games)
        )?;
        writeln!(
            out,
            "samples   {} to train on, {} for validation, of {} positions",
            grouped(report.samples as u64),
            grouped(report.validation_samples as u64),
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
            hms(seconds_left)
        ));
    }

    fn epoch(&mut self, report: &TrainingReport, progress: &TrainingProgress) -> io::Result<()> {
        let Some(epoch) = report.epochs.last().filter(|_| !self.is_quiet) else { return Ok(()) };
        self.bar.aside(|| {
            let mut out = io::stdout().lock();
            writeln!(
                out,
                "epoch {:>3} of {}: loss {:.6}, {}{}, {} samples a second",
                epoch.epoch,
                progress.settings.epochs,
                epoch.loss,
                validation_loss(epoch.validation_loss),
                active_pairs(epoch.active_pairs),
                grouped(epoch.samples_per_second as u64)
            )?;
            out.flush()
        })
    }

    fn trained(&mut self, progress: &TrainingProgress) -> io::Result<()> {
        // A bar that is over is taken away.
        self.bar = Bar::new("");
        match &self.plot {
            Some(path) => records::write_atomically(path, plot(progress))
                .map_err(|error| io::Error::other(format!("cannot write {}: {error}", path.display()))),
            None => Ok(()),
        }
    }

    fn end(&mut self, report: &TrainingReport, progress: &TrainingProgress) -> io::Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        write!(out, "\n{}\n", progress.curve.sketch(64, 12))?;
        let speed = grouped(report.samples_per_second as u64);
        writeln!(out, "time      {}, {speed} samples a second", hms(report.seconds))?;
        writeln!(out, "chosen    {}, {}", report.chosen, validation_loss(report.validation_loss))?;
        writeln!(out, "written   {}, verified in {} positions", report.network, grouped(VERIFIED as u64))?;
        out.flush()
    }
}

/// The losses as a picture.
fn plot(progress: &TrainingProgress) -> String {
    let curve = |name: &str, points: Vec<(f64, f64)>| Curve {
        name: name.to_owned(),
        points: points.into_iter().map(|(x, y)| CurvePoint { x, y, error: None }).collect(),
    };
    let curves = [("training", progress.curve.training()), ("validation", progress.curve.validation())];
    let chart = Chart {
        title: "Loss".to_owned(),
        x_label: "million samples".to_owned(),
        y_label: "squared error of the expected score".to_owned(),
        curves: curves.into_iter().map(|(name, points)| curve(name, points)).collect(),
    };
    chart.to_svg()
}
