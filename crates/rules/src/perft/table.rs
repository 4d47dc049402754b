//! Leaf counts remembered: positions that are reached on several ways are counted once.

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Measure, PerftError, walk};
use crate::{Move, Position};

/// The depth from which counts are remembered: below it, counting is faster than a look at memory.
const LEAST_DEPTH: u32 = 3;

/// A count with its key. The key is stored mixed with the count, so that an entry of which two threads have written a
/// half each is not taken for either's.
#[derive(Default)]
struct Entry {
    mixed_key: AtomicU64,
    count: AtomicU64,
}

/// Counts leaves, remembering what it counted.
pub(super) struct Hashed {
    entries: Box<[Entry]>,
}

impl Hashed {
    pub(super) fn new(bytes: usize) -> Result<Hashed, PerftError> {
        let unavailable = PerftError::HashUnavailable { bytes };
        let count = (bytes / size_of::<Entry>()).max(1);
        let Ok(layout) = Layout::array::<Entry>(count) else { return Err(unavailable) };
        // SAFETY: the layout is not empty, since there is at least one entry of 16 bytes. To ask for zeroed
        // memory in a way that may fail takes the allocator itself: a `Vec` aborts, or writes every page beforehand.
        let memory = unsafe { alloc_zeroed(layout) }.cast::<Entry>();
        if memory.is_null() {
            return Err(unavailable);
        }
        // SAFETY: the memory was allocated with the layout of such a slice and has no other owner; zeroes are
        // valid entries.
        let entries = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, count)) };
        Ok(Hashed { entries })
    }

    fn entry(&self, key: u64) -> &Entry {
        let index = (u128::from(key) * self.entries.len() as u128) >> 64;
        &self.entries[index as usize]
    }

    fn leaves(&self, position: &Position, depth: u32) -> u64 {
        if depth < LEAST_DEPTH {
            return walk::leaves(position, depth);
        }
        // The same position at another depth has another count. An odd factor keeps different keys different.
        let key = position.key().wrapping_mul(2 * u64::from(depth) + 1);
        let entry = self.entry(key);
        let count = entry.count.load(Ordering::Relaxed);
        if entry.mixed_key.load(Ordering::Relaxed) ^ count == key {
            return count;
        }
        let counts = position.legal_moves().into_iter().map(|mv| self.measure(position, mv, depth));
        let count = counts.fold(0, u64::saturating_add);
        entry.count.store(count, Ordering::Relaxed);
        entry.mixed_key.store(key ^ count, Ordering::Relaxed);
        count
    }
}

impl Measure for Hashed {
    type Total = u64;

    fn measure(&self, position: &Position, mv: Move, depth: u32) -> u64 {
        self.leaves(&position.play_unchecked(mv), depth - 1)
    }
}
