#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

/// A sequence of random numbers for each seed: SplitMix64, the same on every machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// A sequence of its own for each number of a seed, such as that of a game in a match.
    pub fn numbered(seed: u64, number: u64) -> Random {
        let mut random = Random::new(seed);
        Random::new(random.next_u64() ^ Random::new(number).next_u64().rotate_left(32))
    }

    /// Any number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below a bound, which must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing is below zero");
        // The high half of the product; how uneven it is cannot be measured for any bound in use.
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// One of several things, each as likely as the others.
    ///
    /// # Panics
    /// If there is nothing to choose from.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    /// The same, or nothing if there is nothing to choose from.
    pub fn choose<T: Copy>(&mut self, things: &[T]) -> Option<T> {
        if things.is_empty() { None } else { Some(*self.pick(things)) }
    }

    /// True or false, with equal probability.
    pub fn coin(&mut self) -> bool {
        self.next_u64() >> 63 == 1
    }

    /// A number from zero up to one.
    pub fn fraction(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number around zero with a standard deviation of one: twelve fractions added up are close to a bell curve.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.fraction()).sum::<f64>() - 6.0
    }

    /// Puts things into a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thing_is_drawn_about_as_often_and_the_draws_repeat() {
        let mut random = Random::new(1);
        let mut counts = [0; 7];
        for _ in 0..7_000 {
            counts[*random.pick(&[0, 1, 2, 3, 4, 5, 6])] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
        assert_eq!(Random::new(5).next_u64(), Random::new(5).next_u64());
        assert_eq!(random.choose::<u8>(&[]), None);
    }

    #[test]
    fn the_numbers_are_those_of_splitmix() {
        // The first three numbers of seed 1234567, as published with the reference implementation's ports.
        let mut random = Random::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbered_sequences_differ_by_seed_and_by_number() {
        let mut firsts: Vec<u64> =
            (0..100).flat_map(|seed| (0..100).map(move |number| Random::numbered(seed, number).next_u64())).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 10_000);
    }

    #[test]
    fn a_shuffle_keeps_everything_and_every_order_is_as_likely() {
        let mut random = Random::new(3);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut things = [1, 2, 3];
            random.shuffle(&mut things);
            *counts.entry(things).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }

    #[test]
    fn the_bell_is_centred_with_a_deviation_of_one() {
        let mut random = Random::new(9);
        let draws: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.04, "{mean} {variance}");
    }
}
