//! What a search tells while it runs, and what it answers in the end.

use std::time::Duration;

use rules::Move;

use crate::Score;

/// Whether a score is the truth of its depth or a bound of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Bound {
    /// The score is what the search found.
    #[default]
    Exact,
    /// The truth is this or more.
    Lower,
    /// The truth is this or less.
    Upper,
}

/// One line of play with its score: a principal variation.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
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

/// How much work a search has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchStats {
    /// Positions looked at, by all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How much of the table this search has filled, in thousandths.
    pub hash_full: u32,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
}

impl SearchStats {
    /// Positions a second.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Positions a second, for so many positions in a time.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1)).min(u64::MAX.into()) as u64
}

/// Listens to a search. `()` ignores everything.
pub trait Reporter {
    /// A line was searched, or its score turned out to be higher or lower than expected.
    fn line(&mut self, line: &Line, stats: &SearchStats);

    /// The search begins to look at a move of the root, the `number`th (from 1) at this depth.
    fn current_move(&mut self, _mv: Move, _number: usize, _depth: usize, _stats: &SearchStats) {}

    /// The search is still running. This is told every quarter of a second, whether or not there is other news.
    fn pulse(&mut self, _stats: &SearchStats) {}
}

impl Reporter for () {
    fn line(&mut self, _line: &Line, _stats: &SearchStats) {}
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
    pub stats: SearchStats,
}
