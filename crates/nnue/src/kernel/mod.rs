//! The inner loops, once for every instruction set, all with the same results to the bit.
//!
//! The loops are written once, over the trait [`Simd`]. A value of a type that implements it takes no room and proves
//! that the CPU has the instructions, because only their detection makes one; so all code above the instructions is
//! safe. Which set is used is settled when the program runs: a piece of [`Work`] is compiled once for each set, as a
//! whole, so that there is one choice for each evaluation and none inside of it. (A choice for each loop costs up to a
//! twentieth of an evaluation with AVX2, and nothing with AVX-512.)
//!
//! The dot product of words by AVX-512 VNNI is not asked for: where it is allowed, the compiler joins the
//! multiplication and the addition into one by itself.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pairwise;
mod portable;

use std::fmt;

use rules::Instructions;

use crate::block::{Block, ByteWeights, GROUPS};
pub(crate) use pairwise::{HeadJudgement, PackedHead};
use portable::Portable;

/// An instruction set that this CPU has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Set);

/// All instruction sets there is code for, each with the proof that the CPU has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512<false>),
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni(avx512::Avx512<true>),
    #[cfg(target_arch = "aarch64")]
    Neon(neon::Neon),
}

impl Kernel {
    /// Plain loops over plain numbers, right on every CPU: what the others are compared with.
    pub const PORTABLE: Kernel = Kernel(Set::Portable(Portable));

    /// What runs on this CPU, the fastest first.
    pub fn available() -> Vec<Kernel> {
        #[cfg(target_arch = "x86_64")]
        let sets = [
            avx512::Avx512::detect().map(Set::Avx512Vnni),
            avx512::Avx512::detect().map(Set::Avx512),
            avx2::Avx2::detect().map(Set::Avx2),
        ];
        #[cfg(target_arch = "aarch64")]
        let sets = [neon::Neon::detect().map(Set::Neon)];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let sets = [None];
        sets.into_iter().flatten().map(Kernel).chain([Kernel::PORTABLE]).collect()
    }

    /// The fastest that runs on this CPU, unless the program was told to use [fewer](Instructions::limit_to)
    /// instructions.
    pub fn best() -> Kernel {
        let mut kernels = Kernel::available().into_iter();
        kernels.find(|kernel| kernel.instructions() <= Instructions::limit()).unwrap_or(Kernel::PORTABLE)
    }

    /// The limit from which on this kernel may be used.
    fn instructions(self) -> Instructions {
        match self.0 {
            Set::Portable(_) => Instructions::Baseline,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => Instructions::Avx2,
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) | Set::Avx512Vnni(_) => Instructions::Avx512,
            // Every CPU of its kind has it.
            #[cfg(target_arch = "aarch64")]
            Set::Neon(_) => Instructions::Baseline,
        }
    }

    /// The name of the instruction set.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Vnni(_) => "AVX-512 VNNI",
            #[cfg(target_arch = "aarch64")]
            Set::Neon(_) => "NEON",
        }
    }

    /// Does work with this instruction set.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Set::Portable(simd) => simd.run(work),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(simd) => simd.run(work),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(simd) => simd.run(work),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Vnni(simd) => simd.run(work),
            #[cfg(target_arch = "aarch64")]
            Set::Neon(simd) => simd.run(work),
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
/// A block adds to each of them at most two products of 255² · 127, so that 130 blocks are safe: the two hidden layers
/// of the widest network have 128.
const SUMS: usize = 16;

/// Proof that the CPU has an instruction set, and what the set can do with a block in its registers.
///
/// A value takes no room. There is one only on a CPU that has the instructions, so that the methods are safe.
pub(crate) trait Simd: Copy {
    /// A block in registers.
    type Lanes: Copy;

    /// [`SUMS`] numbers of 32 bits.
    type Sums: Copy;

    /// Does work in a function that is compiled for the instruction set.
    fn run<W: Work>(self, work: W) -> W::Output;

    /// The same, never inlined, so that the registers it needs are not taken from the caller.
    fn run_apart<W: Work>(self, work: W) -> W::Output;

