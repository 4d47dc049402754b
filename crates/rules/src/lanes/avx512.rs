//! Eight lanes in one 512-bit register.

use std::arch::x86_64::*;

use super::DIAGONAL;

/// Eight sets of squares, one per direction.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(__m512i);

/// Every block in this module relies on the same fact.
macro_rules! vector {
    ($($code:tt)*) => {
        // SAFETY: this module is only compiled when the build enables the instructions used.
        unsafe { $($code)* }
    };
}

impl Lanes {
    #[inline(always)]
    pub(crate) fn new(lanes: [u64; 8]) -> Lanes {
        vector! { Lanes(_mm512_loadu_si512(lanes.as_ptr().cast())) }
    }

    #[inline(always)]
    pub(crate) fn splat(lane: u64) -> Lanes {
        vector! { Lanes(_mm512_set1_epi64(lane as i64)) }
    }

    #[inline(always)]
    pub(crate) fn alternate(even: u64, odd: u64) -> Lanes {
        vector! { Lanes(_mm512_mask_blend_epi64(DIAGONAL, Lanes::splat(even).0, Lanes::splat(odd).0)) }
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Lanes) -> Lanes {
        vector! { Lanes(_mm512_and_si512(self.0, other.0)) }
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Lanes) -> Lanes {
        vector! { Lanes(_mm512_or_si512(self.0, other.0)) }
    }

    /// A rotation does for both halves: what it wraps around, the caller masks.
    #[inline(always)]
    pub(crate) fn advance(self, [a, b, c, d]: [u8; 4]) -> Lanes {
        let by = [a, b, c, d, 64 - a, 64 - b, 64 - c, 64 - d].map(u64::from);
        vector! { Lanes(_mm512_rolv_epi64(self.0, Lanes::new(by).0)) }
    }

    #[inline(always)]
    pub(crate) fn plus_counts(self, a: Lanes, b: Lanes) -> Lanes {
        vector! {
            let counts = _mm512_add_epi64(_mm512_popcnt_epi64(a.0), _mm512_popcnt_epi64(b.0));
            Lanes(_mm512_add_epi64(self.0, counts))
        }
    }

    #[inline(always)]
    pub(crate) fn counts(self) -> Lanes {
        vector! { Lanes(_mm512_popcnt_epi64(self.0)) }
    }

    #[inline(always)]
    pub(crate) fn minus(self, other: Lanes) -> Lanes {
        vector! { Lanes(_mm512_sub_epi64(self.0, other.0)) }
    }

    #[inline(always)]
    pub(crate) fn clamp(self, low: [i8; 8], high: [i8; 8]) -> Lanes {
        let (low, high) = (Lanes::new(low.map(|low| low as u64)), Lanes::new(high.map(|high| high as u64)));
        vector! { Lanes(_mm512_max_epi64(_mm512_min_epi64(self.0, high.0), low.0)) }
    }

    #[inline(always)]
    pub(crate) fn weighed(self, weights: [u16; 8]) -> i64 {
        vector! { _mm512_reduce_add_epi64(_mm512_mul_epi32(self.0, Lanes::new(weights.map(u64::from)).0)) }
    }

    #[inline(always)]
    pub(crate) fn intersecting(self, other: Lanes) -> u8 {
        vector! { _mm512_test_epi64_mask(self.0, other.0) }
    }

    #[inline(always)]
    pub(crate) fn union(self) -> u64 {
        vector! { _mm512_reduce_or_epi64(self.0) as u64 }
    }

    #[inline(always)]
    pub(crate) fn sum(self) -> u64 {
        vector! { _mm512_reduce_add_epi64(self.0) as u64 }
    }
}
