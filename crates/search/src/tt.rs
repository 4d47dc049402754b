//! The transposition table: what is known of positions that were searched before, shared by all threads without a lock.
//!
//! A position's entry is one word of data and sixteen bits of its key. Both are read and written with relaxed atomic
//! operations, so threads may interleave: one may find the key of one entry beside the data of another. That is
//! caught by storing the key mixed with the data, and where it slips through it does no harm, because every word of
//! data is a valid entry, and a move from the table is checked before it is played.
//!
//! Three entries share a cluster of 32 bytes, half a cache line, so that a probe costs one trip to memory.

use std::fmt;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use rules::huge_pages::{Block, Zeroable, prefetch};
use rules::{Move, Position};

use crate::node::Node;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Evaluator, Score, Watcher};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    /// The best move, or the one that was good enough.
    pub(crate) mv: Option<Move>,
    /// The result of the search, seen from the node. There is none if only the evaluation is known.
    pub(crate) score: Option<(Score, Bound)>,
    /// What the evaluator said, before any correction; none in check.
    pub(crate) raw_eval: Option<Score>,
    /// How deep the search was.
    pub(crate) depth: i32,
    /// Whether the position has ever been on a principal variation.
    pub(crate) was_pv: bool,
}

/// An entry as a word: 16 bits each for move, score and evaluation, then 8 for the depth, 2 for the bound, 1 for the
/// principal variation and 5 for the search it stems from.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Word(u64);

/// Searches are counted modulo this.
const GENERATIONS: u8 = 1 << 5;

/// Stands for "no evaluation" in its sixteen bits: no evaluation is that low.
const NO_EVAL: u16 = i16::MIN as u16;

/// Added to depths, so that those a little below zero fit.
const DEPTH_OFFSET: i32 = 8;

impl Word {
    fn new(entry: &TtEntry, generation: u8) -> Word {
        let bits = |value: u16, at: u32| u64::from(value) << at;
        let (score, bound) = match entry.score {
            None => (Score::DRAW, 0),
            Some((score, Bound::Upper)) => (score, 1),
            Some((score, Bound::Lower)) => (score, 2),
            Some((score, Bound::Exact)) => (score, 3),
        };
        let depth = (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u16;
        let rest = bound | u16::from(entry.was_pv) << 2 | u16::from(generation) << 3;
        Word(
            bits(entry.mv.map_or(0, Move::bits), 0)
                | bits(score.to_bits(), 16)
                | bits(entry.raw_eval.map_or(NO_EVAL, Score::to_bits), 32)
                | bits(depth | rest << 8, 48),
        )
    }

    fn entry(self) -> TtEntry {
        let bits = |at: u32| (self.0 >> at) as u16;
        let score = Score::from_bits(bits(16));
        let raw_eval = bits(32);
        TtEntry {
            mv: Move::from_bits(bits(0)),
            score: match self.0 >> 56 & 3 {
                0 => None,
                1 => Some((score, Bound::Upper)),
                2 => Some((score, Bound::Lower)),
                _ => Some((score, Bound::Exact)),
            },
            raw_eval: (raw_eval != NO_EVAL).then(|| Score::from_bits(raw_eval)),
            depth: self.depth(),
            was_pv: self.0 >> 58 & 1 == 1,
        }
    }

    fn depth(self) -> i32 {
        (self.0 >> 48 & 255) as i32 - DEPTH_OFFSET
    }

    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    fn is_exact(self) -> bool {
        self.0 >> 56 & 3 == 3
    }

    fn mv(self) -> u16 {
        self.0 as u16
    }

    /// The data mixed down to the size of a key.
    fn fold(self) -> u16 {
        (self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as u16
    }
}

const WAYS: usize = 3;

/// Entries that compete for the same place.
#[derive(Default)]
#[repr(align(32))]
pub(crate) struct Cluster {
    words: [AtomicU64; WAYS],
    /// The low bits of the keys, mixed with the words.
    keys: [AtomicU16; WAYS],
}

const _: () = assert!(size_of::<Cluster>() == 32, "two clusters are a cache line");

impl Cluster {
    fn word(&self, way: usize) -> Word {
        Word(self.words[way].load(Relaxed))
    }

    /// The way that holds a key, and its data.
    fn find(&self, key: u16) -> Option<(usize, Word)> {
        (0..WAYS).map(|way| (way, self.word(way))).find(|&(way, word)| {
            // An entry that was never written has no data at all.
            word.0 != 0 && self.keys[way].load(Relaxed) ^ word.fold() == key
        })
    }

    fn set(&self, way: usize, key: u16, word: Word) {
        self.words[way].store(word.0, Relaxed);
        self.keys[way].store(key ^ word.fold(), Relaxed);
    }
}

// SAFETY: clusters are plain atomic integers.
#[allow(unsafe_code, reason = "the only place where it is known")]
unsafe impl Zeroable for Cluster {}

/// The memory asked for cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// What was asked for.
    pub mebibytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is not enough memory for a table of {} MiB", self.mebibytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// The table.
pub(crate) struct TranspositionTable {
    clusters: Block<Cluster>,
    generation: u8,
}

impl TranspositionTable {
    /// An empty table of so many mebibytes.
    pub(crate) fn new(mebibytes: usize) -> Result<TranspositionTable, OutOfMemory> {
        let count = mebibytes.checked_mul((1 << 20) / size_of::<Cluster>()).ok_or(OutOfMemory { mebibytes })?;
        let mut clusters = Block::zeroed(count).ok_or(OutOfMemory { mebibytes })?;
        // That asks the system for all of it now, rather than in the middle of a search.
        clusters.clear();
        Ok(TranspositionTable { clusters, generation: 0 })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.generation = 0;
        self.clusters.clear();
    }

    /// A new search begins: what is in the table grows older.
    pub(crate) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize;
        &self.clusters[index]
    }

    /// Asks the processor to fetch what will be probed soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.cluster(key).find(key as u16).map(|(_, word)| word.entry())
    }