    fn load(self, block: &Block) -> Self::Lanes;

    fn store(self, lanes: Self::Lanes, block: &mut Block);

    /// Adds each number, wrapping around.
    fn add(self, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    /// Subtracts each number, wrapping around.
    fn subtract(self, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    fn no_sums(self) -> Self::Sums;

    /// Adds the squared activations of these neurons, each times its weight, to the sums.
    fn weigh(self, neurons: Self::Lanes, weights: Self::Lanes, sums: Self::Sums) -> Self::Sums;

    /// Adds each sum.
    fn add_sums(self, one: Self::Sums, other: Self::Sums) -> Self::Sums;

    /// All sums in one, which may need more than 32 bits.
    fn total(self, sums: Self::Sums) -> i64;

    fn load_sums(self, numbers: &[i32; SUMS]) -> Self::Sums;

    /// Two numbers, again and again.
    fn splat(self, two: [i16; 2]) -> Self::Lanes;

    /// Adds the products with other numbers, two to each sum.
    fn dot(self, one: Self::Lanes, other: Self::Lanes, sums: Self::Sums) -> Self::Sums;

    /// Writes the products of activations, see [`Head::pair`](crate::Head::pair), with eight of the first blocks and
    /// eight of the second ones in turn. The bits of the result are the groups with something in them.
    fn multiply(self, one: [Self::Lanes; 2], other: [Self::Lanes; 2], products: &mut [[u8; 4]; GROUPS]) -> u16;

    /// Adds four products to each sum, each times its own weight. Products are at most 127.
    fn weigh_group(self, products: [u8; 4], weights: &ByteWeights, sums: Self::Sums) -> Self::Sums;

    /// What becomes of the sums of a small layer: divided by two to a power, clipped to what is at most 8191, squared
    /// and divided by 4096.
    fn squares<const SHIFT: u32>(self, sums: [Self::Sums; 2], most: i16) -> Self::Lanes;
}

/// Something to do with any instruction set.
pub(crate) trait Work {
    /// What comes of it.
    type Output;

    /// Does it. This must be inlined, and so must everything on the way from here to the methods of `simd`: only then
    /// is it compiled for the instruction set.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Instructions that a proof shows to exist: a block of code inside an implementation of [`Simd`].
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! simd {
    ($proof:expr => $($code:tt)*) => {{
        let _: Self = $proof;
        // SAFETY: the proof is made only on a CPU that has the instructions, and whatever is loaded or stored through a
        // pointer is a whole block or cache line, borrowed as such.
        unsafe { $($code)* }
    }};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use simd;

/// The two methods of [`Simd`] that do work, compiled with the CPU features of a name, or of one of two.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! entries {
    ($features:literal) => {
        super::entries!(if true { $features } else { $features });
    };
    (if $condition:tt { $more:literal } else { $fewer:literal }) => {
        #[inline(always)]
        fn run<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = $more)]
            fn more<S: Simd, W: Work>(simd: S, work: W) -> W::Output {
                work.run(simd)
            }
            #[target_feature(enable = $fewer)]
            fn fewer<S: Simd, W: Work>(simd: S, work: W) -> W::Output {
                work.run(simd)
            }
            simd! { self => if $condition { more(self, work) } else { fewer(self, work) } }
        }

        #[inline(always)]
        fn run_apart<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = $more)]
            #[inline(never)]
            fn more<S: Simd, W: Work>(simd: S, work: W) -> W::Output {
                work.run(simd)
            }
            #[target_feature(enable = $fewer)]
            #[inline(never)]
            fn fewer<S: Simd, W: Work>(simd: S, work: W) -> W::Output {
                work.run(simd)
            }
            simd! { self => if $condition { more(self, work) } else { fewer(self, work) } }
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use entries;

