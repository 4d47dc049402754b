//! Decompression: from an index to a value.
//!
//! The values of a part stand in a row, in blocks of equal size. A sparse index says which block holds every so-many-th
//! value, and a list says how many values each block has; from there the block is found step by step. Within a block,
//! values are symbols in a canonical Huffman code, read from the beginning up to the value that is asked for.

use std::ops::Range;

use crate::cursor::Cursor;
use crate::error::{Damage, Part};
use crate::symbols::Symbols;

/// The values of one part of a table.
#[derive(Debug)]
pub(crate) enum Pairs {
    /// All positions have this value.
    Constant(u16),
    /// Values are compressed.
    Compressed(Box<Compressed>),
}

impl Pairs {
    /// The value at an index, if the file has one there. The index is asked for only if it matters.
    #[inline]
    pub(crate) fn value(&self, bytes: &[u8], index: impl FnOnce() -> u64) -> Option<u16> {
        match self {
            Pairs::Constant(value) => Some(*value),
            Pairs::Compressed(compressed) => compressed.value(bytes, index()),
        }
    }
}

/// The bit that says that all values are the same.
const IS_CONSTANT: u8 = 0x80;

/// What a part says of its values before they come.
pub(crate) struct PairsHeader {
    pub(crate) flags: u8,
    pub(crate) constant: Option<u8>,
    compressed: Option<Compressed>,
    index_bytes: u64,
    length_bytes: u64,
    block_bytes: u64,
}

impl PairsHeader {
    /// Reads the description of a part with so many positions.
    pub(crate) fn read(cursor: &mut Cursor, size: u64) -> Result<PairsHeader, Damage> {
        let flags = cursor.byte(Part::Code)?;
        if flags & IS_CONSTANT != 0 {
            let constant = Some(cursor.byte(Part::Code)?);
            return Ok(PairsHeader {
                flags,
                constant,
                compressed: None,
                index_bytes: 0,
                length_bytes: 0,
                block_bytes: 0,
            });
        }
        let block_bits = u32::from(cursor.byte(Part::Code)?);
        let span_bits = u32::from(cursor.byte(Part::Code)?);
        let padding = cursor.byte(Part::Code)?;
        let block_count = cursor.u32(Part::Code)?;
        // Every block has room for the first eight bytes of a stream, and no span is wider than its numbers.
        if !(3..=24).contains(&block_bits) || !(1..=31).contains(&span_bits) {
            return Err(Damage::Impossible(Part::Code));
        }
        let code = Code::read(cursor)?;
        let length_count = u64::from(block_count) + u64::from(padding);
        Ok(PairsHeader {
            flags,
            constant: None,
            index_bytes: 6 * size.div_ceil(1 << span_bits),
            length_bytes: 2 * length_count,
            block_bytes: u64::from(block_count) << block_bits,
            compressed: Some(Compressed { span_bits, block_bits, code, index: 0..0, lengths: 0..0, blocks: 0..0 }),
        })
    }

    /// Finds the places of index, lengths and blocks of all parts, which come in this order.
    pub(crate) fn place(mut headers: Vec<PairsHeader>, cursor: &mut Cursor) -> Result<Vec<Pairs>, Damage> {
        for header in &mut headers {
            let index = cursor.skip(header.index_bytes, Part::BlockIndex)?;
            header.compressed.iter_mut().for_each(|compressed| compressed.index = index.clone());
        }
        for header in &mut headers {
            let lengths = cursor.skip(header.length_bytes, Part::BlockLengths)?;
            header.compressed.iter_mut().for_each(|compressed| compressed.lengths = lengths.clone());
        }
        for header in &mut headers {
            cursor.align(64);
            let blocks = cursor.skip(header.block_bytes, Part::Blocks)?;
            header.compressed.iter_mut().for_each(|compressed| compressed.blocks = blocks.clone());
        }
        let pairs = headers.into_iter().map(|header| match header.compressed {
            Some(compressed) => Pairs::Compressed(Box::new(compressed)),
            None => Pairs::Constant(u16::from(header.constant.unwrap_or(0))),
        });
        Ok(pairs.collect())
    }
}

