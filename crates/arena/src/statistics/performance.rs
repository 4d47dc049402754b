//! What a match says about the difference between two players.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::elo::{NORMALISED_UNIT, elo_of_score};
use super::normal::{CONFIDENCE_95, cumulative};
use super::tally::Tally;

/// A number that is known up to chance: 95 of 100 times the truth lies between the limits.
///
/// Limits are infinite where the results set none, and the value and both limits are the same infinity where all
/// results are the same without being perfect: then nothing deviates, and normalised Elo has no unit.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The most likely value; infinite if everything or nothing was won.
    pub value: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// What a match says about the difference between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Performance {
    /// The mean score, from zero to one.
    pub score: f64,
    /// By how much the player is stronger, by the logistic curve.
    pub elo: Estimate,
    /// The same, measured in standard deviations of a game, which hardly depends on openings and time controls.
    pub normalised_elo: Estimate,
    /// How likely the player is stronger at all.
    pub superiority: f64,
}

impl Estimate {
    /// Half the distance of the limits, infinite if one is.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Estimate { value, low, high } = *self;
        if value.is_infinite() && low == high {
            f.write_str("undefined (all results are the same)")
        } else if value == f64::INFINITY {
            write!(f, "above {low:.2}")
        } else if value == f64::NEG_INFINITY {
            write!(f, "below {high:.2}")
        } else if self.error().is_finite() {
            write!(f, "{value:.2} +/- {:.2}", self.error())
        } else {
            write!(f, "{value:.2} ({low:.2} to {high:.2})")
        }
    }
}

impl Performance {
    /// What a tally says, by the formulas of fastchess; nothing without games.
    ///
    /// The limits of logistic Elo are those of the score, ± 1.96 of its standard errors. Where the results leave the
    /// formulas without a number, so that fastchess prints `inf` or `nan`, limits are infinite, with one exception:
    /// after a perfect score the other limit is the score with which so perfect a result is still reached 25 times in
    /// 1000.
    pub fn of<T: Tally>(tally: &T) -> Option<Performance> {
        let (score, variance, total) = (tally.score()?, tally.variance()?, tally.total() as f64);
        let margin = CONFIDENCE_95 * (variance / total).sqrt();
        let elo = match perfect(score, tally.games()) {
            Some((low, high)) => {
                Estimate { value: elo_of_score(score), low: elo_of_score(low), high: elo_of_score(high) }
            }
            None => Estimate {
                value: elo_of_score(score),
                low: elo_of_score((score - margin).max(0.0)),
                high: elo_of_score((score + margin).min(1.0)),
            },
        };
        Some(Performance {
            score,
            elo,
            normalised_elo: normalised(tally, score, variance),
            superiority: if variance > 0.0 {
                cumulative((score - 0.5) / (variance / total).sqrt())
            } else {
                by_sign(score, 0.0, 0.5, 1.0)
            },
        })
    }
}

/// The limits of the score of a player who won every game or none.
fn perfect(score: f64, games: u64) -> Option<(f64, f64)> {
    /// How often the score is even more perfect than its limit promises.
    const TAIL: f64 = 0.025;
    let limit = TAIL.powf(1.0 / games as f64);
    if score == 1.0 {
        Some((limit, 1.0))
    } else if score == 0.0 {
        Some((0.0, 1.0 - limit))
    } else {
        None
    }
}

fn normalised<T: Tally>(tally: &T, score: f64, variance: f64) -> Estimate {
    if let Some((low, high)) = perfect(score, tally.games()) {
        // A score deviates the most, and so is worth the least, if every game is all or nothing.
        let worth = |score: f64| (score - 0.5) / (score * (1.0 - score)).sqrt() * NORMALISED_UNIT;
        return Estimate { value: worth(score), low: worth(low), high: worth(high) };
    }
    // The deviation is that of one game; a pair's mean deviates less by the root of two.
    let unit = NORMALISED_UNIT / (T::games_each() as f64).sqrt();
    let value = if variance > 0.0 {
        (score - 0.5) / variance.sqrt() * unit
    } else {
        by_sign(score, f64::NEG_INFINITY, 0.0, f64::INFINITY)
    };
    let error = unit * CONFIDENCE_95 / (tally.total() as f64).sqrt();
    Estimate { value, low: value - error, high: value + error }
}

