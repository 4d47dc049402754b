//! A network: its numbers, and the plain way from a position to centipawns.

use std::fmt;

use random::Random;
use rules::{Color, Position};

use crate::block::Block;
use crate::kernel::PackedHead;
use crate::{ACTIVATION_UNIT, Architecture, CENTIPAWNS, Head, Layers, MOST_OUTPUT_WEIGHT, OUTPUT_UNIT};

/// The numbers of a network as a trainer makes them and a file holds them, in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// For each king bucket and each feature, a row of the hidden layer's width. 255 stands for 1.
    pub feature_weights: Vec<i16>,
    /// Where accumulators start. 255 stands for 1.
    pub feature_biases: Vec<i16>,
    /// What follows the accumulators.
    pub tail: Tail,
}

/// The numbers that follow the accumulators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Those of [`Layers::Straight`].
    Straight {
        /// For each output bucket, the weights of the hidden layer of the player to move, then those of the other's. 64
        /// stands for 1.
        output_weights: Vec<i16>,
        /// One for each output bucket. 255 · 64 stands for 1.
        output_biases: Vec<i16>,
    },
    /// Those of [`Layers::Pairwise`], a head for each output bucket.
    Pairwise(Vec<Head>),
}

impl Tail {
    /// What kind of layers these numbers are of.
    pub fn layers(&self) -> Layers {
        match self {
            Tail::Straight { .. } => Layers::Straight,
            Tail::Pairwise(_) => Layers::Pairwise,
        }
    }

    /// Whether the numbers are those of an architecture, and within their limits.
    fn check(&self, architecture: &Architecture) -> Result<(), NetworkError> {
        if self.layers() != architecture.layers() {
            return Err(NetworkError::Layers { expected: architecture.layers(), found: self.layers() });
        }
        match self {
            Tail::Straight { output_weights, output_biases } => {
                count("output weights", output_weights.len(), architecture.output_weights())?;
                count("output biases", output_biases.len(), architecture.output_buckets())?;
                let is_allowed = |weight: &i16| (-MOST_OUTPUT_WEIGHT..=MOST_OUTPUT_WEIGHT).contains(weight);
                match output_weights.iter().position(|weight| !is_allowed(weight)) {
                    Some(index) => Err(NetworkError::OutputWeight { index, value: output_weights[index] }),
                    None => Ok(()),
                }
            }
            Tail::Pairwise(heads) => {
                count("heads", heads.len(), architecture.output_buckets())?;
                heads.iter().enumerate().try_for_each(|(bucket, head)| head.check(bucket, architecture.hidden()))
            }
        }
    }

    /// Numbers that have learnt nothing.
    fn random(architecture: &Architecture, draw: &mut Draw) -> Tail {
        match architecture.layers() {
            Layers::Straight => {
                let (activation, output) = (f64::from(ACTIVATION_UNIT), f64::from(OUTPUT_UNIT));
                Tail::Straight {
                    output_weights: draw.many(architecture.output_weights(), 0.3 * output, MOST_OUTPUT_WEIGHT),
                    output_biases: draw.many(architecture.output_buckets(), 0.01 * activation * output, i16::MAX),
                }
            }
            Layers::Pairwise => {
                let heads = 0..architecture.output_buckets();
                Tail::Pairwise(heads.map(|_| Head::random(architecture.hidden(), draw)).collect())
            }
        }
    }
}

/// Refuses numbers that are not as many as they should be.
pub(crate) fn count(part: &'static str, found: usize, expected: usize) -> Result<(), NetworkError> {
    if found == expected { Ok(()) } else { Err(NetworkError::Count { part, expected, found }) }
}

/// Numbers at random, in a bell around zero.
pub(crate) struct Draw(Random);

impl Draw {
    /// One of some spread.
    pub(crate) fn real(&mut self, spread: f64) -> f64 {
        self.0.normal() * spread
    }

    /// A whole one of some spread, at most so large either way.
    pub(crate) fn one(&mut self, spread: f64, most: i16) -> i16 {
        (self.real(spread) as i16).clamp(-most, most)
    }

    /// So many of them.
    fn many(&mut self, count: usize, spread: f64, most: i16) -> Vec<i16> {
        (0..count).map(|_| self.one(spread, most)).collect()
    }
}

/// A network, ready to evaluate positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    architecture: Architecture,
    description: String,
    feature_weights: Vec<Block>,
    feature_biases: Vec<Block>,
    outputs: Outputs,
    /// The output bucket of each number of pieces: looked up, because a division takes longer.
    bucket_by_count: [u8; 64],
}

/// What follows the accumulators, in the order of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outputs {
    Straight(StraightOutputs),
    Pairwise(Vec<PackedHead>),
}

