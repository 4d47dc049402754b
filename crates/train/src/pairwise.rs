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
//! Every output bucket has layers of its own. *Blame* is how the loss changes with a value; it goes backwards through
//! the same formulas.

use nnue::{Head, Layers};

use crate::model::{self, Slopes, has_slope};
use crate::{FeatureTable, Sample, Shape, Weights};

/// What lies between the hidden layer and the output.
#[derive(Clone, Debug)]
pub(crate) struct Between {
    pairs: Vec<f32>,
    pair_blame: Vec<f32>,
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
    /// How the loss changes with the sums.
    blame: [f32; N],
}

impl Between {
    /// Capacity for what lies between; of a straight network that is nothing.
    pub(crate) fn new(shape: Shape) -> Between {
        let pairs = match shape.layers {
            Layers::Straight => Vec::new(),
            Layers::Pairwise => vec![0.0; shape.hidden],
        };
        Between { pair_blame: pairs.clone(), pairs, second: Layer::new(), third: Layer::new() }
    }

    /// How many pairs are not zero when they are rounded, as the engine does it.
    pub(crate) fn active_pairs(&self) -> usize {
        let half = (0.5 / Head::PAIR_UNIT) as f32;
        self.pairs.iter().filter(|&&pair| pair >= half).count()
    }

    /// From the blame of the pairs to that of the hidden values: each neuron of a pair is multiplied by the other.
    pub(crate) fn blame_hidden(&self, hidden: &[f32], blame: &mut [f32]) {
        let size = self.pairs.len();
        let sides = hidden.chunks_exact(size).zip(blame.chunks_exact_mut(size));
        for ((hidden, blame), pair_blame) in sides.zip(self.pair_blame.chunks_exact(size / 2)) {
            for (neuron, pair_blame) in pair_blame.iter().enumerate() {
                let places = [neuron, neuron + size / 2];
                for (place, other) in places.into_iter().zip(places.into_iter().rev()) {
                    let is_moving = has_slope(hidden[place]);
                    blame[place] = if is_moving { pair_blame * hidden[other].clamp(0.0, 1.0) } else { 0.0 };
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

/// Adds to the gradient what the layers of a bucket contribute, and finds the blame of the pairs, after [`forward`].
pub(crate) fn backward(weights: &Weights, bucket: usize, slopes: Slopes, between: &mut Between, gradient: &mut [f32]) {
    let (shape, values) = (weights.shape(), weights.values());
    let Between { pairs, pair_blame, second, third } = between;
    gradient[shape.output_bias(bucket)] += slopes.output;
    add_multiple(&mut gradient[shape.output(bucket)], slopes.output, &third.active);
    let mut third_blame = [0.0; Head::THIRD];
    add_multiple(&mut third_blame, slopes.output, weights.output(bucket));

    third.take_blame(&third_blame);
    let mut second_blame = [0.0; Head::SECOND];
    third.pass_blame(&values[shape.third_weights(bucket)], &mut second_blame);
    third.add_gradient(&second.active, &mut gradient[shape.third_weights(bucket)]);
    model::add(&mut gradient[shape.third_biases(bucket)], &third.blame);

    second.take_blame(&second_blame);
    pair_blame.fill(slopes.pair);
    second.pass_blame(&values[shape.second_weights(bucket)], pair_blame);
    second.add_gradient(pairs, &mut gradient[shape.second_weights(bucket)]);
    model::add(&mut gradient[shape.second_biases(bucket)], &second.blame);
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
        Layer { sums: [0.0; N], active: [0.0; N], blame: [0.0; N] }
    }

    fn forward(&mut self, weights: &[f32], biases: &[f32], inputs: &[f32]) {
        for (neuron, row) in weights.chunks_exact(inputs.len()).enumerate() {
            self.sums[neuron] = biases[neuron] + dot(row, inputs);
            self.active[neuron] = self.sums[neuron].clamp(0.0, 1.0).powi(2);
        }
    }

    /// From the blame of the active values to that of the sums.
    fn take_blame(&mut self, active_blame: &[f32; N]) {
        for ((blame, &sum), active_blame) in self.blame.iter_mut().zip(&self.sums).zip(active_blame) {
            *blame = if has_slope(sum) { active_blame * 2.0 * sum } else { 0.0 };
        }
    }

    /// From the blame of the sums to that of the inputs.
    fn pass_blame(&self, weights: &[f32], input_blame: &mut [f32]) {
        for (row, &blame) in weights.chunks_exact(input_blame.len()).zip(&self.blame) {
            add_multiple(input_blame, blame, row);
        }
    }

    fn add_gradient(&self, inputs: &[f32], gradient: &mut [f32]) {
        for (row, &blame) in gradient.chunks_exact_mut(inputs.len()).zip(&self.blame) {
            add_multiple(row, blame, inputs);
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
