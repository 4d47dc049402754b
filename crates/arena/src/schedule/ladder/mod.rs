//! Rating players by the games that tell most.
//!
//! Results that are known beforehand give the rungs of the ladder their ratings. The results of the event give the
//! others a rating and an error. Of all pairs, the next is the one that lowers the largest error most: usually one of
//! the player who is known least and one of about the same strength who is known well, but it may also strengthen a
//! link far down on which everything hangs. So the opponents of a new player are found by themselves, from the middle
//! of the ladder to where they belong, and the event ends as soon as every player is known well enough.

mod knowledge;

use std::collections::VecDeque;

use super::{Next, Pairing, Results, Schedule};
use crate::ladder;
use crate::statistics::{Anchor, League, Meeting, Trinomial};
use knowledge::Knowledge;

/// What is assumed of an unknown player: about as strong as the middle of the ladder, give or take all of it.
const FIRST_GUESS: f64 = 1200.0;
const DOUBT: f64 = 1000.0;

/// No player is known after fewer pairs than this, however they ended.
const FEWEST_PAIRS: u64 = 4;

/// A ladder while it is climbed.
pub(super) struct Ladder {
    players: usize,
    subjects: usize,
    error: f64,
    pairs: u64,
    /// What decides the next pair.
    league: League,
    /// How many pairs of the event are among it.
    counted: u64,
    /// Pairs that were given out and are not among it.
    under_way: VecDeque<(usize, usize)>,
    /// How many pairs each player was given.
    given: Vec<u64>,
}

impl Ladder {
    pub(super) fn new(players: usize, subjects: usize, error: f64, pairs: u64, known: &[Meeting]) -> Ladder {
        let guess = |player| Anchor { player, rating: FIRST_GUESS, uncertainty: Some(DOUBT) };
        let anchors = ladder::rungs(players, subjects, known)
            .unwrap_or_default()
            .into_iter()
            .chain((0..subjects).map(guess))
            .collect();
        let league = League { players, anchors, ..League::default() };
        let given = vec![0; players];
        Ladder { players, subjects, error, pairs, league, counted: 0, under_way: VecDeque::new(), given }
    }

    /// How many pairs the choice of a pair does not wait for. At first every result counts; later many games may be
    /// played at once.
    fn lag(number: u64) -> u64 {
        (2 + number / 8).min(32)
    }

