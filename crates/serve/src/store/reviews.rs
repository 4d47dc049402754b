//! Reviews that were made: one for each game and effort.

use rusqlite::{OptionalExtension, Row, params};

use super::rows::{self, signed, unsigned};
use super::{QueryResult, Store};
use crate::error::ApiError;

/// A review to be stored.
pub(crate) struct NewReview {
    pub(crate) game: String,
    pub(crate) effort: &'static str,
    pub(crate) created: u64,
    /// The main line that was reviewed, as [`crate::sheet::SheetText`] has it.
    pub(crate) line: Vec<u8>,
    pub(crate) white_accuracy: Option<f64>,
    pub(crate) black_accuracy: Option<f64>,
    /// The review as JSON.
    pub(crate) review: String,
    /// The game with the review's comments.
    pub(crate) pgn: String,
}

/// A review as it was stored.
pub(crate) struct StoredReview {
    pub(crate) effort: String,
    pub(crate) created: u64,
    /// Whether the game still has the main line that was reviewed.
    pub(crate) is_current: bool,
    pub(crate) review: String,
    pub(crate) pgn: String,
}

/// The efforts, the deepest last.
const BY_EFFORT: &str = "CASE effort WHEN 'deep' THEN 2 WHEN 'normal' THEN 1 ELSE 0 END";

impl Store {
    /// Stores a review, in place of an earlier one of the same effort. A game that is gone has none.
    pub(crate) async fn save_review(&self, review: NewReview) -> Result<(), ApiError> {
        self.write(move |connection| {
            let mut statement = connection.prepare_cached(
                "INSERT OR REPLACE INTO reviews \
                 SELECT number, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM games WHERE id = ?1",
            )?;
            statement
                .execute(params![
                    review.game,
                    review.effort,
                    signed(review.created),
                    review.line,
                    review.white_accuracy,
                    review.black_accuracy,
                    review.review,
                    review.pgn,
                ])
                .map(drop)
        })
        .await
    }

    /// The review of a game with an effort, or the one with the most.
    pub(crate) async fn review(&self, id: &str, effort: Option<String>) -> Result<Option<StoredReview>, ApiError> {
        let id = id.to_owned();
        self.read(move |connection| {
            let Some(row) = rows::find(connection, &id)? else { return Ok(None) };
            let line = rows::text_of(connection, row.number)?.map(|text| text.line).unwrap_or_default();
            let mut statement = connection.prepare_cached(&format!(
                "SELECT effort, created, line, review, pgn FROM reviews \
                 WHERE game = ?1 AND (?2 IS NULL OR effort = ?2) ORDER BY {BY_EFFORT} DESC LIMIT 1"
            ))?;
            let read = |row: &Row<'_>| {
                Ok(StoredReview {
                    effort: row.get(0)?,
                    created: unsigned(row.get(1)?),
                    is_current: row.get::<_, Vec<u8>>(2)? == line,
                    review: row.get(3)?,
                    pgn: row.get(4)?,
                })
            };
            statement.query_row(params![row.number, effort], read).optional()
        })
        .await
    }

    /// The efforts with which a game was reviewed.
    pub(crate) async fn review_efforts(&self, game: i64) -> Result<Vec<String>, ApiError> {
        self.read(move |connection| {
            let mut statement = connection
                .prepare_cached(&format!("SELECT effort FROM reviews WHERE game = ? ORDER BY {BY_EFFORT}"))?;
            statement.query_map([game], |row| row.get(0))?.collect()
        })
        .await
    }

    /// The accuracy of both players, by the deepest review, for each of some games that has one.
    pub(crate) async fn accuracies(&self, games: Vec<i64>) -> Result<Vec<Option<[Option<f64>; 2]>>, ApiError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT white_accuracy, black_accuracy FROM reviews WHERE game = ? ORDER BY {BY_EFFORT} DESC LIMIT 1"
            ))?;
            let mut read = |game: i64| statement.query_row([game], |row| Ok([row.get(0)?, row.get(1)?])).optional();
            games.into_iter().map(&mut read).collect::<QueryResult<_>>()
        })
        .await
    }
}
