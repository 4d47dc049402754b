//! The sizes of a network, and which inputs a sample switches on.
//!
//! What an input means is decided by `nnue` alone. Here its answer is only written down for every king, piece and
//! square, so that both trainers look it up, the one on the GPU too.

use nnue::{Architecture, FEATURES, Layers};
use rules::{Color, Piece, Square};

use crate::Sample;

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many inputs each player's side has.
    pub inputs: usize,
    /// How many neurons each side's hidden layer has: a multiple of 32.
    pub hidden: usize,
    /// How many sets of output weights, and of all layers between them and the hidden one, there are.
    pub output_buckets: usize,
    /// What lies between the hidden layer and the output.
    pub layers: Layers,
}

impl Shape {
    /// The sizes of an architecture.
    pub fn of(architecture: &Architecture) -> Shape {
        Shape {
            inputs: FEATURES * architecture.king_buckets().count(),
            hidden: architecture.hidden(),
            output_buckets: architecture.output_buckets(),
            layers: architecture.layers(),
        }
    }
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
    /// The table of an architecture.
    pub fn new(architecture: &Architecture) -> FeatureTable {
        let inputs = Color::ALL.map(|player| {
            let mut table = Vec::with_capacity(64 * Piece::COUNT * 64);
            for king in Square::ALL {
                let view = architecture.king_buckets().view(player, king);
                for piece in Piece::ALL {
                    // 32 buckets of 768 features fit 16 bits.
                    table.extend(Square::ALL.map(|square| view.feature_index(piece, square) as u16));
                }
            }
            table
        });
        let buckets = std::array::from_fn(|pieces| architecture.output_bucket(pieces as u32) as u8);
        FeatureTable { inputs, buckets }
    }

    /// A number that other tables do not have: what was learned with this one means nothing with another.
    pub fn fingerprint(&self) -> u64 {
        let inputs = self.inputs.iter().flatten().flat_map(|input| input.to_le_bytes());
        nnue::checksum(&inputs.chain(self.buckets).collect::<Vec<u8>>())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Wdl, king_buckets};
    use testkit::{Variants, random_walks};

    #[test]
    fn a_sample_has_the_features_that_the_network_sees() {
        let buckets = king_buckets(8).expect("there are eight");
        let architecture = Architecture::new(32).expect("a width").with_king_buckets(buckets);
        let architecture = architecture.with_output_buckets(4).expect("four are allowed");
        let table = FeatureTable::new(&architecture);
        random_walks(4, 30, Variants::All, |position| {
            let features = table.features(Sample::new(position, 0, Wdl::Draw));
            assert_eq!(features.bucket, architecture.output_bucket(position.occupied().count()));
            for (player, inputs) in [position.turn(), !position.turn()].into_iter().zip(features.sides()) {
                let pieces =
                    position.occupied().into_iter().filter_map(|square| Some((position.piece_at(square)?, square)));
                let king = position.king(player);
                let mut expected: Vec<usize> =
                    pieces.map(|(piece, square)| buckets.feature_index(player, king, piece, square)).collect();
                let mut found: Vec<usize> = inputs.iter().map(|&input| usize::from(input)).collect();
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected);
            }
        });
    }
}
