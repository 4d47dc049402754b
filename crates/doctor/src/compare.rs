//! An answer beside the truth.

use std::collections::BTreeMap;

use rules::{Move, Perft, Position};

use crate::{Divide, WrongCount};

/// How an answer differs from the truth.
#[derive(Clone, Default, Debug)]
pub(crate) struct Comparison {
    /// Legal moves that were not named.
    pub(crate) missing: Vec<Move>,
    /// Named moves that are not legal.
    pub(crate) extra: Vec<String>,
    /// Legal moves that were named more than once.
    pub(crate) twice: Vec<Move>,
    /// Moves with a wrong count below them.
    pub(crate) counts: Vec<WrongCount>,
}

impl Comparison {
    pub(crate) fn new(position: &Position, depth: u32, said: &Divide) -> Comparison {
        let mut comparison = Comparison::default();
        let mut named: BTreeMap<Move, u64> = BTreeMap::new();
        for (text, count) in said.entries() {
            match position.parse_uci(text) {
                Err(_) => comparison.extra.push(text.clone()),
                Ok(mv) if named.insert(mv, *count).is_some() => comparison.twice.push(mv),
                Ok(_) => {}
            }
        }
        for (mv, expected) in truth(position, depth) {
            match named.get(&mv) {
                None => comparison.missing.push(mv),
                Some(&said) if said != expected => comparison.counts.push(WrongCount { mv, expected, said }),
                Some(_) => {}
            }
        }
        comparison
    }

    /// Whether the moves themselves are wrong, whatever is below them.
    pub(crate) fn lists_differ(&self) -> bool {
        !(self.missing.is_empty() && self.extra.is_empty() && self.twice.is_empty())
    }

    pub(crate) fn is_clean(&self) -> bool {
        !self.lists_differ() && self.counts.is_empty()
    }
}

/// The divide as it should be.
pub(crate) fn truth(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    Perft::new().divide(position, depth).expect("no table is used")
}
