//! The blocks of a file: whole games behind a header with checksums, found again wherever the damage before them ends.

use std::io::{self, Read};

use super::PackedError;

/// The first eight bytes of a file. The last ones change if a program takes the file for text.
const FILE_MAGIC: [u8; 8] = *b"SvdGam\r\n";
/// The version of the format that is written here.
const VERSION: u32 = 1;
/// How many bytes a file's header takes.
pub(super) const FILE_HEADER: usize = 12;

/// The first eight bytes of a block. Games may contain them at random, but hardly the right checksum behind them.
const BLOCK_MAGIC: [u8; 8] = *b"\xf5SvdBlk\n";
/// How many bytes a block's header takes.
pub(super) const BLOCK_HEADER: usize = 28;
/// The longest contents of a block: more than the longest game takes that the rules allow, and little enough that a
/// header that lies does not cost much time or memory.
pub(super) const MOST_CONTENTS: usize = 1 << 18;

/// What a file begins with.
pub(super) fn file_header() -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..8].copy_from_slice(&FILE_MAGIC);
    header[8..].copy_from_slice(&VERSION.to_le_bytes());
    header
}

/// What is known about the contents of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) length: u32,
    pub(super) games: u32,
    pub(super) positions: u32,
    checksum: u32,
}

impl Header {
    pub(super) fn of(contents: &[u8], games: u32, positions: u32) -> Header {
        Header { length: contents.len() as u32, games, positions, checksum: crc32fast::hash(contents) }
    }

    pub(super) fn bytes(&self) -> [u8; BLOCK_HEADER] {
        let mut bytes = [0; BLOCK_HEADER];
        bytes[..8].copy_from_slice(&BLOCK_MAGIC);
        for (index, word) in [self.length, self.games, self.positions, self.checksum].into_iter().enumerate() {
            bytes[8 + 4 * index..][..4].copy_from_slice(&word.to_le_bytes());
        }
        let checksum = crc32fast::hash(&bytes[..24]);
        bytes[24..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The header at the beginning of some bytes, if there is a sound one.
    fn read(bytes: &[u8]) -> Option<Header> {
        let bytes = bytes.first_chunk::<BLOCK_HEADER>()?;
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let header = Header { length: word(8), games: word(12), positions: word(16), checksum: word(20) };
        let is_sound = header.bytes() == *bytes && header.length as usize <= MOST_CONTENTS;
        is_sound.then_some(header)
    }
}

/// Reads blocks one by one and steps over whatever is none.
#[derive(Debug)]
pub(super) struct Blocks<R> {
    source: R,
    /// Bytes that were read and not yet understood.
    window: Vec<u8>,
    /// Where the window begins in the file.
    offset: u64,
    /// How many bytes at the front of the window belong to the block that was told last.
    told: usize,
    /// How many bytes before the window have been given up since the last sound block.
    lost: u64,
}

/// What there is in a file.
#[derive(Debug)]
pub(super) enum Found<'a> {
    /// A sound block.
    Block {
        /// Where it begins.
        offset: u64,
        header: Header,
        contents: &'a [u8],
    },
    /// Bytes before a sound block, which is told next, that are none.
    Damage { offset: u64, bytes: u64 },
}

impl<R: Read> Blocks<R> {
    /// The blocks behind the header of a file. A file that ends within its header has none.
    pub(super) fn new(source: R) -> Result<Blocks<R>, PackedError> {
        let mut blocks = Blocks { source, window: Vec::new(), offset: 0, told: 0, lost: 0 };
        blocks.fill(FILE_HEADER)?;
        let given = &blocks.window[..FILE_HEADER.min(blocks.window.len())];
        let magic = &given[..given.len().min(8)];
        if *magic != FILE_MAGIC[..magic.len()] {
            return Err(PackedError::NotPacked);
        }
        if let Some(version) = given.get(8..).and_then(|rest| <[u8; 4]>::try_from(rest).ok()) {
            let version = u32::from_le_bytes(version);
            if version != VERSION {
                return Err(PackedError::Version(version));
            }
            blocks.told = FILE_HEADER;
        }
        Ok(blocks)
    }

    /// The next block, or damage before it; nothing when only a tail without sound blocks is left.
    pub(super) fn next(&mut self) -> io::Result<Option<Found<'_>>> {
        self.drop_front(self.told);
        self.told = 0;
        let header = loop {
            self.fill(BLOCK_HEADER)?;
            // Where files were joined, a header stands between blocks.
            if self.lost == 0 && self.window.starts_with(&file_header()) {
                self.drop_front(FILE_HEADER);
                continue;
            }
            if self.window.len() < BLOCK_HEADER {
                return Ok(None);
            }
            if let Some(header) = Header::read(&self.window) {
                let end = BLOCK_HEADER + header.length as usize;
                self.fill(end)?;
                let contents = self.window.get(BLOCK_HEADER..end);
                if contents.is_some_and(|contents| crc32fast::hash(contents) == header.checksum) {
                    break header;
                }
            }
            let skipped = self.next_candidate();
            self.drop_front(skipped);
            self.lost += skipped as u64;
        };
        if self.lost > 0 {
            let bytes = std::mem::take(&mut self.lost);
            return Ok(Some(Found::Damage { offset: self.offset - bytes, bytes }));
        }
        self.told = BLOCK_HEADER + header.length as usize;
        Ok(Some(Found::Block { offset: self.offset, header, contents: &self.window[BLOCK_HEADER..self.told] }))
    }

    /// How many bytes at the end of the file, as far as it has been read, belong to no sound block.
    pub(super) fn torn_tail(&self) -> u64 {
        self.lost + (self.window.len() - self.told) as u64
    }

    /// How many bytes have been read.
    pub(super) fn length(&self) -> u64 {
        self.offset + self.window.len() as u64
    }

    /// Where the last sound block that was told ends.
    pub(super) fn sound_end(&self) -> u64 {
        self.offset + self.told as u64 - self.lost
    }

    /// How far behind the front of the window the next block may begin, according to its first bytes.
    fn next_candidate(&self) -> usize {
        let begins = |at: &usize| {
            let rest = &self.window[*at..];
            let length = rest.len().min(BLOCK_MAGIC.len());
            rest[..length] == BLOCK_MAGIC[..length]
        };
        (1..self.window.len()).find(begins).unwrap_or(self.window.len())
    }

    fn drop_front(&mut self, bytes: usize) {
        self.window.drain(..bytes);
        self.offset += bytes as u64;
    }

    /// Reads until the window holds this many bytes or the file ends.
    fn fill(&mut self, bytes: usize) -> io::Result<()> {
        let missing = bytes.saturating_sub(self.window.len());
        if missing > 0 {
            self.source.by_ref().take(missing as u64).read_to_end(&mut self.window)?;
        }
        Ok(())
    }
}
