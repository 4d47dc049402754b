//! A whole training: epochs over the samples, a validation after each, and the weights that did best there.

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::{
    DeviceError, FeatureTable, Hyperparameters, LossCurve, LossPoint, SampleOrder, Step, Trainer, TrainerState, Update,
    Weights,
};

/// How often a watcher is told of a training.
const PULSE: Duration = Duration::from_millis(250);

/// Where the weights of a training come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// They are those after an epoch, counted from one.
    Epoch(u32),
    /// They are the mean of so many last epochs.
    MeanOfLast(usize),
}

/// Weights and their validation loss.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    /// The weights.
    pub weights: Weights,
    /// The validation loss.
    pub validation: Option<f64>,
    /// Where they come from.
    pub origin: Origin,
}

/// How far a training has come, between two epochs: all that is needed to go on.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingProgress {
    /// What it is made with.
    pub settings: Hyperparameters,
    /// How many samples it learns from.
    pub samples: u64,
    /// The fingerprint of the inputs.
    pub inputs: u64,
    /// How many epochs are done.
    pub epochs_done: u32,
    /// What was learned.
    pub state: TrainerState,
    /// The best epoch so far.
    pub best: Option<Chosen>,
    /// The weights after the last epochs, the latest last.
    pub recent: Vec<Weights>,
    /// How the loss fell.
    pub curve: LossCurve,
}

impl TrainingProgress {
    /// Before the first epoch.
    pub fn new(
        settings: Hyperparameters,
        samples: usize,
        table: &FeatureTable,
        state: TrainerState,
    ) -> TrainingProgress {
        let (samples, inputs) = (samples as u64, table.fingerprint());
        let (recent, curve) = (Vec::new(), LossCurve::default());
        TrainingProgress { settings, samples, inputs, epochs_done: 0, state, best: None, recent, curve }
    }

    /// How many samples have been seen, each as often as it was.
    pub fn seen(&self) -> u64 {
        let samples = self.samples as usize;
        self.settings.seen(samples, u64::from(self.epochs_done) * self.settings.steps_per_epoch(samples))
    }
}

/// A moment of a training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pulse {
    /// The epoch, counted from one.
    pub epoch: u32,
    /// How many samples have been seen, of this training and before it was resumed.
    pub seen: u64,
    /// How many will have been seen at the end.
    pub total: u64,
    /// The mean loss since the last pulse.
    pub loss: f64,
}

/// Is told how a training goes on.
pub trait TrainingWatcher {
    /// Some steps were taken. A break ends the training here.
    fn pulse(&mut self, pulse: &Pulse) -> ControlFlow<()>;

    /// An epoch has ended: a good moment to write a checkpoint.
    fn epoch(&mut self, progress: &TrainingProgress) -> io::Result<()>;
}

/// Why a training came to no end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// There are no samples.
    #[error("there are no samples to train on")]
    NoSamples,
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A checkpoint could not be written.
    #[error("cannot write the checkpoint")]
    Checkpoint(#[from] io::Error),
    /// The weights grew beyond all bounds.
    #[error("the loss is no longer a number in epoch {0}: the learning rate may be too high")]
    Diverged(u32),
    /// The watcher wanted it so.
    #[error("stopped in epoch {0}")]
    Stopped(u32),
}

/// Trains to the end, and returns the weights with the lowest validation loss: those of one epoch, or the mean of
/// the last.
pub fn train(
    trainer: &mut dyn Trainer,
    progress: &mut TrainingProgress,
    watcher: &mut dyn TrainingWatcher,
) -> Result<Chosen, TrainError> {
    if trainer.sample_count() == 0 {
        return Err(TrainError::NoSamples);
    }
    trainer.restore(&progress.state)?;
    while progress.epochs_done < progress.settings.epochs {
        epoch(trainer, progress, watcher)?;
        watcher.epoch(progress)?;
    }
    choose(trainer, progress)
}

/// The λ of the validation, the same for all epochs.
fn validation_lambda(settings: &Hyperparameters) -> f32 {
    settings.lambda_at(settings.epochs.saturating_sub(1)) as f32
}

