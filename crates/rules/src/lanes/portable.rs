//! Eight lanes as an array: for CPUs without wide registers, and the twin that the vector code is tested against.

/// Eight sets of squares, one per direction.
#[derive(Clone, Copy)]
pub(crate) struct Lanes([u64; 8]);

impl Lanes {
    #[inline(always)]
    pub(crate) fn new(lanes: [u64; 8]) -> Lanes {
        Lanes(lanes)
    }

    /// The same set in every lane.
    #[inline(always)]
    pub(crate) fn splat(lane: u64) -> Lanes {
        Lanes([lane; 8])
    }

    /// One set in the even lanes, another in the odd ones.
    #[inline(always)]
    pub(crate) fn alternate(even: u64, odd: u64) -> Lanes {
        Lanes([even, odd, even, odd, even, odd, even, odd])
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|lane| self.0[lane] & other.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|lane| self.0[lane] | other.0[lane]))
    }

    /// The first four lanes moved up by these distances, the last four moved down. What comes in at the edge is left
    /// to the caller to mask.
    #[inline(always)]
    pub(crate) fn advance(self, distances: [u8; 4]) -> Lanes {
        Lanes(std::array::from_fn(|lane| {
            let distance = distances[lane % 4];
            if lane < 4 { self.0[lane] << distance } else { self.0[lane] >> distance }
        }))
    }

    /// These lanes as a running count, with the sizes of all sets in two others added somewhere.
    #[inline(always)]
    pub(crate) fn plus_counts(self, a: Lanes, b: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|lane| self.0[lane] + u64::from(a.0[lane].count_ones() + b.0[lane].count_ones())))
    }

    /// How many squares each lane holds.
    #[inline(always)]
    pub(crate) fn counts(self) -> Lanes {
        Lanes(self.0.map(|lane| u64::from(lane.count_ones())))
    }

    /// The lanes as numbers, those of another subtracted.
    #[inline(always)]
    pub(crate) fn minus(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|lane| self.0[lane].wrapping_sub(other.0[lane])))
    }

    /// Lanes as small numbers, one of them raised by one, each brought within its limits, multiplied by its weight, and
    /// all added up.
    #[inline(always)]
    pub(crate) fn clamped_and_weighed(self, raised: usize, low: [i16; 8], high: [i16; 8], weights: [i16; 8]) -> i32 {
        let weigh = |lane: usize| {
            i32::from((self.0[lane] as i16 + i16::from(lane == raised % 8)).min(high[lane]).max(low[lane]))
                * i32::from(weights[lane])
        };
        (0..8).map(weigh).sum()
    }

    /// The lanes in which the two have a square in common, one bit each.
    #[inline(always)]
    pub(crate) fn intersecting(self, other: Lanes) -> u8 {
        (0..8).fold(0, |mask, lane| mask | u8::from(self.0[lane] & other.0[lane] != 0) << lane)
    }

    /// All lanes united.
    #[inline(always)]
    pub(crate) fn union(self) -> u64 {
        self.0.into_iter().fold(0, |all, lane| all | lane)
    }

    /// All lanes as numbers, added up.
    #[inline(always)]
    pub(crate) fn sum(self) -> u64 {
        self.0.into_iter().fold(0, u64::wrapping_add)
    }
}
