//! A network as a file: everything that is needed to read it, and a checksum.

use std::fmt;

use crate::{ACTIVATION_UNIT, Architecture, ArchitectureError, CENTIPAWNS, KingBuckets, Network};
use crate::{NetworkError, OUTPUT_UNIT, Parameters};

/// The version of the format that is written, and the only one that is read.
pub const FORMAT_VERSION: u16 = 1;

const MAGIC: [u8; 8] = *b"SAAVNNUE";

/// From the hidden layer straight to the output.
const STRAIGHT: u16 = 1;

/// What precedes the description.
const HEADER: usize = 92;

/// What follows the numbers.
const CHECKSUM: usize = 8;

/// What every network of this version has in its header, beside its architecture.
const UNITS: [u16; 3] = [ACTIVATION_UNIT as u16, OUTPUT_UNIT as u16, CENTIPAWNS as u16];

impl Network {
    /// The network in a file. All numbers are little endian:
    ///
    /// | bytes | | |
    /// |---|---|---|
    /// | 0–7 | | `SAAVNNUE` |
    /// | 8–9 | `u16` | version of the format: 1 |
    /// | 10–11 | `u16` | the layers: 1, from the hidden layer straight to the output |
    /// | 12–15 | `u32` | width of the hidden layer |
    /// | 16–17 | `u16` | output buckets |
    /// | 18–19 | `u16` | what stands for 1 in feature weights: 255 |
    /// | 20–21 | `u16` | what stands for 1 in output weights: 64 |
    /// | 22–23 | `u16` | the centipawns of an output of 1: 400 |
    /// | 24–27 | `u32` | bytes of the description, `d` |
    /// | 28–91 | `u8` × 64 | king bucket of each square as the king's owner sees it |
    /// | 92–(91 + d) | | the description, UTF-8 |
    /// | … | `i16` | feature weights, feature biases, output weights, output biases: see [`Parameters`] |
    /// | last 8 | `u64` | [`checksum`] of all bytes before it |
    pub fn read(bytes: &[u8]) -> Result<Network, ReadError> {
        let Some((header, rest)) = bytes.split_at_checked(HEADER) else {
            let is_start = !bytes.is_empty() && bytes.iter().zip(MAGIC).all(|(&byte, letter)| byte == letter);
            let expected = HEADER + CHECKSUM;
            return Err(if is_start { ReadError::length(bytes, expected) } else { ReadError::NotANetwork });
        };
        if header[..8] != MAGIC {
            return Err(ReadError::NotANetwork);
        }
        let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        if short(8) != FORMAT_VERSION {
            return Err(ReadError::Version(short(8)));
        }
        if short(10) != STRAIGHT {
            return Err(ReadError::Layers(short(10)));
        }
        let units = [short(18), short(20), short(22)];
        if units != UNITS {
            return Err(ReadError::Units(units));
        }
        let architecture = Architecture::new(long(12) as usize)?
            .with_output_buckets(usize::from(short(16)))?
            .with_king_buckets(KingBuckets::new(std::array::from_fn(|square| header[28 + square]))?);
        let description_bytes = long(24) as usize;
        if description_bytes > Network::LONGEST_DESCRIPTION {
            return Err(NetworkError::Description { bytes: description_bytes }.into());
        }
        let numbers_bytes = 2 * architecture.parameters();
        let expected = HEADER + description_bytes + numbers_bytes + CHECKSUM;
        if bytes.len() != expected {
            return Err(ReadError::length(bytes, expected));
        }
        let (body, ending) = bytes.split_at(expected - CHECKSUM);
        let (stored, computed) = (ending.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)), checksum(body));
        if stored != computed {
            return Err(ReadError::Checksum { stored, computed });
        }
        let (description, numbers) = rest[..description_bytes + numbers_bytes].split_at(description_bytes);
        let description = str::from_utf8(description).map_err(|_| ReadError::Description)?;
        let mut numbers = numbers.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes));
        let mut take = |count: usize| numbers.by_ref().take(count).collect();
        let parameters = Parameters {
            feature_weights: take(architecture.feature_weights()),
            feature_biases: take(architecture.hidden()),
            output_weights: take(architecture.output_weights()),
            output_biases: take(architecture.output_buckets()),
        };
        Ok(Network::new(architecture, description, &parameters)?)
    }

    /// The network as a file; [`Network::read`] describes it.
    pub fn write(&self) -> Vec<u8> {
        let architecture = self.architecture();
        let description = self.description().as_bytes();
        let mut bytes = Vec::with_capacity(HEADER + description.len() + 2 * architecture.parameters() + CHECKSUM);
        bytes.extend(MAGIC);
        bytes.extend([FORMAT_VERSION, STRAIGHT].map(u16::to_le_bytes).as_flattened());
        bytes.extend((architecture.hidden() as u32).to_le_bytes());
        bytes.extend((architecture.output_buckets() as u16).to_le_bytes());
        bytes.extend(UNITS.map(u16::to_le_bytes).as_flattened());
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(architecture.king_buckets().table());
        bytes.extend(description);
        let Parameters { feature_weights, feature_biases, output_weights, output_biases } = self.parameters();
        for numbers in [feature_weights, feature_biases, output_weights, output_biases] {
            bytes.extend(numbers.into_iter().flat_map(i16::to_le_bytes));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }
}

