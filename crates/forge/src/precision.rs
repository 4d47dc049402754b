//! How many bits the numbers have that the kernels gather from all over the memory.

use std::fmt;

use nnue::Layers;

/// How rows of weights, and rows of what samples blame them for, are stored while they are gathered. Weights, moments and all sums
/// have 32 bits whatever it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Precision {
    /// In 32 bits.
    #[default]
    Single,
    /// In 16 bits, which halves what is moved. A network is rounded to fewer bits when it is exported.
    Half,
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Precision::Single => "single precision",
            Precision::Half => "half precision",
        })
    }
}

impl Precision {
    /// Both.
    pub const ALL: [Precision; 2] = [Precision::Single, Precision::Half];

    /// How many of the numbers fit a number of 32 bits.
    pub(crate) fn per_float(self) -> usize {
        match self {
            Precision::Single => 1,
            Precision::Half => 2,
        }
    }

    /// What a blame of one stands for in a batch of some size.
    ///
    /// A sample is to blame for at most 0.6 times an output weight, and its share of a batch; behind two further layers for 4,700 times
    /// its share, if all weights are as large as they may be. Numbers of 16 bits go from 6·10⁻⁵ to 65,504 before they lose bits, so
    /// blame is stored in units that use the upper part of that. A power of two rounds nothing.
    pub(crate) fn blame_unit(self, layers: Layers, batch: usize) -> f32 {
        let share = 1.0 / (1_u64 << batch.max(1).ilog2()) as f32;
        match (self, layers) {
            (Precision::Single, _) => 1.0,
            (Precision::Half, Layers::Straight) => share / 4_096.0,
            (Precision::Half, Layers::Pairwise) => share / 8.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_blame_fits_sixteen_bits() {
        for batch in [1, 2, 1_000, 16_384, 20_000, 1 << 20] {
            let weight = 1.98;
            let slope = 2.0 * (4.0 / 27.0) / batch as f32;
            let straight = slope * 2.0 * weight;
            // Through all neurons of the third layer and of the second, each at the steepest point of its activation.
            let pairwise = slope * 2.0 * weight * (32.0 * 2.0 * weight) * (16.0 * weight);
            for (layers, largest) in [(Layers::Straight, straight), (Layers::Pairwise, pairwise)] {
                let stored = largest / Precision::Half.blame_unit(layers, batch);
                assert!((100.0..65_504.0).contains(&stored), "{layers}, {batch}: {stored}");
            }
        }
    }
}
