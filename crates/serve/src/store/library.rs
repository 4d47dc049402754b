//! Games of any kind: added, changed, labelled, deleted and brought back.

use rusqlite::{Connection, Row, params, params_from_iter};

use super::positions::{self, IndexEntry};
use super::rows::{self, GameKind, GameRow, NewRow, labels_text, signed};
use super::{Pending, QueryResult, Search, Selection, Store};
use crate::error::ApiError;
use crate::sheet::{Sheet, SheetText, result_of};

/// A label and how many games have it.
pub(crate) struct LabelCount {
    pub(crate) label: String,
    pub(crate) games: u64,
}

/// Games that were deleted together and can still be brought back.
pub(crate) struct Deletion {
    /// When, which is also what brings them back.
    pub(crate) moment: u64,
    pub(crate) games: u64,
    /// The players of one of them.
    pub(crate) white: String,
    pub(crate) black: String,
}

/// What became of a change.
pub(crate) enum Saved {
    Done {
        revision: u64,
        updated: u64,
    },
    /// The game has another revision than the one that was changed.
    Stale(u64),
    Missing,
}

/// What became of a game that was to be added.
pub(crate) enum Filed<T> {
    /// It has this number now.
    New(i64, T),
    /// It is there already, under this id.
    Known(String),
}

/// A game of an import.
pub(crate) struct Imported {
    pub(crate) row: NewRow,
    pub(crate) sheet: Sheet,
}

/// Games that were deleted longer ago than this are removed.
const KEPT_DELETED: u64 = 24 * 3600 * 1000;

/// How many games are removed in one transaction.
const CHUNK: usize = 100;

/// How many positions are written in one transaction, or games marked.
const ROWS: usize = 4000;

/// Notes in which run the positions of games are.
fn mark(connection: &Connection, games: &[i64], run: i64) -> QueryResult<()> {
    let mut statement = connection.prepare_cached("UPDATE games SET run = ? WHERE number = ?")?;
    games.iter().try_for_each(|number| statement.execute(params![run, number]).map(drop))
}

/// Adds a game, unless it was imported and is there already: then that one gets its labels.
fn file(connection: &Connection, game: Imported) -> QueryResult<Filed<Imported>> {
    let Imported { row, sheet } = &game;
    let known = if row.kind == GameKind::Imported { rows::find_copy(connection, sheet)? } else { None };
    let Some((number, id)) = known else {
        return Ok(Filed::New(rows::insert(connection, row, sheet)?, game));
    };
    if !row.labels.is_empty()
        && let Some(known) = rows::find(connection, &id)?
    {
        let mut labels = known.labels;
        labels.extend(row.labels.iter().filter(|label| !labels.contains(label)).cloned().collect::<Vec<_>>());
        write_labels(connection, number, &labels)?;
    }
    Ok(Filed::Known(id))
}

