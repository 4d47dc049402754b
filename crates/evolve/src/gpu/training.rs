//! A candidate is trained, on the GPU, from the samples that lie there.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use forge::{Batches, Gpu, GpuTrainer};
use nnue::Network;
use search::bench;
use serde_json::{Value, json};
use train::{
    Exported, FeatureTable, FloatNetwork, Pulse, TrainError, TrainerState, TrainingProgress, TrainingWatcher, VERIFIED,
};

use super::clock::Deadline;
use super::store::Store;
use crate::networks::checksum;
use crate::training_report::PROBED;
use crate::{
    Candidate, Failure, RunReporter, Trained, active_groups as active_groups_in_words, active_pairs, grouped, origin,
    validation_loss,
};

/// How deep the bench searches that says how fast the engine is with a network: a second or less.
const SPEED_DEPTH: usize = 11;

/// Why there is no candidate.
pub(super) enum NoCandidate {
    /// It was told to stop.
    Stopped,
    /// It would have taken too long.
    NoTime,
    /// Something is wrong with it, and with it alone.
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for NoCandidate {
    fn from(error: E) -> NoCandidate {
        match error.into() {
            Failure::Stopped => NoCandidate::Stopped,
            failure => NoCandidate::Failed(failure),
        }
    }
}

/// What is told after a training has begun.
struct Watch<'a> {
    reporter: &'a dyn RunReporter,
    stop: &'a AtomicBool,
    clock: &'a Deadline,
    /// What comes after the training, in seconds.
    afterwards: f64,
    begun: Instant,
    is_late: bool,
}

impl TrainingWatcher for Watch<'_> {
    fn pulse(&mut self, pulse: &Pulse) -> ControlFlow<()> {
        let seconds = self.begun.elapsed().as_secs_f64();
        let left = seconds * (pulse.total - pulse.seen) as f64 / pulse.seen.max(1) as f64;
        // The first steps are no measure.
        self.is_late = seconds > 2.0 && self.clock.left() < left + self.afterwards;
        if self.is_late || self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn epoch(&mut self, progress: &TrainingProgress) -> io::Result<()> {
        if let Some(point) = progress.curve.points.last() {
            let speed = progress.seen() as f64 / self.begun.elapsed().as_secs_f64().max(1e-9);
            self.reporter.line(&format!(
                "  epoch {} of {}: loss {:.6}, {}, {} samples a second",
                progress.epochs_done,
                progress.settings.epochs,
                point.training,
                validation_loss(point.validation),
                grouped(speed as u64)
            ));
        }
        Ok(())
    }
}

/// What came of a training.
pub(super) struct Learned {
    /// What is judged.
    pub(super) network: Arc<Network>,
    /// What the next training goes on from.
    pub(super) floats: FloatNetwork,
    /// What the ledger says.
    pub(super) trained: Trained,
}

/// Where a candidate is trained, and how long that may take.
pub(super) struct TrainingTerms<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) store: &'a Store,
    pub(super) clock: &'a Deadline,
    pub(super) stop: &'a AtomicBool,
    pub(super) reporter: &'a dyn RunReporter,
    /// What comes after the training, in seconds.
    pub(super) afterwards: f64,
}

impl TrainingTerms<'_> {
    /// Trains a candidate, gives it the champion's evaluation scale, and makes sure that the engine reads it as the
    /// trainer does.
    pub(super) fn train(
        &self,
        candidate: &Candidate,
        champion: &Network,
        champion_floats: &FloatNetwork,
    ) -> Result<Learned, NoCandidate> {
        let begun = Instant::now();
        let Candidate { name, recipe } = candidate;
        let (architecture, weights) = candidate.start(champion_floats)?;
        let (samples, validation) = self.store.last(recipe.keep);
        let (count, validation_count) = (samples.count(), validation.count());
        self.reporter.line(&format!(
            "candidate {name}: {architecture}, {} samples, {} for validation, {recipe}",
            grouped(count as u64),
            grouped(validation_count as u64)
        ));
        let settings = recipe.settings();
        let table = FeatureTable::new(&architecture);
        let state = TrainerState::new(weights);
        let state = if recipe.has_factoriser { state } else { state.without_factoriser() };
        let batches = Batches { most: settings.batch, precision: recipe.precision };
        let mut trainer = GpuTrainer::new(self.gpu, samples, validation, &table, &state, batches)?;
        let mut progress = TrainingProgress::new(settings, count, &table, state);
        let mut watch = Watch {
            reporter: self.reporter,
            stop: self.stop,
            clock: self.clock,
            afterwards: self.afterwards,
            begun: Instant::now(),
            is_late: false,
        };
        let trained = train::train(&mut trainer, &mut progress, &mut watch);
        drop(trainer);
        let chosen = match trained {
            Err(TrainError::Stopped(_)) if watch.is_late => return Err(NoCandidate::NoTime),
            Err(TrainError::Stopped(_)) => return Err(NoCandidate::Stopped),
            other => other?,
        };
        let learning = watch.begun.elapsed().as_secs_f64();
        let description = format!(
            "trained on {} positions of self-play on a GPU; {recipe}; {}, {}",
            grouped(count as u64),
            origin(chosen.origin),
            validation_loss(chosen.validation)
        );
        let pairs = train::active_pairs(&chosen.weights, &table, &self.store.some_held_out(PROBED)?);
        let floats = FloatNetwork::new(architecture, description, chosen.weights).expect("they were learned for it");
        let Exported { network, scale, active_groups } = train::export(&floats, Some(champion))?;
        let network = Arc::new(network);
        nnue::verify(&network, 1, VERIFIED, |_, _| ())?;
        let nodes_per_second = bench::run(Arc::clone(&network).into(), SPEED_DEPTH).nodes_per_second();
        let seconds = begun.elapsed().as_secs_f64();
        self.reporter.line(&format!(
            "  chosen: {}, {}{}{}, output times {scale:.4}, {} nodes a second, {seconds:.1} s, verified in {VERIFIED} positions",
            origin(chosen.origin),
            validation_loss(chosen.validation),
            active_pairs(pairs),
            active_groups_in_words(active_groups),
            grouped(nodes_per_second)
        ));
        let epochs: Vec<Value> = progress
            .curve
            .points
            .iter()
            .map(|point| json!({"loss": point.training, "held_out_loss": point.validation}))
            .collect();
        let report = json!({
            "samples": count,
            "held_out_samples": validation_count,
            "device": self.gpu.name(),
            "precision": recipe.precision.to_string(),
            "epochs": epochs,
            "chosen": origin(chosen.origin),
            "held_out_loss": chosen.validation,
            "active_pairs": pairs,
            "active_groups": active_groups,
            "scale": scale,
            "nodes_per_second": nodes_per_second,
            "samples_per_second": progress.seen() as f64 / learning.max(1e-9),
            "seconds": learning,
        });
        let trained = Trained {
            architecture: architecture.to_string(),
            checksum: checksum(&network),
            command: format!("{name} {recipe}"),
            report,
            seconds,
        };
        Ok(Learned { network, floats, trained })
    }
}
