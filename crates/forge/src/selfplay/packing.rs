//! A network as the kernels read it.

use nnue::{Architecture, FEATURES, Network};
use rules::{Color, Piece, Role, Square};

/// Neurons in a chunk, of which each lane of a warp holds eight.
const CHUNK: usize = 256;

/// A network's numbers in the kernels' order.
pub(super) struct Packed {
    /// The rows of all features, and the biases: two neurons to a word.
    pub(super) rows: Vec<u32>,
    /// The output weights, a byte each.
    pub(super) outputs: Vec<u32>,
    pub(super) output_biases: Vec<i32>,
    /// How the players see the board, by colour and square of the king.
    pub(super) views: Vec<u32>,
    /// The output bucket by the number of men.
    pub(super) output_by_men: Vec<u8>,
    pub(super) chunks: usize,
    pub(super) inputs: usize,
}

impl Packed {
    pub(super) fn new(network: &Network) -> Packed {
        let architecture = network.architecture();
        let parameters = network.parameters();
        let hidden = architecture.hidden();
        let chunks = hidden.div_ceil(CHUNK);
        // Neurons share a word as the integer high * 65536 + low, so that words can be added like integers.
        let sums = |row: &[i16]| pairs(row, chunks, |low, high| (i32::from(high) * 65536 + i32::from(low)) as u32);
        let bytes = |row: &[i16]| {
            let mut bytes: Vec<u8> = row.iter().map(|&weight| weight as u8).collect();
            bytes.resize(chunks * CHUNK, 0);
            bytes.chunks(4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes"))).collect::<Vec<u32>>()
        };
        let features = parameters.feature_weights.chunks(hidden).chain([&parameters.feature_biases[..]]);
        Packed {
            rows: features.flat_map(sums).collect(),
            outputs: parameters.output_weights.chunks(hidden).flat_map(bytes).collect(),
            output_biases: parameters.output_biases.iter().map(|&bias| i32::from(bias)).collect(),
            views: Color::ALL
                .iter()
                .flat_map(|&color| Square::ALL.map(|king| view(architecture, color, king)))
                .collect(),
            output_by_men: (0..=32).map(|men| architecture.output_bucket(men) as u8).collect(),
            chunks,
            inputs: architecture.king_buckets().count() * FEATURES,
        }
    }
}

/// How a player sees the board: what to do to the bits of a square, and above it where the features of the bucket begin.
fn view(architecture: &Architecture, color: Color, king: Square) -> u32 {
    let corner = architecture.king_buckets().feature_index(color, king, Piece { color, role: Role::Pawn }, Square::A1);
    let (first, flip) = (corner & !63, corner & 63);
    (first << 6 | flip) as u32
}

/// A row as words of two neurons, filled up to whole chunks with neurons that do nothing.
fn pairs(row: &[i16], chunks: usize, join: impl Fn(i16, i16) -> u32) -> Vec<u32> {
    let mut words: Vec<u32> = row.chunks(2).map(|pair| join(pair[0], pair[1])).collect();
    words.resize(chunks * CHUNK / 2, 0);
    words
}
