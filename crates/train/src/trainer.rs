//! What a trainer is, wherever it computes: it takes steps over samples in a given order, and can be asked how well it
//! knows the games it has not seen.

use thiserror::Error;

use crate::{Moments, Order, Shape, Update, Weights};

/// What a step makes small: the mean over a batch of the loss and of the products of a pairwise network, times the
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
    /// What it makes small.
    pub objective: Objective,
    /// How the weights move.
    pub update: Update,
}

/// Everything a trainer has learned: what it needs to go on as if it had never stopped.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The weights.
    pub weights: Weights,
    /// The means of their gradients.
    pub moments: Moments,
    /// The means of the gradients of the rows that all king buckets share, if there is a
    /// [factoriser](crate::factoriser).
    pub shared: Option<Moments>,
}

impl State {
    /// The state before the first step, with a [factoriser](crate::factoriser) if there are several king buckets.
    pub fn new(weights: Weights) -> State {
        let shape = weights.shape();
        let shared = (shape.king_buckets() > 1).then(|| Moments::new(shape.shared().len()));
        State { moments: Moments::new(shape.weight_count()), weights, shared }
    }

    /// The same without a factoriser.
    pub fn without_factoriser(self) -> State {
        State { shared: None, ..self }
    }

    /// The shape of the network.
    pub fn shape(&self) -> Shape {
        self.weights.shape()
    }
}

/// What computes could not go on: a GPU that vanished, for instance.
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
    fn take(&mut self, order: &Order, steps: &[Step]) -> Result<f64, DeviceError>;

    /// The mean loss over the samples held out; none if there are none.
    fn held_out_loss(&mut self, lambda: f32) -> Result<Option<f64>, DeviceError>;

    /// What was learned.
    fn state(&mut self) -> Result<State, DeviceError>;

    /// Goes on from another state of the same shape.
    fn restore(&mut self, state: &State) -> Result<(), DeviceError>;
}
