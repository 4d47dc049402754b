//! Rows of the table of games: written, and read for lists.

use records::pgn::PgnResult;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{QueryResult, positions};
use crate::sheet::{Sheet, SheetText, result_number, result_of};

/// Where a game comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GameKind {
    /// It was played on this server.
    Played,
    /// It was read from a PGN.
    Imported,
    /// It was entered to be analysed.
    Analysis,
}

impl GameKind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            GameKind::Played => "played",
            GameKind::Imported => "imported",
            GameKind::Analysis => "analysis",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<GameKind> {
        [GameKind::Played, GameKind::Imported, GameKind::Analysis].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// What lists show of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameRow {
    pub(crate) number: i64,
    pub(crate) id: String,
    pub(crate) kind: GameKind,
    pub(crate) is_over: bool,
    pub(crate) revision: u64,
    pub(crate) created: u64,
    pub(crate) updated: u64,
    pub(crate) deleted: Option<u64>,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) white_elo: Option<u16>,
    pub(crate) black_elo: Option<u16>,
    pub(crate) event: String,
    pub(crate) date: String,
    pub(crate) result: PgnResult,
    pub(crate) eco: Option<String>,
    pub(crate) opening: Option<String>,
    pub(crate) plies: usize,
    pub(crate) fen: String,
    pub(crate) labels: Vec<String>,
    pub(crate) problem: Option<String>,
}

/// The columns that [`GameRow::read`] expects.
pub(super) const COLUMNS: &str = "number, id, kind, is_over, revision, created, updated, deleted, white, black, \
    white_elo, black_elo, event, date, result, eco, opening, plies, fen, labels, problem";

/// A number of milliseconds or a counter, as SQLite keeps it.
pub(super) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

impl GameRow {
    pub(super) fn read(row: &Row<'_>) -> QueryResult<GameRow> {
        let (kind, labels): (String, String) = (row.get(2)?, row.get(19)?);
        Ok(GameRow {
            number: row.get(0)?,
            id: row.get(1)?,
            kind: GameKind::parse(&kind).unwrap_or(GameKind::Imported),
            is_over: row.get(3)?,
            revision: unsigned(row.get(4)?),
            created: unsigned(row.get(5)?),
            updated: unsigned(row.get(6)?),
            deleted: row.get::<_, Option<i64>>(7)?.map(unsigned),
            white: row.get(8)?,
            black: row.get(9)?,
            white_elo: row.get(10)?,
            black_elo: row.get(11)?,
            event: row.get(12)?,
            date: row.get(13)?,
            result: result_of(row.get(14)?),
            eco: row.get(15)?,
            opening: row.get(16)?,
            plies: row.get(17)?,
            fen: row.get(18)?,
            labels: serde_json::from_str(&labels).unwrap_or_default(),
            problem: row.get(20)?,
        })
    }
}

/// What a new game has besides its score sheet.
#[derive(Clone, Debug)]
pub(crate) struct NewRow {
    pub(crate) id: String,
    pub(crate) kind: GameKind,
    pub(crate) is_over: bool,
    pub(crate) revision: u64,
    pub(crate) created: u64,
    pub(crate) labels: Vec<String>,
    pub(crate) problem: Option<String>,
    pub(crate) import: Option<i64>,
}

/// Adds a game with its score sheet and returns its number. Its positions are not indexed yet.
pub(super) fn insert(connection: &Connection, row: &NewRow, sheet: &Sheet) -> QueryResult<i64> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO games (id, kind, is_over, revision, created, updated, white, black, white_elo, black_elo, event, \
         date, year, result, eco, opening, plies, fen, labels, problem, import) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
    )?;
    statement.execute(params![
        row.id,
        row.kind.as_str(),
        row.is_over,
        signed(row.revision),
        signed(row.created),
        sheet.white,
        sheet.black,
        sheet.white_elo,
        sheet.black_elo,
        sheet.event,
        sheet.date,
        sheet.year,
        result_number(sheet.result),
        sheet.eco,
        sheet.opening,
        sheet.plies,
        sheet.fen,
        labels_text(&row.labels),
        row.problem,
        row.import,
    ])?;
    let number = connection.last_insert_rowid();
    if row.is_over {
        write_text(connection, number, &sheet.text)?;
    }
    write_names(connection, number)?;
    Ok(number)
}

