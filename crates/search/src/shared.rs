//! What all threads of a search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::reductions::Reductions;
use crate::root::RootMoves;
use crate::time::TimeManager;
use crate::tt::TranspositionTable;
use crate::{Control, Request, SearchStats};

/// What all threads of a search share.
pub(crate) struct Shared<'s> {
    pub(crate) tt: &'s TranspositionTable,
    pub(crate) control: &'s Control,
    pub(crate) request: &'s Request<'s>,
    pub(crate) time: TimeManager,
    /// The moves to choose from.
    pub(crate) root: RootMoves,
    /// The first thread has its answer.
    pub(crate) is_finished: AtomicBool,
    pub(crate) reductions: Reductions,
    /// What each thread has counted so far, on cache lines of their own.
    pub(crate) counters: Vec<Counter>,
    /// Positions with more pieces are not looked up in tablebases; none are if this is zero.
    pub(crate) tablebase_pieces: u32,
    /// How many moves of the root were found in tablebases.
    pub(crate) root_tablebase_hits: u64,
}

/// What a thread has counted.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Counter {
    pub(crate) nodes: AtomicU64,
    pub(crate) tablebase_hits: AtomicU64,
}

impl Shared<'_> {
    /// Positions looked at by all threads, as far as they have published them.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.nodes.load(Relaxed)).sum()
    }

    /// How much work was done so far.
    pub(crate) fn stats(&self) -> SearchStats {
        let hits = self.counters.iter().map(|counter| counter.tablebase_hits.load(Relaxed));
        SearchStats {
            nodes: self.nodes(),
            time: self.control.elapsed(),
            hash_full: self.tt.fullness(),
            tablebase_hits: self.root_tablebase_hits + hits.sum::<u64>(),
        }
    }
}
