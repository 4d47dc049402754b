//! The tables of the database, and how older ones become today's.

use rusqlite::{Connection, params};

use super::rows;
use crate::bots::{self, BOTS};
use crate::games::{Record, StoredGame, score_sheet};
use crate::sheet::Sheet;

/// The format of the file.
pub(super) const FORMAT: i64 = 3;

/// What every game has is one narrow row in `games`, because searching reads all of them; what only one reader wants at
/// a time is in tables of its own.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS games (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        is_over INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        deleted INTEGER,
        white TEXT NOT NULL,
        black TEXT NOT NULL,
        white_elo INTEGER,
        black_elo INTEGER,
        event TEXT NOT NULL,
        date TEXT NOT NULL,
        year INTEGER,
        result INTEGER NOT NULL,
        eco TEXT,
        opening TEXT,
        plies INTEGER NOT NULL,
        fen TEXT NOT NULL,
        labels TEXT NOT NULL,
        problem TEXT,
        import INTEGER,
        run INTEGER
    ) STRICT;
    CREATE INDEX IF NOT EXISTS games_by_time ON games (kind, is_over, updated);
    CREATE INDEX IF NOT EXISTS games_by_fields ON games (deleted, result, year, eco, kind, is_over);
    CREATE INDEX IF NOT EXISTS games_by_import ON games (import) WHERE import IS NOT NULL;
    CREATE INDEX IF NOT EXISTS games_by_end ON games (fen, white);
    CREATE INDEX IF NOT EXISTS games_not_indexed ON games (number) WHERE run IS NULL AND is_over = 1;
    CREATE TABLE IF NOT EXISTS score_sheets (
        game INTEGER PRIMARY KEY,
        start TEXT,
        tags TEXT NOT NULL,
        line BLOB NOT NULL,
        movetext TEXT
    ) STRICT;
    CREATE TABLE IF NOT EXISTS played (game INTEGER PRIMARY KEY, state TEXT NOT NULL, last TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS moves (
        game INTEGER NOT NULL,
        ply INTEGER NOT NULL,
        move TEXT NOT NULL,
        ms INTEGER NOT NULL,
        PRIMARY KEY (game, ply)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS runs (run INTEGER PRIMARY KEY, is_complete INTEGER NOT NULL) STRICT;
    INSERT OR IGNORE INTO runs VALUES (0, 1);
    CREATE TABLE IF NOT EXISTS positions (
        run INTEGER NOT NULL,
        key INTEGER NOT NULL,
        game INTEGER NOT NULL,
        ply INTEGER NOT NULL,
        move INTEGER NOT NULL,
        result INTEGER NOT NULL,
        PRIMARY KEY (run, key, game, ply)
    ) STRICT, WITHOUT ROWID;
    CREATE VIRTUAL TABLE IF NOT EXISTS names USING fts5(
        white, black, event, opening, labels,
        content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
    );
    CREATE TABLE IF NOT EXISTS reviews (
        game INTEGER NOT NULL,
        effort TEXT NOT NULL,
        created INTEGER NOT NULL,
        line BLOB NOT NULL,
        white_accuracy REAL,
        black_accuracy REAL,
        review TEXT NOT NULL,
        pgn TEXT NOT NULL,
        PRIMARY KEY (game, effort)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS cards (
        number INTEGER PRIMARY KEY,
        game INTEGER NOT NULL,
        ply INTEGER NOT NULL,
        fen TEXT NOT NULL,
        played TEXT NOT NULL,
        best TEXT NOT NULL,
        theme TEXT,
        reason TEXT,
        created INTEGER NOT NULL,
        due INTEGER NOT NULL,
        answered INTEGER,
        stability REAL,
        difficulty REAL,
        answers INTEGER NOT NULL,
        lapses INTEGER NOT NULL,
        UNIQUE (game, ply)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS cards_by_time ON cards (due);
    CREATE TABLE IF NOT EXISTS practice_days (day INTEGER PRIMARY KEY, answers INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS unreadable (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
";

/// Makes the tables, or those of today from older ones, in one transaction.
pub(super) fn prepare(connection: &Connection, found: i64) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN EXCLUSIVE")?;
    let done = migrate(connection, found);
    connection.execute_batch(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    done
}

fn migrate(connection: &Connection, found: i64) -> rusqlite::Result<()> {
    if found == 1 {
        connection.execute_batch("DROP INDEX IF EXISTS games_by_time; ALTER TABLE games RENAME TO games_1")?;
    }
    connection.execute_batch(TABLES)?;
    if found == 1 {
        take_over_records(connection)?;
        connection.execute_batch("DROP TABLE games_1")?;
    }
    if (1..FORMAT).contains(&found) {
        name_bots(connection)?;
    }
    connection.pragma_update(None, "user_version", FORMAT)
}

/// Until format 2 a bot was known by its rating alone, and was not found by its name.
fn name_bots(connection: &Connection) -> rusqlite::Result<()> {
    for elo in BOTS.iter().filter_map(|bot| bot.elo) {
        let (before, name) = (bots::former_name(elo), bots::name_at(Some(elo)));
        let mut statement =
            connection.prepare("SELECT number FROM games WHERE kind = 'played' AND (white = ?1 OR black = ?1)")?;
        let numbers = statement.query_map([&before], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
        for number in numbers {
            for column in ["white", "black"] {
                let text = format!("UPDATE games SET {column} = ?1 WHERE number = ?2 AND {column} = ?3");
                connection.execute(&text, params![name, number, before])?;
            }
            for (table, column) in [("score_sheets", "tags"), ("played", "state")] {
                let text = format!("UPDATE {table} SET {column} = replace({column}, ?1, ?2) WHERE game = ?3");
                connection.execute(&text, params![before, name, number])?;
            }
            rows::write_names(connection, number)?;
        }
    }
    Ok(())
}

/// Format 1 had every game as one JSON text, with all its moves.
fn take_over_records(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT id, record FROM games_1 ORDER BY updated")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (id, text): (String, String) = (row.get(0)?, row.get(1)?);
        let game = serde_json::from_str::<Record>(&text)
            .map_err(|error| error.to_string())
            .and_then(|record| StoredGame::new(record, usize::MAX).map_err(|error| error.to_string()));
        match game {
            Ok(game) => take_over(connection, &game)?,
            // It cannot be played on, but it is not thrown away either.
            Err(error) => {
                tracing::error!(id, error, "a stored game cannot be read");
                connection.execute("INSERT OR REPLACE INTO unreadable VALUES (?, ?)", params![id, text])?;
            }
        }
    }
    Ok(())
}

fn take_over(connection: &Connection, game: &StoredGame) -> rusqlite::Result<()> {
    let record = game.record();
    let number = super::played::insert(connection, record)?;
    super::played::write_moves(connection, number, 0, &record.moves)?;
    if game.is_over() {
        rows::write_sheet(connection, number, &Sheet::of(&score_sheet::tree(game)))?;
    }
    Ok(())
}
