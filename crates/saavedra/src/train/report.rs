//! What a training tells: line by line while it runs, and as one JSON object for programs.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use arena::plot::{Chart, Curve, CurvePoint};
use nnue::Architecture;
use serde::Serialize;
use train::{Candidate, Counts, DataSet, FeatureTable, Origin, Progress, Sample, VERIFIED};

pub(super) use crate::numbers::grouped;
use crate::numbers::minutes;

/// How many samples are looked at for the share of active pairs.
pub(crate) const PROBED: usize = 1_000;

/// What is known of a training.
#[derive(Serialize)]
pub(crate) struct Report {
    #[serde(skip)]
    architecture: Architecture,
    #[serde(rename = "architecture")]
    shape: String,
    /// A few samples to look into the network with.
    #[serde(skip)]
    probe: Vec<Sample>,
    games: u64,
    held_out_games: u64,
    positions: u64,
    samples: usize,
    held_out_samples: usize,
    left_out: LeftOut,
    device: String,
    epochs: Vec<Epoch>,
    chosen: String,
    held_out_loss: Option<f64>,
    samples_per_second: f64,
    seconds: f64,
    network: String,
}

#[derive(Serialize)]
struct LeftOut {
    opening: u64,
    checks: u64,
    captures: u64,
    scores: u64,
}

#[derive(Serialize)]
struct Epoch {
    epoch: u32,
    loss: f64,
    held_out_loss: Option<f64>,
    /// The share of pairs that are not zero, of a pairwise network.
    #[serde(skip_serializing_if = "Option::is_none")]
    active_pairs: Option<f64>,
    samples_per_second: f64,
}

impl Report {
    pub(super) fn new(data: &DataSet, architecture: Architecture) -> Report {
        let Counts { games, held_out_games, positions, opening, checks, tactics: captures, scores } = data.counts();
        Report {
            architecture,
            shape: architecture.to_string(),
            probe: data.held_out().iter().chain(data.samples()).copied().take(PROBED).collect(),
            games,
            held_out_games,
            positions,
            samples: data.samples().len(),
            held_out_samples: data.held_out().len(),
            left_out: LeftOut { opening, checks, captures, scores },
            device: String::new(),
            epochs: Vec::new(),
            chosen: String::new(),
            held_out_loss: None,
            samples_per_second: 0.0,
            seconds: 0.0,
            network: String::new(),
        }
    }

    pub(super) fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Tells what there is to learn from, and who learns.
    pub(super) fn begin(&mut self, device: String, is_json: bool) -> io::Result<()> {
        self.device = device;
        if is_json {
            return Ok(());
        }
        let LeftOut { opening, checks, captures, scores } = self.left_out;
        let mut out = io::stdout().lock();
        writeln!(out, "games     {}, {} of them held out", grouped(self.games), grouped(self.held_out_games))?;
        writeln!(
            out,
            "samples   {} to learn from, {} held out, of {} positions",
            grouped(self.samples as u64),
            grouped(self.held_out_samples as u64),
            grouped(self.positions)
        )?;
        writeln!(
            out,
            "left out  {} in the opening, {} before captures, {} in check, {} with large scores",
            grouped(opening),
            grouped(captures),
            grouped(checks),
            grouped(scores)
        )?;
        writeln!(out, "network   {}", self.shape)?;
        writeln!(out, "device    {}", self.device)?;
        out.flush()
    }

    /// The share of pairs that are not zero after the last epoch.
    fn active_pairs(&self, progress: &Progress) -> Option<f64> {
        train::active_pairs(&progress.state.weights, &FeatureTable::new(&self.architecture), &self.probe)
    }

    /// Tells how the last epoch went.
    pub(super) fn epoch(&mut self, progress: &Progress, samples_per_second: f64, is_json: bool) -> io::Result<()> {
        let Some(point) = progress.curve.points.last() else { return Ok(()) };
        let epoch = Epoch {
            epoch: progress.epochs_done,
            loss: point.training,
            held_out_loss: point.held_out,
            active_pairs: self.active_pairs(progress),
            samples_per_second,
        };
        if !is_json {
            let mut out = io::stdout().lock();
            let speed = grouped(samples_per_second as u64);
            writeln!(
                out,
                "epoch {:>3} of {}: loss {:.6}, {}{}, {speed} samples a second",
                epoch.epoch,
                progress.settings.epochs,
                epoch.loss,
                held_out(epoch.held_out_loss),
                active_pairs(epoch.active_pairs)
            )?;
            out.flush()?;
        }
        self.epochs.push(epoch);
        Ok(())
    }

    /// What the network says about itself.
    pub(super) fn description(&self, progress: &Progress, chosen: &Candidate) -> String {
        let settings = &progress.settings;
        format!(
            "trained on {} positions of {} games; {} epochs of batches of {}, rate {:e}, lambda {} to {}, seed {}; {}, {}",
            grouped(self.samples as u64),
            grouped(self.games - self.held_out_games),
            settings.epochs,
            settings.batch,
            settings.rate,
            settings.lambda,
            settings.last_lambda,
            settings.seed,
            origin(chosen.origin),
            held_out(chosen.held_out)
        )
    }

    /// Tells what came of it.
    pub(super) fn end(
        &mut self,
        progress: &Progress,
        chosen: &Candidate,
        network: &Path,
        time: Duration,
        is_json: bool,
    ) -> io::Result<()> {
        self.chosen = origin(chosen.origin);
        self.held_out_loss = chosen.held_out;
        self.seconds = time.as_secs_f64();
        let seen = progress.seen() as f64 * self.epochs.len() as f64 / f64::from(progress.epochs_done.max(1));
        self.samples_per_second = seen / self.seconds.max(1e-9);
        self.network = network.display().to_string();
        if is_json {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        write!(out, "\n{}\n", progress.curve.sketch(64, 12))?;
        let speed = grouped(self.samples_per_second as u64);
        writeln!(out, "time      {}, {speed} samples a second", minutes(self.seconds))?;
        writeln!(out, "chosen    {}, {}", self.chosen, held_out(self.held_out_loss))?;
        writeln!(out, "written   {}, the same to the bit in {} positions", self.network, grouped(VERIFIED as u64))?;
        out.flush()
    }
}

pub(crate) fn held_out(loss: Option<f64>) -> String {
    loss.map_or_else(|| "nothing held out".to_owned(), |loss| format!("held out {loss:.6}"))
}

/// The share of active pairs behind a comma, if there are pairs.
pub(crate) fn active_pairs(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!(", {:.1} % of pairs active", 100.0 * share))
}

pub(crate) fn origin(origin: Origin) -> String {
    match origin {
        Origin::Epoch(epoch) => format!("epoch {epoch}"),
        Origin::MeanOfLast(count) => format!("the mean of the last {count} epochs"),
    }
}

/// The losses as a picture.
pub(super) fn plot(progress: &Progress) -> String {
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