impl Store {
    /// How many games there are.
    pub(crate) async fn count(&self) -> Result<u64, ApiError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT COUNT(*) FROM games WHERE deleted IS NULL")?;
            statement.query_row([], |row| row.get(0)).map(rows::unsigned)
        })
        .await
    }

    /// The same, for a thread that may wait.
    pub(crate) fn count_from_thread(&self) -> Pending<u64> {
        self.write_from_thread(|connection| {
            let mut statement = connection.prepare_cached("SELECT COUNT(*) FROM games WHERE deleted IS NULL")?;
            statement.query_row([], |row| row.get(0)).map(rows::unsigned)
        })
    }

    /// Adds a game and finds it by its positions. Returns its id, which is another one if it is there already.
    pub(crate) async fn add(&self, row: NewRow, sheet: Sheet) -> Result<String, ApiError> {
        self.write(move |connection| match file(connection, Imported { row, sheet })? {
            Filed::New(number, Imported { row, sheet }) => {
                positions::remember(connection, number, &sheet)?;
                Ok(row.id)
            }
            Filed::Known(id) => Ok(id),
        })
        .await
    }

    /// The row and the text of a game, deleted or not.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<(GameRow, Option<SheetText>)>, ApiError> {
        let id = id.to_owned();
        self.read(move |connection| {
            let Some(row) = rows::find(connection, &id)? else { return Ok(None) };
            let text = rows::text_of(connection, row.number)?;
            Ok(Some((row, text)))
        })
        .await
    }

    /// Writes a game anew, if it still has a revision.
    pub(crate) async fn save_sheet(
        &self,
        id: &str,
        revision: u64,
        sheet: Sheet,
        labels: Option<Vec<String>>,
        now: u64,
    ) -> Result<Saved, ApiError> {
        let id = id.to_owned();
        self.write(move |connection| {
            let Some(row) = rows::find(connection, &id)?.filter(|row| row.deleted.is_none()) else {
                return Ok(Saved::Missing);
            };
            if row.revision != revision {
                return Ok(Saved::Stale(row.revision));
            }
            if let Some(labels) = labels {
                write_labels(connection, row.number, &labels)?;
            }
            rows::write_sheet(connection, row.number, &sheet)?;
            connection
                .prepare_cached("UPDATE games SET revision = ?, updated = ? WHERE number = ?")?
                .execute(params![signed(revision + 1), signed(now), row.number])?;
            Ok(Saved::Done { revision: revision + 1, updated: now })
        })
        .await
    }

    /// Adds labels to games and takes others away. Returns how many games there were.
    pub(crate) async fn label(
        &self,
        selection: Selection,
        add: Vec<String>,
        remove: Vec<String>,
    ) -> Result<u64, ApiError> {
        self.write(move |connection| {
            let games = select(connection, &selection, "number, labels", |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
            })?;
            for (number, text) in &games {
                let mut labels: Vec<String> = serde_json::from_str(text).unwrap_or_default();
                labels.retain(|label| !remove.contains(label) && !add.contains(label));
                labels.extend(add.iter().cloned());
                write_labels(connection, *number, &labels)?;
            }
            Ok(games.len() as u64)
        })
        .await
    }

    /// All labels, the most used first.
    pub(crate) async fn labels(&self) -> Result<Vec<LabelCount>, ApiError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT json_each.value, COUNT(*) FROM games, json_each(labels) \
                 WHERE deleted IS NULL AND labels <> '[]' GROUP BY 1 ORDER BY 2 DESC, 1",
            )?;
            let read = |row: &Row<'_>| Ok(LabelCount { label: row.get(0)?, games: rows::unsigned(row.get(1)?) });
            statement.query_map([], read)?.collect()
        })
        .await
    }

    /// Deletes games so that they can be brought back for a day. Returns how many, and the moment that names them.
    /// A game in progress stays: its room deletes it.
    pub(crate) async fn delete(&self, selection: Selection, now: u64) -> Result<(u64, u64), ApiError> {
        self.write(move |connection| {
            // Two deletions in the same millisecond must not be undone together.
            let last: Option<i64> = connection.query_row("SELECT MAX(deleted) FROM games", [], |row| row.get(0))?;
            let now = now.max(last.map_or(0, rows::unsigned) + 1);
            let (condition, mut values) = selection.condition();
            values.insert(0, signed(now).into());
            let deleted = connection.execute(
                &format!("UPDATE games SET deleted = ? WHERE deleted IS NULL AND is_over = 1 AND {condition}"),
                params_from_iter(values),
            )?;
            Ok((deleted as u64, now))
        })
        .await
    }

    /// Deletes a game, in progress or not.
    pub(crate) async fn delete_game(&self, id: &str, now: u64) -> Result<(), ApiError> {
        let id = id.to_owned();
        self.write(move |connection| {
            connection.execute("UPDATE games SET deleted = ? WHERE id = ?", params![signed(now), id]).map(drop)
        })
        .await
    }

    /// Brings back what was deleted at a moment. Returns how many games.
    pub(crate) async fn undelete(&self, moment: u64) -> Result<u64, ApiError> {
        self.write(move |connection| {
            let restored = connection.execute("UPDATE games SET deleted = NULL WHERE deleted = ?", [signed(moment)])?;
            Ok(restored as u64)
        })
        .await
    }

    /// What was deleted and is still there, the last first.
    pub(crate) async fn deletions(&self, limit: u32) -> Result<Vec<Deletion>, ApiError> {
        self.read(move |connection| {
            // With MAX, SQLite takes the other columns from the row that has it: the newest game.
            let mut statement = connection.prepare_cached(
                "SELECT deleted, COUNT(*), white, black, MAX(number) FROM games WHERE deleted IS NOT NULL \
                 GROUP BY deleted ORDER BY deleted DESC LIMIT ?",
            )?;
            let read = |row: &Row<'_>| {
                let (moment, games) = (rows::unsigned(row.get(0)?), rows::unsigned(row.get(1)?));
                Ok(Deletion { moment, games, white: row.get(2)?, black: row.get(3)? })
            };
            statement.query_map([limit], read)?.collect()
        })
        .await
    }

    /// Brings back one game.
    pub(crate) async fn restore(&self, id: &str) -> Result<(), ApiError> {
        let id = id.to_owned();
        self.write(move |connection| connection.execute("UPDATE games SET deleted = NULL WHERE id = ?", [id]).map(drop))
            .await
    }

    /// Games in the order of their numbers, after one, for a stream.
    pub(crate) async fn texts(
        &self,
        selection: Selection,
        after: i64,
        limit: u32,
    ) -> Result<Vec<(GameRow, Option<SheetText>)>, ApiError> {
        self.read(move |connection| {
            let (condition, mut values) = selection.condition();
            values.push(after.into());
            values.push(i64::from(limit).into());
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {} FROM games WHERE {condition} AND number > ? ORDER BY number LIMIT ?",
                rows::COLUMNS
            ))?;
            let games = statement.query_map(params_from_iter(values), GameRow::read)?;
            let with_text = |row: GameRow| rows::text_of(connection, row.number).map(|text| (row, text));
            games.map(|row| row.and_then(with_text)).collect()
        })
        .await
    }

    /// Adds games of an import, whose positions are indexed later.
    pub(crate) fn add_imported(&self, games: Vec<Imported>) -> Pending<Vec<Filed<Imported>>> {
        self.write_from_thread(move |connection| games.into_iter().map(|game| file(connection, game)).collect())
    }

    /// Writes the positions of games, those of one game after those of another, from a thread that may wait. It is done
    /// in small transactions, so that no move waits for long.
    pub(crate) fn index(&self, mut entries: Vec<IndexEntry>, games: &[i64]) -> Result<(), ApiError> {
        // A few games are not worth a run of their own, in which every later search has to look.
        if entries.len() < 5 * ROWS {
            return self.index_singly(&entries, games);
        }
        entries.sort_unstable();
        let run = self.write_from_thread(positions::begin_run).wait()?;
        for rows in entries.chunks(ROWS) {
            let rows = rows.to_vec();
            self.write_from_thread(move |connection| positions::write(connection, run, &rows)).wait()?;
        }
        self.mark_indexed(games, run)?;
        self.write_from_thread(move |connection| positions::complete_run(connection, run)).wait()
    }

    /// The positions of a game and the mark that it is indexed are written together: run 0 is always complete.
    fn index_singly(&self, entries: &[IndexEntry], games: &[i64]) -> Result<(), ApiError> {
        let mut by_game = entries.chunk_by(|one, other| one.game == other.game).peekable();
        while by_game.peek().is_some() {
            let mut rows: Vec<IndexEntry> = by_game.by_ref().take(CHUNK / 2).flatten().copied().collect();
            rows.sort_unstable();
            let write = move |connection: &Connection| {
                positions::write(connection, positions::SINGLE_GAMES, &rows)?;
                let mut games: Vec<i64> = rows.iter().map(|row| row.game).collect();
                games.sort_unstable();
                games.dedup();
                mark(connection, &games, positions::SINGLE_GAMES)
            };
            self.write_from_thread(write).wait()?;
        }
        // One that cannot be read has no positions, and is not tried again.
        self.mark_indexed(games, positions::SINGLE_GAMES)
    }

    fn mark_indexed(&self, games: &[i64], run: i64) -> Result<(), ApiError> {
        for numbers in games.chunks(ROWS) {
            let numbers = numbers.to_vec();
            self.write_from_thread(move |connection| mark(connection, &numbers, run)).wait()?;
        }
        Ok(())
    }

    /// Games from before a moment whose positions are not indexed, because the server was killed meanwhile.
    pub(crate) fn not_indexed(&self, before: u64) -> Pending<Vec<(i64, u8, Option<SheetText>)>> {
        self.write_from_thread(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT number, result FROM games WHERE run IS NULL AND is_over = 1 AND created < ? ORDER BY number LIMIT ?",
            )?;
            let read = |row: &Row<'_>| {
                let (number, result) = (row.get(0)?, row.get(1)?);
                Ok((number, result, rows::text_of(connection, number)?))
            };
            statement.query_map(params![signed(before), 20 * CHUNK], read)?.collect()
        })
    }

    /// Removes some of the games that were deleted long ago. Returns how many.
    pub(crate) fn purge(&self, now: u64) -> Pending<usize> {
        self.write_from_thread(move |connection| {
            let before = signed(now.saturating_sub(KEPT_DELETED));
            let mut statement =
                connection.prepare_cached("SELECT number FROM games WHERE deleted < ? ORDER BY deleted LIMIT ?")?;
            let numbers =
                statement.query_map(params![before, CHUNK], |row| row.get(0))?.collect::<QueryResult<Vec<i64>>>()?;
            for &number in &numbers {
                positions::forget(connection, number)?;
                connection.prepare_cached("DELETE FROM names WHERE rowid = ?")?.execute([number])?;
                for table in ["score_sheets", "played", "moves", "reviews", "cards"] {
                    let text = format!("DELETE FROM {table} WHERE game = ?");
                    connection.prepare_cached(&text)?.execute([number])?;
                }
                connection.prepare_cached("DELETE FROM games WHERE number = ?")?.execute([number])?;
            }
            Ok(numbers.len())
        })
    }

    /// What was played in a position, and some of the games.
    pub(crate) async fn explore(
        &self,
        key: i64,
        only: Option<Search>,
    ) -> Result<(super::Explored, Vec<GameRow>), ApiError> {
        self.read(move |connection| {
            let only = only.map(|search| search.numbers(connection)).transpose()?.flatten();
            let explored = positions::explore(connection, key, only.as_deref())?;
            let mut statement =
                connection.prepare_cached(&format!("SELECT {} FROM games WHERE number = ?", rows::COLUMNS))?;
            let games = explored.samples.iter().map(|number| statement.query_row([number], GameRow::read));
            let games = games.collect::<QueryResult<Vec<_>>>()?;
            Ok((explored, games))
        })
        .await
    }

    /// Those of some games that are deleted.
    pub(crate) async fn deleted_of(&self, ids: Vec<String>) -> Result<Vec<String>, ApiError> {
        self.read(move |connection| {
            let games = select(connection, &Selection::Ids(ids), "id, deleted IS NOT NULL", |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?))
            })?;
            Ok(games.into_iter().filter(|(_, is_deleted)| *is_deleted).map(|(id, _)| id).collect())
        })
        .await
    }
}

fn write_labels(connection: &Connection, number: i64, labels: &[String]) -> QueryResult<()> {
    connection
        .prepare_cached("UPDATE games SET labels = ? WHERE number = ?")?
        .execute(params![labels_text(labels), number])?;
    rows::write_names(connection, number)
}

/// Columns of the games of a selection.
fn select<T>(
    connection: &Connection,
    selection: &Selection,
    columns: &str,
    read: impl FnMut(&Row<'_>) -> QueryResult<T>,
) -> QueryResult<Vec<T>> {
    let (condition, values) = selection.condition();
    let mut statement = connection.prepare(&format!("SELECT {columns} FROM games WHERE {condition}"))?;
    statement.query_map(params_from_iter(values), read)?.collect()
}

/// The entries of a game whose text was stored.
pub(crate) fn entries_of(number: i64, result: u8, text: &SheetText) -> Vec<IndexEntry> {
    match text.tree(result_of(result)) {
        Ok(tree) => positions::entries(number, result, &Sheet::of(&tree).visits).collect(),
        Err(error) => {
            tracing::error!(%error, number, "a stored game cannot be read");
            Vec::new()
        }
    }
}
