//! Who scored how much against whom.

use std::collections::BTreeMap;

use crate::schedule::{PairScore, Pairing};
use crate::statistics::{League, Meeting, Pentanomial, Ratings, Trinomial};

/// The results of a player: by pairs, and by games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayerScore {
    /// Pairs by their points.
    pub pairs: Pentanomial,
    /// Games by their result.
    pub games: Trinomial,
}

impl PlayerScore {
    fn add(&mut self, other: PlayerScore) {
        self.pairs += other.pairs;
        self.games += other.games;
    }

    /// The same results as the opponent counts them.
    pub fn reversed(self) -> PlayerScore {
        PlayerScore { pairs: self.pairs.reversed(), games: self.games.reversed() }
    }
}

/// The results of an event, by players who met.
#[derive(Clone, Default, Debug)]
pub struct Tallies {
    /// What the player of the lower number scored against the other.
    meetings: BTreeMap<(usize, usize), PlayerScore>,
}

impl Tallies {
    /// Counts complete pairs.
    pub fn of(scores: impl Iterator<Item = PairScore>) -> Tallies {
        let mut tallies = Tallies::default();
        scores.for_each(|score| tallies.add(score));
        tallies
    }

    fn add(&mut self, score: PairScore) {
        let Pairing { first, second, .. } = score.pairing;
        let mut one = PlayerScore::default();
        one.pairs.0[score.half_points() as usize] += 1;
        for points in score.games {
            match points {
                0 => one.games.losses += 1,
                1 => one.games.draws += 1,
                _ => one.games.wins += 1,
            }
        }
        let (key, one) = if first < second { ((first, second), one) } else { ((second, first), one.reversed()) };
        self.meetings.entry(key).or_default().add(one);
    }

    /// What a player scored against another, if they met.
    pub fn between(&self, player: usize, opponent: usize) -> Option<PlayerScore> {
        let score = self.meetings.get(&(player.min(opponent), player.max(opponent)))?;
        Some(if player < opponent { *score } else { score.reversed() })
    }

    /// What a player scored in all.
    pub fn total(&self, player: usize) -> PlayerScore {
        let mut total = PlayerScore::default();
        for (&(one, other), score) in &self.meetings {
            match player {
                player if player == one => total.add(*score),
                player if player == other => total.add(score.reversed()),
                _ => {}
            }
        }
        total
    }

    /// The most likely ratings, with a mean of zero, if there are any.
    pub fn ratings(&self, players: usize) -> Option<Ratings> {
        let meeting =
            |((white, black), score): ((usize, usize), PlayerScore)| Meeting { white, black, results: score.games };
        let league = League { players, meetings: self.meetings().map(meeting).collect(), ..League::default() };
        league.rate().ok()
    }

    /// Every two players that met, the one of the lower number first, and what that one scored.
    pub fn meetings(&self) -> impl Iterator<Item = ((usize, usize), PlayerScore)> + '_ {
        self.meetings.iter().map(|(&players, &score)| (players, score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_wins_the_other_loses_with_either_colour_first() {
        let pair = |first, second, games| PairScore { pairing: Pairing { round: 1, first, second }, games };
        let tallies = Tallies::of([pair(0, 1, [2, 1]), pair(1, 0, [0, 1]), pair(2, 0, [1, 1])].into_iter());
        let score = tallies.between(0, 1).expect("they met");
        assert_eq!((score.pairs.0, score.games), ([0, 0, 0, 2, 0], Trinomial::new(2, 2, 0)));
        assert_eq!(tallies.between(1, 0).map(|score| score.pairs.0), Some([0, 2, 0, 0, 0]));
        assert_eq!(tallies.between(1, 2), None);
        assert_eq!(tallies.total(0).games, Trinomial::new(2, 4, 0));
    }
}
