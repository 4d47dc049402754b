//! Events whose pairings are known beforehand: round robins, of which a match is the smallest, and gauntlets.

use super::{Next, Pairing, Results, Schedule};

/// Encounters that are played one after the other, again and again.
pub(super) struct Cycle {
    encounters: Vec<Pairing>,
    /// How many rounds the encounters make.
    rounds: u32,
    /// How often the encounters are played.
    pairs: u64,
}

impl Cycle {
    /// Each player against each other, by turning all players but one around a table.
    pub(super) fn round_robin(players: usize, pairs: u64) -> Cycle {
        // With an odd number, the player that would meet the last seat has a bye.
        let seats = players + players % 2;
        let rounds = seats - 1;
        let mut encounters = Vec::with_capacity(players * (players - 1) / 2);
        for round in 0..rounds {
            // The last seat does not turn; of the others, two meet whose places add up to the same.
            let seat = |place: usize| (round + place) % rounds;
            let meetings = (1..seats / 2).map(|place| (seat(place), seat(rounds - place)));
            for (first, second) in [(seat(0), seats - 1)].into_iter().chain(meetings) {
                if first < players && second < players {
                    encounters.push(Pairing { round: round as u32 + 1, first, second });
                }
            }
        }
        Cycle { encounters, rounds: rounds as u32, pairs }
    }

    /// The first players against all others, a round for each of the others.
    pub(super) fn gauntlet(players: usize, leaders: usize, pairs: u64) -> Cycle {
        let rounds = (players - leaders) as u32;
        let encounters = (leaders..players)
            .zip(1..)
            .flat_map(|(second, round)| (0..leaders).map(move |first| Pairing { round, first, second }));
        Cycle { encounters: encounters.collect(), rounds, pairs }
    }
}

impl Schedule for Cycle {
    fn pair(&mut self, number: u64, _results: &Results) -> Next {
        let length = self.encounters.len() as u64;
        let (turn, place) = (number / length, number % length);
        if turn >= self.pairs {
            return Next::Over;
        }
        let pairing = self.encounters[place as usize];
        let rounds_before = u32::try_from(turn * u64::from(self.rounds)).unwrap_or(u32::MAX);
        Next::Pair(Pairing { round: pairing.round.saturating_add(rounds_before), ..pairing })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::tests::play_through;
    use super::*;

    #[test]
    fn in_a_round_robin_all_players_meet_and_none_plays_twice_in_a_round() {
        for players in 2..12 {
            let pairings = play_through(&mut Cycle::round_robin(players, 2), 1, |_, _| 2);
            let (mut meetings, mut busy) = (BTreeMap::new(), BTreeMap::new());
            for Pairing { round, first, second } in &pairings {
                *meetings.entry((first.min(second), first.max(second))).or_insert(0) += 1;
                *busy.entry((round, first)).or_insert(0) += 1;
                *busy.entry((round, second)).or_insert(0) += 1;
            }
            assert_eq!(meetings.len(), players * (players - 1) / 2);
            assert!(meetings.values().all(|&count| count == 2) && busy.values().all(|&count| count == 1));
            let rounds = 2 * (players - 1 + players % 2);
            assert_eq!(pairings.last().map(|pairing| pairing.round), Some(rounds as u32), "{players} players");
        }
    }

    #[test]
    fn in_a_gauntlet_leaders_meet_the_rest_and_not_each_other() {
        let pairings = play_through(&mut Cycle::gauntlet(5, 2, 3), 1, |_, _| 2);
        assert_eq!(pairings.len(), 3 * 2 * 3);
        assert!(pairings.iter().all(|pairing| pairing.first < 2 && pairing.second >= 2));
        assert_eq!(pairings.last().map(|pairing| pairing.round), Some(9));
    }

    #[test]
    fn a_match_goes_on_for_as_long_as_it_was_agreed() {
        let mut schedule = Cycle::round_robin(2, 1 << 40);
        let last = (1 << 40) - 1;
        assert!(matches!(schedule.pair(last, &Results::default()), Next::Pair(Pairing { first: 0, second: 1, .. })));
        assert_eq!(schedule.pair(last + 1, &Results::default()), Next::Over);
    }
}
