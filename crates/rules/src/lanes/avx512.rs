//! Eight lanes in one 512-bit register.

use std::arch::x86_64::*;

use super::{Lanes, Work};

/// The odd lanes, as a mask.
const DIAGONAL: u8 = 0b1010_1010;

/// Whether this CPU has the instructions that are used here, and those that all code is compiled with around them.
pub(crate) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Eight sets of squares, one per direction.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512i);

/// Marks the blocks of this module, which all rely on the same facts. Perft counts a half faster with them than by
/// looking pieces up one by one.
macro_rules! vector {
    ($($code:tt)*) => {
        // SAFETY: these lanes are used only where the CPU has the instructions, and what is loaded or stored through
        // a pointer is a whole array of the length that the instruction expects.
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

impl Lanes for Avx512 {
    const FAST: bool = true;

    #[inline(always)]
    fn apart<W: Work>(work: W) -> W::Output {
        #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn compiled_for_them<W: Work>(work: W) -> W::Output {
            work.run()
        }
        // SAFETY: these lanes are used only where the CPU has the instructions.
        unsafe { compiled_for_them(work) }
    }

    #[inline(always)]
    fn new(lanes: [u64; 8]) -> Avx512 {
        vector! { Avx512(_mm512_loadu_si512(lanes.as_ptr().cast())) }
    }

    #[inline(always)]
    fn splat(lane: u64) -> Avx512 {
        vector! { Avx512(_mm512_set1_epi64(lane as i64)) }
    }

    #[inline(always)]
    fn alternate(even: u64, odd: u64) -> Avx512 {
        vector! { Avx512(_mm512_mask_blend_epi64(DIAGONAL, Avx512::splat(even).0, Avx512::splat(odd).0)) }
    }

    #[inline(always)]
    fn and(self, other: Avx512) -> Avx512 {
        vector! { Avx512(_mm512_and_si512(self.0, other.0)) }
    }

    #[inline(always)]
    fn or(self, other: Avx512) -> Avx512 {
        vector! { Avx512(_mm512_or_si512(self.0, other.0)) }
    }

    /// A rotation does for both halves: what it wraps around, the caller masks.
    #[inline(always)]
    fn advance(self, [a, b, c, d]: [u8; 4]) -> Avx512 {
        let by = [a, b, c, d, 64 - a, 64 - b, 64 - c, 64 - d].map(u64::from);
        vector! { Avx512(_mm512_rolv_epi64(self.0, Avx512::new(by).0)) }
    }

    #[inline(always)]
    fn plus_counts(self, a: Avx512, b: Avx512) -> Avx512 {
        vector! {
            let counts = _mm512_add_epi64(_mm512_popcnt_epi64(a.0), _mm512_popcnt_epi64(b.0));
            Avx512(_mm512_add_epi64(self.0, counts))
        }
    }

    #[inline(always)]
    fn counts(self) -> Avx512 {
        vector! { Avx512(_mm512_popcnt_epi64(self.0)) }
    }

    #[inline(always)]
    fn minus(self, other: Avx512) -> Avx512 {
        vector! { Avx512(_mm512_sub_epi64(self.0, other.0)) }
    }

    /// Numbers this small fit into words, and eight words into a register a quarter the size.
    #[inline(always)]
    fn clamped_and_weighed(self, raised: usize, low: [i16; 8], high: [i16; 8], weights: [i16; 8]) -> i32 {
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
    fn intersecting(self, other: Avx512) -> u8 {
        vector! { _mm512_test_epi64_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn union(self) -> u64 {
        vector! { _mm512_reduce_or_epi64(self.0) as u64 }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        vector! { _mm512_reduce_add_epi64(self.0) as u64 }
    }
}
