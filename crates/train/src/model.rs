//! The network as mathematics, for one sample: what it says, how wrong that is, and which weights are to blame.
//!
//! For each player, hidden = bias + the rows of that player's inputs; activated = clamp(hidden, 0, 1)² (SCReLU); output =
//! bias + weights · activated values of both; the player to move expects sigmoid(output) points. An output of one is 400 centipawns.

use crate::{Features, Sample, Weights};

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

/// Room for what lies between the inputs and the output of one sample, used again for the next.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Hidden values before the activation: first the player to move, then the other.
    hidden: Vec<f32>,
    /// How the loss changes with them.
    blame: Vec<f32>,
}

impl Scratch {
    /// Room for a hidden layer.
    pub fn new(hidden: usize) -> Scratch {
        Scratch { hidden: vec![0.0; 2 * hidden], blame: vec![0.0; 2 * hidden] }
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
    let output = weights.output(features.bucket);
    weights.output_bias(features.bucket) + dot(output, &scratch.hidden)
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

/// Adds to the gradient what a sample contributes, after [`forward`] has filled the scratch.
///
/// `slope` is how the loss changes with the output, divided by the size of the batch.
pub fn backward(weights: &Weights, features: &Features, slope: f32, scratch: &mut Scratch, gradient: &mut [f32]) {
    let shape = weights.shape();
    let output = weights.output(features.bucket);
    gradient[shape.output_bias(features.bucket)] += slope;
    let output_gradient = &mut gradient[shape.output(features.bucket)];
    let neurons = scratch.hidden.iter().zip(output).zip(output_gradient).zip(&mut scratch.blame);
    for (((&hidden, &weight), output_gradient), blame) in neurons {
        let clamped = hidden.clamp(0.0, 1.0);
        *output_gradient += slope * clamped * clamped;
        // Where the clamp bites the slope is zero; at both ends of it we agree on zero, as the GPU does.
        let has_slope = hidden > 0.0 && hidden < 1.0;
        *blame = if has_slope { slope * weight * 2.0 * hidden } else { 0.0 };
    }
    for (blame, inputs) in scratch.blame.chunks_exact(shape.hidden).zip(features.sides()) {
        add(&mut gradient[shape.hidden_biases()], blame);
        for &input in inputs {
            add(&mut gradient[shape.feature(usize::from(input))], blame);
        }
    }
}

fn add(sums: &mut [f32], row: &[f32]) {
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
