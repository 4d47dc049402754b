//! A network as the kernels read it.

use nnue::{Architecture, FEATURES, Head, Layers, Network, Tail};
use rules::{Color, Piece, Role, Square};

use super::layout::LANES;

/// Neurons in a chunk, of which each lane of a warp holds eight.
pub(super) const CHUNK: usize = 256;

/// How many chunks a layer of some width is cut into.
pub(super) fn chunks(hidden: usize) -> usize {
    hidden.div_ceil(CHUNK)
}

/// Products of neurons that a lane has of both players in two chunks.
const PRODUCTS: usize = 16;

/// A network's numbers in the kernels' order.
pub(super) struct Packed {
    /// The rows of all features, and the biases: two neurons to a word.
    pub(super) rows: Vec<u32>,
    /// The output weights of a straight network, a byte each; the heads of a pairwise one.
    pub(super) outputs: Vec<u32>,
    /// Of a straight network.
    pub(super) output_biases: Vec<i32>,
    /// How the players see the board, by colour and square of the king.
    pub(super) views: Vec<u32>,
    /// The output bucket by the number of men.
    pub(super) output_by_men: Vec<u8>,
    pub(super) chunks: usize,
    pub(super) inputs: usize,
    pub(super) layers: Layers,
}

impl Packed {
    pub(super) fn new(network: &Network) -> Packed {
        let architecture = network.architecture();
        let (hidden, layers) = (architecture.hidden(), architecture.layers());
        let parameters = network.parameters();
        let chunks = chunks(hidden);
        let order = |row: &[i16]| match layers {
            Layers::Straight => row.to_vec(),
            Layers::Pairwise => partners_together(row),
        };
        let features = parameters.feature_weights.chunks(hidden).chain([&parameters.feature_biases[..]]);
        let views = Color::ALL.iter().flat_map(|&color| Square::ALL.map(|king| view(architecture, color, king)));
        let (outputs, output_biases) = match &parameters.tail {
            Tail::Straight { output_weights, output_biases } => (
                output_weights.chunks(hidden).flat_map(|weights| bytes(weights, chunks * CHUNK)).collect(),
                output_biases.iter().map(|&bias| i32::from(bias)).collect(),
            ),
            Tail::Pairwise(heads) => (heads.iter().flat_map(|one| head(one, hidden, chunks)).collect(), vec![0]),
        };
        Packed {
            rows: features.flat_map(|row| sums(&order(row), chunks)).collect(),
            outputs,
            output_biases,
            views: views.collect(),
            output_by_men: (0..=32).map(|men| architecture.output_bucket(men) as u8).collect(),
            chunks,
            inputs: architecture.king_buckets().count() * FEATURES,
            layers,
        }
    }
}

/// A row in the order in which a lane finds four neurons of the first half and beside them those they are multiplied
/// with.
fn partners_together(row: &[i16]) -> Vec<i16> {
    let (first, second) = row.split_at(row.len() / 2);
    first.chunks(4).zip(second.chunks(4)).flat_map(|(one, other)| [one, other].concat()).collect()
}

/// A head: the weights of each neuron of the second layer as the lanes' products want them, the weights of the third
/// layer by input and lane, then everything that there is one of for each neuron.
fn head(head: &Head, hidden: usize, chunks: usize) -> Vec<u32> {
    let twos = chunks.div_ceil(2);
    let mut words = Vec::new();
    for weights in head.second_weights.chunks(hidden) {
        for two in 0..twos {
            for lane in 0..LANES {
                // Own products of both chunks, then the other player's.
                for place in (0..PRODUCTS).step_by(4) {
                    let (player, chunk) = (place / 8, 2 * two + place / 4 % 2);
                    let first = 4 * (chunk * LANES + lane);
                    let byte = |product: usize| {
                        let is_there = product < hidden / 2;
                        if is_there { weights[player * hidden / 2 + product] as u8 } else { 0 }
                    };
                    words.push(u32::from_le_bytes(std::array::from_fn(|k| byte(first + k))));
                }
            }
        }
    }
    for input in 0..Head::SECOND {
        words.extend(head.third_weights.iter().map(|weights| i32::from(weights[input]) as u32));
    }
    words.extend(head.third_biases.map(|bias| bias as u32));
    words.extend(head.output_weights.map(|weight| i32::from(weight) as u32));
    words.extend(head.second_biases.map(|bias| bias as u32));
    // One vector for the last bias.
    words.extend([head.output_bias as u32, 0, 0, 0]);
    words
}

/// A row as words of two neurons, which share a word as the integer high * 65536 + low, so that words can be added like
/// integers; filled up to whole chunks with neurons that do nothing.
fn sums(row: &[i16], chunks: usize) -> Vec<u32> {
    let join = |pair: &[i16]| (i32::from(pair[1]) * 65536 + i32::from(pair[0])) as u32;
    let mut words: Vec<u32> = row.chunks(2).map(join).collect();
    words.resize(chunks * CHUNK / 2, 0);
    words
}

/// Weights as bytes, four to a word, filled up with zeros.
fn bytes(weights: &[i16], count: usize) -> Vec<u32> {
    let mut bytes: Vec<u8> = weights.iter().map(|&weight| weight as u8).collect();
    bytes.resize(count, 0);
    bytes.chunks(4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
}

/// How a player sees the board: what to do to the bits of a square, and above it where the features of the bucket
/// begin.
fn view(architecture: &Architecture, color: Color, king: Square) -> u32 {
    let corner = architecture.king_buckets().feature_index(color, king, Piece { color, role: Role::Pawn }, Square::A1);
    let (first, flip) = (corner & !63, corner & 63);
    (first << 6 | flip) as u32
}
