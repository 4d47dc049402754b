//! The sequential probability ratio test: play until the results decide between two hypotheses.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::elo::{NORMALISED_UNIT, expected_score};
use super::likelihood::Observed;
use super::tally::Tally;

/// The unit in which hypotheses are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloScale {
    /// Elo by the logistic curve.
    Logistic,
    /// Elo in standard deviations of a game.
    Normalised,
}

/// A test of the hypothesis that a player is stronger by `elo1` against the hypothesis that it is by `elo0`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Terms", into = "Terms")]
pub struct Sprt {
    terms: Terms,
}

/// What a test is made of, before it is known to make sense.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Terms {
    scale: EloScale,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// What the results decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Decision {
    /// Nothing yet.
    GoOn,
    /// The player is not stronger by more than `elo0`.
    H0,
    /// The player is stronger by `elo1`.
    H1,
}

/// Why a test makes no sense.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The hypotheses are in the wrong order, or the same.
    #[error("the first hypothesis must be less than the second, and {0} is not less than {1}")]
    Order(f64, f64),
    /// A hypothesis that no match needs a test for.
    #[error("a hypothesis must lie within {limit} Elo of zero, and {0} does not", limit = Sprt::LIMIT)]
    OutOfRange(f64),
    /// A probability of error that is none.
    #[error("a probability of error must lie between 0 and 1, and {0} does not")]
    Probability(f64),
    /// Together the errors leave nothing to test.
    #[error("the two probabilities of error must add up to less than 1, and {0} and {1} do not")]
    NothingToTest(f64, f64),
}

/// A name that is not the name of a scale.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no scale {0:?} (there are logistic and normalised)")]
pub struct UnknownScale(String);

impl Sprt {
    /// Hypotheses lie this close to zero, in Elo.
    pub const LIMIT: f64 = 400.0;

    /// A test of `elo0` against `elo1` that errs with probability `alpha` if the first is true, and `beta` if the
    /// second is.
    pub fn new(scale: EloScale, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        Sprt::try_from(Terms { scale, elo0, elo1, alpha, beta })
    }

    /// The unit of the hypotheses.
    pub fn scale(&self) -> EloScale {
        self.terms.scale
    }

    /// The two hypotheses.
    pub fn hypotheses(&self) -> [f64; 2] {
        [self.terms.elo0, self.terms.elo1]
    }

    /// The log-likelihood ratio at which the first hypothesis is accepted.
    pub fn lower(&self) -> f64 {
        (self.terms.beta / (1.0 - self.terms.alpha)).ln()
    }

    /// The log-likelihood ratio at which the second hypothesis is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.terms.beta) / self.terms.alpha).ln()
    }

    /// By how much the second hypothesis explains the results better than the first, as a natural logarithm.
    ///
    /// Each hypothesis is allowed the distribution of outcomes that suits it best. As in fastchess, an outcome that
    /// never came counts as a thousandth of one, so that no hypothesis is impossible. Both distributions are computed
    /// to ten digits. fastchess stops earlier: of 1,792 ratios of random results, two differ in the second decimal.
    pub fn llr<T: Tally>(&self, tally: &T) -> f64 {
        const NEVER: f64 = 1e-3;
        if tally.total() == 0 {
            return 0.0;
        }
        let regular = |count: u64| if count == 0 { NEVER } else { count as f64 };
        let total: f64 = (0..T::OUTCOMES).map(|outcome| regular(tally.count(outcome))).sum();
        let part = |outcome| (T::score_of(outcome), regular(tally.count(outcome)) / total);
        let observed = Observed::new((0..T::OUTCOMES).map(part).collect());
        let cost = |elo: f64| match self.terms.scale {
            EloScale::Logistic => observed.cost_of_mean(expected_score(elo)),
            EloScale::Normalised => {
                observed.cost_of_deviations((T::games_each() as f64).sqrt() * elo / NORMALISED_UNIT)
            }
        };
        total * (cost(self.terms.elo0) - cost(self.terms.elo1))
    }

    /// What a log-likelihood ratio decides.
    pub fn decide(&self, llr: f64) -> Decision {
        if llr >= self.upper() {
            Decision::H1
        } else if llr <= self.lower() {
            Decision::H0
        } else {
            Decision::GoOn
        }
    }
}

impl TryFrom<Terms> for Sprt {
    type Error = SprtError;

