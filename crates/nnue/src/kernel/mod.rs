//! The inner loops, once for every instruction set, all with the same results to the bit.
//!
//! The loops are written once, over the [`Registers`] that hold a block, and each instruction set brings registers of its
//! own. Which set is used is settled when the program runs: a piece of [`Work`] is compiled once for each set, as a whole,
//! so that there is one choice for each judgement and none inside of it. (A choice for each loop costs up to a twentieth of a
//! judgement with AVX2, and nothing with AVX-512.)
//!
//! The dot product of AVX-512 VNNI is not asked for: where the build allows it, the compiler joins the multiplication and
//! the addition into one by itself.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pairwise;
mod portable;

use std::fmt;

use crate::block::{Block, ByteWeights, GROUPS};
pub(crate) use pairwise::{HeadJudgement, PackedHead};

/// An instruction set that this CPU has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Set);

/// All instruction sets there is code for. A value of one that the CPU lacks must not exist outside of [`Kernel::available`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Kernel {
    /// Plain loops over plain numbers, right on every CPU: what the others are compared with.
    pub const PORTABLE: Kernel = Kernel(Set::Portable);

    /// What runs on this CPU, the fastest first.
    pub fn available() -> Vec<Kernel> {
        #[cfg(target_arch = "x86_64")]
        let sets = [
            (Set::Avx512, is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")),
            (Set::Avx2, is_x86_feature_detected!("avx2")),
            (Set::Portable, true),
        ];
        #[cfg(target_arch = "aarch64")]
        let sets = [(Set::Neon, std::arch::is_aarch64_feature_detected!("neon")), (Set::Portable, true)];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let sets = [(Set::Portable, true)];
        sets.into_iter().filter(|&(_, is_there)| is_there).map(|(set, _)| Kernel(set)).collect()
    }

    /// The fastest that runs on this CPU.
    pub fn best() -> Kernel {
        Kernel::available().first().copied().unwrap_or(Kernel::PORTABLE)
    }

    /// The name as people know it.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Set::Neon => "NEON",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The sums of a layer are collected in so many numbers of 32 bits.
///
/// A block adds to each of them at most two products of 255² · 127, so that 130 blocks are safe: the two hidden layers of
/// the widest network have 128.
const SUMS: usize = 16;

/// A block in the registers of an instruction set.
///
/// # Safety
/// The methods may only be called on a CPU that has the instruction set.
pub(crate) trait Registers: Copy {
    /// [`SUMS`] numbers of 32 bits.
    type Sums: Copy;

    /// Does work with these registers in a function of its own, so that what it needs is no burden to whoever calls it.
    unsafe fn run_apart<W: Work>(work: W) -> W::Output;

    unsafe fn load(block: &Block) -> Self;

    unsafe fn store(self, block: &mut Block);

    /// Adds each number, wrapping around.
    unsafe fn add(self, other: Self) -> Self;

    /// Subtracts each number, wrapping around.
    unsafe fn subtract(self, other: Self) -> Self;

    unsafe fn no_sums() -> Self::Sums;

    /// Adds the squared activations of these neurons, each times its weight, to the sums.
    unsafe fn weigh(self, weights: Self, sums: Self::Sums) -> Self::Sums;

    /// Adds each sum.
    unsafe fn add_sums(one: Self::Sums, other: Self::Sums) -> Self::Sums;

    /// All sums in one, which may need more than 32 bits.
    unsafe fn total(sums: Self::Sums) -> i64;

    unsafe fn load_sums(numbers: &[i32; SUMS]) -> Self::Sums;

    /// Two numbers, again and again.
    unsafe fn splat(two: [i16; 2]) -> Self;

    /// Adds the products with other numbers, two to each sum.
    unsafe fn dot(self, others: Self, sums: Self::Sums) -> Self::Sums;

    /// Writes the products of activations, see [`Head::pair`](crate::Head::pair), with eight of the first blocks and eight of
    /// the second ones in turn. The bits of the result are the groups with something in them.
    unsafe fn multiply(one: [Self; 2], other: [Self; 2], products: &mut [[u8; 4]; GROUPS]) -> u16;

    /// Adds four products to each sum, each times its own weight. Products are at most 127.
    unsafe fn weigh_group(products: [u8; 4], weights: &ByteWeights, sums: Self::Sums) -> Self::Sums;

    /// What becomes of the sums of a small layer: divided by two to a power, clipped to what is at most 8191, squared and
    /// divided by 4096.
    unsafe fn squares<const SHIFT: u32>(sums: [Self::Sums; 2], most: i16) -> Self;
}

/// Something to do with whatever registers there are.
pub(crate) trait Work {
    /// What comes of it.
    type Output;

    /// Does it. This must be inlined, and so must everything on the way from here to the methods of the registers: only
    /// then is it compiled for the instruction set.
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    unsafe fn run<V: Registers>(self) -> Self::Output;
}

/// Does work with the registers of one instruction set, compiled with the CPU features of a name; `run_apart` in a function
/// of its own, wherever it is called from.
macro_rules! runner {
    ($registers:ty $(, $feature:literal)?) => {
        $(#[target_feature(enable = $feature)])?
        pub(super) unsafe fn run<W: super::Work>(work: W) -> W::Output {
            // SAFETY: our caller promises that the CPU has the instructions.
            unsafe { work.run::<$registers>() }
        }

        $(#[target_feature(enable = $feature)])?
        #[inline(never)]
        unsafe fn run_apart<W: super::Work>(work: W) -> W::Output {
            // SAFETY: our caller promises that the CPU has the instructions.
            unsafe { work.run::<$registers>() }
        }
    };
}
use runner;

impl Kernel {
    /// Does work with this instruction set.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: a kernel is only made for an instruction set that was found.
        unsafe {
            match self.0 {
                Set::Portable => portable::run(work),
                #[cfg(target_arch = "x86_64")]
                Set::Avx2 => avx2::run(work),
                #[cfg(target_arch = "x86_64")]
                Set::Avx512 => avx512::run(work),
                #[cfg(target_arch = "aarch64")]
                Set::Neon => neon::run(work),
            }
        }
    }
}

/// Writes the source with some rows added and some removed to the target, in one pass. All rows are as long as the
/// target.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub(crate) unsafe fn update<V: Registers, const A: usize, const R: usize>(
    source: &[Block],
    target: &mut [Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    let blocks = target.len();
    let (source, added, removed) =
        (&source[..blocks], added.map(|row| &row[..blocks]), removed.map(|row| &row[..blocks]));
    for index in 0..blocks {
        // SAFETY: our caller promises that the CPU has the instructions.
        unsafe {
            let mut values = V::load(&source[index]);
            for row in added {
                values = values.add(V::load(&row[index]));
            }
            for row in removed {
                values = values.subtract(V::load(&row[index]));
            }
            values.store(&mut target[index]);
        }
    }
}

/// How many blocks are kept in registers while rows are added to them: as many as leave some of AVX2's sixteen free.
const TILE: usize = 4;

/// Adds some of the rows to the values and subtracts some others, with the values kept in registers.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub(crate) unsafe fn accumulate<V: Registers>(
    values: &mut [Block],
    rows: &[Block],
    added: &[usize],
    removed: &[usize],
) {
    let row_blocks = values.len();
    let (tiles, rest) = values.as_chunks_mut::<TILE>();
    let first_of_rest = TILE * tiles.len();
    // SAFETY: our caller promises that the CPU has the instructions.
    unsafe {
        for (index, tile) in tiles.iter_mut().enumerate() {
            accumulate_tile::<V, TILE>(tile, rows, TILE * index, row_blocks, added, removed);
        }
        for (index, block) in rest.as_chunks_mut::<1>().0.iter_mut().enumerate() {
            accumulate_tile::<V, 1>(block, rows, first_of_rest + index, row_blocks, added, removed);
        }
    }
}

/// Adds and subtracts rows to the `N` blocks that are `offset` blocks from the start of theirs.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn accumulate_tile<V: Registers, const N: usize>(
    tile: &mut [Block; N],
    rows: &[Block],
    offset: usize,
    row_blocks: usize,
    added: &[usize],
    removed: &[usize],
) {
    let part_of = |row: usize| &rows[row * row_blocks + offset..][..N];
    // SAFETY: our caller promises that the CPU has the instructions.
    unsafe {
        let mut values: [V; N] = std::array::from_fn(|index| V::load(&tile[index]));
        for &row in added {
            let part = part_of(row);
            for (index, value) in values.iter_mut().enumerate() {
                *value = value.add(V::load(&part[index]));
            }
        }
        for &row in removed {
            let part = part_of(row);
            for (index, value) in values.iter_mut().enumerate() {
                *value = value.subtract(V::load(&part[index]));
            }
        }
        for (value, block) in values.into_iter().zip(tile) {
            value.store(block);
        }
    }
}