    /// Remembers something of a position, in place of what matters least.
    pub(crate) fn store(&self, key: u64, mut entry: TtEntry) {
        let (cluster, short) = (self.cluster(key), key as u16);
        let age = |word: Word| i32::from((GENERATIONS + self.generation - word.generation()) % GENERATIONS);
        let way = match cluster.find(short) {
            Some((way, old)) => {
                // A move is worth keeping even if the new search found none.
                entry.mv = entry.mv.or(Move::from_bits(old.mv()));
                let new = Word::new(&entry, self.generation);
                let is_better = new.is_exact() || entry.depth + tt_shallower_margin() > old.depth() || age(old) != 0;
                if !is_better {
                    return;
                }
                way
            }
            None => {
                let worth = |&way: &usize| {
                    let word = cluster.word(way);
                    if word.0 == 0 { i32::MIN } else { word.depth() - tt_age_weight() * age(word) }
                };
                (0..WAYS).min_by_key(worth).unwrap_or(0)
            }
        };
        cluster.set(way, short, Word::new(&entry, self.generation));
    }

    /// How much of the table the current search has filled, in thousandths, by a sample.
    pub(crate) fn fullness(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let sample = &self.clusters[..self.clusters.len().min(SAMPLE)];
        let is_ours = |word: Word| word.0 != 0 && word.generation() == self.generation;
        let ours: usize =
            sample.iter().map(|cluster| (0..WAYS).filter(|&way| is_ours(cluster.word(way))).count()).sum();
        (ours * 1000 / (sample.len() * WAYS).max(1)) as u32
    }
}

/// What the table knows of a node, seen from the root.
#[derive(Clone, Copy)]
pub(crate) struct TtHit {
    /// The best move of that search. It has not been checked to be legal here.
    pub(crate) mv: Option<Move>,
    /// The score.
    pub(crate) score: Option<(Score, Bound)>,
    /// How deep that search was.
    pub(crate) depth: i32,
    /// The evaluation, before any correction.
    pub(crate) raw_eval: Option<Score>,
    /// Whether the node has been on a principal variation.
    pub(crate) was_pv: bool,
    /// Whether there is an entry at all.
    pub(crate) is_hit: bool,
}

impl TtHit {
    /// There is no entry.
    pub(crate) const MISS: TtHit =
        TtHit { mv: None, score: None, depth: i32::MIN, raw_eval: None, was_pv: false, is_hit: false };

