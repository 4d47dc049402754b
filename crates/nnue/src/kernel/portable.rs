//! Plain loops over plain numbers, which compilers turn into whatever vector instructions a build allows.

use super::{Registers, SUMS, Work};
use crate::block::{Block, ByteWeights, GROUPS};
use crate::{ACTIVATION_UNIT, Head};

super::runner!(Block);

fn combine(one: Block, other: Block, combine: impl Fn(i16, i16) -> i16) -> Block {
    Block(std::array::from_fn(|index| combine(one.0[index], other.0[index])))
}

impl Registers for Block {
    type Sums = [i32; SUMS];

    #[inline(always)]
    unsafe fn run_apart<W: Work>(work: W) -> W::Output {
        // SAFETY: our caller promises that the CPU has the instructions.
        unsafe { run_apart(work) }
    }

    #[inline(always)]
    unsafe fn load(block: &Block) -> Block {
        *block
    }

    #[inline(always)]
    unsafe fn store(self, block: &mut Block) {
        *block = self;
    }

    #[inline(always)]
    unsafe fn add(self, other: Block) -> Block {
        combine(self, other, i16::wrapping_add)
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Block) -> Block {
        combine(self, other, i16::wrapping_sub)
    }

    #[inline(always)]
    unsafe fn no_sums() -> [i32; SUMS] {
        [0; SUMS]
    }

    #[inline(always)]
    unsafe fn weigh(self, weights: Block, sums: [i32; SUMS]) -> [i32; SUMS] {
        let product = |index: usize| {
            let active = self.0[index].clamp(0, ACTIVATION_UNIT);
            // The first product fits 16 bits because the weights are small, and multiplying those is cheap everywhere.
            i32::from(active.wrapping_mul(weights.0[index])) * i32::from(active)
        };
        std::array::from_fn(|index| sums[index] + product(2 * index) + product(2 * index + 1))
    }

    #[inline(always)]
    unsafe fn add_sums(one: [i32; SUMS], other: [i32; SUMS]) -> [i32; SUMS] {
        std::array::from_fn(|index| one[index] + other[index])
    }

    #[inline(always)]
    unsafe fn total(sums: [i32; SUMS]) -> i64 {
        sums.into_iter().map(i64::from).sum()
    }

    #[inline(always)]
    unsafe fn load_sums(numbers: &[i32; SUMS]) -> [i32; SUMS] {
        *numbers
    }

    #[inline(always)]
    unsafe fn splat(two: [i16; 2]) -> Block {
        Block(std::array::from_fn(|index| two[index % 2]))
    }

    #[inline(always)]
    unsafe fn dot(self, others: Block, sums: [i32; SUMS]) -> [i32; SUMS] {
        let product = |index: usize| i32::from(self.0[index]) * i32::from(others.0[index]);
        std::array::from_fn(|index| sums[index] + product(2 * index) + product(2 * index + 1))
    }

    #[inline(always)]
    unsafe fn multiply(one: [Block; 2], other: [Block; 2], products: &mut [[u8; 4]; GROUPS]) -> u16 {
        *products = std::array::from_fn(|group| {
            let (block, first) = (group / 2 % 2, group / 4 * 8 + group % 2 * 4);
            std::array::from_fn(|index| Head::pair(one[block].0[first + index], other[block].0[first + index]))
        });
        products.iter().rev().fold(0, |bits, group| bits << 1 | u16::from(*group != [0; 4]))
    }

    #[inline(always)]
    unsafe fn weigh_group(products: [u8; 4], weights: &ByteWeights, sums: [i32; SUMS]) -> [i32; SUMS] {
        std::array::from_fn(|index| {
            let weighed =
                products.iter().zip(weights.0[index]).map(|(&one, weight)| i32::from(one) * i32::from(weight));
            sums[index] + weighed.sum::<i32>()
        })
    }

    #[inline(always)]
    unsafe fn squares<const SHIFT: u32>(sums: [[i32; SUMS]; 2], most: i16) -> Block {
        Block(std::array::from_fn(|index| {
            let active = (sums[index / SUMS][index % SUMS] >> SHIFT).clamp(0, i32::from(most));
            ((active * active) >> Head::SQUARE_SHIFT) as i16
        }))
    }
}
