//! A network in floats, before quantisation, and its file.
//!
//! A training that starts from a quantised network has lost whatever the quantisation rounded away. From float weights
//! it starts exactly where the last training ended. Their files end in `.trunk`: the network is what grows from it.

use nnue::{Architecture, ArchitectureError, KingBuckets, Layers, Network};
use thiserror::Error;

use crate::{Shape, Weights, dequantise};

const MAGIC: [u8; 8] = *b"SAAVTRNK";
const VERSION: u16 = 1;
const HEADER: usize = 86;
const CHECKSUM: usize = size_of::<u64>();

/// The float weights of a network, its architecture, and a description.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    architecture: Architecture,
    description: String,
    weights: Weights,
}

/// What is wrong with a file of float weights.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum FloatNetworkError {
    /// The file holds something else.
    #[error("not a file of float weights")]
    NotFloatWeights,
    /// The file was written by another version of this program.
    #[error("float weights of version {0}, expected {VERSION}")]
    Version(u16),
    /// There are no such layers.
    #[error("layers of kind {0} are not known")]
    Layers(u16),
    /// The sizes make no sense.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// The file has another length than its header says.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// The bytes that are there.
        found: usize,
        /// Those that there should be.
        expected: usize,
    },
    /// The file was changed.
    #[error("the float weights are damaged")]
    Damaged,
    /// A weight is not a number.
    #[error("weight {0} is not a number")]
    NotANumber(usize),
}

impl FloatNetwork {
    /// A network of weights; none if they are not those of the architecture.
    pub fn new(architecture: Architecture, description: impl Into<String>, weights: Weights) -> Option<FloatNetwork> {
        let fits = weights.shape() == Shape::of(&architecture);
        fits.then(|| FloatNetwork { architecture, description: description.into(), weights })
    }

    /// The quantised weights of a network as floats.
    pub fn of(network: &Network) -> FloatNetwork {
        let (architecture, weights) = (*network.architecture(), dequantise(network));
        FloatNetwork { architecture, description: network.description().to_owned(), weights }
    }

    /// The mean of networks, each with its share. None without networks, if architectures differ, or if the shares are
    /// not positive.
    ///
    /// Networks that were fine-tuned from the same weights lie close enough to each other for their mean to play; the
    /// mean of networks that were trained apart means nothing.
    pub fn mean(networks: &[(FloatNetwork, f64)], description: impl Into<String>) -> Option<FloatNetwork> {
        let (first, _) = networks.first()?;
        let is_usable =
            |(network, share): &(FloatNetwork, f64)| network.architecture == first.architecture && *share > 0.0;
        if !networks.iter().all(is_usable) {
            return None;
        }
        let whole: f64 = networks.iter().map(|(_, share)| share).sum();
        let mut sums = vec![0.0; first.weights.values().len()];
        for (network, share) in networks {
            let values = network.weights.values().iter();
            sums.iter_mut().zip(values).for_each(|(sum, &value)| *sum += share / whole * f64::from(value));
        }
        let values = sums.into_iter().map(|sum| sum as f32).collect();
        FloatNetwork::new(first.architecture, description, Weights::from_values(first.weights.shape(), values)?)
    }

