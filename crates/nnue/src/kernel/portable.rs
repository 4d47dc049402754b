//! Plain loops over plain numbers, which compilers turn into whatever vector instructions a build allows.

use super::{SUMS, Simd, Work};
use crate::block::{Block, ByteWeights, GROUPS};
use crate::{ACTIVATION_UNIT, Head};

/// The instructions that every CPU has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Portable;

fn combine(one: Block, other: Block, combine: impl Fn(i16, i16) -> i16) -> Block {
    Block(std::array::from_fn(|index| combine(one.0[index], other.0[index])))
}

impl Simd for Portable {
    type Lanes = Block;
    type Sums = [i32; SUMS];

    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline(never)]
    fn run_apart<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline(always)]
    fn load(self, block: &Block) -> Block {
        *block
    }

    #[inline(always)]
    fn store(self, lanes: Block, block: &mut Block) {
        *block = lanes;
    }

    #[inline(always)]
    fn add(self, one: Block, other: Block) -> Block {
        combine(one, other, i16::wrapping_add)
    }

    #[inline(always)]
    fn subtract(self, one: Block, other: Block) -> Block {
        combine(one, other, i16::wrapping_sub)
    }

    #[inline(always)]
    fn no_sums(self) -> [i32; SUMS] {
        [0; SUMS]
    }

    #[inline(always)]
    fn weigh(self, neurons: Block, weights: Block, sums: [i32; SUMS]) -> [i32; SUMS] {
        let product = |index: usize| {
            let active = neurons.0[index].clamp(0, ACTIVATION_UNIT);
            // The first product fits 16 bits because the weights are small, and multiplying those is cheap everywhere.
            i32::from(active.wrapping_mul(weights.0[index])) * i32::from(active)
        };
        std::array::from_fn(|index| sums[index] + product(2 * index) + product(2 * index + 1))
    }

    #[inline(always)]
    fn add_sums(self, one: [i32; SUMS], other: [i32; SUMS]) -> [i32; SUMS] {
        std::array::from_fn(|index| one[index] + other[index])
    }

    #[inline(always)]
    fn total(self, sums: [i32; SUMS]) -> i64 {
        sums.into_iter().map(i64::from).sum()
    }

    #[inline(always)]
    fn load_sums(self, numbers: &[i32; SUMS]) -> [i32; SUMS] {
        *numbers
    }

    #[inline(always)]
    fn splat(self, two: [i16; 2]) -> Block {
        Block(std::array::from_fn(|index| two[index % 2]))
    }

    #[inline(always)]
    fn dot(self, one: Block, other: Block, sums: [i32; SUMS]) -> [i32; SUMS] {
        let product = |index: usize| i32::from(one.0[index]) * i32::from(other.0[index]);
        std::array::from_fn(|index| sums[index] + product(2 * index) + product(2 * index + 1))
    }

    #[inline(always)]
    fn multiply(self, one: [Block; 2], other: [Block; 2], products: &mut [[u8; 4]; GROUPS]) -> u16 {
        *products = std::array::from_fn(|group| {
            let (block, first) = (group / 2 % 2, group / 4 * 8 + group % 2 * 4);
            std::array::from_fn(|index| Head::pair(one[block].0[first + index], other[block].0[first + index]))
        });
        products.iter().rev().fold(0, |bits, group| bits << 1 | u16::from(*group != [0; 4]))
    }

    #[inline(always)]
    fn weigh_group(self, products: [u8; 4], weights: &ByteWeights, sums: [i32; SUMS]) -> [i32; SUMS] {
        std::array::from_fn(|index| {
            let weighed =
                products.iter().zip(weights.0[index]).map(|(&one, weight)| i32::from(one) * i32::from(weight));
            sums[index] + weighed.sum::<i32>()
        })
    }

    #[inline(always)]
    fn squares<const SHIFT: u32>(self, sums: [[i32; SUMS]; 2], most: i16) -> Block {
        Block(std::array::from_fn(|index| {
            let active = (sums[index / SUMS][index % SUMS] >> SHIFT).clamp(0, i32::from(most));
            ((active * active) >> Head::SQUARE_SHIFT) as i16
        }))
    }
}
