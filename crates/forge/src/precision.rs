//! How numbers of 16 bits are used where the kernels gather numbers from all over the memory.

use nnue::Layers;
use train::Precision;

/// How many of the gathered numbers fit a number of 32 bits.
pub(crate) fn per_float(precision: Precision) -> usize {
    match precision {
        Precision::Single => 1,
        Precision::Half => 2,
    }
}

/// What a stored gradient of one stands for in a batch of some size.
///
/// The gradient of a sample is at most 0.6 times an output weight, times its share of a batch; behind two further
/// layers 4,700 times its share, if all weights are as large as they may be. Numbers of 16 bits go from 6·10⁻⁵ to
/// 65,504 before they lose bits, so gradients are stored in units that use the upper part of that. A power of two
/// rounds nothing.
pub(crate) fn gradient_unit(precision: Precision, layers: Layers, batch: usize) -> f32 {
    let share = 1.0 / (1_u64 << batch.max(1).ilog2()) as f32;
    match (precision, layers) {
        (Precision::Single, _) => 1.0,
        (Precision::Half, Layers::Straight) => share / 4_096.0,
        (Precision::Half, Layers::Pairwise) => share / 8.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_gradient_fits_sixteen_bits() {
        for batch in [1, 2, 1_000, 16_384, 20_000, 1 << 20] {
            let weight = 1.98;
            let derivative = 2.0 * (4.0 / 27.0) / batch as f32;
            let straight = derivative * 2.0 * weight;
            // Through all neurons of the third layer and of the second, each at the steepest point of its activation.
            let pairwise = derivative * 2.0 * weight * (32.0 * 2.0 * weight) * (16.0 * weight);
            for (layers, largest) in [(Layers::Straight, straight), (Layers::Pairwise, pairwise)] {
                let stored = largest / gradient_unit(Precision::Half, layers, batch);
                assert!((100.0..65_504.0).contains(&stored), "{layers}, {batch}: {stored}");
            }
        }
    }
}