fn by_sign(score: f64, below: f64, even: f64, above: f64) -> f64 {
    if score > 0.5 {
        above
    } else if score < 0.5 {
        below
    } else {
        even
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Pentanomial, Trinomial};

    /// Elo, normalised Elo, LOS and score as fastchess prints them.
    fn printed<T: Tally>(tally: &T) -> [String; 4] {
        let performance = Performance::of(tally).expect("there are games");
        [
            performance.elo.to_string(),
            performance.normalised_elo.to_string(),
            format!("{:.2} %", performance.superiority * 100.0),
            format!("{:.6}", performance.score),
        ]
    }

    #[test]
    fn fastchess_prints_the_same_for_games() {
        // The counts are those of fastchess's own tests (app/tests/elo_test.cpp, EloWDL 1 to 3), whose expectations
        // these are to their last digit, and of its SPRT tests; the lines were printed by its classes, version 1.8.2.
        let known = [
            ((76, 123, 89), ["-15.69 +/- 30.46", "-20.76 +/- 40.13", "15.53 %", "0.477431"]),
            ((136, 111, 96), ["40.70 +/- 30.43", "49.77 +/- 36.77", "99.60 %", "0.558309"]),
            ((34, 0, 356), ["-407.99 +/- 63.16", "-508.44 +/- 34.48", "0.00 %", "0.087179"]),
            ((36433, 68692, 36027), ["1.00 +/- 1.30", "1.39 +/- 1.81", "93.43 %", "0.501438"]),
            ((902, 1493, 789), ["12.34 +/- 8.80", "16.94 +/- 12.07", "99.70 %", "0.517745"]),
            ((10, 7, 3), ["126.97 +/- 134.80", "167.43 +/- 152.27", "98.44 %", "0.675000"]),
            ((1, 5, 0), ["58.45 +/- 110.45", "155.38 +/- 278.00", "86.33 %", "0.583333"]),
        ];
        for ((wins, draws, losses), line) in known {
            assert_eq!(printed(&Trinomial::new(wins, draws, losses)), line, "{wins} {draws} {losses}");
        }
    }

    #[test]
    fn fastchess_prints_the_same_for_pairs() {
        // EloPentanomial 1 to 3 of the same file, the counts of its SPRT tests, and one small match.
        let known = [
            ([34, 54, 63, 64, 75], ["55.58 +/- 27.65", "57.94 +/- 28.28", "100.00 %", "0.579310"]),
            ([332, 433, 498, 333, 334], ["-8.64 +/- 10.33", "-9.17 +/- 10.96", "5.05 %", "0.487565"]),
            ([7895, 8757, 5685, 568, 9999], ["-21.04 +/- 2.95", "-19.01 +/- 2.65", "0.00 %", "0.469753"]),
            ([365, 16618, 36229, 16974, 390], ["1.00 +/- 0.92", "1.96 +/- 1.81", "98.31 %", "0.501438"]),
            ([40, 310, 790, 390, 62], ["13.54 +/- 7.10", "23.04 +/- 12.07", "99.99 %", "0.519472"]),
            ([0, 3, 10, 7, 0], ["34.86 +/- 52.57", "72.45 +/- 107.67", "90.64 %", "0.550000"]),
        ];
        for (counts, line) in known {
            assert_eq!(printed(&Pentanomial(counts)), line, "{counts:?}");
        }
    }

    #[test]
    fn what_has_no_limit_says_so() {
        assert_eq!(Performance::of(&Trinomial::default()), None);
        // 0.025^(1/10) is a score of 0.6915, as in the binomial test of ten wins in ten games.
        assert_eq!(printed(&Trinomial::new(10, 0, 0))[..1], ["above 140.22"]);
        assert_eq!(printed(&Trinomial::new(0, 0, 10))[..1], ["below -140.22"]);
        // Pairs are counted by their games: six losses say more than three would.
        assert_eq!(printed(&Pentanomial([3, 0, 0, 0, 0]))[..1], printed(&Trinomial::new(0, 0, 6))[..1]);
        assert_eq!(printed(&Trinomial::new(3, 0, 1))[..1], ["190.85 (-126.45 to inf)"]);
        let drawn = Performance::of(&Pentanomial([0, 0, 12, 0, 0])).expect("there are games");
        assert_eq!((drawn.elo.value, drawn.normalised_elo.value, drawn.superiority), (0.0, 0.0, 0.5));
        let won = Performance::of(&Pentanomial([0, 0, 0, 0, 5])).expect("there are games");
        assert_eq!((won.elo.value, won.superiority), (f64::INFINITY, 1.0));
        assert!(won.normalised_elo.value.is_infinite() && won.normalised_elo.low.is_finite());
        // All pairs the same, but neither lost, drawn nor won: no deviation to measure by.
        let odd = Performance::of(&Pentanomial([0, 0, 0, 9, 0])).expect("there are games");
        assert_eq!((odd.normalised_elo.value, odd.normalised_elo.low), (f64::INFINITY, f64::INFINITY));
        assert_eq!(odd.normalised_elo.to_string(), "undefined (all results are the same)");
    }

    #[test]
    fn the_opponent_sees_the_same_with_the_sign_reversed() {
        let pairs = Pentanomial([3, 14, 15, 9, 26]);
        let (ours, theirs) =
            (Performance::of(&pairs).expect("games"), Performance::of(&pairs.reversed()).expect("games"));
        assert!((ours.elo.value + theirs.elo.value).abs() < 1e-9);
        assert!((ours.elo.low + theirs.elo.high).abs() < 1e-9);
        assert!((ours.superiority + theirs.superiority - 1.0).abs() < 1e-12);
    }
}
