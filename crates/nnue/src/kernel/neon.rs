//! A block in four registers of 128 bits.

use std::arch::aarch64::*;

use super::Registers;
use crate::ACTIVATION_UNIT;
use crate::block::Block;

super::runner!(Quarters, "neon");

/// The quarters of a block.
#[derive(Clone, Copy)]
pub(super) struct Quarters([int16x8_t; 4]);

/// The quarters of the sums.
#[derive(Clone, Copy)]
pub(super) struct Sums([int32x4_t; 4]);

/// Marks the blocks of this module, which all rely on the same facts.
macro_rules! vector {
    ($($code:tt)*) => {
        // SAFETY: the caller promises that the CPU has the instructions, and what is loaded or stored through a pointer is
        // a whole block.
        unsafe { $($code)* }
    };
}

impl Registers for Quarters {
    type Sums = Sums;

    #[inline(always)]
    unsafe fn load(block: &Block) -> Quarters {
        let start = block.0.as_ptr();
        vector! { Quarters([vld1q_s16(start), vld1q_s16(start.add(8)), vld1q_s16(start.add(16)), vld1q_s16(start.add(24))]) }
    }

    #[inline(always)]
    unsafe fn store(self, block: &mut Block) {
        let start = block.0.as_mut_ptr();
        for (index, quarter) in self.0.into_iter().enumerate() {
            vector! { vst1q_s16(start.add(8 * index), quarter) }
        }
    }

    #[inline(always)]
    unsafe fn add(self, other: Quarters) -> Quarters {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        vector! { Quarters([vaddq_s16(a, e), vaddq_s16(b, f), vaddq_s16(c, g), vaddq_s16(d, h)]) }
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Quarters) -> Quarters {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        vector! { Quarters([vsubq_s16(a, e), vsubq_s16(b, f), vsubq_s16(c, g), vsubq_s16(d, h)]) }
    }

    #[inline(always)]
    unsafe fn no_sums() -> Sums {
        vector! { Sums([vdupq_n_s32(0); 4]) }
    }

    #[inline(always)]
    unsafe fn weigh(self, weights: Quarters, sums: Sums) -> Sums {
        vector! {
            let (least, most) = (vdupq_n_s16(0), vdupq_n_s16(ACTIVATION_UNIT));
            let quarter = |quarter: usize| {
                let active = vminq_s16(vmaxq_s16(self.0[quarter], least), most);
                // The first product fits 16 bits because the weights are small; the second goes to 32.
                let weighed = vmulq_s16(active, weights.0[quarter]);
                let sums = vmlal_s16(sums.0[quarter], vget_low_s16(weighed), vget_low_s16(active));
                vmlal_high_s16(sums, weighed, active)
            };
            Sums([quarter(0), quarter(1), quarter(2), quarter(3)])
        }
    }

    #[inline(always)]
    unsafe fn add_sums(one: Sums, other: Sums) -> Sums {
        let ([a, b, c, d], [e, f, g, h]) = (one.0, other.0);
        vector! { Sums([vaddq_s32(a, e), vaddq_s32(b, f), vaddq_s32(c, g), vaddq_s32(d, h)]) }
    }

    #[inline(always)]
    unsafe fn total(sums: Sums) -> i64 {
        let [a, b, c, d] = sums.0;
        vector! { vaddlvq_s32(a) + vaddlvq_s32(b) + vaddlvq_s32(c) + vaddlvq_s32(d) }
    }
}
