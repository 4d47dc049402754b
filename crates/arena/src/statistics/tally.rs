//! Counted results: games won, drawn and lost, or pairs of games by their points.

use std::fmt;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// Counted outcomes whose scores go in equal steps from nothing to everything.
///
/// A game has three outcomes, a pair of games has five; all that follows from their counts is the same for both.
pub trait Tally {
    /// How many outcomes there are.
    const OUTCOMES: usize;

    /// How often an outcome came, the worst being number zero.
    fn count(&self, outcome: usize) -> u64;

    /// The score of an outcome, from zero to one.
    fn score_of(outcome: usize) -> f64 {
        outcome as f64 / (Self::OUTCOMES - 1) as f64
    }

    /// How many games make one outcome.
    fn games_each() -> u64 {
        (Self::OUTCOMES as u64 - 1) / 2
    }

    /// How many outcomes were counted.
    fn total(&self) -> u64 {
        (0..Self::OUTCOMES).map(|outcome| self.count(outcome)).sum()
    }

    /// How many games were counted.
    fn games(&self) -> u64 {
        self.total() * Self::games_each()
    }

    /// The mean score from zero to one, if there are games.
    fn score(&self) -> Option<f64> {
        let sum: f64 = (0..Self::OUTCOMES).map(|outcome| self.count(outcome) as f64 * Self::score_of(outcome)).sum();
        (self.total() > 0).then(|| sum / self.total() as f64)
    }

    /// How far outcomes are from their mean score, squared, on average, if there are games.
    fn variance(&self) -> Option<f64> {
        let mean = self.score()?;
        let square = |outcome| self.count(outcome) as f64 * (Self::score_of(outcome) - mean).powi(2);
        Some((0..Self::OUTCOMES).map(square).sum::<f64>() / self.total() as f64)
    }
}

/// Games by their result.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// Pairs of games by their points: 0, ½, 1, 1½ and 2.
///
/// The two games of a pair share an opening with colors reversed, so their results hang together. Counting pairs takes
/// that into account, and makes errors smaller and honest.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Tally for Trinomial {
    const OUTCOMES: usize = 3;

    fn count(&self, outcome: usize) -> u64 {
        [self.losses, self.draws, self.wins][outcome]
    }
}

impl Tally for Pentanomial {
    const OUTCOMES: usize = 5;

    fn count(&self, outcome: usize) -> u64 {
        self.0[outcome]
    }
}

impl Trinomial {
    /// Games by their result.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Trinomial {
        Trinomial { wins, draws, losses }
    }

    /// Games by their half points, each 0, 1 or 2.
    pub fn of_games(half_points: impl IntoIterator<Item = u32>) -> Trinomial {
        let mut games = Trinomial::default();
        for half_points in half_points {
            match half_points {
                0 => games.losses += 1,
                1 => games.draws += 1,
                _ => games.wins += 1,
            }
        }
        games
    }

    /// The points made.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The part of games that were drawn, if there are games.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games as the opponent counts them.
    pub fn reversed(self) -> Trinomial {
        Trinomial { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Pentanomial {
    /// The part of pairs that brought one point, if there are pairs.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.0[2] as f64 / self.total() as f64)
    }

    /// How many pairs were won for each that was lost: infinite if none was lost, unknown if none was won either.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [lost_both, lost, _, won, won_both] = self.0;
        (lost_both + lost + won + won_both > 0).then(|| (won + won_both) as f64 / (lost_both + lost) as f64)
    }

    /// The same pairs as the opponent counts them.
    pub fn reversed(mut self) -> Pentanomial {
        self.0.reverse();
        self
    }
}

impl Add for Trinomial {
    type Output = Trinomial;

    fn add(self, other: Trinomial) -> Trinomial {
        Trinomial::new(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)
    }
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, other: Trinomial) {
        *self = *self + other;
    }
}

impl Add for Pentanomial {
    type Output = Pentanomial;

    fn add(self, other: Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|outcome| self.0[outcome] + other.0[outcome]))
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        *self = *self + other;
    }
}

impl fmt::Display for Trinomial {
    /// In the words of the field: `N: 20 W: 10 L: 3 D: 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "N: {} W: {} L: {} D: {}", self.games(), self.wins, self.losses, self.draws)
    }
}

impl fmt::Display for Pentanomial {
    /// In the words of the field: `[40, 310, 790, 390, 62]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_ratios_follow_from_the_counts() {
        let games = Trinomial::new(10, 7, 3);
        assert_eq!((games.games(), games.points(), games.score()), (20, 13.5, Some(0.675)));
        assert_eq!(games.draw_ratio(), Some(0.35));
        assert_eq!(games.to_string(), "N: 20 W: 10 L: 3 D: 7");
        let pairs = Pentanomial([1, 2, 3, 4, 10]);
        assert_eq!((pairs.total(), pairs.games(), pairs.score()), (20, 40, Some(0.75)));
        assert_eq!((pairs.draw_ratio(), pairs.pairs_ratio()), (Some(0.15), Some(14.0 / 3.0)));
        assert_eq!(pairs.to_string(), "[1, 2, 3, 4, 10]");
    }

    #[test]
    fn without_games_there_is_no_score() {
        assert_eq!((Trinomial::default().score(), Trinomial::default().draw_ratio()), (None, None));
        assert_eq!((Pentanomial::default().variance(), Pentanomial::default().pairs_ratio()), (None, None));
        assert_eq!(Pentanomial([0, 0, 5, 1, 0]).pairs_ratio(), Some(f64::INFINITY));
    }

    #[test]
    fn the_opponent_counts_the_other_way_round() {
        let pairs = Pentanomial([1, 2, 3, 4, 10]);
        assert_eq!(pairs.reversed().score(), Some(0.25));
        assert_eq!(pairs + pairs.reversed(), Pentanomial([11, 6, 6, 6, 11]));
        assert_eq!(Trinomial::new(3, 2, 1) + Trinomial::new(3, 2, 1).reversed(), Trinomial::new(4, 4, 4));
    }
}
