//! Making a book from games.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rules::{IllegalMove, Move, Position};

use super::entry::{Entry, RawMove};
use super::{key, key_after};
use crate::GameResult;

/// Collects moves and writes them as a book: in order, each once, with weights that fit.
#[derive(Clone, Debug, Default)]
pub struct BookBuilder {
    /// What is known about each move of each position, in the order of a book.
    moves: BTreeMap<(u64, RawMove), BookWeight>,
}

#[derive(Clone, Copy, Debug, Default)]
struct BookWeight {
    weight: u64,
    learn: u32,
}

impl BookBuilder {
    /// A book without moves.
    pub fn new() -> BookBuilder {
        BookBuilder::default()
    }

    /// Adds to the weight of a move.
    pub fn add(&mut self, position: &Position, mv: Move, weight: u64) {
        self.add_keyed(key(position), mv, weight);
    }

    /// Adds the moves of a game: two for each move of the winner, one for each of a drawn game, none for those of the
    /// loser. Of a game with an illegal move, nothing is added.
    pub fn add_game(&mut self, start: &Position, moves: &[Move], result: GameResult) -> Result<(), IllegalMove> {
        let mut keyed = Vec::with_capacity(moves.len());
        let (mut position, mut key) = (*start, key(start));
        for &mv in moves {
            let weight = match result.winner() {
                None => 1,
                Some(winner) if winner == position.turn() => 2,
                Some(_) => 0,
            };
            keyed.push((key, mv, weight));
            let next = position.play(mv)?;
            key = key_after(&position, mv);
            position = next;
        }
        for (key, mv, weight) in keyed {
            self.add_keyed(key, mv, weight);
        }
        Ok(())
    }

    /// Adds an entry of another book. What was learned last stays.
    pub fn add_entry(&mut self, entry: Entry) {
        let book = self.moves.entry((entry.key, entry.mv)).or_default();
        book.weight = book.weight.saturating_add(entry.weight.into());
        book.learn = entry.learn;
    }

    fn add_keyed(&mut self, key: u64, mv: Move, weight: u64) {
        let book = self.moves.entry((key, RawMove::new(mv))).or_default();
        book.weight = book.weight.saturating_add(weight);
    }

    /// The entries of the book by key, the weightiest of a position first. Moves without weight are left out; where a
    /// weight is too large, all of that position are scaled, and none of them vanishes.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(self.moves.len());
        let all: Vec<(&(u64, RawMove), &BookWeight)> = self.moves.iter().filter(|(_, book)| book.weight > 0).collect();
        for position in all.chunk_by(|(a, _), (b, _)| a.0 == b.0) {
            let most = position.iter().map(|(_, book)| book.weight).max().unwrap_or(0);
            let scale = |weight: u64| {
                if most <= u16::MAX.into() {
                    weight as u16
                } else {
                    (u128::from(weight) * u128::from(u16::MAX) / u128::from(most)).max(1) as u16
                }
            };
            let first = entries.len();
            entries.extend(position.iter().map(|&(&(key, mv), book)| Entry {
                key,
                mv,
                weight: scale(book.weight),
                learn: book.learn,
            }));
            entries[first..].sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        }
        entries
    }

    /// The book.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries().iter().flat_map(Entry::bytes).collect()
    }

    /// Writes the book.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        for entry in self.entries() {
            out.write_all(&entry.bytes())?;
        }
        out.flush()
    }
}
