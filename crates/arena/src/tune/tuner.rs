//! A tuning as a schedule: who plays the next pair, and with which values.

use std::collections::VecDeque;

use minds::MindSpec;

use super::{Tuning, TuningError};
use crate::Participant;
use crate::schedule::{Next, Pairing, Results, Schedule};

/// A tuning while it runs. Its players are two: the engine moved one way, and the engine moved the other.
pub struct Tuner {
    tuning: Tuning,
    /// The values that the results of the first iterations lead to.
    values: Vec<f64>,
    /// How many iterations that are.
    learnt: u64,
    /// The values from which iterations that may still be played start, from `oldest` on.
    starts: VecDeque<Vec<f64>>,
    oldest: u64,
}

impl Tuner {
    /// A tuning that begins.
    pub fn new(tuning: Tuning) -> Result<Tuner, TuningError> {
        tuning.check()?;
        let values = tuning.start();
        Ok(Tuner { tuning, values, learnt: 0, starts: VecDeque::new(), oldest: 0 })
    }

    /// The values that results lead to, and how many iterations they come from.
    pub fn values(tuning: &Tuning, results: &Results) -> (Vec<f64>, u64) {
        let mut values = tuning.start();
        let mut count = 0;
        for (iteration, pair) in (0..).zip(results.unbroken()) {
            tuning.learn(&mut values, iteration, pair.half_points());
            count = iteration + 1;
        }
        (values, count)
    }
}

impl Schedule for Tuner {
    fn pair(&mut self, number: u64, results: &Results) -> Next {
        if number >= self.tuning.iterations {
            return Next::Over;
        }
        while self.learnt + self.tuning.lag <= number {
            let Some(pair) = results.pair(self.learnt) else { return Next::Wait };
            self.tuning.learn(&mut self.values, self.learnt, pair.half_points());
            self.learnt += 1;
        }
        // Whatever was learnt from has been played.
        while self.oldest < self.learnt && self.starts.pop_front().is_some() {
            self.oldest += 1;
        }
        self.starts.push_back(self.values.clone());
        Next::Pair(Pairing { round: 1, first: 0, second: 1 })
    }

    fn enter(&self, number: u64, index: usize, player: &Participant) -> Participant {
        let start = number.checked_sub(self.oldest).and_then(|place| self.starts.get(place as usize));
        let (Some(values), MindSpec::Program(program)) = (start, &player.mind) else { return player.clone() };
        let mut sides = self.tuning.sides(values, number).into_iter();
        let Some(side) = sides.nth(index) else { return player.clone() };
        let mut program = program.clone();
        for (parameter, value) in self.tuning.parameters.iter().zip(side) {
            program.options.retain(|(name, _)| !name.eq_ignore_ascii_case(&parameter.name));
            program.options.push((parameter.name.clone(), value.to_string()));
        }
        Participant { mind: MindSpec::Program(program), ..player.clone() }
    }
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::super::tests::tuning;
    use super::*;

    const PAIRING: Pairing = Pairing { round: 1, first: 0, second: 1 };

    fn engine() -> Participant {
        let mind = "uci,Hash=16,Margin=90:engine".parse().expect("a mind");
        Participant { name: "engine".to_owned(), mind, time: "nodes=1".parse().expect("nodes") }
    }

    /// Plays a tuning through, with at most so many pairs at once that end in a random order, and tells how players
    /// entered every pair, and the values at the end.
    fn play_through(at_once: usize, seed: u64) -> (Vec<String>, Vec<f64>) {
        let tuning = tuning(200, 8);
        let mut tuner = Tuner::new(tuning.clone()).expect("a tuning");
        let (mut results, mut entries, mut open) = (Results::default(), Vec::new(), Vec::new());
        let mut random = Random::new(seed);
        loop {
            let number = entries.len() as u64;
            let next = if open.len() < at_once { tuner.pair(number, &results) } else { Next::Wait };
            match next {
                Next::Pair(_) => {
                    let text = |index| tuner.enter(number, index, &engine()).mind.to_string();
                    entries.push(format!("{} {}", text(0), text(1)));
                    open.push(number);
                }
                Next::Over if open.is_empty() => return (entries, Tuner::values(&tuning, &results).0),
                Next::Wait | Next::Over => {
                    let number = open.swap_remove(random.below(open.len()));
                    // How a game ends follows from its number alone.
                    let mut random = Random::numbered(77, number);
                    for leg in 0..2 {
                        results.add(number, PAIRING, leg, random.below(3) as u32);
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_results_lead_to_the_same_games_and_values_however_many_are_played_at_once() {
        let alone = play_through(1, 0);
        assert_eq!(alone.0.len(), 200);
        for (at_once, seed) in [(2, 1), (5, 2), (100, 3)] {
            assert_eq!(play_through(at_once, seed), alone);
        }
    }

    #[test]
    fn players_enter_with_the_options_of_their_side_and_keep_the_others() {
        let mut tuner = Tuner::new(tuning(10, 8)).expect("a tuning");
        tuner.pair(0, &Results::default());
        let [one, other] = [0, 1].map(|index| tuner.enter(0, index, &engine()).mind.to_string());
        assert!(one.starts_with("uci,Hash=16,margin=") && one.ends_with(":engine"), "{one}");
        assert_eq!(one.matches("argin=").count(), 1, "{one}");
        assert_ne!(one, other);
    }
}
