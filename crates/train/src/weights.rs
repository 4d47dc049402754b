//! The numbers that are learned, as one list, so that an optimiser, a checkpoint or the GPU need not know what they
//! mean.

use std::ops::Range;

use nnue::{FEATURES, Head, Layers};
use random::Random;

use crate::Shape;

/// All weights and biases of a network, in float.
///
/// In this order: a row per input; the biases of the hidden layer, as one more row; behind the rows the *tail*, of
/// which each part has a set for every output bucket. Of a straight network these are the output weights, a row for the
/// player to move and one for the other, and the output biases. Of a pairwise one, weights and biases of the second
/// layer and of the third come before them; weights lie neuron by neuron.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    shape: Shape,
    values: Vec<f32>,
}

impl Weights {
    /// Weights that a training may start from, different for each seed.
    ///
    /// A position has up to 32 inputs of each side; weights of this size put the hidden values where the activation has
    /// a gradient. Those of a pairwise network are smaller, because noise in the rows is multiplied by noise, and the
    /// sums of its further layers begin where the activation is steep.
    pub fn random(shape: Shape, seed: u64) -> Weights {
        let mut random = Random::numbered(seed, 0x0077_6569_6768_7473);
        let mut weights = Weights { shape, values: vec![0.0; shape.weight_count()] };
        let mut fill = |values: &mut [f32], deviation: f64| {
            values.iter_mut().for_each(|value| *value = (deviation * random.normal()) as f32);
        };
        weights.values[shape.hidden_biases()].fill(0.1);
        match shape.layers {
            Layers::Straight => {
                fill(&mut weights.values[shape.features()], (1.0 / 32.0_f64).sqrt() / 2.0);
                fill(&mut weights.values[shape.outputs()], (1.0 / (2.0 * shape.hidden as f64)).sqrt());
            }
            Layers::Pairwise => {
                fill(&mut weights.values[shape.features()], (1.0 / 32.0_f64).sqrt() / 8.0);
                for bucket in 0..shape.output_buckets {
                    fill(&mut weights.values[shape.second_weights(bucket)], (1.0 / shape.hidden as f64).sqrt());
                    fill(&mut weights.values[shape.third_weights(bucket)], (1.0 / Head::SECOND as f64).sqrt());
                    fill(&mut weights.values[shape.output(bucket)], (0.5 / Head::THIRD as f64).sqrt());
                    weights.values[shape.second_biases(bucket)].fill(0.4);
                    weights.values[shape.third_biases(bucket)].fill(0.4);
                }
            }
        }
        weights
    }

    /// The same with rows of another size, so many times as large. The deviation above is a guess: noise in the rows
    /// has to be unlearnt.
    pub fn with_rows_times(mut self, factor: f32) -> Weights {
        self.values[self.shape.features()].iter_mut().for_each(|weight| *weight *= factor);
        self
    }

    /// The same with the rows of the first king bucket in all others, so that what no position ever shows a bucket it
    /// has from the others, and no noise.
    pub fn with_equal_buckets(mut self) -> Weights {
        let shared = self.shape.shared();
        for bucket in 1..self.shape.king_buckets() {
            self.values.copy_within(shared.clone(), bucket * shared.len());
        }
        self
    }

    /// Weights from a list, if it has the right length.
    pub fn from_values(shape: Shape, values: Vec<f32>) -> Option<Weights> {
        (values.len() == shape.weight_count()).then_some(Weights { shape, values })
    }

    /// The mean of several weights of one shape; none of none.
    pub fn mean(several: &[Weights]) -> Option<Weights> {
        let first = several.first()?;
        let mut sums: Vec<f64> = vec![0.0; first.values.len()];
        for weights in several {
            assert_eq!(weights.shape, first.shape, "only weights of one shape have a mean");
            sums.iter_mut().zip(&weights.values).for_each(|(sum, &value)| *sum += f64::from(value));
        }
        let values = sums.iter().map(|sum| (sum / several.len() as f64) as f32).collect();
        Some(Weights { shape: first.shape, values })
    }

    /// What they are the weights of.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All of them.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All of them, to be changed.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// What an input adds to the hidden layer.
    pub fn feature(&self, feature: usize) -> &[f32] {
        &self.values[self.shape.feature(feature)]
    }

    /// The hidden layer without any input.
    pub fn hidden_biases(&self) -> &[f32] {
        &self.values[self.shape.hidden_biases()]
    }

    /// The output weights of a bucket: of a straight network those of the player to move, then those of the other.
    pub fn output(&self, bucket: usize) -> &[f32] {
        &self.values[self.shape.output(bucket)]
    }

    /// The bias of an output bucket.
    pub fn output_bias(&self, bucket: usize) -> f32 {
        self.values[self.shape.output_bias(bucket)]
    }
}

/// Where the weights lie.
impl Shape {
    /// How many weights there are.
    pub fn weight_count(self) -> usize {
        self.tail().end
    }

    /// All rows of inputs.
    pub fn features(self) -> Range<usize> {
        0..self.inputs * self.hidden
    }

    /// How many king buckets there are.
    pub fn king_buckets(self) -> usize {
        self.inputs / FEATURES
    }

    /// The rows of the first king bucket, which those of the others are like.
    pub fn shared(self) -> Range<usize> {
        0..FEATURES * self.hidden
    }

    /// One weight of the first king bucket, and those in its place in all others.
    pub fn sharing(self, place: usize) -> impl Iterator<Item = usize> {
        (0..self.king_buckets()).map(move |bucket| bucket * self.shared().len() + place)
    }

