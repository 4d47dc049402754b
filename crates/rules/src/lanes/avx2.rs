//! Eight lanes in two 256-bit registers: the directions up the board, and their opposites.

use std::arch::x86_64::*;

/// Eight sets of squares, one per direction.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(__m256i, __m256i);

/// Marks the blocks of this module, which all rely on the same facts. Perft counts a quarter faster with them than by
/// looking pieces up one by one.
macro_rules! vector {
    ($($code:tt)*) => {
        // SAFETY: this module is only compiled when the build enables the instructions used, and what is loaded or
            // stored through a pointer is a whole array of the length that the instruction expects.
        unsafe { $($code)* }
    };
}

/// How many bits each byte holds, found by looking its halves up.
#[inline(always)]
fn bytes_counted(half: __m256i) -> __m256i {
    vector! {
        let bits = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let low = _mm256_set1_epi8(15);
        let high_halves = _mm256_and_si256(_mm256_srli_epi64::<4>(half), low);
        let low_halves = _mm256_and_si256(half, low);
        _mm256_add_epi8(_mm256_shuffle_epi8(bits, low_halves), _mm256_shuffle_epi8(bits, high_halves))
    }
}

/// The order in which packing leaves the lanes.
const PACKED: [usize; 8] = [0, 1, 4, 5, 2, 3, 6, 7];

/// For each lane, a one in the word that belongs to it, in the order of [`PACKED`].
static ONE_IN: [[i16; 8]; 8] = {
    let mut words = [[0; 8]; 8];
    let mut lane = 0;
    while lane < 8 {
        words[lane][PACKED[lane]] = 1;
        lane += 1;
    }
    words
};

impl Lanes {
    #[inline(always)]
    pub(crate) fn new([a, b, c, d, e, f, g, h]: [u64; 8]) -> Lanes {
        let half = |lanes: [u64; 4]| vector! { _mm256_loadu_si256(lanes.as_ptr().cast()) };
        Lanes(half([a, b, c, d]), half([e, f, g, h]))
    }

    #[inline(always)]
    pub(crate) fn splat(lane: u64) -> Lanes {
        vector! { Lanes(_mm256_set1_epi64x(lane as i64), _mm256_set1_epi64x(lane as i64)) }
    }

    #[inline(always)]
    pub(crate) fn alternate(even: u64, odd: u64) -> Lanes {
        Lanes::new([even, odd, even, odd, even, odd, even, odd])
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Lanes) -> Lanes {
        vector! { Lanes(_mm256_and_si256(self.0, other.0), _mm256_and_si256(self.1, other.1)) }
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Lanes) -> Lanes {
        vector! { Lanes(_mm256_or_si256(self.0, other.0), _mm256_or_si256(self.1, other.1)) }
    }

    #[inline(always)]
    pub(crate) fn advance(self, [a, b, c, d]: [u8; 4]) -> Lanes {
        vector! {
            let by = _mm256_set_epi64x(d.into(), c.into(), b.into(), a.into());
            Lanes(_mm256_sllv_epi64(self.0, by), _mm256_srlv_epi64(self.1, by))
        }
    }

    #[inline(always)]
    pub(crate) fn counts(self) -> Lanes {
        vector! {
            let zero = _mm256_setzero_si256();
            Lanes(_mm256_sad_epu8(bytes_counted(self.0), zero), _mm256_sad_epu8(bytes_counted(self.1), zero))
        }
    }

    #[inline(always)]
    pub(crate) fn minus(self, other: Lanes) -> Lanes {
        vector! { Lanes(_mm256_sub_epi64(self.0, other.0), _mm256_sub_epi64(self.1, other.1)) }
    }

    /// Numbers this small fit into words: the lanes are packed twice before they are clamped and weighed. Packing works
    /// within the halves of a register, so that the lanes come out in another order, and so do the limits and weights.
    #[inline(always)]
    pub(crate) fn clamped_and_weighed(self, raised: usize, low: [i16; 8], high: [i16; 8], weights: [i16; 8]) -> i32 {
        let packed = |words: [i16; 8]| {
            let packed = PACKED.map(|lane| words[lane]);
            vector! { _mm_loadu_si128(packed.as_ptr().cast()) }
        };
        vector! {
            // The low double word of each lane: two of the first register, two of the second, in each half.
            let doubles = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(
                _mm256_castsi256_ps(self.0),
                _mm256_castsi256_ps(self.1),
            ));
            let halves = (_mm256_castsi256_si128(doubles), _mm256_extracti128_si256::<1>(doubles));
            let one = _mm_loadu_si128(ONE_IN[raised % 8].as_ptr().cast());
            let raised = _mm_add_epi16(_mm_packs_epi32(halves.0, halves.1), one);
            let clamped = _mm_max_epi16(_mm_min_epi16(raised, packed(high)), packed(low));
            let four = _mm_madd_epi16(clamped, packed(weights));
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
        }
    }

    /// Bytes are added while they are small, and summed by one instruction.
    #[inline(always)]
    pub(crate) fn plus_counts(self, a: Lanes, b: Lanes) -> Lanes {
        vector! {
            let bytes_of = |lanes: Lanes| _mm256_add_epi8(bytes_counted(lanes.0), bytes_counted(lanes.1));
            let bytes = _mm256_add_epi8(bytes_of(a), bytes_of(b));
            Lanes(_mm256_add_epi64(self.0, _mm256_sad_epu8(bytes, _mm256_setzero_si256())), self.1)
        }
    }

    #[inline(always)]
    fn fold(self, combine: impl Fn(u64, u64) -> u64) -> u64 {
        let mut lanes = [0_u64; 8];
        vector! {
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0);
            _mm256_storeu_si256(lanes.as_mut_ptr().add(4).cast(), self.1);
        }
        lanes.into_iter().fold(0, combine)
    }

    #[inline(always)]
    pub(crate) fn intersecting(self, other: Lanes) -> u8 {
        let common = self.and(other);
        vector! {
            let is_empty = |half| _mm256_cmpeq_epi64(half, _mm256_setzero_si256());
            let empty = |half| _mm256_movemask_pd(_mm256_castsi256_pd(is_empty(half)));
            !(empty(common.0) | empty(common.1) << 4) as u8
        }
    }

    #[inline(always)]
    pub(crate) fn union(self) -> u64 {
        vector! {
            let four = _mm256_or_si256(self.0, self.1);
            let two = _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            (_mm_cvtsi128_si64(two) | _mm_extract_epi64::<1>(two)) as u64
        }
    }

    #[inline(always)]
    pub(crate) fn sum(self) -> u64 {
        self.fold(u64::wrapping_add)
    }
}
