//! The cards of practice, and on which days it was done.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::rows::{signed, unsigned};
use super::{QueryResult, Store};
use crate::error::ApiError;
use crate::practice::{DAY, Memory};

/// A card to be added.
#[derive(Clone, Debug)]
pub(crate) struct NewCard {
    /// How many moves were played before the mistake.
    pub(crate) ply: usize,
    pub(crate) fen: String,
    /// The mistake and the better move, in UCI notation.
    pub(crate) played: String,
    pub(crate) best: String,
    /// What the mistake is about.
    pub(crate) theme: Option<String>,
    /// Why it is a mistake, in words.
    pub(crate) reason: Option<String>,
}

/// A card as it was stored.
#[derive(Clone, Debug)]
pub(crate) struct CardRow {
    pub(crate) number: i64,
    pub(crate) game: String,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) date: String,
    pub(crate) card: NewCard,
    pub(crate) due: u64,
    /// When it was answered last.
    pub(crate) answered: Option<u64>,
    pub(crate) memory: Option<Memory>,
    pub(crate) answers: u32,
    pub(crate) lapses: u32,
}

impl CardRow {
    /// The game: `White – Black, 2026.11.18`. Of a date only what is known is told.
    pub(crate) fn label(&self) -> String {
        let known = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
        let date = self.date.replace(".??", "");
        let date = if date.is_empty() { date } else { format!(", {date}") };
        format!("{} – {}{date}", known(&self.white), known(&self.black))
    }
}

/// What there is to practise.
pub(crate) struct PracticeCounts {
    pub(crate) due: u64,
    pub(crate) total: u64,
    /// When the next card that is not due yet will be.
    pub(crate) next: Option<u64>,
    /// The days on which something was answered, as days since 1970, the last first.
    pub(crate) days: Vec<u64>,
}

const COLUMNS: &str = "cards.number, games.id, white, black, date, ply, cards.fen, played, best, theme, reason, due, \
    answered, stability, difficulty, answers, lapses";

/// Cards of games that are not deleted.
const TABLES: &str = "cards JOIN games ON games.number = cards.game AND games.deleted IS NULL";

/// How many days are looked at for a row of days without a gap.
const MOST_DAYS: u32 = 1000;

fn read(row: &Row<'_>) -> QueryResult<CardRow> {
    let memory: (Option<f64>, Option<f64>) = (row.get(13)?, row.get(14)?);
    Ok(CardRow {
        number: row.get(0)?,
        game: row.get(1)?,
        white: row.get(2)?,
        black: row.get(3)?,
        date: row.get(4)?,
        card: NewCard {
            ply: row.get(5)?,
            fen: row.get(6)?,
            played: row.get(7)?,
            best: row.get(8)?,
            theme: row.get(9)?,
            reason: row.get(10)?,
        },
        due: unsigned(row.get(11)?),
        answered: row.get::<_, Option<i64>>(12)?.map(unsigned),
        memory: memory.0.zip(memory.1).map(|(stability, difficulty)| Memory { stability, difficulty }),
        answers: row.get(15)?,
        lapses: row.get(16)?,
    })
}

fn find(connection: &Connection, number: i64) -> QueryResult<Option<CardRow>> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM {TABLES} WHERE cards.number = ?"))?;
    statement.query_row([number], read).optional()
}

impl Store {
    /// Adds cards of a game, due at once. Those that are there stay as they are. Returns how many are new.
    pub(crate) async fn add_cards(&self, game: &str, cards: Vec<NewCard>, now: u64) -> Result<u64, ApiError> {
        let game = game.to_owned();
        self.write(move |connection| {
            let mut statement = connection.prepare_cached(
                "INSERT OR IGNORE INTO cards (game, ply, fen, played, best, theme, reason, created, due, answers, lapses) \
                 SELECT number, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 0, 0 FROM games WHERE id = ?1",
            )?;
            let mut added = 0;
            for card in cards {
                let NewCard { ply, fen, played, best, theme, reason } = card;
                added += statement.execute(params![game, ply, fen, played, best, theme, reason, signed(now)])? as u64;
            }
            Ok(added)
        })
        .await
    }

