//! A block in two registers of 256 bits.

use std::arch::x86_64::*;

use super::{SUMS, Simd, Work, simd};
use crate::ACTIVATION_UNIT;
use crate::block::{Block, ByteWeights, GROUPS};

/// Proof that the CPU has AVX2, and BMI as all such CPUs do: only [`Avx2::detect`] makes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The proof, on a CPU that has the instructions.
    pub(super) fn detect() -> Option<Avx2> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Avx2(()))
    }
}

/// Both halves of a block, or of the sums.
#[derive(Clone, Copy)]
pub(super) struct Halves([__m256i; 2]);

impl Simd for Avx2 {
    type Lanes = Halves;
    type Sums = Halves;

    super::entries!("avx2,bmi1,bmi2,lzcnt,popcnt");

    #[inline(always)]
    fn load(self, block: &Block) -> Halves {
        let start = std::ptr::from_ref(block).cast::<__m256i>();
        simd! { self => Halves([_mm256_load_si256(start), _mm256_load_si256(start.add(1))]) }
    }

    #[inline(always)]
    fn store(self, lanes: Halves, block: &mut Block) {
        let start = std::ptr::from_mut(block).cast::<__m256i>();
        simd! { self =>
            _mm256_store_si256(start, lanes.0[0]);
            _mm256_store_si256(start.add(1), lanes.0[1]);
        }
    }

    #[inline(always)]
    fn add(self, one: Halves, other: Halves) -> Halves {
        let ([a, b], [c, d]) = (one.0, other.0);
        simd! { self => Halves([_mm256_add_epi16(a, c), _mm256_add_epi16(b, d)]) }
    }

    #[inline(always)]
    fn subtract(self, one: Halves, other: Halves) -> Halves {
        let ([a, b], [c, d]) = (one.0, other.0);
        simd! { self => Halves([_mm256_sub_epi16(a, c), _mm256_sub_epi16(b, d)]) }
    }

    #[inline(always)]
    fn no_sums(self) -> Halves {
        simd! { self => Halves([_mm256_setzero_si256(); 2]) }
    }

    #[inline(always)]
    fn weigh(self, neurons: Halves, weights: Halves, sums: Halves) -> Halves {
        simd! { self =>
            let most = _mm256_set1_epi16(ACTIVATION_UNIT);
            let half = |half: usize| {
                let active = _mm256_min_epi16(_mm256_max_epi16(neurons.0[half], _mm256_setzero_si256()), most);
                // The first product fits 16 bits because the weights are small; the second goes to 32 in pairs.
                let weighed = _mm256_mullo_epi16(active, weights.0[half]);
                _mm256_add_epi32(sums.0[half], _mm256_madd_epi16(weighed, active))
            };
            Halves([half(0), half(1)])
        }
    }

    #[inline(always)]
    fn add_sums(self, one: Halves, other: Halves) -> Halves {
        let ([a, b], [c, d]) = (one.0, other.0);
        simd! { self => Halves([_mm256_add_epi32(a, c), _mm256_add_epi32(b, d)]) }
    }

    #[inline(always)]
    fn total(self, sums: Halves) -> i64 {
        simd! { self =>
            let widened = sums.0.map(|half| {
                let (low, high) = (_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
                _mm256_add_epi64(_mm256_cvtepi32_epi64(low), _mm256_cvtepi32_epi64(high))
            });
            let four = _mm256_add_epi64(widened[0], widened[1]);
            let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            _mm_cvtsi128_si64(two) + _mm_extract_epi64::<1>(two)
        }
    }

    #[inline(always)]
    fn load_sums(self, numbers: &[i32; SUMS]) -> Halves {
        let start = numbers.as_ptr().cast::<__m256i>();
        simd! { self => Halves([_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))]) }
    }

    #[inline(always)]
    fn splat(self, [low, high]: [i16; 2]) -> Halves {
        simd! { self => Halves([_mm256_set1_epi32(i32::from(high) << 16 | i32::from(low.cast_unsigned())); 2]) }
    }

    #[inline(always)]
    fn dot(self, one: Halves, other: Halves, sums: Halves) -> Halves {
        simd! { self =>
            let half = |half: usize| _mm256_add_epi32(sums.0[half], _mm256_madd_epi16(one.0[half], other.0[half]));
            Halves([half(0), half(1)])
        }
    }

    #[inline(always)]
    fn multiply(self, one: [Halves; 2], other: [Halves; 2], products: &mut [[u8; 4]; GROUPS]) -> u16 {
        let start = std::ptr::from_mut(products).cast::<__m256i>();
        simd! { self =>
            let most = _mm256_set1_epi16(ACTIVATION_UNIT);
            let product = |block: usize, half: usize| {
                let one = _mm256_min_epi16(_mm256_max_epi16(one[block].0[half], _mm256_setzero_si256()), most);
                // With a negative factor the product is negative or zero, and packing makes it zero.
                let other = _mm256_min_epi16(other[block].0[half], most);
                // This multiplies, adds half and divides by 2¹⁵.
                _mm256_mulhrs_epi16(_mm256_slli_epi16::<6>(one), other)
            };
            let groups = [0, 1].map(|half| {
                let bytes = _mm256_packus_epi16(product(0, half), product(1, half));
                _mm256_storeu_si256(start.add(half), bytes);
                // Products are at most 127, so that no group looks negative.
                _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(bytes, _mm256_setzero_si256())))
            });
            (groups[0] | groups[1] << 8) as u16
        }
    }

    #[inline(always)]
    fn weigh_group(self, products: [u8; 4], weights: &ByteWeights, sums: Halves) -> Halves {
        let start = std::ptr::from_ref(weights).cast::<__m256i>();
        simd! { self =>
            let products = _mm256_set1_epi32(i32::from_le_bytes(products));
            let half = |half: usize| {
                let two = _mm256_maddubs_epi16(products, _mm256_load_si256(start.add(half)));
                _mm256_add_epi32(sums.0[half], _mm256_madd_epi16(two, _mm256_set1_epi16(1)))
            };
            Halves([half(0), half(1)])
        }
    }

    #[inline(always)]
    fn squares<const SHIFT: u32>(self, sums: [Halves; 2], most: i16) -> Halves {
        simd! { self =>
            let least = _mm256_setzero_si256();
            let most = _mm256_set1_epi16(most);
            Halves(sums.map(|sums| {
                // The intrinsic for constants wants one with a sign; the compiler makes the same instruction of this.
                let [low, high] = sums.0.map(|half| _mm256_sra_epi32(half, _mm_cvtsi32_si128(SHIFT as i32)));
                // Packing takes four of each in turn, which is undone here.
                let narrow = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high));
                // The upper half of a product of four times each is the square divided by 2¹².
                let active = _mm256_slli_epi16::<2>(_mm256_min_epi16(_mm256_max_epi16(narrow, least), most));
                _mm256_mulhi_epi16(active, active)
            }))
        }
    }
}
