//! Perft: counting the leaves of the tree of legal moves, the test that every move generator must pass.
//!
//! ```
//! use saavedra_rules::{Perft, Position};
//!
//! let start = Position::initial();
//! assert_eq!(Perft::new().count(&start, 4)?, 197_281);
//!
//! let counters = Perft::new().counters(&start, 4)?;
//! assert_eq!((counters.captures, counters.checks, counters.checkmates), (1_576, 469, 8));
//! # Ok::<(), saavedra_rules::PerftError>(())
//! ```

mod counters;
mod error;
mod table;
mod walk;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::{Move, Position};

pub use counters::Counters;
pub use error::PerftError;

use counters::Counted;
use table::{Hashed, HashedCounters};
use walk::Plain;

/// How a perft is run: on how many threads, with how much memory, and who watches.
#[derive(Clone, Copy)]
pub struct Perft<'a> {
    threads: usize,
    hash_bytes: usize,
    watcher: &'a (dyn Fn(PerftProgress) + Sync),
}

/// How far a run has come, in units of work that are known beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftProgress {
    /// Units that are finished.
    pub done: usize,
    /// Units in all.
    pub total: usize,
}

/// What is measured about a part of the tree.
trait Measure: Sync {
    type Total: Total;

    /// Measures the tree below a move. With a depth of one, the move itself is the leaf.
    fn measure(&self, position: &Position, mv: Move, depth: u32) -> Self::Total;
}

/// Something that can be added up.
trait Total: Default + Send {
    fn add(&mut self, part: Self);
}

/// Leaves. More than fit stay the most that fit, which is then reported as an error: a table makes such depths
/// possible.
impl Total for u64 {
    fn add(&mut self, part: u64) {
        *self = self.saturating_add(part);
    }
}

impl Total for Counters {
    fn add(&mut self, part: Counters) {
        *self += part;
    }
}

impl Default for Perft<'_> {
    fn default() -> Self {
        Perft::new()
    }
}

impl<'a> Perft<'a> {
    /// One thread, no table, no watcher.
    pub fn new() -> Perft<'a> {
        Perft { threads: 1, hash_bytes: 0, watcher: &|_| () }
    }

    /// Works on this many threads; zero means one.
    #[must_use]
    pub fn threads(self, threads: usize) -> Perft<'a> {
        Perft { threads: threads.max(1), ..self }
    }

    /// Remembers counts in a table of this size, so that positions reached on several ways are counted once.
    #[must_use]
    pub fn hash_bytes(self, hash_bytes: usize) -> Perft<'a> {
        Perft { hash_bytes, ..self }
    }

    /// Calls `watcher` after each unit of work, from whichever thread did it.
    #[must_use]
    pub fn watched_by(self, watcher: &'a (dyn Fn(PerftProgress) + Sync)) -> Perft<'a> {
        Perft { watcher, ..self }
    }

    /// How many leaves the tree of legal moves has at a depth.
    pub fn count(&self, position: &Position, depth: u32) -> Result<u64, PerftError> {
        if depth == 0 {
            return Ok(1);
        }
        let mut counts = self.divide(position, depth)?.into_iter().map(|(_, count)| count);
        counts.try_fold(0, u64::checked_add).ok_or(PerftError::TooManyLeaves)
    }

    /// The leaf count below each legal move.
    pub fn divide(&self, position: &Position, depth: u32) -> Result<Vec<(Move, u64)>, PerftError> {
        let moves = if self.hash_bytes == 0 {
            self.run(&Plain, position, depth)
        } else {
            self.run(&Hashed::new(self.hash_bytes)?, position, depth)
        };
        if moves.iter().any(|(_, count)| *count == u64::MAX) { Err(PerftError::TooManyLeaves) } else { Ok(moves) }
    }

    /// What the moves to the leaves are: captures, checks, mates and so on.
    pub fn counters(&self, position: &Position, depth: u32) -> Result<Counters, PerftError> {
        let mut sum = Counters { nodes: u64::from(depth == 0), ..Counters::default() };
        for (_, counters) in self.divide_counters(position, depth)? {
            sum += counters;
        }
        if sum.nodes == u64::MAX { Err(PerftError::TooManyLeaves) } else { Ok(sum) }
    }

    /// The counters below each legal move.
    pub fn divide_counters(&self, position: &Position, depth: u32) -> Result<Vec<(Move, Counters)>, PerftError> {
        let moves = if self.hash_bytes == 0 {
            self.run(&Counted, position, depth)
        } else {
            self.run(&HashedCounters::new(self.hash_bytes)?, position, depth)
        };
        let is_too_much = moves.iter().any(|(_, counters)| counters.nodes == u64::MAX);
        if is_too_much { Err(PerftError::TooManyLeaves) } else { Ok(moves) }
    }

    /// Measures the tree below each legal move. The units of work are the replies to each move, if it is deep enough
    /// to be worth it.
    fn run<M: Measure>(&self, measure: &M, position: &Position, depth: u32) -> Vec<(Move, M::Total)> {
        const SPLIT_DEPTH: u32 = 4;
        if depth == 0 {
            return Vec::new();
        }
        let roots = position.legal_moves();
        let mut units = Vec::new();
        for (root, &mv) in roots.iter().enumerate() {
            if depth < SPLIT_DEPTH {
                units.push((root, *position, mv, depth));
            } else {
                let next = position.play_unchecked(mv);
                units.extend(next.legal_moves().into_iter().map(|reply| (root, next, reply, depth - 1)));
            }
        }

        let (taken, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            let mut totals: Vec<M::Total> = roots.iter().map(|_| M::Total::default()).collect();
            while let Some((root, position, mv, depth)) = units.get(taken.fetch_add(1, Ordering::Relaxed)) {
                totals[*root].add(measure.measure(position, *mv, *depth));
                let done = 1 + done.fetch_add(1, Ordering::Relaxed);
                (self.watcher)(PerftProgress { done, total: units.len() });
            }
            totals
        };
        let mut totals: Vec<(Move, M::Total)> = roots.iter().map(|&mv| (mv, M::Total::default())).collect();
        thread::scope(|scope| {
            // A thread that the system does not grant is one fewer to share the work, not a failure.
            let others: Vec<_> =
                (1..self.threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
            let mut parts = vec![work()];
            parts.extend(others.into_iter().map(|other| other.join().expect("perft does not panic")));
            for part in parts {
                for ((_, total), part) in totals.iter_mut().zip(part) {
                    total.add(part);
                }
            }
        });
        totals
    }
}