/// The checksum at the end of a file: FNV-1a with 64 bits. It notices every change of a single byte, and all but one in
/// 2⁶⁴ others; it is no protection against malice.
pub fn checksum(bytes: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.iter().fold(BASIS, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Why bytes are not a network that we can read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The bytes do not start like a network.
    NotANetwork,
    /// The format has another version.
    Version(u16),
    /// There are layers that this program does not know.
    Layers(u16),
    /// Other numbers stand for 1: of feature weights, of output weights, and the centipawns of an output of 1.
    Units([u16; 3]),
    /// The shape is impossible.
    Architecture(ArchitectureError),
    /// The numbers are impossible.
    Network(NetworkError),
    /// There are fewer bytes than the header promises.
    Truncated {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// There are more bytes than the header promises.
    TooLong {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The bytes are not those that were written.
    Checksum {
        /// What the file says.
        stored: u64,
        /// What its bytes say.
        computed: u64,
    },
    /// The description is not UTF-8.
    Description,
}

impl ReadError {
    fn length(bytes: &[u8], expected: usize) -> ReadError {
        let found = bytes.len();
        if found < expected { ReadError::Truncated { expected, found } } else { ReadError::TooLong { expected, found } }
    }
}

impl From<ArchitectureError> for ReadError {
    fn from(error: ArchitectureError) -> ReadError {
        ReadError::Architecture(error)
    }
}

impl From<NetworkError> for ReadError {
    fn from(error: NetworkError) -> ReadError {
        ReadError::Network(error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotANetwork => write!(f, "this is not a network of Saavedra's"),
            ReadError::Version(version) => {
                write!(f, "the format has version {version}; this program reads version {FORMAT_VERSION}")
            }
            ReadError::Layers(layers) => {
                write!(f, "the network has layers of kind {layers}; this program knows kind {STRAIGHT}")
            }
            ReadError::Units(units) => write!(f, "the network counts in units of {units:?} instead of {UNITS:?}"),
            ReadError::Architecture(error) => write!(f, "impossible network: {error}"),
            ReadError::Network(error) => write!(f, "impossible network: {error}"),
            ReadError::Truncated { expected, found } => {
                write!(f, "the network is cut short: {found} of {expected} bytes")
            }
            ReadError::TooLong { expected, found } => {
                write!(f, "something follows the network: {found} bytes instead of {expected}")
            }
            ReadError::Checksum { stored, computed } => {
                write!(f, "the network is damaged: its checksum is {computed:016x} instead of {stored:016x}")
            }
            ReadError::Description => write!(f, "the description is not text"),
        }
    }
}

impl std::error::Error for ReadError {}
