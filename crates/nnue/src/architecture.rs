//! The shape of a network, which its file describes and everything else follows.

use std::fmt;
use std::ops::RangeInclusive;

use rules::Square;

use crate::block::Block;
use crate::{FEATURES, Head, KingBuckets};

/// What follows the accumulators.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Layers {
    /// The activations of both accumulators are squared and go straight to the output.
    #[default]
    Straight,
    /// The activations of an accumulator are multiplied in pairs, and two small layers follow before the output: a
    /// [`Head`].
    Pairwise,
}

impl fmt::Display for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layers::Straight => "straight",
            Layers::Pairwise => "pairwise",
        })
    }
}

/// The shape of a network: how many numbers there are of each kind, and what selects among them.
///
/// There is one hidden layer for each view of the board, the accumulator; [`Layers`] says what follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    hidden: usize,
    layers: Layers,
    king_buckets: KingBuckets,
    output_buckets: usize,
}

impl Architecture {
    /// The widths that a hidden layer may have, in steps of 32. With more, sums in 32 bits might overflow.
    pub const HIDDEN: RangeInclusive<usize> = 32..=2048;

    /// The width of a hidden layer whose neurons are multiplied in pairs is a multiple of this: each half is made of
    /// pairs of blocks, whose products fill a cache line.
    pub const PAIRWISE_STEP: usize = 4 * Block::LEN;

    /// The numbers of output buckets that there may be.
    pub const OUTPUT_BUCKETS: RangeInclusive<usize> = 1..=8;

    /// A hidden layer of some width for each player and straight to the output, one king bucket, one output bucket.
    pub fn new(hidden: usize) -> Result<Architecture, ArchitectureError> {
        if Architecture::HIDDEN.contains(&hidden) && hidden.is_multiple_of(Block::LEN) {
            Ok(Architecture { hidden, layers: Layers::Straight, king_buckets: KingBuckets::ONE, output_buckets: 1 })
        } else {
            Err(ArchitectureError::Hidden(hidden))
        }
    }

    /// The same with other layers behind the accumulators.
    pub fn with_layers(self, layers: Layers) -> Result<Architecture, ArchitectureError> {
        match layers {
            Layers::Pairwise if !self.hidden.is_multiple_of(Architecture::PAIRWISE_STEP) => {
                Err(ArchitectureError::Pairwise(self.hidden))
            }
            _ => Ok(Architecture { layers, ..self }),
        }
    }

    /// The same with other king buckets.
    pub fn with_king_buckets(self, king_buckets: KingBuckets) -> Architecture {
        Architecture { king_buckets, ..self }
    }

    /// The same with so many output buckets.
    pub fn with_output_buckets(self, output_buckets: usize) -> Result<Architecture, ArchitectureError> {
        if Architecture::OUTPUT_BUCKETS.contains(&output_buckets) {
            Ok(Architecture { output_buckets, ..self })
        } else {
            Err(ArchitectureError::OutputBuckets(output_buckets))
        }
    }

    /// The width of the hidden layer, for each of the two views.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// What follows the accumulators.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// What the own king's place selects.
    pub fn king_buckets(&self) -> &KingBuckets {
        &self.king_buckets
    }

    /// How many sets of output weights there are, or of all that follows the accumulators.
    pub fn output_buckets(&self) -> usize {
        self.output_buckets
    }

    /// The set of output weights for a number of pieces on the board, kings and pawns included: with `n` sets,
    /// `(pieces - 2) / ceil(32 / n)`, and never more than `n - 1`.
    #[inline]
    pub fn output_bucket(&self, pieces: u32) -> usize {
        let step = 32_usize.div_ceil(self.output_buckets);
        ((pieces as usize).saturating_sub(2) / step).min(self.output_buckets - 1)
    }

    /// How many feature weights there are: a row of the hidden layer's width for every feature of every king bucket.
    pub fn feature_weights(&self) -> usize {
        self.king_buckets.count() * FEATURES * self.hidden
    }

    /// How many output weights there are: for each output bucket those of the own hidden layer, then of the other's; or
    /// those of the third layer of a pairwise network.
    pub fn output_weights(&self) -> usize {
        self.output_buckets
            * match self.layers {
                Layers::Straight => 2 * self.hidden,
                Layers::Pairwise => Head::THIRD,
            }
    }

