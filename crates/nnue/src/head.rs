//! What a pairwise network has behind its accumulators: products of neurons, two small layers, and the output.

use crate::network::{Draw, count};
use crate::{ACTIVATION_UNIT, CENTIPAWNS, NetworkError};

/// The numbers behind the accumulators of a pairwise network, of which there is a set for each output bucket.
///
/// The neurons of an accumulator are multiplied in pairs, the first of each half, the second of each half, and so on.
/// The products of the own accumulator and then of the other's are the inputs of a layer of [`SECOND`](Head::SECOND)
/// neurons; a layer of [`THIRD`](Head::THIRD) follows, then the output. In real numbers, with `H` neurons in an
/// accumulator:
///
/// ```text
/// c(x)   = clamp(x, 0, 1)
/// pair   = c(own[i]) * c(own[i + H/2]) for i < H/2, then the same of their          H numbers
/// second = c(second weights * pair + second biases)²                               16
/// third  = c(third weights * second + third biases)²                               32
/// output = output weights * third + output bias                                     1
/// ```
///
/// The same in whole numbers, with what stands for 1 in each; all shifts of negative numbers round down:
///
/// ```text
/// a(x)       = clamp(x, 0, 255)                                                                    255
/// pair       = (a(own[i]) * a(own[i + H/2]) + 256) >> 9          rounded, at most 127              255²/2⁹  ≈ 127.002
/// sum2       = sum of second weights * pair + second bias        weights of 8 bits in units of 64  255²/2³  = 8128.125
/// second     = clamp(sum2, 0, 8128)² >> 12                       at most 16,129                    255⁴/2¹⁸ ≈ 16129.5
/// sum3       = sum of third weights * second + third bias        weights in units of 512           255⁴/2⁹
/// third      = clamp(sum3 >> 10, 0, 8064)² >> 12                 at most 15,876                    255⁸/2⁵⁰ ≈ 15878.9
/// sum        = sum of output weights * third + output bias       weights in units of 512           255⁸/2⁴¹
/// centipawns = sum * 400 / 8,130,020                             cut towards zero
/// ```
///
/// Products end at 127 so that two of them, each times a weight of 8 bits, fit 16 bits, and everything behind them fits
/// the 16 bits that vector instructions multiply at once. Sums of products stay below 2³⁰ by the limits of the weights,
/// and so do biases: nothing ever overflows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// For each neuron of the second layer, the weights of the own products, then of the other's. 64 stands for 1.
    pub second_weights: Vec<i8>,
    /// One for each neuron of the second layer. [`Head::SECOND_BIAS_UNIT`] stands for 1.
    pub second_biases: [i32; Head::SECOND],
    /// For each neuron of the third layer, a weight for each of the second. 512 stands for 1.
    pub third_weights: [[i16; Head::SECOND]; Head::THIRD],
    /// One for each neuron of the third layer. [`Head::THIRD_BIAS_UNIT`] stands for 1.
    pub third_biases: [i32; Head::THIRD],
    /// One for each neuron of the third layer. 512 stands for 1.
    pub output_weights: [i16; Head::THIRD],
    /// [`Head::OUTPUT_BIAS_UNIT`] stands for 1.
    pub output_bias: i32,
}

/// 255² as a real number, of which all units are made.
const SQUARE: f64 = 255.0 * 255.0;

impl Head {
    /// The width of the layer behind the products.
    pub const SECOND: usize = 16;

    /// The width of the layer behind that one.
    pub const THIRD: usize = 32;

    /// A product of two activations is divided by two to this power.
    pub const PAIR_SHIFT: u32 = 9;

    /// The largest product of two activations.
    pub const MOST_PAIR: u8 = 127;

    /// What stands for 1 in a product.
    pub const PAIR_UNIT: f64 = SQUARE / 512.0;

    /// What stands for 1 in weights of the second layer, of which all of 8 bits are allowed.
    pub const SECOND_UNIT: i16 = 64;

    /// What stands for 1 in weights of the third layer and in output weights.
    pub const WEIGHT_UNIT: i16 = 512;

    /// What stands for 1 in biases of the second layer.
    pub const SECOND_BIAS_UNIT: f64 = SQUARE / 8.0;

    /// What stands for 1 in biases of the third layer.
    pub const THIRD_BIAS_UNIT: f64 = SQUARE * SQUARE / 512.0;

    /// What stands for 1 in the output bias.
    pub const OUTPUT_BIAS_UNIT: f64 = SQUARE * SQUARE * SQUARE * SQUARE / (1_u64 << 41) as f64;

    /// Sums of the third layer are divided by two to this power.
    pub const THIRD_SHIFT: u32 = 10;

    /// Where activations of the second layer end, before they are squared.
    pub const SECOND_MOST: i16 = 8_128;

    /// Where activations of the third layer end, before they are squared.
    pub const THIRD_MOST: i16 = 8_064;

    /// Squares of activations are divided by two to this power.
    pub const SQUARE_SHIFT: u32 = 12;

    /// The largest weight of the third layer either way: with larger ones, sums might overflow.
    pub const MOST_THIRD_WEIGHT: i16 = 4_095;

    /// The largest output weight either way: with larger ones, sums might overflow.
    pub const MOST_OUTPUT_WEIGHT: i16 = 2_047;

