//! The layers of a pairwise network behind the hidden one, as mathematics, for one sample.
//!
//! With c(x) = clamp(x, 0, 1) and `H` hidden neurons for each player:
//!
//! ```text
//! pair   = c(own[i]) · c(own[i + H/2]) for i < H/2, then the same of their        H numbers
//! second = c(second weights · pair + second biases)²                             16
//! third  = c(third weights · second + third biases)²                             32
//! output = output weights · third + output bias                                   1
//! ```
//!
//! Every output bucket has layers of its own. Gradients are those of the loss.

use nnue::{Head, Layers};

use crate::model::{self, OutputGradient, has_gradient};
use crate::{FeatureTable, Sample, Shape, Weights};

/// What lies between the hidden layer and the output.
#[derive(Clone, Debug)]
pub(crate) struct Between {
    pairs: Vec<f32>,
    pair_gradient: Vec<f32>,
    second: Layer<{ Head::SECOND }>,
    third: Layer<{ Head::THIRD }>,
}

/// A layer of some neurons.
#[derive(Clone, Debug)]
struct Layer<const N: usize> {
    /// Bias and weighed inputs.
    sums: [f32; N],
    /// What becomes of them: clamped and squared.
    active: [f32; N],
    /// The gradient of the sums.
    sum_gradient: [f32; N],
}

impl Between {
    /// Capacity for what lies between; of a straight network that is nothing.
    pub(crate) fn new(shape: Shape) -> Between {
        let pairs = match shape.layers {
            Layers::Straight => Vec::new(),
            Layers::Pairwise => vec![0.0; shape.hidden],
        };
        Between { pair_gradient: pairs.clone(), pairs, second: Layer::new(), third: Layer::new() }
    }

    /// How many pairs are not zero when they are rounded, as the engine does it.
    pub(crate) fn active_pairs(&self) -> usize {
        let half = (0.5 / Head::PAIR_UNIT) as f32;
        self.pairs.iter().filter(|&&pair| pair >= half).count()
    }

    /// From the gradient of the pairs to that of the hidden values: each neuron of a pair is multiplied by the other.
    pub(crate) fn backward_hidden(&self, hidden: &[f32], hidden_gradient: &mut [f32]) {
        let size = self.pairs.len();
        let sides = hidden.chunks_exact(size).zip(hidden_gradient.chunks_exact_mut(size));
        for ((hidden, hidden_gradient), pair_gradient) in sides.zip(self.pair_gradient.chunks_exact(size / 2)) {
            for (neuron, pair_gradient) in pair_gradient.iter().enumerate() {
                let places = [neuron, neuron + size / 2];
                for (place, other) in places.into_iter().zip(places.into_iter().rev()) {
                    let is_moving = has_gradient(hidden[place]);
                    hidden_gradient[place] =
                        if is_moving { pair_gradient * hidden[other].clamp(0.0, 1.0) } else { 0.0 };
                }
            }
        }
    }
}

/// What the layers of a bucket make of the hidden values.
pub(crate) fn forward(weights: &Weights, bucket: usize, hidden: &[f32], between: &mut Between) -> f32 {
    let (shape, values) = (weights.shape(), weights.values());
    let Between { pairs, second, third, .. } = between;
    for (hidden, pairs) in hidden.chunks_exact(shape.hidden).zip(pairs.chunks_exact_mut(shape.hidden / 2)) {
        let (ones, others) = hidden.split_at(shape.hidden / 2);
        for ((pair, one), other) in pairs.iter_mut().zip(ones).zip(others) {
            *pair = one.clamp(0.0, 1.0) * other.clamp(0.0, 1.0);
        }
    }
    second.forward(&values[shape.second_weights(bucket)], &values[shape.second_biases(bucket)], pairs);
    third.forward(&values[shape.third_weights(bucket)], &values[shape.third_biases(bucket)], &second.active);
    weights.output_bias(bucket) + dot(weights.output(bucket), &third.active)
}