    /// The cards that are due, of any theme or of one, those that were due first before the others.
    pub(crate) async fn due_cards(
        &self,
        now: u64,
        theme: Option<String>,
        limit: u32,
    ) -> Result<Vec<CardRow>, ApiError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM {TABLES} WHERE due <= ?1 AND (?2 IS NULL OR theme = ?2) ORDER BY due LIMIT ?3"
            ))?;
            statement.query_map(params![signed(now), theme, limit], read)?.collect()
        })
        .await
    }

    /// The themes of the cards that are due with their numbers, the most frequent first.
    pub(crate) async fn due_themes(&self, now: u64) -> Result<Vec<(String, u64)>, ApiError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT theme, COUNT(*) FROM {TABLES} WHERE due <= ? AND theme IS NOT NULL \
                 GROUP BY theme ORDER BY COUNT(*) DESC, theme"
            ))?;
            statement.query_map([signed(now)], |row| Ok((row.get(0)?, row.get(1).map(unsigned)?)))?.collect()
        })
        .await
    }

    pub(crate) async fn card(&self, number: i64) -> Result<Option<CardRow>, ApiError> {
        self.read(move |connection| find(connection, number)).await
    }

    /// The puzzle of a day: one of the cards, the same all day unless it is deleted. Cards that were made during the
    /// day wait until the next if there are others.
    pub(crate) async fn card_of_the_day(&self, day: u64) -> Result<Option<CardRow>, ApiError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM {TABLES} ORDER BY cards.created >= ?1, \
                 (cards.number * 7919 + ?2 * 104729) % 1000003 LIMIT 1"
            ))?;
            statement.query_row(params![signed(day * DAY), signed(day)], read).optional()
        })
        .await
    }

    /// All cards, in the order in which they were made.
    pub(crate) async fn all_cards(&self) -> Result<Vec<CardRow>, ApiError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached(&format!("SELECT {COLUMNS} FROM {TABLES} ORDER BY cards.number"))?;
            statement.query_map([], read)?.collect()
        })
        .await
    }

    pub(crate) async fn practice_counts(&self, now: u64) -> Result<PracticeCounts, ApiError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT COUNT(*), COUNT(*) FILTER (WHERE due <= ?1), MIN(due) FILTER (WHERE due > ?1) FROM {TABLES}"
            ))?;
            let (total, due, next): (i64, i64, Option<i64>) =
                statement.query_row([signed(now)], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let mut statement = connection.prepare_cached("SELECT day FROM practice_days ORDER BY day DESC LIMIT ?")?;
            let days = statement.query_map([MOST_DAYS], |row| row.get(0).map(unsigned))?;
            let days = days.collect::<QueryResult<_>>()?;
            Ok(PracticeCounts { due: unsigned(due), total: unsigned(total), next: next.map(unsigned), days })
        })
        .await
    }

    /// Changes a card by an answer. Returns it, or nothing if there is no such card.
    pub(crate) async fn answer_card(
        &self,
        number: i64,
        now: u64,
        answer: impl FnOnce(&mut CardRow) + Send + 'static,
    ) -> Result<Option<CardRow>, ApiError> {
        self.write(move |connection| {
            let Some(mut card) = find(connection, number)? else { return Ok(None) };
            answer(&mut card);
            let memory = card.memory.as_ref();
            connection
                .prepare_cached(
                    "UPDATE cards SET due = ?2, answered = ?3, stability = ?4, difficulty = ?5, answers = ?6, \
                     lapses = ?7 WHERE number = ?1",
                )?
                .execute(params![
                    number,
                    signed(card.due),
                    signed(now),
                    memory.map(|memory| memory.stability),
                    memory.map(|memory| memory.difficulty),
                    card.answers,
                    card.lapses,
                ])?;
            connection
                .prepare_cached(
                    "INSERT INTO practice_days VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET answers = answers + 1",
                )?
                .execute([signed(now / DAY)])?;
            Ok(Some(card))
        })
        .await
    }

    /// Removes a card. Returns whether it was there.
    pub(crate) async fn delete_card(&self, number: i64) -> Result<bool, ApiError> {
        self.write(move |connection| {
            connection.execute("DELETE FROM cards WHERE number = ?", [number]).map(|count| count > 0)
        })
        .await
    }
}
