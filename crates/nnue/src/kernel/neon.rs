//! A block in four registers of 128 bits.

use std::arch::aarch64::*;

use super::{SUMS, Simd, Work, simd};
use crate::ACTIVATION_UNIT;
use crate::block::{Block, ByteWeights, GROUPS};

/// Proof that the CPU has NEON: only [`Neon::detect`] makes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Neon(());

impl Neon {
    /// The proof, on a CPU that has the instructions.
    pub(super) fn detect() -> Option<Neon> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }
}

/// The quarters of a block.
#[derive(Clone, Copy)]
pub(super) struct Quarters([int16x8_t; 4]);

/// The quarters of the sums.
#[derive(Clone, Copy)]
pub(super) struct Sums([int32x4_t; 4]);

impl Simd for Neon {
    type Lanes = Quarters;
    type Sums = Sums;

    super::entries!("neon");

    #[inline(always)]
    fn load(self, block: &Block) -> Quarters {
        let start = block.0.as_ptr();
        simd! { self => Quarters([vld1q_s16(start), vld1q_s16(start.add(8)), vld1q_s16(start.add(16)), vld1q_s16(start.add(24))]) }
    }

    #[inline(always)]
    fn store(self, lanes: Quarters, block: &mut Block) {
        let start = block.0.as_mut_ptr();
        for (index, quarter) in lanes.0.into_iter().enumerate() {
            simd! { self => vst1q_s16(start.add(8 * index), quarter) }
        }
    }

    #[inline(always)]
    fn add(self, one: Quarters, other: Quarters) -> Quarters {
        let ([a, b, c, d], [e, f, g, h]) = (one.0, other.0);
        simd! { self => Quarters([vaddq_s16(a, e), vaddq_s16(b, f), vaddq_s16(c, g), vaddq_s16(d, h)]) }
    }

    #[inline(always)]
    fn subtract(self, one: Quarters, other: Quarters) -> Quarters {
        let ([a, b, c, d], [e, f, g, h]) = (one.0, other.0);
        simd! { self => Quarters([vsubq_s16(a, e), vsubq_s16(b, f), vsubq_s16(c, g), vsubq_s16(d, h)]) }
    }

    #[inline(always)]
    fn no_sums(self) -> Sums {
        simd! { self => Sums([vdupq_n_s32(0); 4]) }
    }

    #[inline(always)]
    fn weigh(self, neurons: Quarters, weights: Quarters, sums: Sums) -> Sums {
        simd! { self =>
            let (least, most) = (vdupq_n_s16(0), vdupq_n_s16(ACTIVATION_UNIT));
            let quarter = |quarter: usize| {
                let active = vminq_s16(vmaxq_s16(neurons.0[quarter], least), most);
                // The first product fits 16 bits because the weights are small; the second goes to 32.
                let weighed = vmulq_s16(active, weights.0[quarter]);
                let sums = vmlal_s16(sums.0[quarter], vget_low_s16(weighed), vget_low_s16(active));
                vmlal_high_s16(sums, weighed, active)
            };
            Sums([quarter(0), quarter(1), quarter(2), quarter(3)])
        }
    }

    #[inline(always)]
    fn add_sums(self, one: Sums, other: Sums) -> Sums {
        let ([a, b, c, d], [e, f, g, h]) = (one.0, other.0);
        simd! { self => Sums([vaddq_s32(a, e), vaddq_s32(b, f), vaddq_s32(c, g), vaddq_s32(d, h)]) }
    }

    #[inline(always)]
    fn total(self, sums: Sums) -> i64 {
        let [a, b, c, d] = sums.0;
        simd! { self => vaddlvq_s32(a) + vaddlvq_s32(b) + vaddlvq_s32(c) + vaddlvq_s32(d) }
    }

    #[inline(always)]
    fn load_sums(self, numbers: &[i32; SUMS]) -> Sums {
        let start = numbers.as_ptr();
        simd! { self => Sums([vld1q_s32(start), vld1q_s32(start.add(4)), vld1q_s32(start.add(8)), vld1q_s32(start.add(12))]) }
    }

