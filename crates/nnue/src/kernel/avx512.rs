//! A block in one register of 512 bits.

use std::arch::x86_64::*;

use super::Registers;
use crate::ACTIVATION_UNIT;
use crate::block::Block;

super::runner!(Whole, "avx512f,avx512bw");

/// A whole block, or all sums.
#[derive(Clone, Copy)]
pub(super) struct Whole(__m512i);

/// Marks the blocks of this module, which all rely on the same facts.
macro_rules! vector {
    ($($code:tt)*) => {
        // SAFETY: the caller promises that the CPU has the instructions, and what is loaded or stored through a pointer is
        // a whole block.
        unsafe { $($code)* }
    };
}

impl Registers for Whole {
    type Sums = Whole;

    #[inline(always)]
    unsafe fn load(block: &Block) -> Whole {
        vector! { Whole(_mm512_load_si512(std::ptr::from_ref(block).cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, block: &mut Block) {
        vector! { _mm512_store_si512(std::ptr::from_mut(block).cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Whole) -> Whole {
        vector! { Whole(_mm512_add_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Whole) -> Whole {
        vector! { Whole(_mm512_sub_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn no_sums() -> Whole {
        vector! { Whole(_mm512_setzero_si512()) }
    }

    #[inline(always)]
    unsafe fn weigh(self, weights: Whole, sums: Whole) -> Whole {
        vector! {
            let most = _mm512_set1_epi16(ACTIVATION_UNIT);
            let active = _mm512_min_epi16(_mm512_max_epi16(self.0, _mm512_setzero_si512()), most);
            // The first product fits 16 bits because the weights are small; the second goes to 32 in pairs.
            let weighed = _mm512_mullo_epi16(active, weights.0);
            Whole(_mm512_add_epi32(sums.0, _mm512_madd_epi16(weighed, active)))
        }
    }

    #[inline(always)]
    unsafe fn add_sums(one: Whole, other: Whole) -> Whole {
        vector! { Whole(_mm512_add_epi32(one.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn total(sums: Whole) -> i64 {
        vector! {
            let (low, high) = (_mm512_castsi512_si256(sums.0), _mm512_extracti64x4_epi64::<1>(sums.0));
            _mm512_reduce_add_epi64(_mm512_add_epi64(_mm512_cvtepi32_epi64(low), _mm512_cvtepi32_epi64(high)))
        }
    }
}
