//! Knockout: who loses an encounter is out.
//!
//! The bracket is seeded so that the two highest seeds can meet only in the last round, the four highest only in the
//! last two, and so on; where players are missing to a power of two, the highest seeds are free in the first round. An
//! encounter is the best of some pairs. It is played in stages of as many pairs as must be played in any case, so that
//! they can be played side by side.

use super::staged::Stages;
use super::{Format, PairScore, Pairing};

/// Two players who meet in a knockout, or one who is free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnockoutEncounter {
    /// The higher seed.
    pub higher: usize,
    /// The lower seed; none if the higher one has a bye.
    pub lower: Option<usize>,
    /// The half points of both, the higher seed's first.
    pub half_points: [u64; 2],
    /// Who goes on, once that is decided.
    pub winner: Option<usize>,
}

impl Format {
    /// The rounds of a knockout after these pairs, each with its encounters in the order of the bracket: the winners of
    /// neighbours meet. There are as many rounds as have been drawn. Other events have none.
    pub fn bracket(
        &self,
        players: usize,
        scores: impl Iterator<Item = PairScore> + Clone,
    ) -> Option<Vec<Vec<KnockoutEncounter>>> {
        let Format::Knockout { pairs, tie_breaks } = *self else { return None };
        let mut knockout = Knockout::new(players, pairs, tie_breaks);
        let mut rounds = Vec::new();
        loop {
            for score in scores.clone().filter(|score| score.pairing.round == knockout.round) {
                let encounter = knockout.encounters.iter_mut().find(|one| one.higher == score.pairing.first)?;
                encounter.add(score);
            }
            let shown = knockout.encounters.iter().map(|encounter| encounter.shown(pairs, tie_breaks));
            rounds.push(shown.collect::<Vec<_>>());
            let is_decided = rounds.last()?.iter().all(|encounter| encounter.winner.is_some());
            if !is_decided || !knockout.draw_round() {
                return Some(rounds);
            }
        }
    }
}

pub(super) struct Knockout {
    pairs: u64,
    tie_breaks: u64,
    round: u32,
    /// The encounters of the round, in the order of the bracket.
    encounters: Vec<Encounter>,
}

#[derive(Clone, Copy)]
struct Encounter {
    higher: usize,
    /// None, if the higher seed has a bye.
    lower: Option<usize>,
    /// Half points by which the higher seed leads.
    lead: i64,
    played: u64,
    /// Pairs of the stage that is being played.
    running: u64,
}

/// Half points that a pair is about.
const PER_PAIR: i64 = 4;

impl Encounter {
    fn new(one: usize, other: Option<usize>) -> Encounter {
        let (higher, lower) = match other {
            Some(other) => (one.min(other), Some(one.max(other))),
            None => (one, None),
        };
        Encounter { higher, lower, lead: 0, played: 0, running: 0 }
    }

    /// How many more pairs have to be played in any case.
    fn needed(&self, pairs: u64, tie_breaks: u64) -> u64 {
        if self.lower.is_none() {
            return 0;
        }
        let remaining = pairs.saturating_sub(self.played);
        if remaining == 0 {
            return u64::from(self.lead == 0 && self.played < pairs.saturating_add(tie_breaks));
        }
        // The leader may win all of the next pairs, and the encounter is decided when the rest cannot make up for it.
        let gap = PER_PAIR * remaining as i64 - self.lead.abs();
        if gap < 0 { 0 } else { (gap / (2 * PER_PAIR) + 1) as u64 }.min(remaining)
    }

    fn add(&mut self, score: PairScore) {
        self.lead += 2 * i64::from(score.half_points()) - PER_PAIR;
        self.played += 1;
    }

    /// As the bracket shows it.
    fn shown(&self, pairs: u64, tie_breaks: u64) -> KnockoutEncounter {
        let sum = PER_PAIR * self.played as i64;
        KnockoutEncounter {
            higher: self.higher,
            lower: self.lower,
            half_points: [sum + self.lead, sum - self.lead].map(|twice| (twice / 2) as u64),
            winner: (self.needed(pairs, tie_breaks) == 0).then(|| self.winner()),
        }
    }

    fn winner(&self) -> usize {
        if self.lead >= 0 { self.higher } else { self.lower.unwrap_or(self.higher) }
    }
}

/// The seeds in the order of a bracket of this size, a power of two: neighbours meet, the winners of neighbours meet, …
fn bracket(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    seeds
}

impl Knockout {
    pub(super) fn new(players: usize, pairs: u64, tie_breaks: u64) -> Knockout {
        let seeds = bracket(players.next_power_of_two());
        let encounters = seeds.chunks(2).map(|meeting| {
            // The higher seed of a meeting is always there.
            let (one, other) = (meeting[0].min(meeting[1]), meeting[0].max(meeting[1]));
            Encounter::new(one, Some(other).filter(|&seed| seed < players))
        });
        Knockout { pairs, tie_breaks, round: 1, encounters: encounters.collect() }
    }

