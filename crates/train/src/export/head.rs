//! The layers of a pairwise network behind the hidden one, in whole numbers.
//!
//! [`Head`] says what stands for one in each of them. Where the engine shifts bits out it rounds down, so that a bias
//! in front of a shift gets half of what is lost at most: then the error has no preference.

use nnue::{CENTIPAWNS, Head};

use super::rounded;
use crate::{Shape, Weights};

/// Half of what is lost at most when sums of the third layer are shifted.
const HALF: i32 = 1 << (Head::THIRD_SHIFT - 1);

/// Rounds the layers of an output bucket.
pub(super) fn quantise(weights: &Weights, bucket: usize) -> Head {
    let (shape, values) = (weights.shape(), weights.values());
    let [second_biases, third_weights, third_biases] =
        [shape.second_biases(bucket), shape.third_weights(bucket), shape.third_biases(bucket)].map(|set| &values[set]);
    let [second_unit, unit] = [Head::SECOND_UNIT, Head::WEIGHT_UNIT].map(f64::from);
    let bias = |value: f32, unit: f64| rounded(value, unit, Head::MOST_BIAS - HALF);
    let second_weight = |&value: &f32| rounded(value, second_unit, i8::MAX.into()) as i8;
    let third_weight = |value: f32| rounded(value, unit, Head::MOST_THIRD_WEIGHT.into()) as i16;
    let output_weight = |value: f32| rounded(value, unit, Head::MOST_OUTPUT_WEIGHT.into()) as i16;
    Head {
        second_weights: values[shape.second_weights(bucket)].iter().map(second_weight).collect(),
        second_biases: std::array::from_fn(|neuron| bias(second_biases[neuron], Head::SECOND_BIAS_UNIT)),
        third_weights: std::array::from_fn(|neuron| {
            std::array::from_fn(|input| third_weight(third_weights[neuron * Head::SECOND + input]))
        }),
        third_biases: std::array::from_fn(|neuron| bias(third_biases[neuron], Head::THIRD_BIAS_UNIT) + HALF),
        output_weights: std::array::from_fn(|neuron| output_weight(weights.output(bucket)[neuron])),
        output_bias: bias(weights.output_bias(bucket), Head::OUTPUT_BIAS_UNIT),
    }
}

/// Puts the layers of an output bucket where they belong.
pub(super) fn dequantise(head: &Head, shape: Shape, bucket: usize, values: &mut [f32]) {
    let mut put = |places: std::ops::Range<usize>, numbers: &mut dyn Iterator<Item = f64>| {
        values[places].iter_mut().zip(numbers).for_each(|(value, number)| *value = number as f32);
    };
    let [second_unit, unit] = [Head::SECOND_UNIT, Head::WEIGHT_UNIT].map(f64::from);
    let Head { second_weights, second_biases, third_weights, third_biases, output_weights, output_bias } = head;
    let weights =
        |numbers: &[i16]| numbers.iter().map(|&weight| f64::from(weight) / unit).collect::<Vec<f64>>().into_iter();
    put(shape.second_weights(bucket), &mut second_weights.iter().map(|&weight| f64::from(weight) / second_unit));
    put(shape.second_biases(bucket), &mut second_biases.iter().map(|&bias| f64::from(bias) / Head::SECOND_BIAS_UNIT));
    put(shape.third_weights(bucket), &mut weights(third_weights.as_flattened()));
    let third_bias = |&bias: &i32| f64::from(bias - HALF) / Head::THIRD_BIAS_UNIT;
    put(shape.third_biases(bucket), &mut third_biases.iter().map(third_bias));
    put(shape.output(bucket), &mut weights(output_weights));
    values[shape.output_bias(bucket)] = (f64::from(*output_bias) / Head::OUTPUT_BIAS_UNIT) as f32;
}

/// What rounded layers make of the active neurons of both players, each up to 255.
pub(super) fn integer_evaluation(head: &Head, active: &[i64]) -> i32 {
    let half = active.len() / 4;
    let pairs = active
        .chunks(2 * half)
        .flat_map(|side| (0..half).map(|neuron| (side[neuron] * side[neuron + half] + 256) >> 9));
    let pairs: Vec<i64> = pairs.collect();
    let square = |sum: i64, most: i64| sum.clamp(0, most).pow(2) >> 12;
    let second = head.second_weights.chunks(pairs.len()).zip(head.second_biases).map(|(weights, bias)| {
        let sum: i64 = weights.iter().zip(&pairs).map(|(&weight, pair)| i64::from(weight) * pair).sum();
        square(sum + i64::from(bias), 8_128)
    });
    let second: Vec<i64> = second.collect();
    let third = head.third_weights.iter().zip(head.third_biases).map(|(weights, bias)| {
        let sum: i64 = weights.iter().zip(&second).map(|(&weight, second)| i64::from(weight) * second).sum();
        square((sum + i64::from(bias)) >> 10, 8_064)
    });
    let sum: i64 = third.zip(head.output_weights).map(|(third, weight)| third * i64::from(weight)).sum();
    ((sum + i64::from(head.output_bias)) * i64::from(CENTIPAWNS) / 8_130_020) as i32
}
