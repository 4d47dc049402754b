//! Plain loops over plain numbers, which compilers turn into whatever vector instructions a build allows.

use super::{Registers, SUMS};
use crate::ACTIVATION_UNIT;
use crate::block::Block;

super::runner!(Block);

fn combine(one: Block, other: Block, combine: impl Fn(i16, i16) -> i16) -> Block {
    Block(std::array::from_fn(|index| combine(one.0[index], other.0[index])))
}

impl Registers for Block {
    type Sums = [i32; SUMS];

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
}
