//! The shape of a network, which its file describes and everything else follows.

use std::fmt;
use std::ops::RangeInclusive;

use rules::Square;

use crate::block::Block;
use crate::{FEATURES, KingBuckets};

/// The shape of a network: how many numbers there are of each kind, and what selects among them.
///
/// There is one hidden layer for each view of the board, and from there it goes straight to the output. A file says so
/// in a field of its own, where further layers will get another number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    hidden: usize,
    king_buckets: KingBuckets,
    output_buckets: usize,
}

impl Architecture {
    /// The widths that a hidden layer may have, in steps of 32. With more, sums in 32 bits might overflow.
    pub const HIDDEN: RangeInclusive<usize> = 32..=2048;

    /// The numbers of output buckets that there may be.
    pub const OUTPUT_BUCKETS: RangeInclusive<usize> = 1..=8;

    /// A hidden layer of some width for each player, one king bucket, one output bucket.
    pub fn new(hidden: usize) -> Result<Architecture, ArchitectureError> {
        if Architecture::HIDDEN.contains(&hidden) && hidden.is_multiple_of(Block::LEN) {
            Ok(Architecture { hidden, king_buckets: KingBuckets::ONE, output_buckets: 1 })
        } else {
            Err(ArchitectureError::Hidden(hidden))
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

    /// What the own king's place selects.
    pub fn king_buckets(&self) -> &KingBuckets {
        &self.king_buckets
    }

    /// How many sets of output weights there are.
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

    /// How many output weights there are: for each output bucket those of the own hidden layer, then of the other's.
    pub fn output_weights(&self) -> usize {
        self.output_buckets * 2 * self.hidden
    }

    /// How many numbers a network has in all.
    pub fn parameters(&self) -> usize {
        self.feature_weights() + self.hidden + self.output_weights() + self.output_buckets
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Architecture { hidden, king_buckets, output_buckets } = self;
        match king_buckets.count() {
            1 => write!(f, "({FEATURES} -> {hidden})x2 -> ")?,
            count => write!(f, "({FEATURES}x{count} -> {hidden})x2 -> ")?,
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
    }
}
