//! The sizes of a network, and which inputs a sample switches on.
//!
//! What an input means is decided by `nnue` alone. Here its answer is only written down for every king, piece and square, so that
//! both trainers look it up, the one on the GPU too.

use rules::{Color, Piece, Square};

use crate::Sample;

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many inputs each player's side has.
    pub inputs: usize,
    /// How many neurons each side's hidden layer has: a multiple of 32.
    pub hidden: usize,
    /// How many sets of output weights there are.
    pub output_buckets: usize,
}

/// Which inputs each piece switches on, for every square of a king.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureTable {
    /// For the player to move (White in a [`Sample`]) and the other: by king, piece and square.
    inputs: [Vec<u16>; 2],
    /// The output bucket for every number of pieces.
    buckets: [u8; Sample::MOST_PIECES + 1],
}

impl FeatureTable {
    /// The table of an architecture, told by two functions: the input that a piece on a square switches on for one
    /// player, whose king stands on a square; and the output bucket for a number of pieces.
    pub fn new(
        input: impl Fn(Color, Square, Piece, Square) -> usize,
        bucket: impl Fn(usize) -> usize,
    ) -> FeatureTable {
        let inputs = Color::ALL.map(|player| {
            let mut table = Vec::with_capacity(64 * Piece::COUNT * 64);
            for king in Square::ALL {
                for piece in Piece::ALL {
                    table.extend(Square::ALL.iter().map(|&square| input(player, king, piece, square) as u16));
                }
            }
            table
        });
        FeatureTable { inputs, buckets: std::array::from_fn(|pieces| bucket(pieces) as u8) }
    }

    /// The inputs of one player, by king, piece and square.
    pub fn inputs(&self, player: Color) -> &[u16] {
        &self.inputs[player as usize]
    }

    /// The output bucket for every number of pieces from none to 32.
    pub fn buckets(&self) -> &[u8] {
        &self.buckets
    }

    /// The inputs that a sample switches on.
    pub fn features(&self, sample: Sample) -> Features {
        let mut features = Features {
            inputs: [[0; Sample::MOST_PIECES]; 2],
            count: sample.piece_count().min(Sample::MOST_PIECES),
            bucket: usize::from(self.buckets[sample.piece_count().min(Sample::MOST_PIECES)]),
        };
        let tables = Color::ALL.map(|player| {
            let start = sample.king(player).index() * Piece::COUNT * 64;
            &self.inputs(player)[start..start + Piece::COUNT * 64]
        });
        for (number, (piece, square)) in sample.pieces().take(Sample::MOST_PIECES).enumerate() {
            for (inputs, table) in features.inputs.iter_mut().zip(tables) {
                inputs[number] = table[piece.index() * 64 + square.index()];
            }
        }
        features
    }
}

/// The inputs that a sample switches on, and the output it is judged by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Features {
    inputs: [[u16; Sample::MOST_PIECES]; 2],
    count: usize,
    /// Which set of output weights is used.
    pub bucket: usize,
}

impl Features {
    /// The inputs of the player to move, and those of the other.
    pub fn sides(&self) -> [&[u16]; 2] {
        [&self.inputs[0][..self.count], &self.inputs[1][..self.count]]
    }
}
