//! The unit of all vector work: a cache line of 16-bit numbers, or of 8-bit ones.

/// A cache line of 16-bit numbers. All weights and accumulators are rows of blocks, which aligns them by their type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i16; Block::LEN]);

impl Block {
    /// How many numbers a block holds.
    pub(crate) const LEN: usize = 32;

    pub(crate) const ZERO: Block = Block([0; Block::LEN]);

    /// Numbers as blocks; there must be a multiple of [`Block::LEN`] of them.
    pub(crate) fn pack(numbers: &[i16]) -> Vec<Block> {
        let (blocks, rest) = numbers.as_chunks();
        assert!(rest.is_empty(), "rows are made of whole blocks");
        blocks.iter().map(|&numbers| Block(numbers)).collect()
    }

    /// Blocks as numbers.
    pub(crate) fn unpack(blocks: &[Block]) -> impl Iterator<Item = i16> {
        blocks.iter().flat_map(|block| block.0)
    }
}

/// A cache line of 8-bit weights: four for each of [`GROUPS`] neurons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct ByteWeights(pub(crate) [[i8; 4]; GROUPS]);

/// How many groups of four bytes are in a cache line.
pub(crate) const GROUPS: usize = 16;