    /// The largest bias either way.
    pub const MOST_BIAS: i32 = 1 << 30;

    /// How many numbers there are for accumulators of some width.
    pub const fn parameters(hidden: usize) -> usize {
        Head::SECOND * (hidden + 1) + Head::THIRD * (Head::SECOND + 1) + Head::THIRD + 1
    }

    /// The product of two neurons of an accumulator.
    #[inline]
    pub fn pair(one: i16, other: i16) -> u8 {
        let active = |neuron: i16| i32::from(neuron.clamp(0, ACTIVATION_UNIT));
        ((active(one) * active(other) + (1 << Head::PAIR_SHIFT) / 2) >> Head::PAIR_SHIFT) as u8
    }

    /// The products of the neurons of an accumulator.
    pub(crate) fn pairs(neurons: &[i16]) -> impl Iterator<Item = u8> {
        let (first, second) = neurons.split_at(neurons.len() / 2);
        first.iter().zip(second).map(|(&one, &other)| Head::pair(one, other))
    }

    /// What the products of both accumulators are worth, in centipawns. This is the definition, number by number.
    pub fn evaluate(&self, pairs: &[u8]) -> i32 {
        let square = |sum: i32, most: i16| {
            let active = sum.clamp(0, i32::from(most));
            (active * active) >> Head::SQUARE_SHIFT
        };
        let second: [i32; Head::SECOND] = std::array::from_fn(|neuron| {
            let weights = &self.second_weights[neuron * pairs.len()..][..pairs.len()];
            let products = weights.iter().zip(pairs).map(|(&weight, &pair)| i32::from(weight) * i32::from(pair));
            square(products.sum::<i32>() + self.second_biases[neuron], Head::SECOND_MOST)
        });
        let third: [i32; Head::THIRD] = std::array::from_fn(|neuron| {
            let products =
                self.third_weights[neuron].iter().zip(second).map(|(&weight, input)| i32::from(weight) * input);
            square((products.sum::<i32>() + self.third_biases[neuron]) >> Head::THIRD_SHIFT, Head::THIRD_MOST)
        });
        let products =
            self.output_weights.iter().zip(third).map(|(&weight, input)| i64::from(weight) * i64::from(input));
        self.centipawns(products.sum())
    }

    /// From the weighed sum of the third layer to centipawns.
    #[inline]
    pub(crate) fn centipawns(&self, sum: i64) -> i32 {
        /// What stands for 1 in the output, [`Head::OUTPUT_BIAS_UNIT`], as a whole number.
        const UNIT: i64 = Head::OUTPUT_BIAS_UNIT as i64;
        // Both are below 2³⁰ in size, so that this is far from the ends of 32 bits.
        ((sum + i64::from(self.output_bias)) * i64::from(CENTIPAWNS) / UNIT) as i32
    }

    /// Numbers that have learnt nothing.
    pub(crate) fn random(hidden: usize, draw: &mut Draw) -> Head {
        let [second, weight] = [Head::SECOND_UNIT, Head::WEIGHT_UNIT].map(f64::from);
        let mut bias = |unit: f64| (0.3 * unit + draw.real(0.1 * unit)) as i32;
        Head {
            second_biases: std::array::from_fn(|_| bias(Head::SECOND_BIAS_UNIT)),
            third_biases: std::array::from_fn(|_| bias(Head::THIRD_BIAS_UNIT)),
            output_bias: 0,
            second_weights: (0..Head::SECOND * hidden).map(|_| draw.one(0.3 * second, 127) as i8).collect(),
            third_weights: std::array::from_fn(|_| {
                std::array::from_fn(|_| draw.one(0.3 * weight, Head::MOST_THIRD_WEIGHT))
            }),
            output_weights: std::array::from_fn(|_| draw.one(0.3 * weight, Head::MOST_OUTPUT_WEIGHT)),
        }
    }

    /// Whether the numbers are as many as they should be, for accumulators of some width, and within their limits.
    pub(crate) fn check(&self, bucket: usize, hidden: usize) -> Result<(), NetworkError> {
        count("weights of the second layer", self.second_weights.len(), Head::SECOND * hidden)?;
        let bias = Head::MOST_BIAS;
        within("bias of the second layer", bucket, bias, self.second_biases)?;
        within(
            "weight of the third layer",
            bucket,
            Head::MOST_THIRD_WEIGHT,
            self.third_weights.as_flattened().iter().copied(),
        )?;
        within("bias of the third layer", bucket, bias, self.third_biases)?;
        within("output weight", bucket, Head::MOST_OUTPUT_WEIGHT, self.output_weights)?;
        within("output bias", bucket, bias, [self.output_bias])
    }
}

/// Refuses numbers beyond a limit.
fn within<N: Into<i32>>(
    part: &'static str,
    bucket: usize,
    most: impl Into<i32>,
    numbers: impl IntoIterator<Item = N>,
) -> Result<(), NetworkError> {
    let most = most.into();
    match numbers.into_iter().map(Into::into).enumerate().find(|(_, value)| !(-most..=most).contains(value)) {
        Some((index, value)) => Err(NetworkError::Head { part, bucket, index, value, most }),
        None => Ok(()),
    }
}