/// The squared activations of both hidden layers, each times its weight, all added up.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub(crate) unsafe fn weigh<V: Registers>(own: &[Block], their: &[Block], weights: &[Block]) -> i64 {
    let blocks = own.len();
    let (own_weights, their_weights) = weights.split_at(blocks);
    let (their, their_weights) = (&their[..blocks], &their_weights[..blocks]);
    // SAFETY: our caller promises that the CPU has the instructions.
    unsafe {
        let mut sums = [V::no_sums(); TILE];
        sums = weigh_layer::<V>(own, own_weights, sums);
        let [a, b, c, d] = weigh_layer::<V>(their, their_weights, sums);
        V::total(V::add_sums(V::add_sums(a, b), V::add_sums(c, d)))
    }
}

/// Adds the squared activations of a hidden layer, each times its weight, to the sums. An addition waits for the one before, so
/// there are four chains of them.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn weigh_layer<V: Registers>(
    neurons: &[Block],
    weights: &[Block],
    mut sums: [V::Sums; TILE],
) -> [V::Sums; TILE] {
    let ((neurons, last_neurons), (weights, last_weights)) = (neurons.as_chunks::<TILE>(), weights.as_chunks::<TILE>());
    // SAFETY: our caller promises that the CPU has the instructions.
    unsafe {
        for (neurons, weights) in neurons.iter().zip(weights) {
            for (index, sums) in sums.iter_mut().enumerate() {
                *sums = V::load(&neurons[index]).weigh(V::load(&weights[index]), *sums);
            }
        }
        for (neurons, weights) in last_neurons.iter().zip(last_weights) {
            sums[0] = V::load(neurons).weigh(V::load(weights), sums[0]);
        }
    }
    sums
}

#[cfg(test)]
mod tests;