/// Compressed values, and where in the file they are.
#[derive(Debug)]
pub(crate) struct Compressed {
    /// Two to this power is how many values one entry of the index covers.
    span_bits: u32,
    /// Two to this power is how many bytes a block has.
    block_bits: u32,
    code: Code,
    index: Range<usize>,
    lengths: Range<usize>,
    blocks: Range<usize>,
}

impl Compressed {
    fn value(&self, bytes: &[u8], index: u64) -> Option<u16> {
        let (block, place) = self.find(bytes, index)?;
        // The lengths are padded with more entries than there are blocks.
        if block >= self.blocks.len() >> self.block_bits {
            return None;
        }
        let start = self.blocks.start + (block << self.block_bits);
        let end = start + (1 << self.block_bits);
        // Eight bytes are read at a time, also near the end. There are as many behind every block: the checksum is.
        self.code.value(bytes.get(start..end + 8)?, place)
    }

    /// The block that holds a value, and its place there.
    #[inline]
    fn find(&self, bytes: &[u8], index: u64) -> Option<(usize, u32)> {
        let entry = usize::try_from(index >> self.span_bits).ok()?.checked_mul(6)?;
        let &[b0, b1, b2, b3, o0, o1] = bytes.get(self.index.clone())?.get(entry..)?.first_chunk::<6>()?;
        let mut block = u32::from_le_bytes([b0, b1, b2, b3]) as usize;
        let offset = i64::from(u16::from_le_bytes([o0, o1]));
        // The entry tells where the middle of its span is.
        let span = 1_i64 << self.span_bits;
        let mut place = (index as i64 & (span - 1)) - span / 2 + offset;
        let (lengths, _) = bytes.get(self.lengths.clone())?.as_chunks::<2>();
        let length = |block: usize| lengths.get(block).map(|&length| i64::from(u16::from_le_bytes(length)) + 1);
        while place < 0 {
            block = block.checked_sub(1)?;
            place += length(block)?;
        }
        loop {
            let length = length(block)?;
            if place < length {
                return Some((block, place as u32));
            }
            place -= length;
            block += 1;
        }
    }
}

/// How many bits of a stream are looked up at once.
const WINDOW: u32 = 11;

/// How many windows fit into 64 bits of which up to seven were read before.
const WINDOWS: u32 = (64 - 7) / WINDOW;

/// The longest code.
const LONGEST: usize = 32;

/// A canonical Huffman code and what its symbols stand for.
#[derive(Debug)]
struct Code {
    shortest: u32,
    /// For each length the first symbol, and the lowest code, at the top of 64 bits.
    lengths: Box<[(u16, u64)]>,
    symbols: Symbols,
    /// For each beginning of a stream, what it begins with.
    windows: Box<[Window]>,
}

/// The symbols that are complete in a window of a stream: how many bits they have, in the lowest four bits, and how
/// many values they stand for. There may be none, because the first code is longer or is no code at all. They are two
/// bytes each, because the four files of a pawn ending take turns in the cache.
#[derive(Clone, Copy, Debug)]
struct Window(u16);

impl Window {
    fn new(count: u16, bits: u32) -> Window {
        Window(count << 4 | bits as u16)
    }

    #[inline]
    fn count(self) -> u32 {
        u32::from(self.0 >> 4)
    }

    #[inline]
    fn bits(self) -> u16 {
        self.0 & 15
    }
}

// A symbol stands for at most 256 values, and a window has at most as many symbols as bits.
const _: () = assert!(WINDOW < 16 && WINDOW * 256 < 1 << 12);

/// A symbol at the beginning of a stream.
#[derive(Clone, Copy, Debug)]
struct First {
    symbol: usize,
    count: u16,
    bits: u32,
}