    /// The row of an input.
    pub fn feature(self, feature: usize) -> Range<usize> {
        feature * self.hidden..(feature + 1) * self.hidden
    }

    /// The row of the hidden biases.
    pub fn hidden_biases(self) -> Range<usize> {
        self.feature(self.inputs)
    }

    /// Weights and biases of the second layer, of the third, and of the output.
    pub(crate) const TAIL_PARTS: usize = 6;

    /// The parts of the tail in their order: how many weights the set of an output bucket has in each.
    fn sets(self) -> [usize; Shape::TAIL_PARTS] {
        match self.layers {
            Layers::Straight => [0, 0, 0, 0, 2 * self.hidden, 1],
            Layers::Pairwise => {
                [Head::SECOND * self.hidden, Head::SECOND, Head::THIRD * Head::SECOND, Head::THIRD, Head::THIRD, 1]
            }
        }
    }

    /// The set of an output bucket in a part of the tail.
    pub(crate) fn set(self, part: usize, bucket: usize) -> Range<usize> {
        let sets = self.sets();
        let before: usize = sets[..part].iter().sum();
        let start = self.hidden_biases().end + self.output_buckets * before + bucket * sets[part];
        start..start + sets[part]
    }

    /// Everything behind the rows.
    pub fn tail(self) -> Range<usize> {
        let start = self.hidden_biases().end;
        start..start + self.output_buckets * self.sets().iter().sum::<usize>()
    }

    /// All weights, by what they are: the rows of inputs, the hidden biases, and each part of the tail.
    pub fn parts(self) -> impl Iterator<Item = Range<usize>> {
        let tail = (0..Shape::TAIL_PARTS).map(move |part| {
            let start = self.set(part, 0).start;
            start..start + self.output_buckets * self.sets()[part]
        });
        [self.features(), self.hidden_biases()].into_iter().chain(tail).filter(|part| !part.is_empty())
    }

    /// The weights of a bucket's second layer: for each neuron those of the own products, then those of the other's.
    pub fn second_weights(self, bucket: usize) -> Range<usize> {
        self.set(0, bucket)
    }

    /// The biases of a bucket's second layer.
    pub fn second_biases(self, bucket: usize) -> Range<usize> {
        self.set(1, bucket)
    }

    /// The weights of a bucket's third layer: for each neuron those of the second layer's.
    pub fn third_weights(self, bucket: usize) -> Range<usize> {
        self.set(2, bucket)
    }

    /// The biases of a bucket's third layer.
    pub fn third_biases(self, bucket: usize) -> Range<usize> {
        self.set(3, bucket)
    }

    /// The output weights of all buckets.
    pub fn outputs(self) -> Range<usize> {
        self.output(0).start..self.output_bias(0)
    }

    /// The output weights of a bucket.
    pub fn output(self, bucket: usize) -> Range<usize> {
        self.set(4, bucket)
    }

    /// The place of a bucket's output bias.
    pub fn output_bias(self, bucket: usize) -> usize {
        self.set(5, bucket).start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { inputs: 5, hidden: 32, output_buckets: 2, layers: Layers::Straight };

    #[test]
    fn every_weight_has_one_place() {
        for shape in [SHAPE, Shape { hidden: 64, layers: Layers::Pairwise, ..SHAPE }] {
            let mut owners = vec![0; shape.weight_count()];
            let mut own = |places: Range<usize>| owners[places].iter_mut().for_each(|count| *count += 1);
            (0..shape.inputs).for_each(|feature| own(shape.feature(feature)));
            own(shape.hidden_biases());
            for bucket in 0..shape.output_buckets {
                own(shape.second_weights(bucket));
                own(shape.second_biases(bucket));
                own(shape.third_weights(bucket));
                own(shape.third_biases(bucket));
                own(shape.output(bucket));
                own(shape.output_bias(bucket)..shape.output_bias(bucket) + 1);
            }
            shape.parts().for_each(&mut own);
            assert!(owners.iter().all(|&count| count == 2), "{owners:?}");
        }
    }

    #[test]
    fn the_mean_of_weights_is_taken_one_by_one() {
        let [one, two] = [1, 2].map(|seed| Weights::random(SHAPE, seed));
        assert_ne!(one, two);
        assert_eq!(one, Weights::random(SHAPE, 1));
        let mean = Weights::mean(&[one.clone(), two.clone()]).expect("there are two");
        let place = SHAPE.feature(3).start;
        assert_eq!(mean.values()[place], (one.values()[place] + two.values()[place]) / 2.0);
        assert_eq!(Weights::mean(&[]), None);
    }

    #[test]
    fn equal_buckets_have_the_rows_of_the_first() {
        let shape = Shape { inputs: 3 * FEATURES, hidden: 32, output_buckets: 1, layers: Layers::Straight };
        let random = Weights::random(shape, 1);
        let equal = random.clone().with_equal_buckets();
        assert_eq!(shape.sharing(7).collect::<Vec<_>>(), [7, 7 + 32 * FEATURES, 7 + 2 * 32 * FEATURES]);
        for feature in 0..FEATURES {
            assert_ne!(random.feature(feature), random.feature(FEATURES + feature));
            for bucket in 0..3 {
                assert_eq!(equal.feature(bucket * FEATURES + feature), random.feature(feature));
            }
        }
        assert_eq!(equal.values()[shape.features().end..], random.values()[shape.features().end..]);
    }
}
