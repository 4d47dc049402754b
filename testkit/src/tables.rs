//! Syzygy tables that are made up, for tests of their reader where no real ones are at hand.
//!
//! They have the form of real ones: symbols of pairs, codes of two lengths, several blocks, a sparse index. What they
//! say of positions is up to the test.

/// The values of one part of a table.
pub enum Part<'a> {
    /// All positions have this value.
    Constant(u8),
    /// One value for each index, below 16.
    Values(&'a [u8]),
}

/// What a made-up table consists of.
pub struct MadeTable<'a> {
    /// The first bytes: the kind of table, flags, the order of the pieces.
    pub header: &'a [u8],
    /// The parts, and the flags of each.
    pub parts: Vec<(u8, Part<'a>)>,
    /// What lies between the codes and the index: lists of distances.
    pub lists: &'a [u8],
}

/// Values are below this.
const VALUES: usize = 16;

/// Each value has symbols for runs of 1, 2, 4, … 128 of it.
const RUNS: usize = 8;

/// The symbols with long codes; one more, a pair of zeros, has a code of one bit.
const LONG_SYMBOLS: usize = VALUES * RUNS;
const LONG_BITS: u32 = 8;

const BLOCK_BITS: u32 = 6;
const SPAN_BITS: u32 = 9;

impl MadeTable<'_> {
    /// The content of the file, which the checksum is still to be added to.
    pub fn content(&self) -> Vec<u8> {
        let mut content = self.header.to_vec();
        pad(&mut content, 2);
        let compressed: Vec<Option<Compressed>> = self.parts.iter().map(|(_, part)| compress(part)).collect();
        for ((flags, part), compressed) in self.parts.iter().zip(&compressed) {
            match (part, compressed) {
                (Part::Constant(value), _) => content.extend([flags | 0x80, *value]),
                (_, Some(compressed)) => describe(&mut content, *flags, compressed),
                (Part::Values(_), None) => {}
            }
        }
        content.extend(self.lists);
        pad(&mut content, 2);
        let compressed: Vec<Compressed> = compressed.into_iter().flatten().collect();
        compressed.iter().for_each(|part| content.extend(&part.index));
        compressed.iter().for_each(|part| part.lengths.iter().for_each(|length| content.extend(length.to_le_bytes())));
        for part in &compressed {
            pad(&mut content, 64);
            content.extend(&part.blocks);
        }
        pad(&mut content, 64);
        content
    }
}

fn pad(content: &mut Vec<u8>, alignment: usize) {
    content.resize(content.len().next_multiple_of(alignment), 0);
}

/// Sizes, lengths of codes, and symbols.
fn describe(content: &mut Vec<u8>, flags: u8, part: &Compressed) {
    // One more length than there are blocks.
    let padding = 1;
    content.extend([flags, BLOCK_BITS as u8, SPAN_BITS as u8, padding]);
    content.extend((part.lengths.len() as u32 - u32::from(padding)).to_le_bytes());
    content.extend([LONG_BITS as u8, 1]);
    // The one symbol with a short code comes after all others.
    for bits in 1..=LONG_BITS {
        let first_symbol = if bits == LONG_BITS { 0 } else { LONG_SYMBOLS as u16 };
        content.extend(first_symbol.to_le_bytes());
    }
    let symbols = LONG_SYMBOLS + 1;
    content.extend((symbols as u16).to_le_bytes());
    let mut symbol = |left: u16, right: u16| {
        content.extend([left as u8, (left >> 8 | right << 4) as u8, (right >> 4) as u8]);
    };
    for run in 0..RUNS {
        for value in 0..VALUES {
            if run == 0 {
                symbol(value as u16, 0xfff);
            } else {
                let half = ((run - 1) * VALUES + value) as u16;
                symbol(half, half);
            }
        }
    }
    symbol(0, 0);
    // An odd number of symbols is padded by one byte.
    content.push(0);
}

struct Compressed {
    index: Vec<u8>,
    lengths: Vec<u16>,
    blocks: Vec<u8>,
}

fn compress(part: &Part) -> Option<Compressed> {
    let Part::Values(values) = part else { return None };
    let mut blocks = Vec::new();
    let mut starts = Vec::new();
    let mut at = 0;
    while at < values.len() {
        starts.push(at);
        let (block, taken) = fill_block(&values[at..]);
        blocks.extend(block);
        at += taken;
    }
    let mut ends: Vec<usize> = starts[1..].to_vec();
    ends.push(values.len());
    let mut lengths: Vec<u16> = starts.iter().zip(&ends).map(|(start, end)| (end - start - 1) as u16).collect();
    lengths.push(0);
    let mut index = Vec::new();
    let span = 1 << SPAN_BITS;
    for start in (0..values.len()).step_by(span) {
        let middle = start + span / 2;
        let block = starts.iter().rposition(|&block_start| block_start <= middle).unwrap_or(0);
        index.extend((block as u32).to_le_bytes());
        index.extend(((middle - starts[block]) as u16).to_le_bytes());
    }
    Some(Compressed { index, lengths, blocks })
}

/// As many values as fit into a block, and how many those are.
fn fill_block(values: &[u8]) -> (Vec<u8>, usize) {
    let mut bits: Vec<bool> = Vec::new();
    let mut taken = 0;
    let room = 8 << BLOCK_BITS;
    while taken < values.len() && bits.len() + LONG_BITS as usize <= room {
        let value = values[taken];
        let run = values[taken..].iter().take_while(|&&other| other == value).count();
        if value == 0 && run == 2 {
            bits.push(true);
            taken += 2;
            continue;
        }
        let doublings = (run.ilog2() as usize).min(RUNS - 1);
        let symbol = doublings * VALUES + usize::from(value);
        bits.extend((0..LONG_BITS).rev().map(|bit| symbol >> bit & 1 == 1));
        taken += 1 << doublings;
    }
    bits.resize(room, false);
    let bytes = bits.chunks(8).map(|byte| byte.iter().fold(0, |sum, &bit| sum << 1 | u8::from(bit)));
    (bytes.collect(), taken)
}
