//! What has been played so far, by the numbers of the pairs.

use super::Pairing;

/// The points of one finished pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairScore {
    /// Who met.
    pub pairing: Pairing,
    /// Half points of the first player in each of the two games: 0, 1 or 2.
    pub games: [u32; 2],
}

impl PairScore {
    /// Half points of the first player in both games, from 0 to 4.
    pub fn half_points(&self) -> u32 {
        self.games[0] + self.games[1]
    }
}

/// The results of an event, in the order of its pairs, whatever the order in which they arrived.
#[derive(Clone, Default, Debug)]
pub struct Results {
    pairs: Vec<Option<Entry>>,
    /// How many pairs from the first on are complete.
    unbroken: usize,
    games: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    pairing: Pairing,
    /// Half points of the first player in each game.
    legs: [Option<u8>; 2],
}

impl Entry {
    fn score(&self) -> Option<PairScore> {
        let [one, other] = self.legs;
        Some(PairScore { pairing: self.pairing, games: [u32::from(one?), u32::from(other?)] })
    }
}

impl Results {
    /// Takes a game down, with the half points of the pair's first player. A game that is known already changes nothing
    /// and is answered by `false`.
    pub fn add(&mut self, pair: u64, pairing: Pairing, leg: usize, half_points: u32) -> bool {
        let index = pair as usize;
        if self.pairs.len() <= index {
            self.pairs.resize(index + 1, None);
        }
        let entry = self.pairs[index].get_or_insert(Entry { pairing, legs: [None; 2] });
        if entry.legs[leg].is_some() {
            return false;
        }
        entry.legs[leg] = Some(half_points.min(2) as u8);
        self.games += 1;
        while self.pair(self.unbroken as u64).is_some() {
            self.unbroken += 1;
        }
        true
    }

    /// The result of a pair, once both of its games are over.
    pub fn pair(&self, number: u64) -> Option<PairScore> {
        self.entry(number)?.score()
    }

    /// Whether a game has been played.
    pub fn has(&self, pair: u64, leg: usize) -> bool {
        self.entry(pair).is_some_and(|entry| entry.legs[leg].is_some())
    }

    fn entry(&self, number: u64) -> Option<&Entry> {
        self.pairs.get(usize::try_from(number).ok()?)?.as_ref()
    }

    /// The complete pairs from the first up to the first gap. What looks at these alone does not depend on who was
    /// faster.
    pub fn unbroken(&self) -> impl ExactSizeIterator<Item = PairScore> + Clone + '_ {
        (0..self.unbroken).map(|number| self.pair(number as u64).expect("pairs before the gap are complete"))
    }

    /// All complete pairs with their numbers, in order.
    pub fn complete(&self) -> impl Iterator<Item = (u64, PairScore)> + Clone + '_ {
        self.pairs.iter().zip(0..).filter_map(|(entry, number)| Some((number, entry.as_ref()?.score()?)))
    }

    /// How many games are over, those of incomplete pairs too.
    pub fn games(&self) -> u64 {
        self.games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRING: Pairing = Pairing { round: 1, first: 0, second: 1 };

    #[test]
    fn a_game_counts_once_and_a_gap_hides_what_comes_after_it() {
        let mut results = Results::default();
        assert!(results.add(2, PAIRING, 0, 2));
        assert!(results.add(2, PAIRING, 1, 1));
        assert!(results.add(0, PAIRING, 1, 0));
        assert!(!results.add(0, PAIRING, 1, 2), "the second result of a game is ignored");
        assert_eq!((results.unbroken().len(), results.games(), results.pair(0)), (0, 3, None));
        assert!(results.add(0, PAIRING, 0, 1));
        assert_eq!(results.unbroken().map(|pair| pair.half_points()).collect::<Vec<_>>(), [1]);
        assert_eq!(results.complete().map(|(number, _)| number).collect::<Vec<_>>(), [0, 2]);
        results.add(1, PAIRING, 0, 0);
        results.add(1, PAIRING, 1, 0);
        assert_eq!(results.unbroken().map(|pair| pair.half_points()).collect::<Vec<_>>(), [1, 0, 3]);
        assert!(results.has(1, 0) && !results.has(3, 0));
    }
}
