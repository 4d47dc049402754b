//! The network as mathematics, for one sample: its output, the loss, and the gradient of the loss.
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
    lambda * sample.wdl().points() + (1.0 - lambda) * sigmoid(f32::from(sample.score()) / SCALE)
}

/// Capacity for what lies between the inputs and the output of one sample, used again for the next.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Hidden values before the activation: first the player to move, then the other.
    hidden: Vec<f32>,
    /// The gradient of the loss with respect to them.
    hidden_gradient: Vec<f32>,
    /// What a pairwise network has between them and the output.
    between: Between,
}

impl Scratch {
    /// Capacity for the layers of a network.
    pub fn new(shape: Shape) -> Scratch {
        let side = vec![0.0; 2 * shape.hidden];
        Scratch { hidden: side.clone(), hidden_gradient: side, between: Between::new(shape) }
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

/// The derivative of [`loss`] with respect to the output.
pub fn loss_derivative(output: f32, target: f32) -> f32 {
    let points = sigmoid(output);
    2.0 * (points - target) * points * (1.0 - points)
}

/// The gradient of a batch's objective with respect to the output and the pairs of one of its samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OutputGradient {
    /// The derivative of the loss with respect to the output, divided by the batch size.
    pub output: f32,
    /// The derivative of the penalty with respect to each pair, divided by the batch size.
    pub pair: f32,
}

/// Adds to the gradient what a sample contributes, after [`forward`] has filled the scratch.
pub fn backward(
    weights: &Weights,
    features: &Features,
    at_output: OutputGradient,
    scratch: &mut Scratch,
    gradient: &mut [f32],
) {
    let shape = weights.shape();
    let Scratch { hidden, hidden_gradient, between } = scratch;
    match shape.layers {
        Layers::Straight => {
            backward_straight(weights, features.bucket, at_output.output, hidden, hidden_gradient, gradient)
        }
        Layers::Pairwise => {
            pairwise::backward(weights, features.bucket, at_output, between, gradient);
            between.backward_hidden(hidden, hidden_gradient);
        }
    }
    for (row, inputs) in scratch.hidden_gradient.chunks_exact(shape.hidden).zip(features.sides()) {
        add(&mut gradient[shape.hidden_biases()], row);
        for &input in inputs {
            add(&mut gradient[shape.feature(usize::from(input))], row);
        }
    }
}

/// The gradients of the output weights and of the hidden values of a straight network.
fn backward_straight(
    weights: &Weights,
    bucket: usize,
    output_derivative: f32,
    hidden: &[f32],
    hidden_gradient: &mut [f32],
    gradient: &mut [f32],
) {
    let shape = weights.shape();
    gradient[shape.output_bias(bucket)] += output_derivative;
    let output_gradient = &mut gradient[shape.output(bucket)];
    let neurons = hidden.iter().zip(weights.output(bucket)).zip(output_gradient).zip(hidden_gradient);
    for (((&hidden, &weight), output_gradient), hidden_gradient) in neurons {
        let clamped = hidden.clamp(0.0, 1.0);
        *output_gradient += output_derivative * clamped * clamped;
        *hidden_gradient = if has_gradient(hidden) { output_derivative * weight * 2.0 * hidden } else { 0.0 };
    }
}

/// Whether the gradient passes through an activation: it is zero where the clamp cuts, and by convention at both ends
/// of the clamp, on the GPU too.
pub(crate) fn has_gradient(value: f32) -> bool {
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
