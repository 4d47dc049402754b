//! A network as it is learned: weights that are not rounded, in a file of their own.
//!
//! A training that goes on from a rounded network begins beside where the last one ended, and loses again what was too
//! small to survive the rounding. From a trunk it begins exactly there.

use nnue::{Architecture, ArchitectureError, KingBuckets, Layers, Network};
use thiserror::Error;

use crate::{Shape, Weights, dequantise};

const MAGIC: [u8; 8] = *b"SAAVTRNK";
const VERSION: u16 = 1;
const HEADER: usize = 86;
const CHECKSUM: usize = size_of::<u64>();

/// The weights of a network as they were learned, what they are the weights of, and what is to be said of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Trunk {
    architecture: Architecture,
    description: String,
    weights: Weights,
}

/// What is wrong with the file of a trunk.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum TrunkError {
    /// The file holds something else.
    #[error("not a trunk")]
    NotATrunk,
    /// The file was written by another version of this program.
    #[error("a trunk of version {0}, expected {VERSION}")]
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
    #[error("the trunk is damaged")]
    Damaged,
    /// A weight is not a number.
    #[error("weight {0} is not a number")]
    NotANumber(usize),
}

impl Trunk {
    /// A trunk of weights; none if they are not those of the architecture.
    pub fn new(architecture: Architecture, description: impl Into<String>, weights: Weights) -> Option<Trunk> {
        let fits = weights.shape() == Shape::of(&architecture);
        fits.then(|| Trunk { architecture, description: description.into(), weights })
    }

    /// The rounded weights of a network, for want of others.
    pub fn of(network: &Network) -> Trunk {
        let (architecture, weights) = (*network.architecture(), dequantise(network));
        Trunk { architecture, description: network.description().to_owned(), weights }
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

    /// Whether a file may be that of a trunk: it begins like one.
    pub fn is_trunk(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// The trunk in a file. All numbers are little endian:
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
    pub fn read(bytes: &[u8]) -> Result<Trunk, TrunkError> {
        if !Trunk::is_trunk(bytes) {
            return Err(TrunkError::NotATrunk);
        }
        let (found, expected) = (bytes.len(), HEADER + CHECKSUM);
        let header: &[u8; HEADER] = bytes.first_chunk().ok_or(TrunkError::Length { found, expected })?;
        let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        if short(8) != VERSION {
            return Err(TrunkError::Version(short(8)));
        }
        let layers = match short(10) {
            1 => Layers::Straight,
            2 => Layers::Pairwise,
            other => return Err(TrunkError::Layers(other)),
        };
        let architecture = Architecture::new(long(12) as usize)?
            .with_layers(layers)?
            .with_output_buckets(usize::from(short(16)))?
            .with_king_buckets(KingBuckets::new(std::array::from_fn(|square| header[22 + square]))?);
        let shape = Shape::of(&architecture);
        let description_end = HEADER + long(18) as usize;
        let expected = description_end + shape.weight_count() * size_of::<f32>() + CHECKSUM;
        if found != expected {
            return Err(TrunkError::Length { found, expected });
        }
        let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(TrunkError::Damaged)?;
        if nnue::checksum(body) != u64::from_le_bytes(*checksum) {
            return Err(TrunkError::Damaged);
        }
        let description = str::from_utf8(&body[HEADER..description_end]).map_err(|_| TrunkError::Damaged)?;
        let (numbers, _) = body[description_end..].as_chunks();
        let values: Vec<f32> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
        if let Some(place) = values.iter().position(|weight| !weight.is_finite()) {
            return Err(TrunkError::NotANumber(place));
        }
        let weights = Weights::from_values(shape, values).ok_or(TrunkError::Damaged)?;
        Ok(Trunk { architecture, description: description.to_owned(), weights })
    }

    /// The trunk as a file; [`Trunk::read`] describes it.
    pub fn write(&self) -> Vec<u8> {
        let Trunk { architecture, description, weights } = self;
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

    fn trunk(layers: Layers) -> Trunk {
        let architecture = Architecture::new(128).and_then(|one| one.with_layers(layers)).expect("a width");
        let architecture = architecture.with_output_buckets(3).expect("up to eight");
        let architecture = architecture.with_king_buckets(king_buckets(4).expect("four are on the list"));
        let weights = Weights::random(Shape::of(&architecture), 7);
        Trunk::new(architecture, "näher am Stamm", weights).expect("they are its weights")
    }

    #[test]
    fn a_trunk_survives_its_file_to_the_bit() {
        for layers in [Layers::Straight, Layers::Pairwise] {
            let trunk = trunk(layers);
            assert!(Trunk::is_trunk(&trunk.write()));
            assert_eq!(Trunk::read(&trunk.write()), Ok(trunk));
        }
        let network = Network::random(3, *trunk(Layers::Pairwise).architecture());
        assert_eq!(*Trunk::of(&network).weights(), dequantise(&network));
        let other = Architecture::new(64).expect("a width");
        assert_eq!(Trunk::new(other, "", trunk(Layers::Straight).weights), None);
    }

    #[test]
    fn what_is_no_trunk_is_told() {
        let whole = trunk(Layers::Straight).write();
        let changed = |at: usize, byte: u8| {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            Trunk::read(&bytes).expect_err("something is wrong")
        };
        assert_eq!(Trunk::read(b"a letter"), Err(TrunkError::NotATrunk));
        assert_eq!(changed(0, b'X'), TrunkError::NotATrunk);
        assert_eq!(changed(8, 2), TrunkError::Version(2));
        assert_eq!(changed(10, 9), TrunkError::Layers(9));
        assert!(matches!(changed(12, 127), TrunkError::Architecture(_)));
        assert!(matches!(changed(13, 1), TrunkError::Length { .. }));
        assert!(matches!(changed(21, 255), TrunkError::Length { .. }), "no description of gigabytes is looked for");
        assert!(matches!(changed(22, 99), TrunkError::Architecture(_)));
        assert_eq!(changed(200, whole[200] ^ 1), TrunkError::Damaged);
        for length in [8, HEADER - 1, HEADER, whole.len() - 1] {
            assert!(matches!(Trunk::read(&whole[..length]), Err(TrunkError::Length { .. })), "{length}");
        }
        let mut endless = trunk(Layers::Straight);
        endless.weights.values_mut()[5] = f32::INFINITY;
        assert_eq!(Trunk::read(&endless.write()), Err(TrunkError::NotANumber(5)));
    }
}