/// The weights and biases of all output buckets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StraightOutputs {
    weights: Vec<Block>,
    biases: Vec<i16>,
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
        let Parameters { feature_weights, feature_biases, tail } = parameters;
        count("feature weights", feature_weights.len(), architecture.feature_weights())?;
        count("feature biases", feature_biases.len(), architecture.hidden())?;
        tail.check(&architecture)?;
        let description = description.into();
        if description.len() > Network::LONGEST_DESCRIPTION {
            return Err(NetworkError::Description { bytes: description.len() });
        }
        Ok(Network {
            architecture,
            description,
            feature_weights: Block::pack(feature_weights),
            feature_biases: Block::pack(feature_biases),
            outputs: match tail {
                Tail::Straight { output_weights, output_biases } => Outputs::Straight(StraightOutputs {
                    weights: Block::pack(output_weights),
                    biases: output_biases.clone(),
                }),
                Tail::Pairwise(heads) => Outputs::Pairwise(heads.iter().map(PackedHead::new).collect()),
            },
            bucket_by_count: std::array::from_fn(|pieces| architecture.output_bucket(pieces as u32) as u8),
        })
    }

    /// A network that has learnt nothing, the same for the same seed: for tests, and as a start. Most of what it says
    /// is within a few pawns.
    pub fn random(seed: u64, architecture: Architecture) -> Network {
        let mut draw = Draw(Random::new(seed));
        let unit = f64::from(ACTIVATION_UNIT);
        let parameters = Parameters {
            feature_weights: draw.many(architecture.feature_weights(), 0.05 * unit, i16::MAX),
            feature_biases: draw.many(architecture.hidden(), 0.1 * unit, i16::MAX),
            tail: Tail::random(&architecture, &mut draw),
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
            tail: match &self.outputs {
                Outputs::Straight(outputs) => Tail::Straight {
                    output_weights: Block::unpack(&outputs.weights).collect(),
                    output_biases: outputs.biases.clone(),
                },
                Outputs::Pairwise(heads) => Tail::Pairwise(heads.iter().map(|packed| packed.head().clone()).collect()),
            },
        }
    }

    /// What a position is worth to the player to move, in centipawns.
    ///
    /// This is the definition, number by number and from scratch. [`Accumulators`](crate::Accumulators) say the same,
    /// sooner.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let us = position.turn();
        let bucket = self.architecture.output_bucket(position.occupied().count());
        let [own, their] = [us, !us].map(|color| self.accumulated(color, position));
        match &self.outputs {
            Outputs::Straight(outputs) => {
                let weights = Block::unpack(outputs.row(bucket, self.row_blocks()));
                let products = own.into_iter().chain(their).zip(weights).map(|(neuron, weight)| {
                    let active = i64::from(neuron.clamp(0, ACTIVATION_UNIT));
                    active * active * i64::from(weight)
                });
                outputs.centipawns(products.sum(), bucket)
            }
            Outputs::Pairwise(heads) => {
                let pairs: Vec<u8> = [own, their].iter().flat_map(|neurons| Head::pairs(neurons)).collect();
                heads[bucket].head().evaluate(&pairs)
            }
        }
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

    #[inline]
    pub(crate) fn outputs(&self) -> &Outputs {
        &self.outputs
    }
}

impl StraightOutputs {
    /// The weights of the own hidden layer, then of the other's, in an output bucket.
    #[inline]
    pub(crate) fn row(&self, bucket: usize, row_blocks: usize) -> &[Block] {
        let blocks = 2 * row_blocks;
        &self.weights[bucket * blocks..][..blocks]
    }

    /// From the weighed sum of all activations to centipawns.
    #[inline]
    pub(crate) fn centipawns(&self, sum: i64, bucket: usize) -> i32 {
        let (activation, output) = (i64::from(ACTIVATION_UNIT), i64::from(OUTPUT_UNIT));
        let value = sum / activation + i64::from(self.biases[bucket]);
        // At most 2 · 2048 · 255 · 128 · 400 / (255 · 64) and a bias: far from the ends of 32 bits.
        (value * i64::from(CENTIPAWNS) / (activation * output)) as i32
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
    /// The numbers are of other layers than the architecture says.
    Layers {
        /// What there should be.
        expected: Layers,
        /// What there is.
        found: Layers,
    },
    /// A number of a [`Head`] is too large.
    Head {
        /// Of which kind.
        part: &'static str,
        /// In which output bucket.
        bucket: usize,
        /// Which one.
        index: usize,
        /// How large.
        value: i32,
        /// How large it may be either way.
        most: i32,
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
            NetworkError::Layers { expected, found } => {
                write!(f, "the numbers of a {found} network instead of those of a {expected} one")
            }
            NetworkError::Head { part, bucket, index, value, most } => {
                write!(f, "{part} {index} of output bucket {bucket} is {value}, beyond ±{most}")
            }
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
