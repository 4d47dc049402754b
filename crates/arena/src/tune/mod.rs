//! Tuning by games: SPSA, simultaneous perturbation stochastic approximation, as an event of the arena.
//!
//! Every iteration is one pair of games. All numbers are moved at once, each up or down at random, and the engine plays
//! against itself moved the other way. The winner pulls all numbers a little in its direction; what does not matter
//! cancels out in the long run, and what matters adds up. (J. C. Spall, *Implementation of the simultaneous
//! perturbation algorithm for stochastic optimization*, IEEE Transactions on Aerospace and Electronic Systems 34, 1998;
//! the exponents are his, and the gains are scaled by their values at the end, as fishtest does.)
//!
//! What is random is a function of the seed and the number of the iteration, and results are taken in the order of
//! the iterations. An iteration starts from the values that all results up to [some iterations](Tuning::lag) before it
//! lead to, neither fewer nor more, so that games may be played at once, in any order and with any interruption, and a
//! tuning still ends with the same numbers if its games end the same.
//!
//! A GPU that plays thousands of games in seconds tunes in [`Rounds`], a whole match each, by the same random numbers
//! and gains.

mod choice;
mod rounds;
mod tuner;

use random::Random;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::statistics::{Pentanomial, Tally};

pub use choice::{ChoiceError, ParameterSpec, choose_all, choose_by_name};
pub use rounds::Rounds;
pub use tuner::Tuner;

/// A number to tune.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The option of the engine.
    pub name: String,
    /// The value to begin with.
    pub start: f64,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
    /// How far it is moved up and down at the end; at the beginning it is moved about twice as far.
    pub step: f64,
}

/// A tuning: everything that decides it, besides the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// How many pairs are played.
    pub iterations: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// How far a game that is won pulls a number at the end, as a part of its step.
    pub rate: f64,
    /// How many iterations an iteration does not wait for. As many pairs can be played at once.
    pub lag: u64,
}

/// Why something cannot be tuned.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum TuningError {
    /// Nothing to tune.
    #[error("there is no parameter to tune")]
    NoParameters,
    /// One name twice.
    #[error("the parameter {0:?} is there twice")]
    Twice(String),
    /// Nothing to play.
    #[error("a tuning without iterations is over before it begins")]
    NoIterations,
    /// Everything would wait for itself.
    #[error("the lag must be at least 1 iteration")]
    NoLag,
    /// A number that cannot be worked with.
    #[error("the rate {0} is not a positive number")]
    BadRate(f64),
    /// A start outside of the range, or a range without room.
    #[error("the start {start} of the parameter {name:?} is not from {min} to {max}")]
    BadStart {
        /// The parameter.
        name: String,
        /// Its start.
        start: f64,
        /// Its least value.
        min: i64,
        /// Its greatest value.
        max: i64,
    },
    /// A step that leads nowhere.
    #[error("the step {step} of the parameter {name:?} is not a positive number")]
    BadStep {
        /// The parameter.
        name: String,
        /// Its step.
        step: f64,
    },
}

/// Gains shrink by these powers of the iteration.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The part of all iterations by which the first ones are calmed.
const STABILITY: f64 = 0.1;

/// An event draws openings by its seed; the tuner's random numbers must not be correlated with them.
const OWN_LOTS: u64 = 0x7475_6e65_6c6f_7473;

/// The random numbers of one parameter in one iteration.
struct Nudge {
    /// One or minus one: which way the first player is moved.
    sign: f64,
    /// A number from zero up to one that decides how values are rounded.
    rounding: f64,
}

impl Tuning {
    /// The rate that is usual.
    pub const USUAL_RATE: f64 = 0.002;

    /// The lag that is usual: more pairs than most machines play at once, and few among thousands.
    pub const USUAL_LAG: u64 = 32;

