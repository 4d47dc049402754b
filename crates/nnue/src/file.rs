//! A network as a file: everything that is needed to read it, and a checksum.

use std::fmt;

use crate::{ACTIVATION_UNIT, Architecture, ArchitectureError, CENTIPAWNS, Head, KingBuckets, Layers, Network};
use crate::{NetworkError, OUTPUT_UNIT, Parameters, Tail};

/// The version of the format that is written, and the only one that is read.
pub const FORMAT_VERSION: u16 = 1;

const MAGIC: [u8; 8] = *b"SAAVNNUE";

/// What precedes the description in every network.
const HEADER: usize = 92;

/// What follows the numbers.
const CHECKSUM: usize = 8;

/// What a header says of layers of one kind, beside their architecture.
struct Kind {
    layers: Layers,
    /// The number of the kind.
    number: u16,
    /// What stands for 1 in feature weights and output weights, and the centipawns of an output of 1.
    units: [u16; 3],
    /// What follows the king buckets: the widths of further layers, and what stands for 1 in the weights of each.
    further: &'static [u16],
}

const KINDS: [Kind; 2] = [
    Kind {
        layers: Layers::Straight,
        number: 1,
        units: [ACTIVATION_UNIT as u16, OUTPUT_UNIT as u16, CENTIPAWNS as u16],
        further: &[],
    },
    Kind {
        layers: Layers::Pairwise,
        number: 2,
        units: [ACTIVATION_UNIT as u16, Head::WEIGHT_UNIT as u16, CENTIPAWNS as u16],
        further: &[Head::SECOND as u16, Head::THIRD as u16, Head::SECOND_UNIT as u16, Head::WEIGHT_UNIT as u16],
    },
];

impl Kind {
    /// The bytes of all numbers behind the accumulators.
    fn tail_bytes(&self, architecture: &Architecture) -> usize {
        match self.layers {
            Layers::Straight => 2 * (architecture.output_weights() + architecture.output_buckets()),
            Layers::Pairwise => {
                let weights = Head::SECOND * architecture.hidden() + 2 * Head::THIRD * (Head::SECOND + 1);
                architecture.output_buckets() * (weights + 4 * (Head::SECOND + Head::THIRD + 1))
            }
        }
    }
}