    fn try_from(terms: Terms) -> Result<Sprt, SprtError> {
        let Terms { elo0, elo1, alpha, beta, .. } = terms;
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| !(-Sprt::LIMIT..=Sprt::LIMIT).contains(elo)) {
            return Err(SprtError::OutOfRange(elo));
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order(elo0, elo1));
        }
        if let Some(part) = [alpha, beta].into_iter().find(|part| !(*part > 0.0 && *part < 1.0)) {
            return Err(SprtError::Probability(part));
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::NothingToTest(alpha, beta));
        }
        Ok(Sprt { terms })
    }
}

impl From<Sprt> for Terms {
    fn from(sprt: Sprt) -> Terms {
        sprt.terms
    }
}

impl fmt::Display for Sprt {
    /// In the words of the field: `(-2.94, 2.94) [0.00, 5.00]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [elo0, elo1] = self.hypotheses();
        write!(f, "({:.2}, {:.2}) [{elo0:.2}, {elo1:.2}]", self.lower(), self.upper())
    }
}

impl FromStr for EloScale {
    type Err = UnknownScale;

    fn from_str(text: &str) -> Result<EloScale, UnknownScale> {
        match text {
            "logistic" => Ok(EloScale::Logistic),
            "normalised" | "normalized" => Ok(EloScale::Normalised),
            _ => Err(UnknownScale(text.to_owned())),
        }
    }
}

