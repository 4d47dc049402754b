//! A network: its numbers, and the plain way from a position to centipawns.

use std::fmt;

use chance::Chance;
use rules::{Color, Position};

use crate::block::Block;
use crate::{ACTIVATION_UNIT, Architecture, CENTIPAWNS, MOST_OUTPUT_WEIGHT, OUTPUT_UNIT};

/// The numbers of a network as a trainer makes them and a file holds them, in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// For each king bucket and each feature, a row of the hidden layer's width. 255 stands for 1.
    pub feature_weights: Vec<i16>,
    /// Where accumulators start. 255 stands for 1.
    pub feature_biases: Vec<i16>,
    /// For each output bucket, the weights of the hidden layer of the player to move, then those of the other's. 64
    /// stands for 1.
    pub output_weights: Vec<i16>,
    /// One for each output bucket. 255 · 64 stands for 1.
    pub output_biases: Vec<i16>,
}

/// A network, ready to judge positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    architecture: Architecture,
    description: String,
    feature_weights: Vec<Block>,
    feature_biases: Vec<Block>,
    output_weights: Vec<Block>,
    output_biases: Vec<i16>,
    /// The output bucket of each number of pieces: looked up, because a division takes longer.
    bucket_by_count: [u8; 64],
}

impl Network {
    /// The most bytes that a description may have.
    pub const LONGEST_DESCRIPTION: usize = 1 << 16;

    /// A network of given numbers.
    pub fn new(
        architecture: Architecture,
        description: impl Into<String>,
        parameters: &Parameters,
    ) -> Result<Network, NetworkError> {
        let Parameters { feature_weights, feature_biases, output_weights, output_biases } = parameters;
        for (part, numbers, expected) in [
            ("feature weights", feature_weights, architecture.feature_weights()),
            ("feature biases", feature_biases, architecture.hidden()),
            ("output weights", output_weights, architecture.output_weights()),
            ("output biases", output_biases, architecture.output_buckets()),
        ] {
            if numbers.len() != expected {
                return Err(NetworkError::Count { part, expected, found: numbers.len() });
            }
        }
        let is_allowed = |weight: &i16| (-MOST_OUTPUT_WEIGHT..=MOST_OUTPUT_WEIGHT).contains(weight);
        if let Some(index) = output_weights.iter().position(|weight| !is_allowed(weight)) {
            return Err(NetworkError::OutputWeight { index, value: output_weights[index] });
        }
        let description = description.into();
        if description.len() > Network::LONGEST_DESCRIPTION {
            return Err(NetworkError::Description { bytes: description.len() });
        }
        Ok(Network {
            architecture,
            description,
            feature_weights: Block::pack(feature_weights),
            feature_biases: Block::pack(feature_biases),
            output_weights: Block::pack(output_weights),
            output_biases: output_biases.clone(),
            bucket_by_count: std::array::from_fn(|pieces| architecture.output_bucket(pieces as u32) as u8),
        })
    }

    /// A network that has learnt nothing, the same for the same seed: for tests, and as a start. Most of what it says
    /// is within a few pawns.
    pub fn random(seed: u64, architecture: Architecture) -> Network {
        let mut chance = Chance::new(seed);
        let mut draw = |count: usize, spread: f64, most: i16| -> Vec<i16> {
            (0..count).map(|_| ((chance.bell() * spread) as i16).clamp(-most, most)).collect()
        };
        let unit = f64::from(ACTIVATION_UNIT);
        let parameters = Parameters {
            feature_weights: draw(architecture.feature_weights(), 0.05 * unit, i16::MAX),
            feature_biases: draw(architecture.hidden(), 0.1 * unit, i16::MAX),
            output_weights: draw(architecture.output_weights(), 0.3 * f64::from(OUTPUT_UNIT), MOST_OUTPUT_WEIGHT),
            output_biases: draw(architecture.output_buckets(), 0.01 * unit * f64::from(OUTPUT_UNIT), i16::MAX),
        };
        Network::new(architecture, format!("random, seed {seed}"), &parameters)
            .expect("as many numbers as there should be, within their limits")
    }

    /// The shape.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// What its maker says about it.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The same network with something else said about it.
    pub fn described(self, description: impl Into<String>) -> Result<Network, NetworkError> {
        Network::new(self.architecture, description, &self.parameters())
    }

