//! From a difference in Elo to the score it promises, and back.

use std::f64::consts::LN_10;

/// One standard deviation of a game's score, in normalised Elo: the unit is chosen so that normalised and logistic Elo
/// agree for close opponents who never draw.
pub const NORMALISED_UNIT: f64 = 800.0 / LN_10;

/// How many Elo one natural unit of log odds is worth.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// The score that a player stronger by so many Elo is expected to make, from zero to one.
pub fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
}

/// By how many Elo a player who scores so much is the stronger one: infinite for nothing and for everything, and not a
/// number outside.
pub fn elo_of_score(score: f64) -> f64 {
    // Written as a difference of logarithms, it is exactly zero for one half and exactly odd around it.
    400.0 * (score.log10() - (1.0 - score).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_differences_undo_each_other() {
        for elo in -1200..=1200 {
            let elo = f64::from(elo);
            assert!((elo_of_score(expected_score(elo)) - elo).abs() < 1e-8, "{elo}");
        }
        assert_eq!(elo_of_score(0.5), 0.0);
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(elo_of_score(1.5).is_nan() && elo_of_score(-0.5).is_nan());
        // Ten to one is what 400 points promise.
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
    }
}
