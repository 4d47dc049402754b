//! A tuning in rounds: every iteration is a match of many pairs, for players that play thousands of games in seconds.

use serde::{Deserialize, Serialize};

use super::{Tuning, TuningError};
use crate::statistics::Pentanomial;

/// A tuning in rounds and what came of those played so far, which is all there is to keep: the values follow from it.
///
/// A round starts from the values that all rounds before it lead to, so that [`Tuning::lag`] is one.
///
/// ```
/// use saavedra_arena::statistics::Pentanomial;
/// use saavedra_arena::tune::{Parameter, Rounds, Tuning};
///
/// let margin = Parameter { name: "margin".to_owned(), start: 100.0, min: 0, max: 200, step: 10.0 };
/// let tuning = Tuning { parameters: vec![margin], iterations: 50, seed: 1, rate: Rounds::USUAL_RATE, lag: 1 };
/// let mut rounds = Rounds::new(tuning)?;
/// while let Some([one, other]) = rounds.next() {
///     // A match of a hundred pairs, in which the better half is always the one with the greater margin.
///     let pairs = if one[0] > other[0] { [0, 0, 40, 60, 0] } else { [0, 60, 40, 0, 0] };
///     rounds.add(Pentanomial(pairs));
/// }
/// assert_eq!(rounds.values(), [200.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounds {
    tuning: Tuning,
    /// What the side that was moved one way made of each round, against the one that was moved the other way.
    results: Vec<Pentanomial>,
}

impl Rounds {
    /// The rate that is usual: how far numbers are pulled at the end, as a part of their steps, by a round in which
    /// every pair was won by a point. Rounds are decided by far less, a few hundredths of a point.
    ///
    /// What is right for one number is too much for many, because every number is pulled by what all others do: three
    /// times as much lets thirty numbers, of which a step is worth one Elo each, run away.
    pub const USUAL_RATE: f64 = 0.3;

    /// A tuning that begins.
    pub fn new(tuning: Tuning) -> Result<Rounds, TuningError> {
        tuning.check()?;
        Ok(Rounds { tuning, results: Vec::new() })
    }

    /// What is tuned, and how.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// Gives parameters other names, which changes nothing else: for files of a version that named them differently.
    pub fn rename_parameters(&mut self, new_name: impl Fn(&str) -> Option<&'static str>) {
        for parameter in &mut self.tuning.parameters {
            if let Some(name) = new_name(&parameter.name) {
                parameter.name = name.to_owned();
            }
        }
    }

    /// What came of the rounds so far.
    pub fn results(&self) -> &[Pentanomial] {
        &self.results
    }

    /// The values with which the two sides of the next round play; none once all rounds were played.
    #[allow(clippy::should_implement_trait, reason = "asking again gives the same until a result is added")]
    pub fn next(&self) -> Option<[Vec<i64>; 2]> {
        let round = self.results.len() as u64;
        (round < self.tuning.iterations).then(|| self.tuning.sides(&self.values(), round))
    }

    /// Adds what came of the next round.
    pub fn add(&mut self, pairs: Pentanomial) {
        self.results.push(pairs);
    }

    /// The values that the rounds so far lead to.
    pub fn values(&self) -> Vec<f64> {
        let mut values = self.tuning.start();
        for (round, pairs) in (0..).zip(&self.results) {
            self.tuning.learn_from_match(&mut values, round, pairs);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::super::tests::tuning;
    use super::*;

    /// A match of so many pairs, each game of which goes to the better side as often as its merit says.
    fn contest(merits: [f64; 2], pairs: u64, random: &mut Random) -> Pentanomial {
        let likelihood = 1.0 / (1.0 + (merits[1] - merits[0]).exp());
        let mut counts = [0; 5];
        for _ in 0..pairs {
            counts[(0..2).map(|_| 2 * usize::from(random.fraction() < likelihood)).sum::<usize>()] += 1;
        }
        Pentanomial(counts)
    }

    #[test]
    fn numbers_climb_to_the_top_of_a_hill_in_rounds() {
        let mut rounds = Rounds::new(Tuning { rate: Rounds::USUAL_RATE, ..tuning(150, 1) }).expect("a tuning");
        // The best margin is 150; the depth does not matter.
        let merit = |values: &[i64]| -((values[0] - 150) as f64 / 60.0).powi(2);
        let mut random = Random::new(1);
        while let Some([one, other]) = rounds.next() {
            rounds.add(contest([merit(&one), merit(&other)], 1_000, &mut random));
        }
        let values = rounds.values();
        assert!((143.0..157.0).contains(&values[0]) && (1.5..5.0).contains(&values[1]), "{values:?}");
    }

    #[test]
    fn a_tuning_that_was_written_down_goes_on_as_if_nothing_had_happened() {
        let play = |rounds: &mut Rounds, until: usize| {
            while let Some([one, other]) = rounds.next().filter(|_| rounds.results().len() < until) {
                let mut random = Random::numbered(9, rounds.results().len() as u64);
                rounds.add(contest([one[0] as f64 / 50.0, other[0] as f64 / 50.0], 100, &mut random));
            }
        };
        let tuning = Tuning { rate: 0.7, ..tuning(20, 1) };
        let mut whole = Rounds::new(tuning.clone()).expect("a tuning");
        play(&mut whole, 20);
        let mut part = Rounds::new(tuning).expect("a tuning");
        play(&mut part, 7);
        let text = serde_json::to_string(&part).expect("numbers can be written");
        let mut part: Rounds = serde_json::from_str(&text).expect("what was written can be read");
        play(&mut part, 20);
        assert_eq!(part, whole);
        assert_eq!(part.values(), whole.values());
        assert_eq!(part.next(), None);
    }

    #[test]
    fn a_round_without_a_pair_pulls_nowhere() {
        let mut rounds = Rounds::new(tuning(5, 1)).expect("a tuning");
        rounds.add(Pentanomial::default());
        assert_eq!(rounds.values(), rounds.tuning().start());
    }
}