    /// A copy of the numbers.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            feature_weights: Block::unpack(&self.feature_weights).collect(),
            feature_biases: Block::unpack(&self.feature_biases).collect(),
            output_weights: Block::unpack(&self.output_weights).collect(),
            output_biases: self.output_biases.clone(),
        }
    }

    /// What a position is worth to the player to move, in centipawns.
    ///
    /// This is the definition, number by number and from scratch. [`Accumulators`](crate::Accumulators) say the same,
    /// sooner.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let us = position.turn();
        let hidden = self.architecture.hidden();
        let bucket = self.architecture.output_bucket(position.occupied().count());
        let weights = Block::unpack(self.output_row(bucket));
        let neurons = [us, !us].into_iter().flat_map(|color| self.accumulated(color, position));
        debug_assert_eq!(2 * hidden, self.output_row(bucket).len() * Block::LEN);
        let sum = neurons
            .zip(weights)
            .map(|(neuron, weight)| {
                let active = i64::from(neuron.clamp(0, ACTIVATION_UNIT));
                active * active * i64::from(weight)
            })
            .sum();
        self.centipawns(sum, bucket)
    }

    /// The hidden layer of one player, before activation.
    fn accumulated(&self, perspective: Color, position: &Position) -> Vec<i16> {
        let view = self.architecture.king_buckets().view(perspective, position.king(perspective));
        let mut neurons: Vec<i16> = Block::unpack(&self.feature_biases).collect();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                let row = self.feature_row(view.feature_index(piece, square));
                for (neuron, weight) in neurons.iter_mut().zip(Block::unpack(row)) {
                    *neuron = neuron.wrapping_add(weight);
                }
            }
        }
        neurons
    }

    /// From the weighed sum of all activations to centipawns.
    #[inline]
    pub(crate) fn centipawns(&self, sum: i64, bucket: usize) -> i32 {
        let (activation, output) = (i64::from(ACTIVATION_UNIT), i64::from(OUTPUT_UNIT));
        let value = sum / activation + i64::from(self.output_biases[bucket]);
        // At most 2 · 2048 · 255 · 128 · 400 / (255 · 64) and a bias: far from the ends of 32 bits.
        (value * i64::from(CENTIPAWNS) / (activation * output)) as i32
    }

    /// See [`Architecture::output_bucket`].
    #[inline]
    pub(crate) fn output_bucket(&self, position: &Position) -> usize {
        usize::from(self.bucket_by_count[position.occupied().count() as usize % 64])
    }

    /// How many blocks a row of the hidden layer's width has.
    #[inline]
    pub(crate) fn row_blocks(&self) -> usize {
        self.feature_biases.len()
    }

    #[inline]
    pub(crate) fn feature_row(&self, index: usize) -> &[Block] {
        let blocks = self.row_blocks();
        &self.feature_weights[index * blocks..][..blocks]
    }

    /// The rows of all features, one after the other.
    #[inline]
    pub(crate) fn all_feature_rows(&self) -> &[Block] {
        &self.feature_weights
    }

    #[inline]
    pub(crate) fn feature_biases(&self) -> &[Block] {
        &self.feature_biases
    }

    /// The weights of the own hidden layer, then of the other's.
    #[inline]
    pub(crate) fn output_row(&self, bucket: usize) -> &[Block] {
        let blocks = 2 * self.row_blocks();
        &self.output_weights[bucket * blocks..][..blocks]
    }
}

/// What is wrong with the numbers of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// There are not as many numbers as the architecture says.
    Count {
        /// Of which kind.
        part: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// An output weight is too large.
    OutputWeight {
        /// Which one.
        index: usize,
        /// How large.
        value: i16,
    },
    /// The description is too long.
    Description {
        /// How long.
        bytes: usize,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Count { part, expected, found } => write!(f, "{found} {part} instead of {expected}"),
            NetworkError::OutputWeight { index, value } => {
                write!(f, "output weight {index} is {value}, beyond ±{MOST_OUTPUT_WEIGHT}")
            }
            NetworkError::Description { bytes } => {
                write!(f, "a description of {bytes} bytes; {} are the limit", Network::LONGEST_DESCRIPTION)
            }
        }
    }
}

impl std::error::Error for NetworkError {}