pub(super) fn labels_text(labels: &[String]) -> String {
    serde_json::to_string(labels).unwrap_or_else(|_| "[]".to_owned())
}

fn write_text(connection: &Connection, number: i64, text: &SheetText) -> QueryResult<()> {
    let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO score_sheets VALUES (?, ?, ?, ?, ?)")?;
    statement.execute(params![number, text.start, text.tags, text.line, text.movetext]).map(drop)
}

/// The words by which a game is found. Called after every change of what it is called.
pub(super) fn write_names(connection: &Connection, number: i64) -> QueryResult<()> {
    connection.prepare_cached("DELETE FROM names WHERE rowid = ?")?.execute([number])?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO names (rowid, white, black, event, opening, labels) \
         SELECT number, white, black, event, COALESCE(eco || ' ' || opening, ''), labels FROM games WHERE number = ?",
    )?;
    statement.execute([number]).map(drop)
}

/// Writes a new score sheet for a game that is there, and finds it by its new positions.
pub(super) fn write_sheet(connection: &Connection, number: i64, sheet: &Sheet) -> QueryResult<()> {
    positions::forget(connection, number)?;
    let mut statement = connection.prepare_cached(
        "UPDATE games SET white = ?2, black = ?3, white_elo = ?4, black_elo = ?5, event = ?6, date = ?7, year = ?8, \
         result = ?9, eco = ?10, opening = ?11, plies = ?12, fen = ?13 WHERE number = ?1",
    )?;
    statement.execute(params![
        number,
        sheet.white,
        sheet.black,
        sheet.white_elo,
        sheet.black_elo,
        sheet.event,
        sheet.date,
        sheet.year,
        result_number(sheet.result),
        sheet.eco,
        sheet.opening,
        sheet.plies,
        sheet.fen,
    ])?;
    write_text(connection, number, &sheet.text)?;
    write_names(connection, number)?;
    positions::remember(connection, number, sheet)
}

/// The game with an identifier, deleted or not.
pub(super) fn find(connection: &Connection, id: &str) -> QueryResult<Option<GameRow>> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM games WHERE id = ?"))?;
    statement.query_row([id], GameRow::read).optional()
}

/// The game, wherever it comes from, that a sheet is another copy of: the same players, tags, moves and result. Its
/// comments may say more than those of the copy, but nothing else. Games without names are never the same.
pub(super) fn find_copy(connection: &Connection, sheet: &Sheet) -> QueryResult<Option<(i64, String)>> {
    // Of games that end alike, as those that were never played do, only so many are looked at.
    const LOOKED_AT: i64 = 100;
    if sheet.white.is_empty() || sheet.black.is_empty() {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(
        "SELECT number, id FROM (SELECT number, id FROM games WHERE fen = ? AND white = ? AND black = ? \
         AND result = ? AND deleted IS NULL LIMIT ?) JOIN score_sheets ON game = number \
         WHERE start IS ? AND tags = ? AND line = ? AND (?9 IS NULL OR movetext IS ?9) LIMIT 1",
    )?;
    let SheetText { start, tags, line, movetext } = &sheet.text;
    let asked = params![
        sheet.fen,
        sheet.white,
        sheet.black,
        result_number(sheet.result),
        LOOKED_AT,
        start,
        tags,
        line,
        movetext,
    ];
    statement.query_row(asked, |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// The stored text of a game, if it has one.
pub(super) fn text_of(connection: &Connection, number: i64) -> QueryResult<Option<SheetText>> {
    let mut statement =
        connection.prepare_cached("SELECT start, tags, line, movetext FROM score_sheets WHERE game = ?")?;
    let read = |row: &Row<'_>| {
        Ok(SheetText { start: row.get(0)?, tags: row.get(1)?, line: row.get(2)?, movetext: row.get(3)? })
    };
    statement.query_row([number], read).optional()
}