    #[inline(always)]
    fn splat(self, [low, high]: [i16; 2]) -> Quarters {
        let two = i32::from(high) << 16 | i32::from(low.cast_unsigned());
        simd! { self => Quarters([vreinterpretq_s16_s32(vdupq_n_s32(two)); 4]) }
    }

    #[inline(always)]
    fn dot(self, one: Quarters, other: Quarters, sums: Sums) -> Sums {
        simd! { self =>
            let quarter = |quarter: usize| {
                let (ours, other) = (one.0[quarter], other.0[quarter]);
                let low = vmull_s16(vget_low_s16(ours), vget_low_s16(other));
                vaddq_s32(sums.0[quarter], vpaddq_s32(low, vmull_high_s16(ours, other)))
            };
            Sums([quarter(0), quarter(1), quarter(2), quarter(3)])
        }
    }

    #[inline(always)]
    fn multiply(self, one: [Quarters; 2], other: [Quarters; 2], products: &mut [[u8; 4]; GROUPS]) -> u16 {
        let start = products.as_flattened_mut().as_mut_ptr();
        simd! { self =>
            let (least, most) = (vdupq_n_s16(0), vdupq_n_s16(ACTIVATION_UNIT));
            let bit_of_group = vld1q_u32([1, 2, 4, 8].as_ptr());
            let product = |block: usize, quarter: usize| {
                let one = vminq_s16(vmaxq_s16(one[block].0[quarter], least), most);
                // With a negative factor the product is negative or zero, and packing makes it zero.
                let other = vminq_s16(other[block].0[quarter], most);
                // This multiplies, adds half and divides by 2¹⁵.
                vqrdmulhq_s16(vshlq_n_s16::<6>(one), other)
            };
            (0..4).fold(0, |groups, quarter| {
                let bytes = vqmovun_high_s16(vqmovun_s16(product(0, quarter)), product(1, quarter));
                vst1q_u8(start.add(16 * quarter), bytes);
                let fours = vreinterpretq_u32_u8(bytes);
                let active = vaddvq_u32(vandq_u32(vtstq_u32(fours, fours), bit_of_group));
                groups | (active as u16) << (4 * quarter)
            })
        }
    }

    #[inline(always)]
    fn weigh_group(self, products: [u8; 4], weights: &ByteWeights, sums: Sums) -> Sums {
        let start = weights.0.as_flattened().as_ptr();
        simd! { self =>
            // Products are at most 127, so that they are the same with a sign.
            let products = vreinterpretq_s8_s32(vdupq_n_s32(i32::from_le_bytes(products)));
            let quarter = |quarter: usize| {
                let weights = vld1q_s8(start.add(16 * quarter));
                let low = vmull_s8(vget_low_s8(products), vget_low_s8(weights));
                // Two products of 127 · 128 fit 16 bits.
                vpadalq_s16(sums.0[quarter], vpaddq_s16(low, vmull_high_s8(products, weights)))
            };
            Sums([quarter(0), quarter(1), quarter(2), quarter(3)])
        }
    }

    #[inline(always)]
    fn squares<const SHIFT: u32>(self, sums: [Sums; 2], most: i16) -> Quarters {
        simd! { self =>
            let (least, most) = (vdupq_n_s16(0), vdupq_n_s16(most));
            let shift = vdupq_n_s32(-(SHIFT as i32));
            let quarter = |quarter: usize| {
                let [low, high] = [0, 1].map(|eighth| {
                    let sums = sums[quarter / 2].0[2 * (quarter % 2) + eighth];
                    vqmovn_s32(vshlq_s32(sums, shift))
                });
                let active = vminq_s16(vmaxq_s16(vcombine_s16(low, high), least), most);
                // Twice the product of four times and two times, of which this is the upper half, is the square divided
                // by 2¹².
                vqdmulhq_s16(vshlq_n_s16::<2>(active), vshlq_n_s16::<1>(active))
            };
            Quarters([quarter(0), quarter(1), quarter(2), quarter(3)])
        }
    }
}
