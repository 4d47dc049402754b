//! Who stands where.

use std::cmp::{Ordering, Reverse};

use super::{Format, PairScore, Pairing};

/// How a player stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The player's place in the list of players.
    pub player: usize,
    /// Half points scored, with those of byes.
    pub half_points: u64,
    /// Half points of byes, which count as encounters won.
    pub bye_half_points: u64,
    /// Half points that could have been scored.
    pub most: u64,
    /// The half points of all opponents this player met, once for each pair (Buchholz).
    pub buchholz: u64,
}

impl Format {
    /// The standings after these pairs, the best first.
    ///
    /// In a knockout they stand by how far they came, in a Swiss by their points, otherwise by their share of the
    /// points that were to be had; then by the points of their opponents, then by seed.
    pub fn standings(&self, players: usize, scores: impl Iterator<Item = PairScore> + Clone) -> Vec<Standing> {
        let mut table = StandingsTable::new(players);
        scores.clone().for_each(|score| table.add(score));
        if let Format::Swiss { pairs, .. } = *self {
            for player in frees(players, scores.clone()) {
                table.set_free(player, pairs);
            }
        }
        let mut standings: Vec<Standing> = (0..players).map(|player| table.standing(player)).collect();
        let reached = match self {
            Format::Knockout { .. } => reached(players, scores),
            _ => vec![0; players],
        };
        standings.sort_by(|one, other| {
            (reached[other.player].cmp(&reached[one.player]))
                .then(other.share_against(one))
                .then(other.buchholz.cmp(&one.buchholz))
                .then(one.player.cmp(&other.player))
        });
        standings
    }
}

impl Standing {
    /// Compares shares of the points by cross-multiplication; who played nothing has scored nothing.
    fn share_against(&self, other: &Standing) -> Ordering {
        let share = |mine: &Standing, theirs: &Standing| mine.half_points * theirs.most.max(1);
        share(self, other).cmp(&share(other, self))
    }
}

/// Who was free in which round: in a round that has begun, the player without an opponent.
fn frees(players: usize, scores: impl Iterator<Item = PairScore>) -> Vec<usize> {
    let mut rounds: Vec<Vec<bool>> = Vec::new();
    for PairScore { pairing: Pairing { round, first, second }, .. } in scores {
        let round = round as usize;
        if rounds.len() < round {
            rounds.resize(round, vec![false; players]);
        }
        rounds[round - 1][first] = true;
        rounds[round - 1][second] = true;
    }
    let is_complete = |plays: &&Vec<bool>| plays.iter().filter(|plays| !**plays).count() == players % 2;
    let free = |plays: Vec<bool>| plays.iter().position(|plays| !plays);
    rounds.iter().filter(is_complete).cloned().filter_map(free).collect()
}

/// The round that each player reached, winning their last encounter counted as one more. A tie goes to the higher seed.
fn reached(players: usize, scores: impl Iterator<Item = PairScore>) -> Vec<u32> {
    // The last round a player was seen in, and whether they lead there: half points, twice, and one for the seed.
    let mut last = vec![(0, 0_i64); players];
    for score in scores {
        let Pairing { round, first, second } = score.pairing;
        let lead = 2 * i64::from(score.half_points()) - 4;
        for (player, opponent, lead) in [(first, second, lead), (second, first, -lead)] {
            if last[player].0 < round {
                last[player] = (round, if player < opponent { 1 } else { -1 });
            }
            last[player].1 += 2 * lead;
        }
    }
    last.into_iter().map(|(round, lead)| round + u32::from(lead > 0)).collect()
}

/// Points and meetings.
pub(super) struct StandingsTable {
    pub(super) half_points: Vec<u64>,
    most: Vec<u64>,
    /// Whom each player met, once for each pair.
    met: Vec<Vec<usize>>,
    pub(super) byes: Vec<u32>,
    bye_half_points: Vec<u64>,
}

