//! A block in two registers of 256 bits.

use std::arch::x86_64::*;

use super::Registers;
use crate::ACTIVATION_UNIT;
use crate::block::Block;

super::runner!(Halves, "avx2");

/// Both halves of a block, or of the sums.
#[derive(Clone, Copy)]
pub(super) struct Halves([__m256i; 2]);

/// Marks the blocks of this module, which all rely on the same facts.
macro_rules! vector {
    ($($code:tt)*) => {
        // SAFETY: the caller promises that the CPU has the instructions, and what is loaded or stored through a pointer is
        // a whole block.
        unsafe { $($code)* }
    };
}

impl Registers for Halves {
    type Sums = Halves;

    #[inline(always)]
    unsafe fn load(block: &Block) -> Halves {
        let start = std::ptr::from_ref(block).cast::<__m256i>();
        vector! { Halves([_mm256_load_si256(start), _mm256_load_si256(start.add(1))]) }
    }

    #[inline(always)]
    unsafe fn store(self, block: &mut Block) {
        let start = std::ptr::from_mut(block).cast::<__m256i>();
        vector! {
            _mm256_store_si256(start, self.0[0]);
            _mm256_store_si256(start.add(1), self.0[1]);
        }
    }

    #[inline(always)]
    unsafe fn add(self, other: Halves) -> Halves {
        let ([a, b], [c, d]) = (self.0, other.0);
        vector! { Halves([_mm256_add_epi16(a, c), _mm256_add_epi16(b, d)]) }
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Halves) -> Halves {
        let ([a, b], [c, d]) = (self.0, other.0);
        vector! { Halves([_mm256_sub_epi16(a, c), _mm256_sub_epi16(b, d)]) }
    }

    #[inline(always)]
    unsafe fn no_sums() -> Halves {
        vector! { Halves([_mm256_setzero_si256(); 2]) }
    }

    #[inline(always)]
    unsafe fn weigh(self, weights: Halves, sums: Halves) -> Halves {
        vector! {
            let most = _mm256_set1_epi16(ACTIVATION_UNIT);
            let half = |half: usize| {
                let active = _mm256_min_epi16(_mm256_max_epi16(self.0[half], _mm256_setzero_si256()), most);
                // The first product fits 16 bits because the weights are small; the second goes to 32 in pairs.
                let weighed = _mm256_mullo_epi16(active, weights.0[half]);
                _mm256_add_epi32(sums.0[half], _mm256_madd_epi16(weighed, active))
            };
            Halves([half(0), half(1)])
        }
    }

    #[inline(always)]
    unsafe fn add_sums(one: Halves, other: Halves) -> Halves {
        let ([a, b], [c, d]) = (one.0, other.0);
        vector! { Halves([_mm256_add_epi32(a, c), _mm256_add_epi32(b, d)]) }
    }

    #[inline(always)]
    unsafe fn total(sums: Halves) -> i64 {
        vector! {
            let widened = sums.0.map(|half| {
                let (low, high) = (_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
                _mm256_add_epi64(_mm256_cvtepi32_epi64(low), _mm256_cvtepi32_epi64(high))
            });
            let four = _mm256_add_epi64(widened[0], widened[1]);
            let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            _mm_cvtsi128_si64(two) + _mm_extract_epi64::<1>(two)
        }
    }
}