impl Network {
    /// The network in a file. All numbers are little endian:
    ///
    /// | bytes | | |
    /// |---|---|---|
    /// | 0–7 | | `SAAVNNUE` |
    /// | 8–9 | `u16` | version of the format: 1 |
    /// | 10–11 | `u16` | the [`Layers`]: 1, from the hidden layer straight to the output, or 2, pairwise |
    /// | 12–15 | `u32` | width of the hidden layer |
    /// | 16–17 | `u16` | output buckets |
    /// | 18–19 | `u16` | what stands for 1 in feature weights: 255 |
    /// | 20–21 | `u16` | what stands for 1 in output weights: 64, or 512 in a pairwise network |
    /// | 22–23 | `u16` | the centipawns of an output of 1: 400 |
    /// | 24–27 | `u32` | bytes of the description, `d` |
    /// | 28–91 | `u8` × 64 | king bucket of each square as the king's owner sees it |
    /// | … | | only in a pairwise network: what follows below |
    /// | … | | the description, UTF-8, of `d` bytes |
    /// | … | `i16` | feature weights, feature biases: see [`Parameters`] |
    /// | … | `i16` | output weights, output biases; or in a pairwise network the heads, as follows below |
    /// | last 8 | `u64` | [`checksum`] of all bytes before it |
    ///
    /// The header of a pairwise network is longer by eight bytes:
    ///
    /// | bytes | | |
    /// |---|---|---|
    /// | 92–93 | `u16` | width of the second layer: 16 |
    /// | 94–95 | `u16` | width of the third layer: 32 |
    /// | 96–97 | `u16` | what stands for 1 in weights of the second layer: 64 |
    /// | 98–99 | `u16` | what stands for 1 in weights of the third layer: 512 |
    ///
    /// Its tail is a [`Head`] for each output bucket: `i8` weights of the second layer, one neuron after the other; its
    /// `i32` biases; `i16` weights of the third layer, one neuron after the other; its `i32` biases; `i16` output
    /// weights; the `i32` output bias.
    pub fn read(bytes: &[u8]) -> Result<Network, ReadError> {
        let Some(header) = bytes.get(..HEADER) else {
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
        let kind = KINDS.iter().find(|kind| kind.number == short(10)).ok_or(ReadError::Layers(short(10)))?;
        let units = [short(18), short(20), short(22)];
        if units != kind.units {
            return Err(ReadError::Units { found: units, expected: kind.units });
        }
        let header_bytes = HEADER + 2 * kind.further.len();
        let Some(further) = bytes.get(HEADER..header_bytes) else {
            return Err(ReadError::length(bytes, header_bytes + CHECKSUM));
        };
        let further = Numbers(further).take(kind.further.len(), u16::from_le_bytes);
        if further != kind.further {
            return Err(ReadError::Further { found: further, expected: kind.further });
        }
        let architecture = Architecture::new(long(12) as usize)?
            .with_layers(kind.layers)?
            .with_output_buckets(usize::from(short(16)))?
            .with_king_buckets(KingBuckets::new(std::array::from_fn(|square| header[28 + square]))?);
        let description_bytes = long(24) as usize;
        if description_bytes > Network::LONGEST_DESCRIPTION {
            return Err(NetworkError::Description { bytes: description_bytes }.into());
        }
        let rows_bytes = 2 * (architecture.feature_weights() + architecture.hidden());
        let numbers_bytes = rows_bytes + kind.tail_bytes(&architecture);
        let expected = header_bytes + description_bytes + numbers_bytes + CHECKSUM;
        if bytes.len() != expected {
            return Err(ReadError::length(bytes, expected));
        }
        let (body, ending) = bytes.split_at(expected - CHECKSUM);
        let (stored, computed) = (ending.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)), checksum(body));
        if stored != computed {
            return Err(ReadError::Checksum { stored, computed });
        }
        let mut rest = Numbers(&body[header_bytes..]);
        let description = rest.take(description_bytes, |[byte]: [u8; 1]| byte);
        let description = String::from_utf8(description).map_err(|_| ReadError::Description)?;
        let parameters = Parameters {
            feature_weights: rest.take(architecture.feature_weights(), i16::from_le_bytes),
            feature_biases: rest.take(architecture.hidden(), i16::from_le_bytes),
            tail: rest.tail(&architecture),
        };
        Ok(Network::new(architecture, description, &parameters)?)
    }

    /// The network as a file; [`Network::read`] describes it.
    pub fn write(&self) -> Vec<u8> {
        let architecture = self.architecture();
        let description = self.description().as_bytes();
        let Parameters { feature_weights, feature_biases, tail } = self.parameters();
        let kind = KINDS.iter().find(|kind| kind.layers == tail.layers()).expect("all kinds are on the list");
        let mut bytes = Vec::from(MAGIC);
        bytes.extend([FORMAT_VERSION, kind.number].map(u16::to_le_bytes).as_flattened());
        bytes.extend((architecture.hidden() as u32).to_le_bytes());
        bytes.extend((architecture.output_buckets() as u16).to_le_bytes());
        bytes.extend(kind.units.map(u16::to_le_bytes).as_flattened());
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(architecture.king_buckets().table());
        bytes.extend(kind.further.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(description);
        let shorts = |numbers: &[i16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        let longs = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        bytes.extend(shorts(&feature_weights));
        bytes.extend(shorts(&feature_biases));
        match tail {
            Tail::Straight { output_weights, output_biases } => {
                bytes.extend(shorts(&output_weights));
                bytes.extend(shorts(&output_biases));
            }
            Tail::Pairwise(heads) => {
                for head in heads {
                    bytes.extend(head.second_weights.iter().map(|weight| weight.cast_unsigned()));
                    bytes.extend(longs(&head.second_biases));
                    bytes.extend(shorts(head.third_weights.as_flattened()));
                    bytes.extend(longs(&head.third_biases));
                    bytes.extend(shorts(&head.output_weights));
                    bytes.extend(head.output_bias.to_le_bytes());
                }
            }
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }
}

/// The bytes that are still to be read, of which there are enough.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    /// The next number.
    fn next<const BYTES: usize, N>(&mut self, number: fn([u8; BYTES]) -> N) -> N {
        let (&bytes, rest) = self.0.split_first_chunk().expect("the bytes were counted");
        self.0 = rest;
        number(bytes)
    }

    /// So many numbers.
    fn take<const BYTES: usize, N>(&mut self, count: usize, number: fn([u8; BYTES]) -> N) -> Vec<N> {
        let (bytes, rest) = self.0.split_at(count * BYTES);
        self.0 = rest;
        bytes.as_chunks().0.iter().map(|&bytes| number(bytes)).collect()
    }

    /// What follows the accumulators.
    fn tail(&mut self, architecture: &Architecture) -> Tail {
        let buckets = architecture.output_buckets();
        match architecture.layers() {
            Layers::Straight => Tail::Straight {
                output_weights: self.take(architecture.output_weights(), i16::from_le_bytes),
                output_biases: self.take(buckets, i16::from_le_bytes),
            },
            Layers::Pairwise => Tail::Pairwise((0..buckets).map(|_| self.head(architecture.hidden())).collect()),
        }
    }

    fn head(&mut self, hidden: usize) -> Head {
        Head {
            second_weights: self.take(Head::SECOND * hidden, i8::from_le_bytes),
            second_biases: std::array::from_fn(|_| self.next(i32::from_le_bytes)),
            third_weights: std::array::from_fn(|_| std::array::from_fn(|_| self.next(i16::from_le_bytes))),
            third_biases: std::array::from_fn(|_| self.next(i32::from_le_bytes)),
            output_weights: std::array::from_fn(|_| self.next(i16::from_le_bytes)),
            output_bias: self.next(i32::from_le_bytes),
        }
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
    Units {
        /// What the file says.
        found: [u16; 3],
        /// What it should say.
        expected: [u16; 3],
    },
    /// Other widths of further layers, or other numbers that stand for 1 in their weights.
    Further {
        /// What the file says.
        found: Vec<u16>,
        /// What it should say: the widths of the second layer and the third, and what stands for 1 in their weights.
        expected: &'static [u16],
    },
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
                let known = KINDS.map(|kind| kind.number.to_string()).join(" and ");
                write!(f, "the network has layers of kind {layers}; this program knows {known}")
            }
            ReadError::Units { found, expected } => {
                write!(f, "the network counts in units of {found:?} instead of {expected:?}")
            }
            ReadError::Further { found, expected } => {
                write!(f, "the further layers and their units are {found:?} instead of {expected:?}")
            }
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