fn epoch(
    trainer: &mut dyn Trainer,
    progress: &mut TrainingProgress,
    watcher: &mut dyn TrainingWatcher,
) -> Result<(), TrainError> {
    let settings = progress.settings;
    let number = progress.epochs_done;
    let samples = trainer.sample_count();
    let (per_epoch, per_pass) = (settings.steps_per_epoch(samples), settings.steps_per_pass(samples));
    let total_steps = per_epoch * u64::from(settings.epochs);
    let step = |step: u64| {
        let first = (step % per_pass) as usize * settings.batch;
        Step {
            first,
            count: settings.batch.min(samples - first),
            objective: settings.objective_at(number),
            update: Update::new(step + 1, settings.rate_at(step, total_steps), settings.decay, settings.clip),
        }
    };
    let begin = u64::from(number) * per_epoch;
    let (mut done, mut group, mut loss_sum) = (begin, 1, 0.0);
    while done < begin + per_epoch {
        let begun = Instant::now();
        let pass = done / per_pass;
        let order = SampleOrder::new(settings.seed, pass as u32, samples);
        let end = (done + group).min(begin + per_epoch).min((pass + 1) * per_pass);
        let steps: Vec<Step> = (done..end).map(step).collect();
        let loss = trainer.take(&order, &steps)?;
        if !loss.is_finite() {
            return Err(TrainError::Diverged(number + 1));
        }
        let count: usize = steps.iter().map(|step| step.count).sum();
        loss_sum += loss * count as f64;
        done = end;
        let (seen, total) = (settings.seen(samples, done), settings.seen(samples, total_steps));
        let pulse = Pulse { epoch: number + 1, seen, total, loss };
        if watcher.pulse(&pulse).is_break() {
            return Err(TrainError::Stopped(number + 1));
        }
        // How many steps make a pulse changes what is told, not what is computed.
        let pace = PULSE.as_secs_f64() / begun.elapsed().as_secs_f64().max(1e-6);
        group = ((steps.len() as f64 * pace) as u64).clamp(1, 4 * group);
    }
    let validation = trainer.validation_loss(validation_lambda(&settings))?;
    let seen = settings.seen(samples, done);
    // The last bits of the sum depend on the size of the groups and so on time: single precision is free of them.
    let training = f64::from((loss_sum / (seen - settings.seen(samples, begin)) as f64) as f32);
    progress.curve.points.push(LossPoint { samples: seen, training, validation });
    progress.state = trainer.state()?;
    progress.epochs_done += 1;
    let weights = progress.state.weights.clone();
    progress.recent.push(weights.clone());
    let too_many = progress.recent.len().saturating_sub(settings.averaged);
    progress.recent.drain(..too_many);
    let is_better = match (&progress.best, validation) {
        (Some(Chosen { validation: Some(best), .. }), Some(loss)) => loss < *best,
        // Without a validation, the latest epoch is taken.
        _ => true,
    };
    if is_better {
        progress.best = Some(Chosen { weights, validation, origin: Origin::Epoch(number + 1) });
    }
    Ok(())
}

/// The best epoch, unless the mean of the last ones is better.
fn choose(trainer: &mut dyn Trainer, progress: &TrainingProgress) -> Result<Chosen, TrainError> {
    let best = progress.best.clone().unwrap_or_else(|| Chosen {
        weights: progress.state.weights.clone(),
        validation: None,
        origin: Origin::Epoch(progress.epochs_done),
    });
    let (Some(loss), Some(mean)) = (best.validation, Weights::mean(&progress.recent)) else { return Ok(best) };
    trainer.restore(&TrainerState { weights: mean.clone(), ..progress.state.clone() })?;
    let validation = trainer.validation_loss(validation_lambda(&progress.settings))?;
    let origin = Origin::MeanOfLast(progress.recent.len());
    Ok(if validation.is_some_and(|mean_loss| mean_loss < loss) {
        Chosen { weights: mean, validation, origin }
    } else {
        best
    })
}
