//! The bell curve: how likely a deviation is, and which deviation is so likely.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// 95 of 100 draws from a bell curve lie within so many standard deviations.
pub const CONFIDENCE_95: f64 = 1.959_963_984_540_054;

/// The height of the standard bell curve.
pub fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / TAU.sqrt()
}

/// The part of the standard bell curve that lies below, relatively exact far out on the left as well.
pub fn cumulative(x: f64) -> f64 {
    /// Below, the series needs few terms; beyond, the continued fraction does.
    const NEAR: f64 = 3.0;
    if x.is_nan() {
        f64::NAN
    } else if x < -NEAR {
        tail(-x)
    } else if x > NEAR {
        1.0 - tail(x)
    } else {
        0.5 + centre(x)
    }
}

/// The part between zero and a number: the curve's height times x + x³/3 + x⁵/(3·5) + x⁷/(3·5·7) + …
fn centre(x: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while sum + term != sum {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    sum * density(x)
}

/// The part beyond a number of at least three: Laplace's continued fraction 1/(x + 1/(x + 2/(x + 3/(x + …)))).
fn tail(x: f64) -> f64 {
    const TERMS: u32 = 120;
    let denominator = (1..=TERMS).rev().fold(x, |rest, term| x + f64::from(term) / rest);
    if x.is_infinite() { 0.0 } else { density(x) / denominator }
}

/// The number below which such a part of the standard bell curve lies: infinite for nothing and for everything, and not
/// a number outside.
pub fn quantile(part: f64) -> f64 {
    if !(0.0..=1.0).contains(&part) {
        return f64::NAN;
    }
    if part > 0.5 {
        return -quantile(1.0 - part);
    }
    if part == 0.0 {
        return f64::NEG_INFINITY;
    }
    // Newton's method for the logarithm, which is concave: from the left it climbs to the root and never beyond. Half
    // of exp(-x²/2) is more than what lies below -x, so we start left of the root.
    const ENOUGH: usize = 64;
    let mut x = -(-2.0 * part.ln()).sqrt().max(FRAC_1_SQRT_2);
    for _ in 0..ENOUGH {
        let below = cumulative(x);
        let step = (part / below).ln() * below / density(x);
        x += step;
        if step.abs() < 1e-15 * (1.0 + x.abs()) {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_are_met() {
        // Computed with mpmath's ncdf to 50 digits.
        let known = [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013_1),
            (1.0, 0.841_344_746_068_542_9),
            (1.96, 0.975_002_104_851_779_7),
            (-2.5, 0.006_209_665_325_776_135),
            (2.999_999, 0.998_650_097_536_514_8),
            (-3.000_001, 0.001_349_893_599_788_330_4),
            (-6.0, 9.865_876_450_376_98e-10),
            (-12.0, 1.776_482_112_077_679e-33),
        ];
        for (x, part) in known {
            let relative = (cumulative(x) - part).abs() / part;
            assert!(relative < 1e-12, "{x}: {} is not {part}", cumulative(x));
        }
    }

    #[test]
    fn the_quantile_undoes_the_part() {
        for step in 1..10_000 {
            let part = f64::from(step) / 10_000.0;
            assert!((cumulative(quantile(part)) - part).abs() < 1e-14, "{part}");
        }
        for exponent in 1..300 {
            let part = 10_f64.powi(-exponent);
            assert!((cumulative(quantile(part)) / part - 1.0).abs() < 1e-10, "{part}");
        }
        assert!((quantile(0.975) - CONFIDENCE_95).abs() < 1e-14);
        assert_eq!((quantile(0.0), quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(quantile(-0.1).is_nan() && quantile(f64::NAN).is_nan());
        assert_eq!((cumulative(f64::NEG_INFINITY), cumulative(f64::INFINITY)), (0.0, 1.0));
    }
}
