//! Games that are played here: their state, and their moves one by one.
//!
//! A move is one new row. What a game was created with is written once, and again only when the game ends or goes on.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::rows::{self, GameKind, NewRow, signed, unsigned};
use super::{QueryResult, Store, positions};
use crate::error::{ApiError, ErrorCode};
use crate::games::{Last, Played, Record, score_sheet};
use crate::sheet::Sheet;
use crate::view::OpeningView;

/// What changed in a game that is played.
pub(crate) struct Change {
    /// The record without its moves.
    pub(crate) head: Record,
    /// How many moves there are.
    pub(crate) plies: usize,
    /// What the opening is called, if the change has given it a name or taken it away.
    pub(crate) renamed: Option<Option<OpeningView>>,
    /// How many of the stored moves remain.
    pub(crate) kept: usize,
    /// The moves after those.
    pub(crate) added: Vec<Played>,
    /// Whether the game ended or goes on again.
    pub(crate) is_turn: bool,
    /// The score sheet, if the game is over.
    pub(crate) sheet: Option<Sheet>,
}

/// A page of the list of games.
pub(crate) struct Page {
    pub(crate) games: Vec<(Record, usize)>,
    pub(crate) total: u64,
}

/// The record as it is kept besides its moves.
fn state_text(record: &Record) -> String {
    let head = Record { moves: Vec::new(), last: None, fen: String::new(), ..record.clone() };
    serde_json::to_string(&head).unwrap_or_default()
}

fn last_text(last: Option<&Last>) -> Option<String> {
    last.and_then(|last| serde_json::to_string(last).ok())
}

/// Adds a game without its moves. Returns its number.
pub(super) fn insert(connection: &Connection, record: &Record) -> QueryResult<i64> {
    let row = NewRow {
        id: record.id.clone(),
        kind: GameKind::Played,
        is_over: record.over.is_some(),
        revision: record.revision,
        created: record.created,
        labels: Vec::new(),
        problem: None,
        import: None,
    };
    let number = rows::insert(connection, &row, &Sheet::of(&score_sheet::begun(record)))?;
    connection.prepare_cached("UPDATE games SET updated = ?, plies = ? WHERE number = ?")?.execute(params![
        signed(record.updated),
        record.moves.len(),
        number
    ])?;
    connection.prepare_cached("INSERT INTO played VALUES (?, ?, ?)")?.execute(params![
        number,
        state_text(record),
        last_text(record.last.as_ref())
    ])?;
    Ok(number)
}

/// Writes moves from a ply on. Later ones that were there are gone.
pub(super) fn write_moves(connection: &Connection, game: i64, from: usize, moves: &[Played]) -> QueryResult<()> {
    connection.prepare_cached("DELETE FROM moves WHERE game = ? AND ply >= ?")?.execute(params![game, from])?;
    let mut statement = connection.prepare_cached("INSERT INTO moves VALUES (?, ?, ?, ?)")?;
    for (ply, played) in (from..).zip(moves) {
        statement.execute(params![game, ply, played.uci, signed(played.ms)])?;
    }
    Ok(())
}

fn write_change(connection: &Connection, change: &Change) -> QueryResult<()> {
    let head = &change.head;
    let mut statement = connection.prepare_cached(
        "UPDATE games SET updated = ?2, revision = ?3, plies = ?4, fen = ?5 WHERE id = ?1 RETURNING number",
    )?;
    let number: i64 = statement
        .query_row(params![head.id, signed(head.updated), signed(head.revision), change.plies, head.fen], |row| {
            row.get(0)
        })?;
    write_moves(connection, number, change.kept, &change.added)?;
    if let Some(opening) = &change.renamed {
        let (eco, name) = opening.as_ref().map(|opening| (opening.eco, opening.name)).unzip();
        connection
            .prepare_cached("UPDATE games SET eco = ?, opening = ? WHERE number = ?")?
            .execute(params![eco, name, number])?;
        rows::write_names(connection, number)?;
    }
    let last = last_text(head.last.as_ref());
    connection.prepare_cached("UPDATE played SET last = ? WHERE game = ?")?.execute(params![last, number])?;
    if !change.is_turn {
        return Ok(());
    }
    connection
        .prepare_cached("UPDATE played SET state = ? WHERE game = ?")?
        .execute(params![state_text(head), number])?;
    connection
        .prepare_cached("UPDATE games SET is_over = ? WHERE number = ?")?
        .execute(params![head.over.is_some(), number])?;
    match &change.sheet {
        Some(sheet) => rows::write_sheet(connection, number, sheet),
        None => {
            positions::forget(connection, number)?;
            connection.execute("UPDATE games SET result = 3 WHERE number = ?", [number])?;
            connection.execute("DELETE FROM score_sheets WHERE game = ?", [number]).map(drop)
        }
    }
}

