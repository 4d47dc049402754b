//! In which order openings are taken: a shuffle that needs no memory, so that each number can be asked for on its own.

use ::random::Random;

/// Rounds of mixing; four make an order of this kind look random (Luby and Rackoff, 1988), and more cost little.
const ROUNDS: usize = 6;

/// Where the thing with this number is, if `count` things are taken in a random order again and again: every lap takes
/// each of them once, and has an order of its own.
pub(super) fn shuffled(seed: u64, number: u64, count: u64) -> u64 {
    let (lap, place) = (number / count, number % count);
    let mut random = Random::numbered(seed, lap);
    let keys: [u64; ROUNDS] = std::array::from_fn(|_| random.next_u64());
    // The smallest power of four that is large enough; what falls outside of the count is mixed again until it does
    // not.
    let half = (u64::BITS - (count - 1).leading_zeros()).div_ceil(2);
    let mut mixed = mix(&keys, half, place);
    while mixed >= count {
        mixed = mix(&keys, half, mixed);
    }
    mixed
}

/// A Feistel network: each round changes one half of the bits by the other, which can be undone, so no two numbers
/// meet.
fn mix(keys: &[u64; ROUNDS], half: u32, number: u64) -> u64 {
    let mask = (1 << half) - 1;
    let (mut left, mut right) = (number >> half, number & mask);
    for key in keys {
        (left, right) = (right, left ^ Random::new(key ^ right).next_u64() & mask);
    }
    left << half | right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lap_takes_everything_once_in_an_order_of_its_own() {
        for count in [1, 2, 3, 4, 5, 16, 17, 100, 1_000] {
            let lap = |seed, lap: u64| -> Vec<u64> {
                (0..count).map(|place| shuffled(seed, lap * count + place, count)).collect()
            };
            for number in 0..3 {
                let mut places = lap(7, number);
                places.sort_unstable();
                assert_eq!(places, (0..count).collect::<Vec<_>>());
            }
            if count > 10 {
                assert_ne!(lap(7, 0), lap(7, 1));
                assert_ne!(lap(7, 0), lap(8, 0));
            }
        }
    }

    #[test]
    fn everything_comes_first_about_as_often() {
        let mut counts = [0; 10];
        for seed in 0..10_000 {
            counts[shuffled(seed, 0, 10) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (880..1_120).contains(count)), "{counts:?}");
    }
}