    fn take_down(&mut self, before: &[PairScore]) {
        let mut scores = before.iter();
        for encounter in &mut self.encounters {
            scores.by_ref().take(encounter.running as usize).for_each(|&score| encounter.add(score));
            encounter.running = 0;
        }
    }

    /// Lets the winners of neighbours meet. Answers whether there is such a round.
    fn draw_round(&mut self) -> bool {
        if self.encounters.len() < 2 {
            return false;
        }
        let winners: Vec<usize> = self.encounters.iter().map(Encounter::winner).collect();
        self.encounters = winners.chunks(2).map(|two| Encounter::new(two[0], two.get(1).copied())).collect();
        self.round += 1;
        true
    }

    fn draw(&mut self) -> Vec<Pairing> {
        let (round, mut pairings) = (self.round, Vec::new());
        for encounter in &mut self.encounters {
            encounter.running = encounter.needed(self.pairs, self.tie_breaks);
            let pairing = encounter.lower.map(|second| Pairing { round, first: encounter.higher, second });
            pairings.extend(std::iter::repeat_n(pairing, encounter.running as usize).flatten());
        }
        pairings
    }
}

impl Stages for Knockout {
    fn next_stage(&mut self, before: &[PairScore]) -> Vec<Pairing> {
        self.take_down(before);
        loop {
            let pairings = self.draw();
            if !pairings.is_empty() || !self.draw_round() {
                return pairings;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::staged::Staged;
    use super::super::tests::play_through;
    use super::*;

    fn event(players: usize, pairs: u64, tie_breaks: u64, judge: impl FnMut(u64, Pairing) -> u32) -> Vec<Pairing> {
        play_through(&mut Staged::new(Knockout::new(players, pairs, tie_breaks)), 3, judge)
    }

    #[test]
    fn the_highest_seeds_meet_last_and_are_free_first() {
        let six = event(6, 1, 0, |_, pairing| if pairing.first < pairing.second { 3 } else { 1 });
        let shown: Vec<_> = six.iter().map(|pairing| (pairing.round, pairing.first, pairing.second)).collect();
        assert_eq!(shown, [(1, 3, 4), (1, 2, 5), (2, 0, 3), (2, 1, 2), (3, 0, 1)]);
        assert_eq!(event(64, 1, 0, |_, _| 1).len(), 63, "each encounter puts one player out");
    }

    #[test]
    fn an_upset_carries_the_lower_seed_on() {
        let four = event(4, 1, 0, |_, pairing| if pairing.second == 3 { 0 } else { 4 });
        assert_eq!(four.last().map(|pairing| (pairing.first, pairing.second)), Some((1, 3)));
    }

    #[test]
    fn what_is_decided_is_not_played_on() {
        assert_eq!(event(2, 5, 9, |_, _| 4).len(), 3, "best of five is won after three");
        assert_eq!(event(2, 5, 9, |_, _| 1).len(), 4, "one point to three, four times");
        assert_eq!(event(2, 4, 9, |_, _| 3).len(), 3, "three pairs won by half a point and one to come: 9 : 3");
    }

    #[test]
    fn the_bracket_shows_every_round_that_was_drawn() {
        let pair = |round, first, second, half_points: u32| PairScore {
            pairing: Pairing { round, first, second },
            games: [half_points.min(2), half_points.saturating_sub(2)],
        };
        let format = Format::Knockout { pairs: 1, tie_breaks: 0 };
        let scores = [pair(1, 1, 2, 1), pair(2, 0, 2, 2)];
        let rounds = |count: usize| format.bracket(3, scores.iter().take(count).copied()).expect("a knockout");
        let free = KnockoutEncounter { higher: 0, lower: None, half_points: [0, 0], winner: Some(0) };
        let waiting = KnockoutEncounter { higher: 1, lower: Some(2), half_points: [0, 0], winner: None };
        assert_eq!(rounds(0), [vec![free, waiting]]);
        let upset = KnockoutEncounter { half_points: [1, 3], winner: Some(2), ..waiting };
        let last = KnockoutEncounter { higher: 0, lower: Some(2), half_points: [0, 0], winner: None };
        assert_eq!(rounds(1), [vec![free, upset], vec![last]]);
        let tied = KnockoutEncounter { half_points: [2, 2], winner: Some(0), ..last };
        assert_eq!(rounds(2), [vec![free, upset], vec![tied]]);
        assert_eq!(Format::RoundRobin { pairs: 1 }.bracket(3, scores.into_iter()), None);
    }

    #[test]
    fn ties_are_broken_by_more_pairs_and_then_by_the_seeds() {
        assert_eq!(event(2, 2, 3, |_, _| 2).len(), 5);
        assert_eq!(event(2, 2, 3, |number, _| if number == 3 { 1 } else { 2 }).len(), 4);
        let tied = event(4, 1, 0, |_, _| 2);
        assert_eq!(tied.last().map(|pairing| (pairing.first, pairing.second)), Some((0, 1)));
    }
}