impl fmt::Display for EloScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EloScale::Logistic => "logistic",
            EloScale::Normalised => "normalised",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Pentanomial, Trinomial};

    fn llr<T: Tally>(scale: EloScale, elo0: f64, elo1: f64, tally: &T) -> f64 {
        Sprt::new(scale, elo0, elo1, 0.05, 0.05).expect("a test that makes sense").llr(tally)
    }

    #[test]
    fn published_ratios_of_games_are_met() {
        // Counts, hypotheses and the two decimals are those of fastchess's tests (app/tests/sprt_test.cpp). The first
        // ones with more digits were computed with mpmath to 25 digits from Van den Bergh's equations. For 4250 wins
        // fastchess's test says 120.56 ± 1 %, and the program itself 120.548268.
        let known = [
            (EloScale::Normalised, 0.0, 2.0, (36433, 68692, 36027), "0.92", 0.923_293_450_949_53),
            (EloScale::Normalised, -1.75, 0.25, (10871, 20431, 10650), "2.30", 2.297_500_407_103_2),
            (EloScale::Normalised, 0.0, 10.0, (4250, 0, 0), "120.55", 120.548_267_741_2),
            (EloScale::Logistic, 0.5, 2.5, (21404, 40708, 21184), "-1.57", -1.571_888_792_692_2),
            (EloScale::Logistic, 0.0, 2.0, (57433, 106_593, 57030), "-2.59", -2.593_024_163_524_1),
            (EloScale::Logistic, 0.0, 10.0, (10, 7, 3), "0.30", 0.298_444_563_426_3),
            (EloScale::Normalised, 0.0, 10.0, (10, 7, 3), "0.24", 0.241_805_234_751_31),
            (EloScale::Normalised, 0.0, 10.0, (1, 5, 0), "0.07", 0.068_461_423_429_978),
        ];
        for (scale, elo0, elo1, (wins, draws, losses), printed, exact) in known {
            let llr = llr(scale, elo0, elo1, &Trinomial::new(wins, draws, losses));
            assert_eq!(format!("{llr:.2}"), printed, "{wins} {draws} {losses}");
            assert!((llr - exact).abs() < 1e-8, "{llr} is not {exact}");
        }
    }

    #[test]
    fn published_ratios_of_pairs_are_met() {
        // As above; for 5550 pairs won fastchess's test says 111.82 ± 1 %, and the program itself 111.797555.
        let known = [
            (EloScale::Normalised, 0.0, 2.0, [365, 16618, 36229, 16974, 390], "2.25", 2.250_367_703_547),
            (EloScale::Normalised, -1.75, 0.25, [127, 4883, 10712, 5150, 104], "3.01", 3.010_154_196_603_7),
            (EloScale::Normalised, 0.0, 5.0, [0, 0, 0, 0, 5550], "111.80", 111.797_555_086_71),
            (EloScale::Logistic, 0.5, 2.5, [223, 9863, 21279, 10037, 246], "-3.07", -3.074_126_439_589_2),
            (EloScale::Logistic, 0.0, 2.0, [871, 26175, 55983, 26678, 821], "-4.98", -4.978_672_863_449),
            (EloScale::Normalised, 0.0, 5.0, [40, 310, 790, 390, 62], "2.70", 2.696_056_740_622_8),
            (EloScale::Logistic, 0.0, 5.0, [40, 310, 790, 390, 62], "4.19", 4.189_814_835_678_7),
            (EloScale::Normalised, 0.0, 5.0, [0, 3, 10, 7, 0], "0.11", 0.110_968_924_864_85),
            (EloScale::Logistic, 0.0, 5.0, [0, 3, 10, 7, 0], "0.21", 0.214_573_355_400_78),
            (EloScale::Normalised, 0.0, 5.0, [7895, 8757, 5685, 568, 9999], "-58.13", -58.129_282_500_628),
        ];
        for (scale, elo0, elo1, counts, printed, exact) in known {
            let llr = llr(scale, elo0, elo1, &Pentanomial(counts));
            assert_eq!(format!("{llr:.2}"), printed, "{counts:?}");
            assert!((llr - exact).abs() < 1e-8, "{llr} is not {exact}");
        }
    }

    #[test]
    fn the_opponent_sees_the_same_ratio_with_the_sign_reversed() {
        let mut random = random::Random::new(1);
        for _ in 0..2_000 {
            let most = 1 << random.below(14);
            // Half of the outcomes never come, which is where formulas break.
            let mut count = || if random.coin() { random.below(most) as u64 } else { 0 };
            let pairs = Pentanomial(std::array::from_fn(|_| count()));
            let (elo0, elo1) = (random.fraction() * 500.0 - 400.0, random.fraction() * 200.0 + 101.0);
            for scale in [EloScale::Logistic, EloScale::Normalised] {
                let ours = llr(scale, elo0, elo1, &pairs);
                let theirs = llr(scale, -elo1, -elo0, &pairs.reversed());
                assert!((ours + theirs).abs() < 1e-5 * (1.0 + ours.abs()), "{pairs} {elo0} {elo1}: {ours} {theirs}");
            }
        }
    }

    #[test]
    fn results_decide_between_the_hypotheses() {
        let sprt = Sprt::new(EloScale::Logistic, 0.0, 10.0, 0.05, 0.05).expect("a test that makes sense");
        assert_eq!(sprt.to_string(), "(-2.94, 2.94) [0.00, 10.00]");
        assert_eq!(sprt.llr(&Pentanomial::default()), 0.0);
        let decide = |counts| sprt.decide(sprt.llr(&Pentanomial(counts)));
        assert_eq!(decide([0, 0, 0, 0, 0]), Decision::GoOn);
        assert_eq!(decide([10, 100, 300, 120, 20]), Decision::GoOn);
        assert_eq!(decide([10, 100, 300, 200, 40]), Decision::H1);
        assert_eq!(decide([40, 200, 300, 100, 10]), Decision::H0);
    }

    #[test]
    fn a_test_that_makes_no_sense_is_refused() {
        let refuse = |elo0, elo1, alpha, beta| {
            Sprt::new(EloScale::Logistic, elo0, elo1, alpha, beta).expect_err("no sense").to_string()
        };
        assert_eq!(
            refuse(5.0, 0.0, 0.05, 0.05),
            "the first hypothesis must be less than the second, and 5 is not less than 0"
        );
        assert_eq!(refuse(0.0, f64::NAN, 0.05, 0.05), "a hypothesis must lie within 400 Elo of zero, and NaN does not");
        assert_eq!(refuse(0.0, 5.0, 0.0, 0.05), "a probability of error must lie between 0 and 1, and 0 does not");
        assert_eq!(
            refuse(0.0, 5.0, 0.5, 0.5),
            "the two probabilities of error must add up to less than 1, and 0.5 and 0.5 do not"
        );
        assert!(
            serde_json::from_str::<Sprt>(r#"{"scale":"logistic","elo0":5,"elo1":0,"alpha":0.05,"beta":0.05}"#).is_err()
        );
        assert_eq!(
            "bayesian".parse::<EloScale>().expect_err("not ours").to_string(),
            "there is no scale \"bayesian\" (there are logistic and normalised)"
        );
    }
}
