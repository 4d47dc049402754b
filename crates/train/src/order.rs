//! A new order of all samples for every epoch, without moving or even listing them.
//!
//! A shuffle of a billion samples would cost eight gigabytes and a minute. A block cipher is a shuffle that is computed
//! where it is needed: it maps the numbers below a power of four one to one onto each other. Numbers that fall outside
//! the data set are sent through again until they are inside. The GPU computes the same order.

use random::Random;

/// How often the halves are mixed.
pub const ROUNDS: usize = 6;

/// One order of the numbers below a length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SampleOrder {
    length: u64,
    half_bits: u32,
    keys: [u32; ROUNDS],
}

impl SampleOrder {
    /// The order of an epoch. Nothing can be in order below a length of one.
    pub fn new(seed: u64, epoch: u32, length: usize) -> SampleOrder {
        assert!(length > 0, "there is nothing to order");
        let mut random = Random::numbered(seed, u64::from(epoch));
        let bits = u64::BITS - (length as u64 - 1).leading_zeros();
        let half_bits = bits.div_ceil(2).max(1);
        SampleOrder { length: length as u64, half_bits, keys: std::array::from_fn(|_| random.next_u64() as u32) }
    }

    /// How many bits a half has.
    pub fn half_bits(&self) -> u32 {
        self.half_bits
    }

    /// The keys of the rounds.
    pub fn keys(&self) -> [u32; ROUNDS] {
        self.keys
    }

    /// Which sample comes at a place.
    pub fn at(&self, place: usize) -> usize {
        assert!((place as u64) < self.length, "place {place} is not below {}", self.length);
        let mut number = self.encipher(place as u64);
        while number >= self.length {
            number = self.encipher(number);
        }
        number as usize
    }

    fn encipher(&self, number: u64) -> u64 {
        let mask = u32::MAX >> (u32::BITS - self.half_bits);
        let mut left = (number >> self.half_bits) as u32 & mask;
        let mut right = number as u32 & mask;
        for key in self.keys {
            (left, right) = (right, left ^ mix(right ^ key) & mask);
        }
        u64::from(left) << self.half_bits | u64::from(right)
    }
}

/// Spreads every bit over all of them.
fn mix(mut bits: u32) -> u32 {
    bits = (bits ^ bits >> 16).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ bits >> 13).wrapping_mul(0xc2b2_ae35);
    bits ^ bits >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_comes_once() {
        for length in [1, 2, 3, 5, 16, 17, 1_000, 65_536, 65_537] {
            let order = SampleOrder::new(3, 1, length);
            let mut seen = vec![false; length];
            for place in 0..length {
                assert!(!std::mem::replace(&mut seen[order.at(place)], true), "{place} of {length}");
            }
        }
    }

    #[test]
    fn epochs_differ_and_seeds_repeat() {
        let places =
            |seed, epoch| (0..100).map(|place| SampleOrder::new(seed, epoch, 1_000).at(place)).collect::<Vec<_>>();
        assert_eq!(places(7, 1), places(7, 1));
        assert_ne!(places(7, 1), places(7, 2));
        assert_ne!(places(7, 1), places(8, 1));
    }

    #[test]
    fn neighbours_are_scattered() {
        // The mean distance of two random numbers below n is n / 3; the places of one number are spread evenly.
        let length = 100_000;
        let order = SampleOrder::new(11, 0, length);
        let distance: usize = (1..length).map(|place| order.at(place).abs_diff(order.at(place - 1))).sum();
        let mean = distance as f64 / length as f64;
        assert!((mean / length as f64 - 1.0 / 3.0).abs() < 0.01, "{mean}");
        let early: usize = (0..length / 10).filter(|&place| order.at(place) < length / 2).count();
        assert!(early.abs_diff(length / 20) < 300, "{early}");
    }
}