    /// What the weights belong to.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// What is to be said of them.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Whether a file begins like one of float weights.
    pub fn is_float_network(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// Reads a file. All numbers are little endian:
    ///
    /// | bytes | | |
    /// |---|---|---|
    /// | 0–7 | | `SAAVTRNK` |
    /// | 8–9 | `u16` | version of the format: 1 |
    /// | 10–11 | `u16` | the layers: 1, straight, or 2, pairwise |
    /// | 12–15 | `u32` | width of the hidden layer |
    /// | 16–17 | `u16` | output buckets |
    /// | 18–21 | `u32` | bytes of the description, `d` |
    /// | 22–85 | `u8` × 64 | king bucket of each square as the king's owner sees it |
    /// | … | | the description, UTF-8, of `d` bytes |
    /// | … | `f32` | all weights in the order of [`Weights`] |
    /// | last 8 | `u64` | [`nnue::checksum`] of all bytes before it |
    pub fn read(bytes: &[u8]) -> Result<FloatNetwork, FloatNetworkError> {
        if !FloatNetwork::is_float_network(bytes) {
            return Err(FloatNetworkError::NotFloatWeights);
        }
        let (found, expected) = (bytes.len(), HEADER + CHECKSUM);
        let header: &[u8; HEADER] = bytes.first_chunk().ok_or(FloatNetworkError::Length { found, expected })?;
        let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        if short(8) != VERSION {
            return Err(FloatNetworkError::Version(short(8)));
        }
        let layers = match short(10) {
            1 => Layers::Straight,
            2 => Layers::Pairwise,
            other => return Err(FloatNetworkError::Layers(other)),
        };
        let architecture = Architecture::new(long(12) as usize)?
            .with_layers(layers)?
            .with_output_buckets(usize::from(short(16)))?
            .with_king_buckets(KingBuckets::new(std::array::from_fn(|square| header[22 + square]))?);
        let shape = Shape::of(&architecture);
        let description_end = HEADER + long(18) as usize;
        let expected = description_end + shape.weight_count() * size_of::<f32>() + CHECKSUM;
        if found != expected {
            return Err(FloatNetworkError::Length { found, expected });
        }
        let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(FloatNetworkError::Damaged)?;
        if nnue::checksum(body) != u64::from_le_bytes(*checksum) {
            return Err(FloatNetworkError::Damaged);
        }
        let description = str::from_utf8(&body[HEADER..description_end]).map_err(|_| FloatNetworkError::Damaged)?;
        let (numbers, _) = body[description_end..].as_chunks();
        let values: Vec<f32> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
        if let Some(place) = values.iter().position(|weight| !weight.is_finite()) {
            return Err(FloatNetworkError::NotANumber(place));
        }
        let weights = Weights::from_values(shape, values).ok_or(FloatNetworkError::Damaged)?;
        Ok(FloatNetwork { architecture, description: description.to_owned(), weights })
    }

    /// The file; [`FloatNetwork::read`] describes it.
    pub fn write(&self) -> Vec<u8> {
        let FloatNetwork { architecture, description, weights } = self;
        let layers: u16 = match architecture.layers() {
            Layers::Straight => 1,
            Layers::Pairwise => 2,
        };
        let mut bytes = Vec::from(MAGIC);
        bytes.extend([VERSION, layers].map(u16::to_le_bytes).as_flattened());
        bytes.extend((architecture.hidden() as u32).to_le_bytes());
        bytes.extend((architecture.output_buckets() as u16).to_le_bytes());
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(architecture.king_buckets().table());
        bytes.extend(description.as_bytes());
        bytes.extend(weights.values().iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(nnue::checksum(&bytes).to_le_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::king_buckets;

    fn floats(layers: Layers) -> FloatNetwork {
        let architecture = Architecture::new(128).and_then(|one| one.with_layers(layers)).expect("a width");
        let architecture = architecture.with_output_buckets(3).expect("up to eight");
        let architecture = architecture.with_king_buckets(king_buckets(4).expect("four are on the list"));
        let weights = Weights::random(Shape::of(&architecture), 7);
        FloatNetwork::new(architecture, "näher am Stamm", weights).expect("they are its weights")
    }

    #[test]
    fn float_weights_survive_their_file_to_the_bit() {
        for layers in [Layers::Straight, Layers::Pairwise] {
            let network = floats(layers);
            assert!(FloatNetwork::is_float_network(&network.write()));
            assert_eq!(FloatNetwork::read(&network.write()), Ok(network));
        }
        let network = Network::random(3, *floats(Layers::Pairwise).architecture());
        assert_eq!(*FloatNetwork::of(&network).weights(), dequantise(&network));
        let other = Architecture::new(64).expect("a width");
        assert_eq!(FloatNetwork::new(other, "", floats(Layers::Straight).weights), None);
    }

    #[test]
    fn a_mean_lies_between_its_networks() {
        let (one, other) = (floats(Layers::Pairwise), {
            let mut other = floats(Layers::Pairwise);
            other.weights.values_mut().iter_mut().for_each(|value| *value += 1.0);
            other
        });
        let mean = FloatNetwork::mean(&[(one.clone(), 3.0), (other.clone(), 1.0)], "a mean").expect("they are alike");
        assert_eq!((mean.architecture(), mean.description()), (one.architecture(), "a mean"));
        let pairs = mean.weights.values().iter().zip(one.weights.values());
        assert!(pairs.into_iter().all(|(mean, one)| (mean - one - 0.25).abs() < 1e-6));
        let alone = FloatNetwork::mean(&[(one.clone(), 0.1)], one.description());
        assert_eq!(alone.as_ref(), Some(&one));
        assert_eq!(FloatNetwork::mean(&[], ""), None);
        assert_eq!(FloatNetwork::mean(&[(one.clone(), 1.0), (floats(Layers::Straight), 1.0)], ""), None);
        assert_eq!(FloatNetwork::mean(&[(one, 1.0), (other, -1.0)], ""), None);
    }

    #[test]
    fn other_files_are_refused() {
        let whole = floats(Layers::Straight).write();
        let changed = |at: usize, byte: u8| {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            FloatNetwork::read(&bytes).expect_err("something is wrong")
        };
        assert_eq!(FloatNetwork::read(b"a letter"), Err(FloatNetworkError::NotFloatWeights));
        assert_eq!(changed(0, b'X'), FloatNetworkError::NotFloatWeights);
        assert_eq!(changed(8, 2), FloatNetworkError::Version(2));
        assert_eq!(changed(10, 9), FloatNetworkError::Layers(9));
        assert!(matches!(changed(12, 127), FloatNetworkError::Architecture(_)));
        assert!(matches!(changed(13, 1), FloatNetworkError::Length { .. }));
        assert!(
            matches!(changed(21, 255), FloatNetworkError::Length { .. }),
            "no description of gigabytes is looked for"
        );
        assert!(matches!(changed(22, 99), FloatNetworkError::Architecture(_)));
        assert_eq!(changed(200, whole[200] ^ 1), FloatNetworkError::Damaged);
        for length in [8, HEADER - 1, HEADER, whole.len() - 1] {
            assert!(matches!(FloatNetwork::read(&whole[..length]), Err(FloatNetworkError::Length { .. })), "{length}");
        }
        let mut endless = floats(Layers::Straight);
        endless.weights.values_mut()[5] = f32::INFINITY;
        assert_eq!(FloatNetwork::read(&endless.write()), Err(FloatNetworkError::NotANumber(5)));
    }
}
