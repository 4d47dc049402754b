//! Looking up positions in a book.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use random::Random;
use rules::{Move, Position};
use thiserror::Error;

use super::entry::Entry;
use super::key;

/// How many entries of one position are looked at: more than there are moves.
const MOST_ENTRIES: usize = 1_024;
/// At how many places a book is checked to be in order when it is opened.
const SAMPLES: u64 = 64;

/// A Polyglot book, in a file or in memory. Looking up a position reads a few entries only, however large the book is.
///
/// ```
/// use random::Random;
/// use saavedra_records::GameResult;
/// use saavedra_records::polyglot::{Book, BookBuilder};
/// use saavedra_records::rules::Position;
///
/// let start = Position::initial();
/// let mv = start.parse_san("d4")?;
/// let mut builder = BookBuilder::new();
/// builder.add_game(&start, &[mv], GameResult::WhiteWins)?;
/// let mut book = Book::in_memory(builder.to_bytes())?;
///
/// let moves = book.moves(&start)?;
/// assert_eq!(moves.best(), Some(mv));
/// assert_eq!(moves.choose(&mut Random::new(1)), Some(mv));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Book<R> {
    source: R,
    entries: u64,
}

/// What is wrong with a book.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The book cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is a folder or a device.
    #[error("not a Polyglot book: it is not a file")]
    NotAFile,
    /// The length is not a whole number of entries.
    #[error("not a Polyglot book: {0} bytes are not a whole number of entries of 16 bytes")]
    Length(u64),
    /// The keys are not in order.
    #[error("not a Polyglot book: the keys are out of order before entry {0}")]
    OutOfOrder(u64),
}

impl Book<File> {
    /// Opens the book in a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Book<File>, BookError> {
        let file = File::open(path)?;
        // A folder can be opened and has a length, which says nothing; so can a device that never ends.
        if !file.metadata()?.is_file() {
            return Err(BookError::NotAFile);
        }
        Book::new(file)
    }
}

impl Book<Cursor<Vec<u8>>> {
    /// A book that has been read whole.
    pub fn in_memory(bytes: Vec<u8>) -> Result<Book<Cursor<Vec<u8>>>, BookError> {
        Book::new(Cursor::new(bytes))
    }
}

impl<R: Read + Seek> Book<R> {
    /// A book from any source. A few entries are looked at, to see whether it is one.
    pub fn new(mut source: R) -> Result<Book<R>, BookError> {
        let length = source.seek(SeekFrom::End(0))?;
        if length % Entry::SIZE as u64 != 0 {
            return Err(BookError::Length(length));
        }
        let mut book = Book { source, entries: length / Entry::SIZE as u64 };
        let mut last = 0;
        let samples = book.entries.min(SAMPLES);
        for sample in 0..samples {
            let place = (u128::from(book.entries) * u128::from(sample) / u128::from(samples)) as u64;
            let key = book.entry(place)?.key;
            if key < last {
                return Err(BookError::OutOfOrder(place));
            }
            last = key;
        }
        Ok(book)
    }

    /// How many entries the book has.
    pub fn len(&self) -> u64 {
        self.entries
    }

    /// Whether the book has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// All entries with a key, in the order of the book.
    pub fn entries(&mut self, key: u64) -> io::Result<Vec<Entry>> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found = Vec::new();
        while low < self.entries && found.len() < MOST_ENTRIES {
            let entry = self.entry(low)?;
            if entry.key != key {
                break;
            }
            found.push(entry);
            low += 1;
        }
        Ok(found)
    }

    /// The moves of the book in a position, the weightiest first. Entries that are no legal move are left out.
    pub fn moves(&mut self, position: &Position) -> io::Result<BookMoves> {
        let read =
            |entry: Entry| Some(BookMove { mv: entry.mv.read(position)?, weight: entry.weight, learn: entry.learn });
        let mut moves: Vec<BookMove> = self.entries(key(position))?.into_iter().filter_map(read).collect();
        moves.sort_by_key(|candidate| std::cmp::Reverse(candidate.weight));
        Ok(BookMoves(moves))
    }

    fn entry(&mut self, index: u64) -> io::Result<Entry> {
        let mut bytes = [0; Entry::SIZE];
        self.source.seek(SeekFrom::Start(index * Entry::SIZE as u64))?;
        self.source.read_exact(&mut bytes)?;
        Ok(Entry::from_bytes(bytes))
    }
}

/// A move that a book has for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move, which is legal.
    pub mv: Move,
    /// How good it is thought to be, compared with the others; zero is not to be played.
    pub weight: u16,
    /// What a program has learned about it.
    pub learn: u32,
}

/// The moves that a book has for a position, the weightiest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMoves(pub Vec<BookMove>);

impl BookMoves {
    /// The weightiest move, if any has a weight.
    pub fn best(&self) -> Option<Move> {
        self.0.first().filter(|candidate| candidate.weight > 0).map(|candidate| candidate.mv)
    }

    /// A move at random, each as likely as its weight says.
    pub fn choose(&self, random: &mut Random) -> Option<Move> {
        let total: usize = self.0.iter().map(|candidate| usize::from(candidate.weight)).sum();
        if total == 0 {
            return None;
        }
        let mut left = random.below(total);
        let chosen = self.0.iter().find(|candidate| {
            let weight = usize::from(candidate.weight);
            let is_chosen = left < weight;
            left = left.saturating_sub(weight);
            is_chosen
        });
        chosen.map(|candidate| candidate.mv)
    }
}