/// Writes the source with some rows added and some removed to the target, in one pass. All rows are as long as the
/// target.
#[inline(always)]
pub(crate) fn update<S: Simd, const A: usize, const R: usize>(
    simd: S,
    source: &[Block],
    target: &mut [Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    let blocks = target.len();
    let (source, added, removed) =
        (&source[..blocks], added.map(|row| &row[..blocks]), removed.map(|row| &row[..blocks]));
    for index in 0..blocks {
        let mut values = simd.load(&source[index]);
        for row in added {
            values = simd.add(values, simd.load(&row[index]));
        }
        for row in removed {
            values = simd.subtract(values, simd.load(&row[index]));
        }
        simd.store(values, &mut target[index]);
    }
}

/// How many blocks are kept in registers while rows are added to them: as many as leave some of AVX2's sixteen free.
const TILE: usize = 4;

/// Adds some of the rows to the values and subtracts some others, with the values kept in registers.
#[inline(always)]
pub(crate) fn accumulate<S: Simd>(simd: S, values: &mut [Block], rows: &[Block], added: &[usize], removed: &[usize]) {
    let row_blocks = values.len();
    let (tiles, rest) = values.as_chunks_mut::<TILE>();
    let first_of_rest = TILE * tiles.len();
    let part_of = |row: usize, offset: usize| &rows[row * row_blocks + offset..];
    for (index, tile) in tiles.iter_mut().enumerate() {
        accumulate_tile(simd, tile, |row| part_of(row, TILE * index), added, removed);
    }
    for (index, block) in rest.as_chunks_mut::<1>().0.iter_mut().enumerate() {
        accumulate_tile(simd, block, |row| part_of(row, first_of_rest + index), added, removed);
    }
}

/// Adds and subtracts rows to `N` blocks; `part_of` is where their part of a row begins.
#[inline(always)]
fn accumulate_tile<'r, S: Simd, const N: usize>(
    simd: S,
    tile: &mut [Block; N],
    part_of: impl Fn(usize) -> &'r [Block],
    added: &[usize],
    removed: &[usize],
) {
    let mut values: [S::Lanes; N] = std::array::from_fn(|index| simd.load(&tile[index]));
    for &row in added {
        let part = &part_of(row)[..N];
        for (index, value) in values.iter_mut().enumerate() {
            *value = simd.add(*value, simd.load(&part[index]));
        }
    }
    for &row in removed {
        let part = &part_of(row)[..N];
        for (index, value) in values.iter_mut().enumerate() {
            *value = simd.subtract(*value, simd.load(&part[index]));
        }
    }
    for (value, block) in values.into_iter().zip(tile) {
        simd.store(value, block);
    }
}

/// The squared activations of both hidden layers, each times its weight, all added up.
#[inline(always)]
pub(crate) fn weigh<S: Simd>(simd: S, own: &[Block], their: &[Block], weights: &[Block]) -> i64 {
    let blocks = own.len();
    let (own_weights, their_weights) = weights.split_at(blocks);
    let (their, their_weights) = (&their[..blocks], &their_weights[..blocks]);
    let mut sums = [simd.no_sums(); TILE];
    sums = weigh_layer(simd, own, own_weights, sums);
    let [a, b, c, d] = weigh_layer(simd, their, their_weights, sums);
    simd.total(simd.add_sums(simd.add_sums(a, b), simd.add_sums(c, d)))
}

/// Adds the squared activations of a hidden layer, each times its weight, to the sums. An addition waits for the one
/// before, so there are four chains of them.
#[inline(always)]
fn weigh_layer<S: Simd>(simd: S, neurons: &[Block], weights: &[Block], mut sums: [S::Sums; TILE]) -> [S::Sums; TILE] {
    let ((neurons, last_neurons), (weights, last_weights)) = (neurons.as_chunks::<TILE>(), weights.as_chunks::<TILE>());
    for (neurons, weights) in neurons.iter().zip(weights) {
        for (index, sums) in sums.iter_mut().enumerate() {
            *sums = simd.weigh(simd.load(&neurons[index]), simd.load(&weights[index]), *sums);
        }
    }
    for (neurons, weights) in last_neurons.iter().zip(last_weights) {
        sums[0] = simd.weigh(simd.load(neurons), simd.load(weights), sums[0]);
    }
    sums
}

#[cfg(test)]
mod tests;
