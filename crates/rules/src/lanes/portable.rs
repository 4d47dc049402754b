//! Eight lanes as an array: for CPUs without wide registers, and the twin that the vector code is tested against.

use super::{Lanes, Work};

/// Eight sets of squares, one per direction.
#[derive(Clone, Copy)]
pub(crate) struct Portable([u64; 8]);

impl Lanes for Portable {
    const FAST: bool = false;

    #[inline(never)]
    fn apart<W: Work>(work: W) -> W::Output {
        work.run()
    }

    #[inline(always)]
    fn new(lanes: [u64; 8]) -> Portable {
        Portable(lanes)
    }

    #[inline(always)]
    fn splat(lane: u64) -> Portable {
        Portable([lane; 8])
    }

    #[inline(always)]
    fn alternate(even: u64, odd: u64) -> Portable {
        Portable([even, odd, even, odd, even, odd, even, odd])
    }

    #[inline(always)]
    fn and(self, other: Portable) -> Portable {
        Portable(std::array::from_fn(|lane| self.0[lane] & other.0[lane]))
    }

    #[inline(always)]
    fn or(self, other: Portable) -> Portable {
        Portable(std::array::from_fn(|lane| self.0[lane] | other.0[lane]))
    }

    #[inline(always)]
    fn advance(self, distances: [u8; 4]) -> Portable {
        Portable(std::array::from_fn(|lane| {
            let distance = distances[lane % 4];
            if lane < 4 { self.0[lane] << distance } else { self.0[lane] >> distance }
        }))
    }

    #[inline(always)]
    fn plus_counts(self, a: Portable, b: Portable) -> Portable {
        Portable(std::array::from_fn(|lane| self.0[lane] + u64::from(a.0[lane].count_ones() + b.0[lane].count_ones())))
    }

    #[inline(always)]
    fn counts(self) -> Portable {
        Portable(self.0.map(|lane| u64::from(lane.count_ones())))
    }

    #[inline(always)]
    fn minus(self, other: Portable) -> Portable {
        Portable(std::array::from_fn(|lane| self.0[lane].wrapping_sub(other.0[lane])))
    }

    #[inline(always)]
    fn clamped_and_weighed(self, raised: usize, low: [i16; 8], high: [i16; 8], weights: [i16; 8]) -> i32 {
        let weigh = |lane: usize| {
            i32::from((self.0[lane] as i16 + i16::from(lane == raised % 8)).min(high[lane]).max(low[lane]))
                * i32::from(weights[lane])
        };
        (0..8).map(weigh).sum()
    }

    #[inline(always)]
    fn intersecting(self, other: Portable) -> u8 {
        (0..8).fold(0, |mask, lane| mask | u8::from(self.0[lane] & other.0[lane] != 0) << lane)
    }

    #[inline(always)]
    fn union(self) -> u64 {
        self.0.into_iter().fold(0, |all, lane| all | lane)
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self.0.into_iter().fold(0, u64::wrapping_add)
    }
}