impl StandingsTable {
    pub(super) fn new(players: usize) -> StandingsTable {
        StandingsTable {
            half_points: vec![0; players],
            most: vec![0; players],
            met: vec![Vec::new(); players],
            byes: vec![0; players],
            bye_half_points: vec![0; players],
        }
    }

    pub(super) fn add(&mut self, score: PairScore) {
        let (Pairing { first, second, .. }, half_points) = (score.pairing, score.half_points());
        self.half_points[first] += u64::from(half_points);
        self.half_points[second] += u64::from(4 - half_points);
        for (one, other) in [(first, second), (second, first)] {
            self.most[one] += 4;
            self.met[one].push(other);
        }
    }

    /// A player is free for a round, which counts as an encounter won.
    pub(super) fn set_free(&mut self, player: usize, pairs: u64) {
        self.byes[player] += 1;
        self.bye_half_points[player] += 4 * pairs;
        self.half_points[player] += 4 * pairs;
        self.most[player] += 4 * pairs;
    }

    fn standing(&self, player: usize) -> Standing {
        let buchholz = self.met[player].iter().map(|&other| self.half_points[other]).sum();
        Standing {
            player,
            half_points: self.half_points[player],
            bye_half_points: self.bye_half_points[player],
            most: self.most[player],
            buchholz,
        }
    }

    /// In how many pairs two players met.
    pub(super) fn meetings(&self, one: usize, other: usize) -> usize {
        self.met[one].iter().filter(|&&met| met == other).count()
    }

    /// The players by points, opponents' points and seed.
    pub(super) fn ranking(&self) -> Vec<usize> {
        let key = |player: usize| {
            let Standing { half_points, buchholz, .. } = self.standing(player);
            (Reverse((half_points, buchholz)), player)
        };
        let mut ranking: Vec<usize> = (0..self.met.len()).collect();
        ranking.sort_by_cached_key(|&player| key(player));
        ranking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(round: u32, first: usize, second: usize, half_points: u32) -> PairScore {
        PairScore {
            pairing: Pairing { round, first, second },
            games: [half_points.min(2), half_points.saturating_sub(2)],
        }
    }

    fn order(format: &Format, players: usize, scores: &[PairScore]) -> Vec<usize> {
        format.standings(players, scores.iter().copied()).iter().map(|standing| standing.player).collect()
    }

    #[test]
    fn equal_points_are_broken_by_the_points_of_the_opponents() {
        // Both 0 and 3 scored all of one pair; 3 beat the stronger opponent.
        let scores = [pair(1, 0, 1, 4), pair(1, 3, 2, 4), pair(2, 2, 1, 3)];
        assert_eq!(order(&Format::RoundRobin { pairs: 1 }, 4, &scores), [3, 0, 2, 1]);
    }

    #[test]
    fn in_a_swiss_being_free_counts_as_winning() {
        let scores = [pair(1, 0, 1, 3), pair(2, 0, 2, 3)];
        let standings = Format::Swiss { rounds: 2, pairs: 1 }.standings(3, scores.into_iter());
        let points = standings.iter().map(|one| (one.player, one.half_points, one.bye_half_points));
        assert_eq!(points.collect::<Vec<_>>(), [(0, 6, 0), (1, 5, 4), (2, 5, 4)]);
    }

    #[test]
    fn in_a_knockout_the_winner_of_the_last_encounter_stands_first() {
        let scores = [pair(1, 0, 3, 1), pair(1, 1, 2, 4), pair(2, 1, 3, 1)];
        assert_eq!(order(&Format::Knockout { pairs: 1, tie_breaks: 0 }, 4, &scores), [3, 1, 0, 2]);
        let tied = [pair(1, 0, 3, 2), pair(1, 1, 2, 2), pair(2, 0, 1, 2)];
        assert_eq!(order(&Format::Knockout { pairs: 1, tie_breaks: 0 }, 4, &tied)[..2], [0, 1]);
    }
}
