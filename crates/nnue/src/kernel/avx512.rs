//! A block in one register of 512 bits.

use std::arch::x86_64::*;

use super::avx2::Avx2;
use super::{SUMS, Simd, Work, simd};
use crate::ACTIVATION_UNIT;
use crate::block::{Block, ByteWeights, GROUPS};

/// Proof that the CPU has AVX-512, with or without VNNI: only [`Avx512::detect`] makes one.
///
/// VNNI multiplies and adds by one instruction where there are three or two otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx512<const VNNI: bool>(());

impl<const VNNI: bool> Avx512<VNNI> {
    /// The proof, on a CPU that has the instructions.
    pub(super) fn detect() -> Option<Avx512<VNNI>> {
        let has_all = Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && (!VNNI || is_x86_feature_detected!("avx512vnni"));
        has_all.then_some(Avx512(()))
    }
}

/// A whole block, or all sums.
#[derive(Clone, Copy)]
pub(super) struct Whole(__m512i);

impl<const VNNI: bool> Simd for Avx512<VNNI> {
    type Lanes = Whole;
    type Sums = Whole;

    super::entries!(if VNNI {
        "avx512f,avx512bw,avx512vnni,bmi1,bmi2,lzcnt,popcnt"
    } else {
        "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt"
    });

    #[inline(always)]
    fn load(self, block: &Block) -> Whole {
        simd! { self => Whole(_mm512_load_si512(std::ptr::from_ref(block).cast())) }
    }

    #[inline(always)]
    fn store(self, lanes: Whole, block: &mut Block) {
        simd! { self => _mm512_store_si512(std::ptr::from_mut(block).cast(), lanes.0) }
    }

    #[inline(always)]
    fn add(self, one: Whole, other: Whole) -> Whole {
        simd! { self => Whole(_mm512_add_epi16(one.0, other.0)) }
    }

    #[inline(always)]
    fn subtract(self, one: Whole, other: Whole) -> Whole {
        simd! { self => Whole(_mm512_sub_epi16(one.0, other.0)) }
    }

    #[inline(always)]
    fn no_sums(self) -> Whole {
        simd! { self => Whole(_mm512_setzero_si512()) }
    }

    #[inline(always)]
    fn weigh(self, neurons: Whole, weights: Whole, sums: Whole) -> Whole {
        simd! { self =>
            let most = _mm512_set1_epi16(ACTIVATION_UNIT);
            let active = _mm512_min_epi16(_mm512_max_epi16(neurons.0, _mm512_setzero_si512()), most);
            // The first product fits 16 bits because the weights are small; the second goes to 32 in pairs.
            let weighed = _mm512_mullo_epi16(active, weights.0);
            Whole(_mm512_add_epi32(sums.0, _mm512_madd_epi16(weighed, active)))
        }
    }

    #[inline(always)]
    fn add_sums(self, one: Whole, other: Whole) -> Whole {
        simd! { self => Whole(_mm512_add_epi32(one.0, other.0)) }
    }

    #[inline(always)]
    fn total(self, sums: Whole) -> i64 {
        simd! { self =>
            let (low, high) = (_mm512_castsi512_si256(sums.0), _mm512_extracti64x4_epi64::<1>(sums.0));
            _mm512_reduce_add_epi64(_mm512_add_epi64(_mm512_cvtepi32_epi64(low), _mm512_cvtepi32_epi64(high)))
        }
    }

    #[inline(always)]
    fn load_sums(self, numbers: &[i32; SUMS]) -> Whole {
        simd! { self => Whole(_mm512_loadu_si512(numbers.as_ptr().cast())) }
    }

    #[inline(always)]
    fn splat(self, [low, high]: [i16; 2]) -> Whole {
        simd! { self => Whole(_mm512_set1_epi32(i32::from(high) << 16 | i32::from(low.cast_unsigned()))) }
    }

    #[inline(always)]
    fn dot(self, one: Whole, other: Whole, sums: Whole) -> Whole {
        simd! { self => Whole(_mm512_add_epi32(sums.0, _mm512_madd_epi16(one.0, other.0))) }
    }

    #[inline(always)]
    fn multiply(self, one: [Whole; 2], other: [Whole; 2], products: &mut [[u8; 4]; GROUPS]) -> u16 {
        simd! { self =>
            let most = _mm512_set1_epi16(ACTIVATION_UNIT);
            let product = |block: usize| {
                let one = _mm512_min_epi16(_mm512_max_epi16(one[block].0, _mm512_setzero_si512()), most);
                // With a negative factor the product is negative or zero, and packing makes it zero.
                let other = _mm512_min_epi16(other[block].0, most);
                // This multiplies, adds half and divides by 2¹⁵.
                _mm512_mulhrs_epi16(_mm512_slli_epi16::<6>(one), other)
            };
            let bytes = _mm512_packus_epi16(product(0), product(1));
            _mm512_storeu_si512(std::ptr::from_mut(products).cast(), bytes);
            _mm512_test_epi32_mask(bytes, bytes)
        }
    }

    #[inline(always)]
    fn weigh_group(self, products: [u8; 4], weights: &ByteWeights, sums: Whole) -> Whole {
        simd! { self =>
            let products = _mm512_set1_epi32(i32::from_le_bytes(products));
            let weights = _mm512_load_si512(std::ptr::from_ref(weights).cast());
            // Added to zero first, so that one group need not wait for the last one's multiplication.
            let weighed = if VNNI {
                _mm512_dpbusd_epi32(_mm512_setzero_si512(), products, weights)
            } else {
                _mm512_madd_epi16(_mm512_maddubs_epi16(products, weights), _mm512_set1_epi16(1))
            };
            Whole(_mm512_add_epi32(sums.0, weighed))
        }
    }

    #[inline(always)]
    fn squares<const SHIFT: u32>(self, sums: [Whole; 2], most: i16) -> Whole {
        simd! { self =>
            let [low, high] = sums.map(|sums| _mm512_cvtsepi32_epi16(_mm512_srai_epi32::<SHIFT>(sums.0)));
            let narrow = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            let active = _mm512_min_epi16(_mm512_max_epi16(narrow, _mm512_setzero_si512()), _mm512_set1_epi16(most));
            // The upper half of a product of four times each is the square divided by 2¹².
            let active = _mm512_slli_epi16::<2>(active);
            Whole(_mm512_mulhi_epi16(active, active))
        }
    }
}
