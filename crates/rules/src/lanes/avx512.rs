//! Eight lanes in one 512-bit register.

use std::arch::x86_64::*;

use super::DIAGONAL;

/// Eight sets of squares, one per direction.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(__m512i);

/// Marks the blocks of this module, which all rely on the same facts. Perft counts a half faster with them than by
/// looking pieces up one by one.
macro_rules! vector {
    ($($code:tt)*) => {
        // SAFETY: this module is only compiled when the build enables the instructions used, and what is loaded or
            // stored through a pointer is a whole array of the length that the instruction expects.
        unsafe { $($code)* }
    };
}

/// For each lane, a one in the word that belongs to it.
static ONE_IN: [[i16; 8]; 8] = {
    let mut words = [[0; 8]; 8];
    let mut lane = 0;
    while lane < 8 {
        words[lane][lane] = 1;
        lane += 1;
    }
    words
};

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

    /// Numbers this small fit into words, and eight words into a register a quarter the size.
    #[inline(always)]
    pub(crate) fn clamped_and_weighed(self, raised: usize, low: [i16; 8], high: [i16; 8], weights: [i16; 8]) -> i32 {
        vector! {
            let words = |words: [i16; 8]| _mm_loadu_si128(words.as_ptr().cast());
            let raised = _mm_add_epi16(_mm512_cvtepi64_epi16(self.0), words(ONE_IN[raised % 8]));
            let clamped = _mm_max_epi16(_mm_min_epi16(raised, words(high)), words(low));
            let four = _mm_madd_epi16(clamped, words(weights));
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
        }
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