    fn choose(&self) -> Option<(usize, usize)> {
        let mut knowledge = Knowledge::new(&self.league)?;
        let is_known = |subject: usize| self.given[subject] >= FEWEST_PAIRS && knowledge.error(subject) <= self.error;
        if (0..self.subjects).all(is_known) {
            return None;
        }
        for &(one, other) in &self.under_way {
            knowledge.suppose(one, other);
        }
        // Nothing below depends on the error that is aimed at, so that a smaller one only lengthens the event.
        let least_known = (0..self.subjects)
            .max_by(|&one, &other| knowledge.error(one).total_cmp(&knowledge.error(other)).then(other.cmp(&one)))?;
        let mut best: Option<(f64, (usize, usize))> = None;
        for one in 0..self.subjects {
            for other in one + 1..self.players {
                let gain = knowledge.gain(least_known, one, other);
                if best.is_none_or(|(most, _)| gain > most) {
                    best = Some((gain, (one, other)));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }
}

impl Schedule for Ladder {
    fn pair(&mut self, number: u64, results: &Results) -> Next {
        if number >= self.pairs {
            return Next::Over;
        }
        while self.counted + Ladder::lag(number) <= number {
            let Some(pair) = results.pair(self.counted) else { return Next::Wait };
            self.league.meetings.push(Meeting {
                white: pair.pairing.first,
                black: pair.pairing.second,
                results: Trinomial::of_games(pair.games),
            });
            self.counted += 1;
            self.under_way.pop_front();
        }
        let Some((one, other)) = self.choose() else { return Next::Over };
        self.under_way.push_back((one, other));
        self.given[one] += 1;
        self.given[other] += 1;
        Next::Pair(Pairing { round: 1, first: one, second: other })
    }
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::super::Format;
    use super::super::tests::play_through;
    use super::*;
    use crate::statistics::expected_score;

    /// The strengths of five rungs, the first being the zero.
    const RUNGS: [f64; 5] = [0.0, 400.0, 800.0, 1300.0, 1800.0];

    /// What is known of the rungs: each has met the next.
    fn known(subjects: usize) -> Vec<Meeting> {
        let meeting = |rung: usize| {
            let games = 1000.0;
            let wins = (games * expected_score(RUNGS[rung + 1] - RUNGS[rung])).round() as u64;
            let results = Trinomial::new(wins, 0, 1000 - wins);
            Meeting { white: subjects + rung + 1, black: subjects + rung, results }
        };
        (0..RUNGS.len() - 1).map(meeting).collect()
    }

    /// Lets players of given strengths be rated, and tells who met whom.
    fn climb(strengths: &[f64], error: u32, order: u64) -> Vec<(usize, usize)> {
        let subjects = strengths.len();
        let format = Format::Ladder { subjects, error, pairs: 2_000, known: known(subjects) };
        let truth: Vec<f64> = strengths.iter().chain(&RUNGS).copied().collect();
        let mut schedule = format.schedule(truth.len()).expect("a ladder");
        let judge = |number: u64, pairing: Pairing| {
            let score = expected_score(truth[pairing.first] - truth[pairing.second]);
            let mut random = Random::numbered(5, number);
            (0..2).map(|_| if random.fraction() < score { 2 } else { 0 }).sum()
        };
        let pairings = play_through(&mut *schedule, order, judge);
        pairings.into_iter().map(|pairing| (pairing.first, pairing.second)).collect()
    }

    #[test]
    fn an_unknown_player_finds_opponents_of_its_strength() {
        for (strength, nearest) in [(-50.0, 1), (750.0, 3), (1400.0, 4), (1900.0, 5)] {
            let pairings = climb(&[strength], 60, 1);
            assert!(pairings.iter().all(|&(subject, _)| subject == 0));
            let last = &pairings[pairings.len() / 2..];
            let near = last.iter().filter(|&&(_, opponent)| opponent.abs_diff(nearest) <= 1).count();
            assert!(near * 10 >= last.len() * 9, "{strength}: {pairings:?}");
            assert!((20..400).contains(&pairings.len()), "{strength}: {} pairs", pairings.len());
        }
    }

    #[test]
    fn a_smaller_error_takes_more_games() {
        let [rough, fine] = [80, 40].map(|error| climb(&[1000.0], error, 1).len());
        assert!(fine > 3 * rough, "{rough} {fine}");
    }

    #[test]
    fn the_pairings_do_not_depend_on_which_game_ends_first() {
        let alone = climb(&[300.0, 1500.0], 70, 1);
        for order in 2..5 {
            assert_eq!(climb(&[300.0, 1500.0], 70, order), alone);
        }
        assert!(alone.iter().any(|&(subject, _)| subject == 0) && alone.iter().any(|&(subject, _)| subject == 1));
    }

    #[test]
    fn a_player_beyond_the_ladder_is_given_up_in_the_end() {
        let pairings = climb(&[9000.0], 50, 1);
        assert_eq!(pairings.len(), 2_000);
        let top = pairings.iter().filter(|&&(_, opponent)| opponent == 5).count();
        assert!(top > 1_900, "{top}");
    }

    #[test]
    fn all_players_but_one_can_be_rated_from_nothing() {
        let format = Format::Ladder { subjects: 4, error: 80, pairs: 5_000, known: Vec::new() };
        let truth = [400.0, 800.0, 1300.0, 1800.0, 0.0];
        let mut schedule = format.schedule(5).expect("a ladder");
        let mut league = League { players: 5, ..League::default() };
        league.anchors.push(Anchor { player: 4, rating: 0.0, uncertainty: None });
        let mut random = Random::new(3);
        play_through(&mut *schedule, 1, |_, pairing| {
            let score = expected_score(truth[pairing.first] - truth[pairing.second]);
            let games = [0, 1].map(|_| if random.fraction() < score { 2 } else { 0 });
            let results = Trinomial::of_games(games);
            league.meetings.push(Meeting { white: pairing.first, black: pairing.second, results });
            games.iter().sum()
        });
        let ratings = league.rate().expect("ratings").players;
        for (rated, truth) in ratings.iter().zip(truth) {
            assert!((rated.rating - truth).abs() < 160.0, "{rated:?} {truth}");
            assert!(rated.error.expect("rated") < 90.0, "{rated:?}");
        }
    }
}