    /// Whether it can be done.
    pub fn check(&self) -> Result<(), TuningError> {
        if self.parameters.is_empty() {
            return Err(TuningError::NoParameters);
        }
        if self.iterations == 0 {
            return Err(TuningError::NoIterations);
        }
        if self.lag == 0 {
            return Err(TuningError::NoLag);
        }
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        if !is_positive(self.rate) {
            return Err(TuningError::BadRate(self.rate));
        }
        for (index, Parameter { name, start, min, max, step }) in self.parameters.iter().enumerate() {
            if self.parameters[..index].iter().any(|other| other.name.eq_ignore_ascii_case(name)) {
                return Err(TuningError::Twice(name.clone()));
            }
            if !(*min as f64..=*max as f64).contains(start) {
                return Err(TuningError::BadStart { name: name.clone(), start: *start, min: *min, max: *max });
            }
            if !is_positive(*step) {
                return Err(TuningError::BadStep { name: name.clone(), step: *step });
            }
        }
        Ok(())
    }

    /// The values to begin with.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The values with which the two players of an iteration play, moved to either side and rounded at random.
    pub fn sides(&self, values: &[f64], iteration: u64) -> [Vec<i64>; 2] {
        let side = |direction: f64| {
            let moved = |((parameter, value), nudge): ((&Parameter, &f64), Nudge)| {
                let distance = direction * nudge.sign * self.step_factor(iteration) * parameter.step;
                // On average rounding at random changes nothing.
                let rounded = (value + distance + nudge.rounding).floor() as i64;
                rounded.clamp(parameter.min, parameter.max)
            };
            self.parameters.iter().zip(values).zip(self.nudges(iteration)).map(moved).collect()
        };
        [side(1.0), side(-1.0)]
    }

    /// Learns from a pair, in which the first player made from 0 to 4 half points.
    pub fn learn(&self, values: &mut [f64], iteration: u64, half_points: u32) {
        self.pull(values, iteration, f64::from(half_points) - 2.0);
    }

    /// Learns from a match of many pairs as from a pair with their mean result.
    fn learn_from_match(&self, values: &mut [f64], iteration: u64, pairs: &Pentanomial) {
        self.pull(values, iteration, 4.0 * (pairs.score().unwrap_or(0.5) - 0.5));
    }

    /// Pulls values towards the first player, who won so many games more than it lost.
    fn pull(&self, values: &mut [f64], iteration: u64, wins: f64) {
        let pull = wins * self.pull_factor(iteration);
        for ((value, parameter), nudge) in values.iter_mut().zip(&self.parameters).zip(self.nudges(iteration)) {
            let moved = *value + pull * nudge.sign * parameter.step;
            *value = moved.clamp(parameter.min as f64, parameter.max as f64);
        }
    }

    /// The random numbers of an iteration, parameter by parameter.
    fn nudges(&self, iteration: u64) -> impl Iterator<Item = Nudge> {
        let mut random = Random::numbered(self.seed ^ OWN_LOTS, iteration);
        std::iter::repeat_with(move || {
            let sign = if random.coin() { 1.0 } else { -1.0 };
            Nudge { sign, rounding: random.fraction() }
        })
    }

    /// How far numbers are moved in an iteration, as a part of their steps: one at the end.
    fn step_factor(&self, iteration: u64) -> f64 {
        (self.iterations as f64 / (iteration + 1) as f64).powf(GAMMA)
    }

