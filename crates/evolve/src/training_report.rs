//! What is known of a training, for programs to read. Names in JSON are those of the first version.

use std::path::Path;
use std::time::Duration;

use nnue::Architecture;
use serde::Serialize;
use train::{Chosen, DataSet, DatasetCounts, FeatureTable, Origin, Sample, TrainingProgress};

use crate::{float_path, grouped};

/// How many samples are looked at for the share of active pairs.
pub(crate) const PROBED: usize = 1_000;

/// What is known of a training.
#[derive(Clone, Serialize)]
pub struct TrainingReport {
    #[serde(skip)]
    architecture: Architecture,
    /// The network in a line.
    #[serde(rename = "architecture")]
    pub shape: String,
    /// A few samples to look into the network with.
    #[serde(skip)]
    probe: Vec<Sample>,
    /// All games.
    pub games: u64,
    /// Those among them that are kept for validation.
    #[serde(rename = "held_out_games")]
    pub validation_games: u64,
    /// All positions.
    pub positions: u64,
    /// Positions to learn from.
    pub samples: usize,
    /// Positions for validation.
    #[serde(rename = "held_out_samples")]
    pub validation_samples: usize,
    /// Positions that are neither.
    pub left_out: LeftOut,
    /// What computes.
    pub device: String,
    /// The epochs of this run.
    pub epochs: Vec<Epoch>,
    /// Which epoch was chosen, or the mean of the last ones.
    pub chosen: String,
    /// Its validation loss.
    #[serde(rename = "held_out_loss")]
    pub validation_loss: Option<f64>,
    /// What the output was multiplied by, to have the evaluation scale of the reference.
    pub scale: f64,
    /// The share of groups of four products that are not zero, of a pairwise network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_groups: Option<f64>,
    /// How fast this run was.
    pub samples_per_second: f64,
    /// How long this run took.
    pub seconds: f64,
    /// The file of the network.
    pub network: String,
    /// The file of its float weights.
    #[serde(rename = "trunk")]
    pub float_weights: String,
}

/// How many positions were left out, by reason.
#[derive(Clone, Copy, Serialize)]
pub struct LeftOut {
    /// In the opening.
    pub opening: u64,
    /// In check.
    pub checks: u64,
    /// Before a capture or a promotion.
    pub captures: u64,
    /// With a score too large to learn from.
    pub scores: u64,
}

/// How an epoch went.
#[derive(Clone, Copy, Serialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub epoch: u32,
    /// The mean loss while it was learned.
    pub loss: f64,
    /// The validation loss.
    #[serde(rename = "held_out_loss")]
    pub validation_loss: Option<f64>,
    /// The share of pairs that are not zero, of a pairwise network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_pairs: Option<f64>,
    /// How fast it was.
    pub samples_per_second: f64,
}

impl TrainingReport {
    pub(crate) fn new(data: &DataSet, architecture: Architecture, device: String) -> TrainingReport {
        let DatasetCounts { games, validation_games, positions, opening, checks, tactics: captures, scores } =
            data.counts();
        TrainingReport {
            architecture,
            shape: architecture.to_string(),
            probe: data.validation().iter().chain(data.samples()).copied().take(PROBED).collect(),
            games,
            validation_games,
            positions,
            samples: data.samples().len(),
            validation_samples: data.validation().len(),
            left_out: LeftOut { opening, checks, captures, scores },
            device,
            epochs: Vec::new(),
            chosen: String::new(),
            validation_loss: None,
            scale: 1.0,
            active_groups: None,
            samples_per_second: 0.0,
            seconds: 0.0,
            network: String::new(),
            float_weights: String::new(),
        }
    }

    pub(crate) fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Adds the last epoch.
    pub(crate) fn epoch(&mut self, progress: &TrainingProgress, samples_per_second: f64) {
        let Some(point) = progress.curve.points.last() else { return };
        let table = FeatureTable::new(&self.architecture);
        self.epochs.push(Epoch {
            epoch: progress.epochs_done,
            loss: point.training,
            validation_loss: point.validation,
            active_pairs: train::active_pairs(&progress.state.weights, &table, &self.probe),
            samples_per_second,
        });
    }

    /// What the network says about itself.
    pub(crate) fn description(&self, progress: &TrainingProgress, chosen: &Chosen) -> String {
        let settings = &progress.settings;
        format!(
            "trained on {} positions of {} games; {} epochs of batches of {}, rate {:e}, lambda {} to {}, seed {}; {}, {}",
            grouped(self.samples as u64),
            grouped(self.games - self.validation_games),
            settings.epochs,
            settings.batch,
            settings.rate,
            settings.lambda,
            settings.last_lambda,
            settings.seed,
            origin(chosen.origin),
            validation_loss(chosen.validation)
        )
    }

    /// Notes what came of it.
    pub(crate) fn end(&mut self, progress: &TrainingProgress, chosen: &Chosen, network: &Path, time: Duration) {
        self.chosen = origin(chosen.origin);
        self.validation_loss = chosen.validation;
        self.seconds = time.as_secs_f64();
        let seen = progress.seen() as f64 * self.epochs.len() as f64 / f64::from(progress.epochs_done.max(1));
        self.samples_per_second = seen / self.seconds.max(1e-9);
        self.network = network.display().to_string();
        self.float_weights = float_path(network).display().to_string();
    }
}

/// The validation loss, in words.
pub fn validation_loss(loss: Option<f64>) -> String {
    loss.map_or_else(|| "no validation".to_owned(), |loss| format!("validation loss {loss:.6}"))
}

/// The share of active pairs behind a comma, if there are pairs.
pub fn active_pairs(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!(", {:.1} % of pairs active", 100.0 * share))
}

/// The share of groups of four products that are not zero behind a comma, if there are any.
pub fn active_groups(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!(", {:.1} % of groups active", 100.0 * share))
}

/// Where the chosen weights come from, in words.
pub fn origin(origin: Origin) -> String {
    match origin {
        Origin::Epoch(epoch) => format!("epoch {epoch}"),
        Origin::MeanOfLast(count) => format!("the mean of the last {count} epochs"),
    }
}