    /// How many numbers a network has in all.
    pub fn parameters(&self) -> usize {
        self.feature_weights()
            + self.hidden
            + match self.layers {
                Layers::Straight => self.output_weights() + self.output_buckets,
                Layers::Pairwise => self.output_buckets * Head::parameters(self.hidden),
            }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Architecture { hidden, layers, king_buckets, output_buckets } = self;
        match king_buckets.count() {
            1 => write!(f, "({FEATURES} -> {hidden})x2 -> ")?,
            count => write!(f, "({FEATURES}x{count} -> {hidden})x2 -> ")?,
        }
        match layers {
            Layers::Straight => {}
            Layers::Pairwise => write!(f, "{layers} -> {} -> {} -> ", Head::SECOND, Head::THIRD)?,
        }
        match output_buckets {
            1 => f.write_str("1"),
            count => write!(f, "1x{count}"),
        }
    }
}

/// What is wrong with the shape of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArchitectureError {
    /// The hidden layer cannot have this width.
    Hidden(usize),
    /// The neurons of a hidden layer of this width cannot be multiplied in pairs.
    Pairwise(usize),
    /// There cannot be so many output buckets.
    OutputBuckets(usize),
    /// The king bucket of a square is too high.
    KingBucket {
        /// The king's square.
        square: Square,
        /// Its bucket.
        bucket: u8,
    },
}

impl fmt::Display for ArchitectureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchitectureError::Hidden(hidden) => {
                let (least, most) = Architecture::HIDDEN.into_inner();
                write!(f, "a hidden layer of {hidden}: it must be a multiple of {} from {least} to {most}", Block::LEN)
            }
            ArchitectureError::Pairwise(hidden) => {
                let step = Architecture::PAIRWISE_STEP;
                write!(f, "a hidden layer of {hidden}: to be multiplied in pairs it must be a multiple of {step}")
            }
            ArchitectureError::OutputBuckets(count) => {
                let (least, most) = Architecture::OUTPUT_BUCKETS.into_inner();
                write!(f, "{count} output buckets: there may be {least} to {most}")
            }
            ArchitectureError::KingBucket { square, bucket } => {
                write!(f, "king bucket {bucket} on {square}: the highest is {}", KingBuckets::MOST - 1)
            }
        }
    }
}

impl std::error::Error for ArchitectureError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_buckets_follow_the_number_of_pieces() {
        let architecture = |count| Architecture::new(32).and_then(|one| one.with_output_buckets(count)).expect("valid");
        assert_eq!([2, 3, 32].map(|pieces| architecture(1).output_bucket(pieces)), [0, 0, 0]);
        assert_eq!([2, 5, 6, 29, 30, 32].map(|pieces| architecture(8).output_bucket(pieces)), [0, 0, 1, 6, 7, 7]);
        assert_eq!([2, 12, 13, 24, 32].map(|pieces| architecture(3).output_bucket(pieces)), [0, 0, 1, 2, 2]);
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        for hidden in [0, 16, 33, 2080, usize::MAX] {
            assert_eq!(Architecture::new(hidden), Err(ArchitectureError::Hidden(hidden)));
        }
        let one = Architecture::new(64).expect("valid");
        assert_eq!(one.with_output_buckets(9), Err(ArchitectureError::OutputBuckets(9)));
        let error = KingBuckets::new([40; 64]).expect_err("too high");
        assert_eq!(error.to_string(), "king bucket 40 on a1: the highest is 31");
        assert_eq!(one.to_string(), "(768 -> 64)x2 -> 1");
        let error = one.with_layers(Layers::Pairwise).expect_err("half a line of products");
        assert_eq!(error.to_string(), "a hidden layer of 64: to be multiplied in pairs it must be a multiple of 128");
    }

    #[test]
    fn layers_are_named_and_their_numbers_counted() {
        let pairwise = Architecture::new(256)
            .and_then(|one| one.with_layers(Layers::Pairwise))
            .and_then(|one| one.with_output_buckets(8))
            .expect("valid");
        assert_eq!(pairwise.to_string(), "(768 -> 256)x2 -> pairwise -> 16 -> 32 -> 1x8");
        let head = 16 * 256 + 16 + 32 * 16 + 32 + 32 + 1;
        assert_eq!(pairwise.parameters(), 769 * 256 + 8 * head);
        let straight = pairwise.with_layers(Layers::Straight).expect("any width will do");
        assert_eq!(straight.parameters(), 769 * 256 + 8 * (2 * 256 + 1));
    }
}