impl Code {
    fn read(cursor: &mut Cursor) -> Result<Code, Damage> {
        let longest = usize::from(cursor.byte(Part::Code)?);
        let shortest = usize::from(cursor.byte(Part::Code)?);
        if shortest == 0 || shortest > longest || longest > LONGEST {
            return Err(Damage::Impossible(Part::Code));
        }
        let mut first_symbols = Vec::with_capacity(LONGEST);
        for _ in shortest..=longest {
            first_symbols.push(cursor.u16(Part::Code)?);
        }
        let symbol_count = u64::from(cursor.u16(Part::Code)?);
        let symbols = Symbols::read(cursor.take(3 * symbol_count, Part::Code)?)?;
        cursor.skip(symbol_count & 1, Part::Code)?;
        let mut code = Code {
            shortest: shortest as u32,
            lengths: lowest_codes(shortest, &first_symbols)?,
            symbols,
            windows: Box::default(),
        };
        code.windows = (0..1_u64 << WINDOW).map(|bits| code.window(bits << (64 - WINDOW))).collect();
        Ok(code)
    }

    /// All symbols that are complete in the first bits of a stream.
    fn window(&self, mut stream: u64) -> Window {
        let (mut count, mut bits) = (0_u16, 0);
        while let Some(first) = self.first(stream).filter(|first| bits + first.bits <= WINDOW) {
            count += first.count;
            bits += first.bits;
            stream <<= first.bits;
        }
        Window::new(count, bits)
    }

    /// The symbol that a stream begins with.
    #[inline]
    fn first(&self, stream: u64) -> Option<First> {
        // The lowest code of the greatest length is zero, so that one is always found.
        let (&(first_symbol, lowest), bits) =
            self.lengths.iter().zip(self.shortest..).find(|&(&(_, lowest), _)| stream >= lowest)?;
        let symbol = usize::from(first_symbol).saturating_add(((stream - lowest) >> (64 - bits)) as usize);
        Some(First { symbol, count: self.symbols.get(symbol)?.count, bits })
    }

    /// The value at a place of a block.
    ///
    /// Symbols are passed over by windows, several at once, up to the window in which the value is.
    #[inline]
    fn value(&self, block: &[u8], mut place: u32) -> Option<u16> {
        let windows: &[Window; 1 << WINDOW] = self.windows.as_array()?;
        let mut bit = 0;
        'stream: loop {
            let mut stream = word(block, bit)?;
            'windows: {
                for _ in 0..WINDOWS {
                    let window = windows[(stream >> (64 - WINDOW)) as usize];
                    if place < window.count() || window.bits() == 0 {
                        break 'windows;
                    }
                    place -= window.count();
                    stream <<= window.bits();
                    bit += usize::from(window.bits());
                }
                continue 'stream;
            }
            let first = self.first(word(block, bit)?)?;
            if place < u32::from(first.count) {
                return self.symbols.value(first.symbol, place);
            }
            place -= u32::from(first.count);
            bit += first.bits as usize;
        }
    }
}

/// The next bits of a block, at least 57 of them.
#[inline]
fn word(block: &[u8], bit: usize) -> Option<u64> {
    Some(u64::from_be_bytes(*block.get(bit / 8..)?.first_chunk()?) << (bit % 8))
}

/// The lowest code of each length, at the top of 64 bits: longer codes come before shorter ones.
fn lowest_codes(shortest: usize, first_symbols: &[u16]) -> Result<Box<[(u16, u64)]>, Damage> {
    let mut lengths: Vec<(u16, u64)> = first_symbols.iter().map(|&first| (first, 0)).collect();
    for at in (1..lengths.len()).rev() {
        let [(first, _), (next_first, next_lowest)] = [lengths[at - 1], lengths[at]];
        let end = (next_lowest + u64::from(first)).checked_sub(u64::from(next_first));
        lengths[at - 1].1 = end.ok_or(Damage::Impossible(Part::Code))? / 2;
    }
    for (at, (_, lowest)) in lengths.iter_mut().enumerate() {
        let bits = (shortest + at) as u32;
        // The shorter codes come after all longer ones, and there must be room for them.
        if *lowest >> bits != 0 {
            return Err(Damage::Impossible(Part::Code));
        }
        *lowest <<= 64 - bits;
    }
    Ok(lengths.into())
}
