//! The cards of a database for a program that is no server: `saavedra practice`. What an answer changes is decided
//! where it is decided for the server.

use std::path::Path;

use rules::{Move, Position};
use thiserror::Error;
use tokio::runtime::Runtime;

use super::Grade;
use super::schedule::{DAY, answer, streak};
use crate::error::ApiError;
use crate::games::{now, timestamp};
use crate::store::{CardRow, Storage, StorageError, Store};

/// The cards of a database. While it is open no server can use the file.
pub struct Deck {
    store: Store,
    /// The store answers by futures; nothing else runs here.
    runtime: Runtime,
}

/// Why cards cannot be read or answered.
#[derive(Debug, Error)]
pub enum DeckError {
    /// The database cannot be opened.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The system refuses what the store needs.
    #[error("the database cannot be used: {0}")]
    Run(std::io::Error),
    /// A query failed.
    #[error("{0}")]
    Query(String),
}

impl From<ApiError> for DeckError {
    fn from(error: ApiError) -> DeckError {
        DeckError::Query(error.message)
    }
}

/// How many cards there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack {
    /// How many are due.
    pub due: u64,
    /// How many there are.
    pub total: u64,
    /// When the next card is due that is not due now, as `2026-11-18T20:15:00Z`.
    pub next: Option<String>,
    /// On how many days in a row something was practised, today or yesterday the last.
    pub streak: u64,
}

/// A card that is due.
#[derive(Clone, Debug)]
pub struct DueCard {
    number: i64,
    /// The position in which the mistake was made.
    pub position: Position,
    /// The mistake.
    pub played: Move,
    /// The best move instead.
    pub best: Move,
    /// The game: `White – Black, 2026.11.18`.
    pub game: String,
    /// Why it was a mistake, as in `hangs the knight (5… Qxc4)`.
    pub reason: Option<String>,
}

impl DueCard {
    /// A card, unless the database was changed from outside.
    fn new(row: CardRow) -> Option<DueCard> {
        let position: Position = row.card.fen.parse().ok()?;
        Some(DueCard {
            number: row.number,
            played: position.parse_uci(&row.card.played).ok()?,
            best: position.parse_uci(&row.card.best).ok()?,
            position,
            game: row.label(),
            reason: row.card.reason,
        })
    }
}

impl Deck {
    /// Opens a database.
    pub fn open(path: &Path) -> Result<Deck, DeckError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(DeckError::Run)?;
        Ok(Deck { store: Store::open(&Storage::File(path.to_owned()))?, runtime })
    }

    /// How many cards there are.
    pub fn stack(&self) -> Result<Stack, DeckError> {
        let now = now();
        let counts = self.runtime.block_on(self.store.practice_counts(now))?;
        Ok(Stack {
            due: counts.due,
            total: counts.total,
            next: counts.next.map(timestamp),
            streak: streak(&counts.days, now / DAY),
        })
    }

    /// The cards that are due, at most so many, those that were due first before the others.
    pub fn due(&self, most: u32) -> Result<Vec<DueCard>, DeckError> {
        let cards = self.runtime.block_on(self.store.due_cards(now(), None, most))?;
        Ok(cards.into_iter().filter_map(DueCard::new).collect())
    }

    /// Grades the answer to a card: the better it was known, the later it is asked again.
    pub fn grade(&self, card: &DueCard, grade: Grade) -> Result<(), DeckError> {
        let now = now();
        let answered = self.store.answer_card(card.number, now, move |card| answer(card, grade, now));
        self.runtime.block_on(answered)?;
        Ok(())
    }
}