/// The columns that a record is read from, besides its moves.
const COLUMNS: &str = "state, revision, updated, fen, last, plies, number";

/// A record without its moves, how many it has, and the number of the game. What cannot be read does not hide others.
fn read(row: &Row<'_>) -> QueryResult<Option<(Record, usize, i64)>> {
    let (state, last): (String, Option<String>) = (row.get(0)?, row.get(4)?);
    let mut record: Record = match serde_json::from_str(&state) {
        Ok(record) => record,
        Err(error) => {
            tracing::error!(%error, "a stored game cannot be read");
            return Ok(None);
        }
    };
    record.revision = unsigned(row.get(1)?);
    record.updated = unsigned(row.get(2)?);
    record.fen = row.get(3)?;
    record.last = last.and_then(|last| serde_json::from_str(&last).ok());
    Ok(Some((record, row.get(5)?, row.get(6)?)))
}

fn read_moves(connection: &Connection, game: i64) -> QueryResult<Vec<Played>> {
    let mut statement = connection.prepare_cached("SELECT move, ms FROM moves WHERE game = ? ORDER BY ply")?;
    let read = |row: &Row<'_>| Ok(Played { uci: row.get(0)?, ms: unsigned(row.get(1)?) });
    statement.query_map([game], read)?.collect()
}

impl Store {
    /// Stores a new game. It is committed when this returns.
    pub(crate) async fn create(&self, record: &Record) -> Result<(), ApiError> {
        let record = record.clone();
        self.write(move |connection| {
            let number = insert(connection, &record)?;
            write_moves(connection, number, 0, &record.moves)
        })
        .await
    }

    /// Stores what changed in a game. It is committed when this returns.
    pub(crate) async fn change(&self, change: Change) -> Result<(), ApiError> {
        self.write(move |connection| write_change(connection, &change)).await
    }

    /// The game with an identifier, if it was played here and is not deleted.
    pub(crate) async fn load(&self, id: &str) -> Result<Option<Record>, ApiError> {
        let id = id.to_owned();
        let found = self
            .read(move |connection| {
                let mut statement = connection.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM games JOIN played ON game = number WHERE id = ? AND deleted IS NULL"
                ))?;
                let Some(found) = statement.query_row([id], read).optional()? else { return Ok(None) };
                let Some((mut record, _, number)) = found else { return Ok(Some(None)) };
                record.moves = read_moves(connection, number)?;
                Ok(Some(Some(record)))
            })
            .await?;
        let unreadable = || ApiError::new(ErrorCode::Internal, "the stored game cannot be read");
        found.map(|record| record.ok_or_else(unreadable)).transpose()
    }

    /// The games in progress, with their moves, the last that changed first.
    pub(crate) async fn in_progress(&self, limit: u32) -> Result<Vec<Record>, ApiError> {
        self.read(move |connection| {
            let mut records = Vec::new();
            for (mut record, _, number) in list(connection, Some(false), limit, 0)? {
                record.moves = read_moves(connection, number)?;
                records.push(record);
            }
            Ok(records)
        })
        .await
    }

    /// Played games without their moves but with the number of them, the last that changed first.
    pub(crate) async fn list_played(&self, is_over: Option<bool>, limit: u32, offset: u32) -> Result<Page, ApiError> {
        self.read(move |connection| {
            let games = list(connection, is_over, limit, offset)?;
            let mut statement = connection.prepare_cached(
                "SELECT COUNT(*) FROM games WHERE kind = 'played' AND (?1 IS NULL OR is_over = ?1) AND deleted IS NULL",
            )?;
            let total: i64 = statement.query_row([is_over], |row| row.get(0))?;
            let games = games.into_iter().map(|(record, plies, _)| (record, plies)).collect();
            Ok(Page { games, total: unsigned(total) })
        })
        .await
    }
}

fn list(
    connection: &Connection,
    is_over: Option<bool>,
    limit: u32,
    offset: u32,
) -> QueryResult<Vec<(Record, usize, i64)>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM games JOIN played ON game = number \
         WHERE kind = 'played' AND (?1 IS NULL OR is_over = ?1) AND deleted IS NULL \
         ORDER BY updated DESC, id LIMIT ?2 OFFSET ?3"
    ))?;
    let rows = statement.query_map(params![is_over, limit, offset], read)?;
    Ok(rows.collect::<QueryResult<Vec<_>>>()?.into_iter().flatten().collect())
}
