//! What a search tells while it thinks, and what it answers in the end.

use std::time::Duration;

use rules::Move;

use crate::Score;

/// Whether a score is the truth of its depth or a bound of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is what the search found.
    Exact,
    /// The truth is this or more.
    AtLeast,
    /// The truth is this or less.
    AtMost,
}

/// One line of thought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The depth the line was searched to.
    pub depth: usize,
    /// The deepest ply that was looked at.
    pub selective_depth: usize,
    /// 1 for the best line, 2 for the next, …
    pub rank: usize,
    /// What the line is worth to the player to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The moves.
    pub moves: Vec<Move>,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions looked at, by all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How much of the table this search has filled, in thousandths.
    pub hash_full: u32,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
}

impl Progress {
    /// Positions a second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as u128 * 1_000_000_000 / self.time.as_nanos().max(1)).min(u64::MAX as u128) as u64
    }
}

/// Whoever listens to a search.
pub trait Reporter {
    /// A line was searched, or its score turned out to be higher or lower than expected.
    fn line(&mut self, line: &Line, progress: &Progress);

    /// The search begins to look at a move of the root, the `number`th (from 1) at this depth.
    fn current_move(&mut self, _mv: Move, _number: usize, _depth: usize, _progress: &Progress) {}

    /// The search is still at it, a quarter of a second after it last said so, whether or not there is other news.
    fn pulse(&mut self, _progress: &Progress) {}
}

/// Nobody listens.
impl Reporter for () {
    fn line(&mut self, _line: &Line, _progress: &Progress) {}
}

/// What a search answers.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move to play. There is none if there is no legal move, or none among those to choose from.
    pub best: Option<Move>,
    /// The reply to expect.
    pub ponder: Option<Move>,
    /// The best line of the last depth that was finished.
    pub line: Line,
    /// How much work it was.
    pub progress: Progress,
}