    /// How far a win pulls numbers in an iteration, as a part of their steps: the rate at the end.
    fn pull_factor(&self, iteration: u64) -> f64 {
        let stability = STABILITY * self.iterations as f64;
        let from_end = (stability + self.iterations as f64) / (stability + (iteration + 1) as f64);
        self.rate * from_end.powf(ALPHA) / self.step_factor(iteration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn tuning(iterations: u64, lag: u64) -> Tuning {
        let parameter = |name: &str, start, min, max, step| Parameter { name: name.to_owned(), start, min, max, step };
        let parameters = vec![parameter("margin", 100.0, 0, 200, 10.0), parameter("depth", 3.0, 1, 9, 0.5)];
        Tuning { parameters, iterations, seed: 5, rate: 0.002, lag }
    }

    #[test]
    fn gains_end_where_they_are_said_to_and_begin_higher() {
        let tuning = tuning(10_000, 32);
        assert!((tuning.step_factor(9_999) - 1.0).abs() < 1e-12);
        assert!((tuning.pull_factor(9_999) - 0.002).abs() < 1e-12);
        assert!((2.0..3.0).contains(&tuning.step_factor(0)), "{}", tuning.step_factor(0));
        assert!((0.002..0.01).contains(&tuning.pull_factor(0)), "{}", tuning.pull_factor(0));
    }

    #[test]
    fn the_two_sides_are_moved_apart_and_rounding_changes_nothing_on_average() {
        let tuning = tuning(1_000, 32);
        let (mut sums, mut signs) = ([0.0; 2], [0; 2]);
        for iteration in 0..1_000 {
            let [up, down] = tuning.sides(&[100.3, 4.75], iteration);
            for index in 0..2 {
                sums[index] += (up[index] + down[index]) as f64 / 2_000.0;
                signs[index] += (up[index] - down[index]).signum();
            }
            assert!((18..=42).contains(&(up[0] - down[0]).abs()), "{up:?} {down:?}");
        }
        assert!((sums[0] - 100.3).abs() < 0.1 && (sums[1] - 4.75).abs() < 0.1, "{sums:?}");
        assert!(signs.iter().all(|sign| sign.abs() < 150), "up and down are as likely: {signs:?}");
        let [up, down] = tuning.sides(&[200.0, 1.0], 7);
        assert!(up.iter().zip(&down).all(|(up, down)| (0..=200).contains(up) && (0..=200).contains(down)));
    }

    #[test]
    fn winning_pulls_towards_the_winner_and_a_tie_pulls_nowhere() {
        let tuning = tuning(100, 32);
        for iteration in 0..20 {
            let [up, down] = tuning.sides(&tuning.start(), iteration);
            let direction = (up[0] - down[0]) as f64;
            let after = |half_points| {
                let mut values = tuning.start();
                tuning.learn(&mut values, iteration, half_points);
                (values[0] - 100.0) * direction
            };
            assert!(after(4) > after(3) && after(3) > 0.0 && after(1) < 0.0 && after(2) == 0.0);
        }
    }

    #[test]
    fn numbers_climb_to_the_top_of_a_hill() {
        let tuning = Tuning { rate: 0.02, ..tuning(4_000, 32) };
        let mut values = tuning.start();
        let mut random = Random::new(1);
        // The best margin is 150; the depth does not matter.
        let merit = |values: &[i64]| -((values[0] - 150) as f64 / 60.0).powi(2);
        for iteration in 0..tuning.iterations {
            let [one, other] = tuning.sides(&values, iteration);
            let likelihood = 1.0 / (1.0 + (merit(&other) - merit(&one)).exp());
            let half_points = (0..2).map(|_| 2 * u32::from(random.fraction() < likelihood)).sum();
            tuning.learn(&mut values, iteration, half_points);
        }
        assert!((140.0..160.0).contains(&values[0]), "{values:?}");
        assert!((1.5..6.0).contains(&values[1]), "{values:?}");
    }

    #[test]
    fn what_cannot_be_tuned_is_told() {
        assert_eq!(tuning(10, 1).check(), Ok(()));
        let complaint = |change: &dyn Fn(&mut Tuning)| {
            let mut changed = tuning(10, 1);
            change(&mut changed);
            changed.check().expect_err("a complaint").to_string()
        };
        assert_eq!(complaint(&|tuning| tuning.parameters.clear()), "there is no parameter to tune");
        assert_eq!(complaint(&|tuning| tuning.lag = 0), "the lag must be at least 1 iteration");
        assert_eq!(complaint(&|tuning| tuning.rate = f64::NAN), "the rate NaN is not a positive number");
        assert_eq!(
            complaint(&|tuning| tuning.parameters[1].start = 0.0),
            "the start 0 of the parameter \"depth\" is not from 1 to 9"
        );
        assert_eq!(
            complaint(&|tuning| tuning.parameters[0].step = 0.0),
            "the step 0 of the parameter \"margin\" is not a positive number"
        );
        assert_eq!(
            complaint(&|tuning| tuning.parameters[1].name = "Margin".to_owned()),
            "the parameter \"Margin\" is there twice"
        );
    }
}
