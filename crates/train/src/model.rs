//! The network as mathematics, for one sample: what it says, how wrong that is, and which weights are to blame.
//!
//! For each player, hidden = bias + the rows of that player's inputs. Of a straight network, activated = clamp(hidden,
//! 0, 1)² (SCReLU) and output = bias + weights · activated values of both; a pairwise one has layers in between. The
//! player to move expects sigmoid(output) points. An output of one is 400 centipawns.

use nnue::Layers;

use crate::pairwise::{self, Between};
use crate::{Features, Sample, Shape, Weights};

/// How many centipawns an output of one stands for.
pub const SCALE: f32 = nnue::CENTIPAWNS as f32;

/// The logistic curve: expected points for an output.
pub fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// What a sample teaches: `lambda` parts the result, the rest the score.
pub fn target(sample: Sample, lambda: f32) -> f32 {
    lambda * sample.ending().points() + (1.0 - lambda) * sigmoid(f32::from(sample.score()) / SCALE)
}

/// Capacity for what lies between the inputs and the output of one sample, used again for the next.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Hidden values before the activation: first the player to move, then the other.
    hidden: Vec<f32>,
    /// How the loss changes with them.
    blame: Vec<f32>,
    /// What a pairwise network has between them and the output.
    between: Between,
}

impl Scratch {
    /// Capacity for the layers of a network.
    pub fn new(shape: Shape) -> Scratch {
        let side = vec![0.0; 2 * shape.hidden];
        Scratch { hidden: side.clone(), blame: side, between: Between::new(shape) }
    }

    /// How many pairs are not rounded to zero, after [`forward`] of a pairwise network.
    pub(crate) fn active_pairs(&self) -> usize {
        self.between.active_pairs()
    }
}

/// What the network says about the features of a sample.
pub fn forward(weights: &Weights, features: &Features, scratch: &mut Scratch) -> f32 {
    let size = weights.shape().hidden;
    for (values, inputs) in scratch.hidden.chunks_exact_mut(size).zip(features.sides()) {
        values.copy_from_slice(weights.hidden_biases());
        for &input in inputs {
            add(values, weights.feature(usize::from(input)));
        }
    }
    match weights.shape().layers {
        Layers::Straight => {
            weights.output_bias(features.bucket) + dot(weights.output(features.bucket), &scratch.hidden)
        }
        Layers::Pairwise => pairwise::forward(weights, features.bucket, &scratch.hidden, &mut scratch.between),
    }
}

/// The squared error of the expected points.
pub fn loss(output: f32, target: f32) -> f32 {
    (sigmoid(output) - target).powi(2)
}

/// How the loss of a sample changes with the output.
pub fn loss_slope(output: f32, target: f32) -> f32 {
    let points = sigmoid(output);
    2.0 * (points - target) * points * (1.0 - points)
}

/// How the objective of a batch changes with what a network says of one of its samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slopes {
    /// With the output: as the loss does, divided by the size of the batch.
    pub output: f32,
    /// With each pair, besides what the output says: the penalty, divided by the size of the batch.
    pub pair: f32,
}

/// Adds to the gradient what a sample contributes, after [`forward`] has filled the scratch.
pub fn backward(weights: &Weights, features: &Features, slopes: Slopes, scratch: &mut Scratch, gradient: &mut [f32]) {
    let shape = weights.shape();
    let Scratch { hidden, blame, between } = scratch;
    match shape.layers {
        Layers::Straight => blame_straight(weights, features.bucket, slopes.output, hidden, blame, gradient),
        Layers::Pairwise => {
            pairwise::backward(weights, features.bucket, slopes, between, gradient);
            between.blame_hidden(hidden, blame);
        }
    }
    for (blame, inputs) in scratch.blame.chunks_exact(shape.hidden).zip(features.sides()) {
        add(&mut gradient[shape.hidden_biases()], blame);
        for &input in inputs {
            add(&mut gradient[shape.feature(usize::from(input))], blame);
        }
    }
}

/// What the output weights of a straight network contribute, and how the loss changes with its hidden values.
fn blame_straight(
    weights: &Weights,
    bucket: usize,
    slope: f32,
    hidden: &[f32],
    blame: &mut [f32],
    gradient: &mut [f32],
) {
    let shape = weights.shape();
    gradient[shape.output_bias(bucket)] += slope;
    let output_gradient = &mut gradient[shape.output(bucket)];
    let neurons = hidden.iter().zip(weights.output(bucket)).zip(output_gradient).zip(blame);
    for (((&hidden, &weight), output_gradient), blame) in neurons {
        let clamped = hidden.clamp(0.0, 1.0);
        *output_gradient += slope * clamped * clamped;
        *blame = if has_slope(hidden) { slope * weight * 2.0 * hidden } else { 0.0 };
    }
}

/// Whether an activation has a slope: where the clamp bites it is zero, and at both ends of it we agree on zero, as the
/// GPU does.
pub(crate) fn has_slope(value: f32) -> bool {
    value > 0.0 && value < 1.0
}

/// Adds a row to sums.
pub(crate) fn add(sums: &mut [f32], row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
}

/// Σ weight · activated hidden value, in eight sums side by side so that the compiler can use vectors.
fn dot(weights: &[f32], hidden: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    for (weights, hidden) in weights.chunks_exact(LANES).zip(hidden.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let clamped = hidden[lane].clamp(0.0, 1.0);
            sums[lane] += weights[lane] * clamped * clamped;
        }
    }
    sums.iter().sum()
}
