//! What a trainer is, on any device: it takes steps over samples in a given order, and computes the validation loss.

use thiserror::Error;

use crate::{Moments, SampleOrder, Shape, Update, Weights};

/// What a step minimises: the mean over a batch of the loss and of the products of a pairwise network, times the
/// penalty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// The weight of the result against the score.
    pub lambda: f32,
    /// What a product of one costs. Products that are worth nothing to the loss then become zero, and the engine skips
    /// zeros.
    pub penalty: f32,
}

/// One step: a batch, and what to do with its gradient.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The first place of the batch in the order of the epoch.
    pub first: usize,
    /// How many samples it has.
    pub count: usize,
    /// What it minimises.
    pub objective: Objective,
    /// How the weights move.
    pub update: Update,
}

/// Everything a trainer has learned: what it needs to go on as if it had never stopped.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainerState {
    /// The weights.
    pub weights: Weights,
    /// The means of their gradients.
    pub moments: Moments,
    /// The means of the gradients of the rows that all king buckets share, if there is a
    /// [factoriser](crate::factoriser).
    pub shared: Option<Moments>,
}

impl TrainerState {
    /// The state before the first step, with a [factoriser](crate::factoriser) if there are several king buckets.
    pub fn new(weights: Weights) -> TrainerState {
        let shape = weights.shape();
        let shared = (shape.king_buckets() > 1).then(|| Moments::new(shape.shared().len()));
        TrainerState { moments: Moments::new(shape.weight_count()), weights, shared }
    }

    /// The same without a factoriser.
    pub fn without_factoriser(self) -> TrainerState {
        TrainerState { shared: None, ..self }
    }

    /// The shape of the network.
    pub fn shape(&self) -> Shape {
        self.weights.shape()
    }
}

/// The device could not go on: a GPU that vanished, for instance.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct DeviceError(pub String);

/// Takes the steps, on the CPU or a GPU.
pub trait Trainer {
    /// What the steps are computed by, in words.
    fn device(&self) -> String;

    /// How many samples there are to learn from.
    fn sample_count(&self) -> usize;

    /// Takes steps, one after the other, and returns the mean loss over their samples, each before its step.
    fn take(&mut self, order: &SampleOrder, steps: &[Step]) -> Result<f64, DeviceError>;

    /// The validation loss; none without samples for it.
    fn validation_loss(&mut self, lambda: f32) -> Result<Option<f64>, DeviceError>;

    /// What was learned.
    fn state(&mut self) -> Result<TrainerState, DeviceError>;

    /// Goes on from another state of the same shape.
    fn restore(&mut self, state: &TrainerState) -> Result<(), DeviceError>;
}
