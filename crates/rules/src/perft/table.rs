//! Counts remembered: positions that are reached on several ways are counted once.
//!
//! What lies below a position depends on the position alone, its leaves as well as their kinds, so both can be
//! remembered by its key and the depth.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Counters, Measure, PerftError, Total, counters, walk};
use crate::huge_pages::{Block, Zeroable};
use crate::{Move, Position};

/// A count of `N` words with its key. The key is stored mixed with the count, so that an entry of which two threads
/// have written a part each is not taken for either's.
struct Entry<const N: usize> {
    mixed_key: AtomicU64,
    count: [AtomicU64; N],
}

// SAFETY: entries are plain atomic integers.
unsafe impl<const N: usize> Zeroable for Entry<N> {}

/// A table of counts. Its memory is not touched beforehand: so all threads that count share the work of zeroing it.
pub(super) struct PerftTable<const N: usize> {
    entries: Block<Entry<N>>,
}

impl<const N: usize> PerftTable<N> {
    fn new(bytes: usize) -> Result<PerftTable<N>, PerftError> {
        let entries = Block::zeroed((bytes / size_of::<Entry<N>>()).max(1));
        entries.map(|entries| PerftTable { entries }).ok_or(PerftError::HashUnavailable { bytes })
    }

    /// The count for a position and a depth: the remembered one, or one that is counted and remembered now.
    fn recall(&self, position: &Position, depth: u32, count: impl FnOnce() -> [u64; N]) -> [u64; N] {
        // The same position at another depth has another count. An odd factor keeps different keys different.
        let key = position.key().wrapping_mul(2 * u64::from(depth) + 1);
        let index = (u128::from(key) * self.entries.len() as u128) >> 64;
        let entry = &self.entries[index as usize];
        let known = std::array::from_fn(|word| entry.count[word].load(Ordering::Relaxed));
        if entry.mixed_key.load(Ordering::Relaxed) ^ mix(&known) == key {
            return known;
        }
        let count = count();
        for (word, number) in entry.count.iter().zip(count) {
            word.store(number, Ordering::Relaxed);
        }
        entry.mixed_key.store(key ^ mix(&count), Ordering::Relaxed);
        count
    }
}

/// One number that changes with each word of a count.
fn mix(words: &[u64]) -> u64 {
    words.iter().fold(0, |mixed: u64, word| (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

/// Counts leaves, remembering what it counted.
pub(super) struct Hashed(PerftTable<1>);

impl Hashed {
    /// The depth from which counts are remembered: below it, counting is faster than a look at memory.
    const LEAST_DEPTH: u32 = 3;

    pub(super) fn new(bytes: usize) -> Result<Hashed, PerftError> {
        PerftTable::new(bytes).map(Hashed)
    }

    fn leaves(&self, position: &Position, depth: u32) -> u64 {
        if depth < Hashed::LEAST_DEPTH {
            return walk::leaves(position, depth);
        }
        let [count] = self.0.recall(position, depth, || {
            let counts = position.legal_moves().into_iter().map(|mv| self.measure(position, mv, depth));
            [counts.fold(0, u64::saturating_add)]
        });
        count
    }
}

impl Measure for Hashed {
    type Total = u64;

    fn measure(&self, position: &Position, mv: Move, depth: u32) -> u64 {
        self.leaves(&position.play_unchecked(mv), depth - 1)
    }
}

/// Counts leaves by kind, remembering what it counted.
pub(super) struct HashedCounters(PerftTable<{ Counters::WORDS }>);

impl HashedCounters {
    /// A leaf takes longer to sort than to count, so less deep trees are worth remembering.
    const LEAST_DEPTH: u32 = 2;

    pub(super) fn new(bytes: usize) -> Result<HashedCounters, PerftError> {
        PerftTable::new(bytes).map(HashedCounters)
    }

    fn counters(&self, position: &Position, depth: u32) -> Counters {
        Counters::from_words(self.0.recall(position, depth, || {
            let mut sum = Counters::default();
            for mv in position.legal_moves() {
                sum.add(self.measure(position, mv, depth));
            }
            sum.words()
        }))
    }
}

impl Measure for HashedCounters {
    type Total = Counters;

    fn measure(&self, position: &Position, mv: Move, depth: u32) -> Counters {
        if depth > HashedCounters::LEAST_DEPTH {
            self.counters(&position.play_unchecked(mv), depth - 1)
        } else {
            counters::Counted.measure(position, mv, depth)
        }
    }
}
