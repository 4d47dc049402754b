//! Swiss: in every round players of equal score meet, and no two meet twice if that can be avoided.
//!
//! Players are ranked by points, then by the points of those they met (Buchholz), then by seed. From the top, each is
//! paired within their score group, the upper half against the lower half as far as possible; a player that is left
//! over floats down. If that leads to a pairing that was there before, other choices are tried, the last ones first.
//! With an odd number of players, the lowest of those who were free least often is free, which counts as a won
//! encounter.

use super::staged::Stages;
use super::standings::StandingsTable;
use super::{PairScore, Pairing};

pub(super) struct Swiss {
    rounds: u32,
    pairs: u64,
    round: u32,
    table: StandingsTable,
}

impl Swiss {
    pub(super) fn new(players: usize, rounds: u32, pairs: u64) -> Swiss {
        Swiss { rounds, pairs, round: 0, table: StandingsTable::new(players) }
    }

    /// Who is free, if anybody is, and who meets whom.
    fn draw(&self) -> (Option<usize>, Vec<(usize, usize)>) {
        let ranking = self.table.ranking();
        let mut free: Vec<Option<usize>> = vec![None];
        if ranking.len() % 2 == 1 {
            let fewest = self.table.byes.iter().min().copied().unwrap_or(0);
            let candidates = ranking.iter().rev().filter(|&&player| self.table.byes[player] == fewest);
            free = candidates.map(|&player| Some(player)).collect();
        }
        // No two meet twice; if that cannot be, no two meet a third time, and so on.
        for meetings in 0.. {
            for &free in &free {
                let seats: Vec<usize> = ranking.iter().copied().filter(|&player| Some(player) != free).collect();
                let mut search = Search { table: &self.table, most_meetings: meetings * self.pairs as usize, steps: 0 };
                let mut drawn = Vec::with_capacity(seats.len() / 2);
                if search.complete(&seats, &mut drawn) {
                    return (free, drawn);
                }
            }
        }
        unreachable!("any two may meet in the end")
    }
}

/// Looks for a way to pair all players.
struct Search<'a> {
    table: &'a StandingsTable,
    /// Players may have met in so many pairs before.
    most_meetings: usize,
    steps: usize,
}

impl Search<'_> {
    /// Beyond this a rematch counts as unavoidable; the number of ways grows faster than patience.
    const MOST_STEPS: usize = 200_000;

    /// Pairs the players, who come by rank. Answers whether it could be done.
    fn complete(&mut self, ranked: &[usize], drawn: &mut Vec<(usize, usize)>) -> bool {
        let Some((&top, others)) = ranked.split_first() else { return true };
        let score = self.table.half_points[top];
        let group = others.iter().take_while(|&&player| self.table.half_points[player] == score).count();
        // The best of the lower half first, then down to its end, then up through the upper half, then lower groups.
        let half = group / 2;
        let order = (half..group).chain((0..half).rev()).chain(group..others.len());
        for place in order {
            self.steps += 1;
            if self.steps > Search::MOST_STEPS {
                return false;
            }
            if self.table.meetings(top, others[place]) > self.most_meetings {
                continue;
            }
            let rest: Vec<usize> = [&others[..place], &others[place + 1..]].concat();
            drawn.push((top, others[place]));
            if self.complete(&rest, drawn) {
                return true;
            }
            drawn.pop();
        }
        false
    }
}

impl Stages for Swiss {
    fn next_stage(&mut self, before: &[PairScore]) -> Vec<Pairing> {
        before.iter().for_each(|&score| self.table.add(score));
        if self.round == self.rounds {
            return Vec::new();
        }
        self.round += 1;
        let (free, drawn) = self.draw();
        if let Some(player) = free {
            self.table.set_free(player, self.pairs);
        }
        let pairs = 0..self.pairs;
        pairs.flat_map(|_| &drawn).map(|&(first, second)| Pairing { round: self.round, first, second }).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::staged::Staged;
    use super::super::tests::play_through;
    use super::*;

    fn better_seed_wins(_number: u64, pairing: Pairing) -> u32 {
        if pairing.first < pairing.second { 4 } else { 0 }
    }

    fn event(players: usize, rounds: u32, seed: u64, judge: impl FnMut(u64, Pairing) -> u32) -> Vec<Pairing> {
        play_through(&mut Staged::new(Swiss::new(players, rounds, 1)), seed, judge)
    }

    #[test]
    fn the_first_round_is_upper_half_against_lower_half_and_winners_meet_winners() {
        let pairings = event(8, 2, 1, better_seed_wins);
        let shown: Vec<_> = pairings.iter().map(|pairing| (pairing.round, pairing.first, pairing.second)).collect();
        assert_eq!(shown, [(1, 0, 4), (1, 1, 5), (1, 2, 6), (1, 3, 7), (2, 0, 2), (2, 1, 3), (2, 4, 6), (2, 5, 7)]);
    }

    #[test]
    fn no_pairing_and_no_bye_repeats_if_that_can_be_avoided() {
        for (players, rounds) in [(6, 5), (7, 7), (10, 9), (16, 6), (33, 8), (200, 9)] {
            let mut random = random::Random::new(players as u64);
            let pairings = event(players, rounds, 5, |_, _| random.below(5) as u32);
            let meetings: BTreeSet<_> = pairings
                .iter()
                .map(|pairing| (pairing.first.min(pairing.second), pairing.first.max(pairing.second)))
                .collect();
            assert_eq!(meetings.len(), pairings.len(), "{players} players, {rounds} rounds");
            assert_eq!(pairings.len(), rounds as usize * (players / 2));
            for player in 0..players {
                let games = pairings.iter().filter(|pairing| pairing.first == player || pairing.second == player);
                assert!(games.count() + 1 >= rounds as usize);
            }
        }
    }

    #[test]
    fn a_rematch_comes_only_when_all_have_met() {
        let pairings = event(4, 7, 2, better_seed_wins);
        assert_eq!(pairings.len(), 14);
        let firsts: BTreeSet<_> =
            pairings[..6].iter().map(|p| (p.first.min(p.second), p.first.max(p.second))).collect();
        assert_eq!(firsts.len(), 6);
    }

    #[test]
    fn the_order_in_which_results_arrive_changes_nothing() {
        let points = |number: u64, _| random::Random::numbered(1, number).below(5) as u32;
        let first = event(21, 7, 0, points);
        for seed in 1..20 {
            assert_eq!(event(21, 7, seed, points), first);
        }
    }
}
