//! The trainer on the CPU: the one a reader can follow and the GPU is measured by.

use std::num::NonZero;
use std::thread;

use crate::model::{self, OutputGradient, Scratch};
use crate::trainer::{DeviceError, Objective, Step, Trainer, TrainerState};
use crate::{FeatureTable, Moments, Sample, SampleOrder, Weights, factoriser};

/// Into how many slices a batch is cut. Each adds up its own gradient and the sums are joined in this order, so that
/// the number of threads changes the time and nothing else.
const SLICES: usize = 8;

/// A trainer on the cores of the CPU.
pub struct Reference<'a> {
    samples: &'a [Sample],
    validation: &'a [Sample],
    table: FeatureTable,
    state: TrainerState,
    slices: Vec<Slice>,
    threads: usize,
}

/// What one slice of a batch adds up.
struct Slice {
    gradient: Vec<f32>,
    loss: f64,
    scratch: Scratch,
}

impl<'a> Reference<'a> {
    /// A trainer for samples, and samples for validation, from a state.
    pub fn new(
        samples: &'a [Sample],
        validation: &'a [Sample],
        table: FeatureTable,
        state: TrainerState,
    ) -> Reference<'a> {
        let slice = || Slice {
            gradient: vec![0.0; state.shape().weight_count()],
            loss: 0.0,
            scratch: Scratch::new(state.shape()),
        };
        let slices = (0..SLICES).map(|_| slice()).collect();
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(SLICES);
        Reference { samples, validation, table, state, slices, threads }
    }

    /// Uses so many threads, which changes nothing but the time.
    pub fn with_threads(mut self, threads: usize) -> Reference<'a> {
        self.threads = threads.clamp(1, SLICES);
        self
    }

    /// The mean loss of a batch and the gradient of the objective, which is what the trainer on the GPU has to agree
    /// with.
    pub fn gradient(&mut self, batch: &[Sample], objective: Objective) -> (f64, Vec<f32>) {
        self.add_up(batch, objective);
        let gradient = (0..self.state.shape().weight_count()).map(|place| total(&self.slices, place)).collect();
        (self.slices.iter().map(|slice| slice.loss).sum::<f64>() / batch.len() as f64, gradient)
    }

    /// Fills the slices with what the samples of a batch contribute.
    fn add_up(&mut self, batch: &[Sample], objective: Objective) {
        let (weights, table) = (&self.state.weights, &self.table);
        let scale = 1.0 / batch.len() as f32;
        let parts = batch.chunks(batch.len().div_ceil(SLICES).max(1)).chain(std::iter::repeat(&[][..]));
        let mut jobs: Vec<(&mut Slice, &[Sample])> = self.slices.iter_mut().zip(parts).collect();
        thread::scope(|scope| {
            for jobs in jobs.chunks_mut(SLICES.div_ceil(self.threads)) {
                scope.spawn(move || {
                    for (slice, samples) in jobs {
                        slice.add_up(weights, table, samples, objective, scale);
                    }
                });
            }
        });
    }

    fn step(&mut self, order: &SampleOrder, step: &Step) -> f64 {
        let batch: Vec<Sample> =
            (step.first..step.first + step.count).map(|place| self.samples[order.at(place)]).collect();
        self.add_up(&batch, step.objective);
        let gradient = |place| total(&self.slices, place);
        let first = factoriser::update(&mut self.state, &step.update, gradient);
        let TrainerState { weights, moments: Moments { means, squares }, .. } = &mut self.state;
        let weights = weights.values_mut().iter_mut();
        for (place, ((weight, mean), square)) in weights.zip(means).zip(squares).enumerate().skip(first) {
            step.update.apply(weight, mean, square, gradient(place));
        }
        self.slices.iter().map(|slice| slice.loss).sum()
    }
}

impl Slice {
    /// `scale` is one over the size of the batch.
    fn add_up(
        &mut self,
        weights: &Weights,
        table: &FeatureTable,
        samples: &[Sample],
        objective: Objective,
        scale: f32,
    ) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
        for &sample in samples {
            let features = table.features(sample);
            let output = model::forward(weights, &features, &mut self.scratch);
            let target = model::target(sample, objective.lambda);
            self.loss += f64::from(model::loss(output, target));
            let at_output = OutputGradient {
                output: scale * model::loss_derivative(output, target),
                pair: scale * objective.penalty,
            };
            model::backward(weights, &features, at_output, &mut self.scratch, &mut self.gradient);
        }
    }
}

fn total(slices: &[Slice], place: usize) -> f32 {
    slices.iter().map(|slice| slice.gradient[place]).sum()
}

/// The mean loss of weights over samples; none without any.
pub fn mean_loss(weights: &Weights, table: &FeatureTable, samples: &[Sample], lambda: f32) -> Option<f64> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    // The parts do not depend on the number of threads, so the sum does not either.
    const PART: usize = 4_096;
    let mut losses: Vec<(f64, &[Sample])> = samples.chunks(PART).map(|part| (0.0, part)).collect();
    thread::scope(|scope| {
        let share = losses.len().div_ceil(threads).max(1);
        for parts in losses.chunks_mut(share) {
            scope.spawn(move || {
                let mut scratch = Scratch::new(weights.shape());
                for (sum, part) in parts {
                    for &sample in *part {
                        let output = model::forward(weights, &table.features(sample), &mut scratch);
                        *sum += f64::from(model::loss(output, model::target(sample, lambda)));
                    }
                }
            });
        }
    });
    let sum: f64 = losses.iter().map(|(loss, _)| loss).sum();
    (!samples.is_empty()).then(|| sum / samples.len() as f64)
}

impl Trainer for Reference<'_> {
    fn device(&self) -> String {
        match self.threads {
            1 => "one core of the CPU".to_owned(),
            several => format!("{several} cores of the CPU"),
        }
    }

    fn sample_count(&self) -> usize {
        self.samples.len()
    }

    fn take(&mut self, order: &SampleOrder, steps: &[Step]) -> Result<f64, DeviceError> {
        let loss: f64 = steps.iter().map(|step| self.step(order, step)).sum();
        Ok(loss / steps.iter().map(|step| step.count).sum::<usize>().max(1) as f64)
    }

    fn validation_loss(&mut self, lambda: f32) -> Result<Option<f64>, DeviceError> {
        Ok(mean_loss(&self.state.weights, &self.table, self.validation, lambda))
    }

    fn state(&mut self) -> Result<TrainerState, DeviceError> {
        Ok(self.state.clone())
    }

    fn restore(&mut self, state: &TrainerState) -> Result<(), DeviceError> {
        self.state = state.clone();
        Ok(())
    }
}