    /// The score, if it answers a node off the principal variation: it is from a search of at least this depth, and its
    /// bound lies on one side of the window. Scores know nothing of the fifty-move counter, and are not trusted when
    /// that is high.
    #[inline]
    pub(crate) fn cutoff<N: Node>(&self, position: &Position, depth: i32, alpha: Score, beta: Score) -> Option<Score> {
        let is_on = if depth > 0 { tt_cutoffs() } else { quiescence_tt_cutoffs() };
        if N::PV || !is_on || i32::from(position.halfmove_clock()) >= tt_cutoff_clock() {
            return None;
        }
        let (score, bound) = self.score?;
        (self.depth >= depth && is_cutoff(score, bound, alpha, beta)).then_some(score)
    }
}

/// Whether a score with its bound tells on which side of the window the true score lies.
#[inline]
pub(crate) fn is_cutoff(score: Score, bound: Bound, alpha: Score, beta: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    }
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// What the table knows of the current position.
    #[inline]
    pub(crate) fn probe_tt(&self) -> TtHit {
        match self.shared.tt.probe(self.position().key()) {
            None => TtHit::MISS,
            Some(entry) => TtHit {
                mv: entry.mv,
                score: entry.score.map(|(score, bound)| (score.seen_from_root(self.ply()), bound)),
                depth: entry.depth,
                raw_eval: entry.raw_eval,
                was_pv: entry.was_pv,
                is_hit: true,
            },
        }
    }

    /// Stores what was found out about the current position. The score of the entry is seen from the root.
    #[inline]
    pub(crate) fn store_tt(&self, mut entry: TtEntry) {
        entry.score = entry.score.map(|(score, bound)| (score.seen_from_node(self.ply()), bound));
        self.shared.tt.store(self.position().key(), entry);
    }
}

#[cfg(test)]
mod tests {
    use rules::Square;

    use super::*;

    fn entry(depth: i32) -> TtEntry {
        TtEntry {
            mv: Some(Move::normal(Square::E2, Square::E4)),
            score: Some((Score::new(-17), Bound::Lower)),
            raw_eval: Some(Score::new(31)),
            depth,
            was_pv: true,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let tt = TranspositionTable::new(1).expect("a mebibyte");
        let entries = [
            entry(5),
            TtEntry { mv: None, raw_eval: None, ..entry(-2) },
            TtEntry { score: None, was_pv: false, ..entry(0) },
            TtEntry { score: Some((Score::mated_in(3), Bound::Exact)), ..entry(100) },
        ];
        for (index, entry) in entries.into_iter().enumerate() {
            let key = 0x1234_5678_9abc_def0 + index as u64;
            tt.store(key, entry);
            assert_eq!(tt.probe(key), Some(entry));
        }
        assert_eq!(tt.probe(0x1234_5678_9abc_deef), None);
    }

    #[test]
    fn deep_entries_survive_shallow_ones_until_they_are_old() {
        let mut tt = TranspositionTable::new(1).expect("a mebibyte");
        tt.store(7, entry(20));
        for key in 8..20 {
            tt.store(key, entry(3));
        }
        assert_eq!(tt.probe(7).map(|entry| entry.depth), Some(20));
        for _ in 0..6 {
            tt.age();
        }
        for key in 20..30 {
            tt.store(key, entry(3));
        }
        assert_eq!(tt.probe(7), None);
    }

    #[test]
    fn any_word_is_a_valid_entry() {
        let mut random = testkit::Random::new(1);
        for _ in 0..100_000 {
            let word = Word(random.next_u64());
            let entry = word.entry();
            assert!(entry.depth >= -DEPTH_OFFSET && entry.score.is_none_or(|(score, _)| score < Score::INFINITE));
        }
    }

    #[test]
    fn threads_that_write_the_same_places_never_find_a_foreign_entry() {
        let tt = TranspositionTable::new(1).expect("a mebibyte");
        // Keys that share one cluster; each key has data of its own.
        let data = |key: u64| TtEntry { score: Some((Score::new(key as i32 * 3), Bound::Exact)), ..entry(key as i32) };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let tt = &tt;
                scope.spawn(move || {
                    for round in 0..20_000 {
                        let key = 1 + (round * 7 + thread) % 6;
                        tt.store(key, data(key));
                        let other = 1 + (key + round) % 6;
                        if let Some(found) = tt.probe(other) {
                            assert_eq!(found, data(other));
                        }
                    }
                });
            }
        });
    }
}