/// Adds to the gradient what the layers of a bucket contribute, and computes the gradient of the pairs, after
/// [`forward`].
pub(crate) fn backward(
    weights: &Weights,
    bucket: usize,
    at_output: OutputGradient,
    between: &mut Between,
    gradient: &mut [f32],
) {
    let (shape, values) = (weights.shape(), weights.values());
    let Between { pairs, pair_gradient, second, third } = between;
    gradient[shape.output_bias(bucket)] += at_output.output;
    add_multiple(&mut gradient[shape.output(bucket)], at_output.output, &third.active);
    let mut third_gradient = [0.0; Head::THIRD];
    add_multiple(&mut third_gradient, at_output.output, weights.output(bucket));

    third.backward_activation(&third_gradient);
    let mut second_gradient = [0.0; Head::SECOND];
    third.backward_inputs(&values[shape.third_weights(bucket)], &mut second_gradient);
    third.add_gradient(&second.active, &mut gradient[shape.third_weights(bucket)]);
    model::add(&mut gradient[shape.third_biases(bucket)], &third.sum_gradient);

    second.backward_activation(&second_gradient);
    pair_gradient.fill(at_output.pair);
    second.backward_inputs(&values[shape.second_weights(bucket)], pair_gradient);
    second.add_gradient(pairs, &mut gradient[shape.second_weights(bucket)]);
    model::add(&mut gradient[shape.second_biases(bucket)], &second.sum_gradient);
}

/// The share of pairs that the engine will not find to be zero, over samples. Where hardly any is left there is little
/// to learn from, and the fewer there are, the sooner the engine has an answer. None for a straight network.
pub fn active_pairs(weights: &Weights, table: &FeatureTable, samples: &[Sample]) -> Option<f64> {
    let shape = weights.shape();
    if shape.layers == Layers::Straight || samples.is_empty() {
        return None;
    }
    let mut scratch = model::Scratch::new(shape);
    let active = |&sample: &Sample| {
        model::forward(weights, &table.features(sample), &mut scratch);
        scratch.active_pairs()
    };
    let active: usize = samples.iter().map(active).sum();
    Some(active as f64 / (samples.len() * shape.hidden) as f64)
}

impl<const N: usize> Layer<N> {
    fn new() -> Layer<N> {
        Layer { sums: [0.0; N], active: [0.0; N], sum_gradient: [0.0; N] }
    }

    fn forward(&mut self, weights: &[f32], biases: &[f32], inputs: &[f32]) {
        for (neuron, row) in weights.chunks_exact(inputs.len()).enumerate() {
            self.sums[neuron] = biases[neuron] + dot(row, inputs);
            self.active[neuron] = self.sums[neuron].clamp(0.0, 1.0).powi(2);
        }
    }

    /// From the gradient of the active values to that of the sums.
    fn backward_activation(&mut self, active_gradient: &[f32; N]) {
        for ((sum_gradient, &sum), active_gradient) in self.sum_gradient.iter_mut().zip(&self.sums).zip(active_gradient)
        {
            *sum_gradient = if has_gradient(sum) { active_gradient * 2.0 * sum } else { 0.0 };
        }
    }

    /// From the gradient of the sums to that of the inputs.
    fn backward_inputs(&self, weights: &[f32], input_gradient: &mut [f32]) {
        for (row, &sum_gradient) in weights.chunks_exact(input_gradient.len()).zip(&self.sum_gradient) {
            add_multiple(input_gradient, sum_gradient, row);
        }
    }

    fn add_gradient(&self, inputs: &[f32], gradient: &mut [f32]) {
        for (row, &sum_gradient) in gradient.chunks_exact_mut(inputs.len()).zip(&self.sum_gradient) {
            add_multiple(row, sum_gradient, inputs);
        }
    }
}

/// Adds so many times a row to sums.
fn add_multiple(sums: &mut [f32], times: f32, row: &[f32]) {
    if times != 0.0 {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += times * value);
    }
}

/// Σ weight · input, in eight sums side by side so that the compiler can use vectors.
fn dot(weights: &[f32], inputs: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    for (weights, inputs) in weights.chunks_exact(LANES).zip(inputs.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += weights[lane] * inputs[lane];
        }
    }
    sums.iter().sum()
}
