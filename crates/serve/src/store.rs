//! The store: games and settings, in one SQLite file or in memory.
//!
//! One thread owns the database. It writes all waiting commands in one transaction, and answers them after the commit.
//! A commit reaches the operating system, so a crash of the process loses nothing; if the machine loses power, SQLite's
//! write-ahead log keeps the file sound.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::error::{ApiError, ErrorCode};
use crate::games::Record;

/// Where games and settings are stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In a file. Its folder is created if it is missing.
    File(PathBuf),
    /// In memory only, until the server stops.
    Memory,
}

/// Why the database cannot be opened.
#[derive(Debug, Error)]
pub enum StorageError {
    /// The folder cannot be created.
    #[error("cannot make the folder {}: {reason}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        reason: std::io::Error,
    },
    /// Another server has the file.
    #[error("{} is in use: does another saavedra serve run?", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later version.
    #[error("{} was written by a later version of saavedra (format {found}, we know {known})", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The format of the file.
        found: i64,
        /// The newest format this version reads.
        known: i64,
    },
    /// SQLite reports an error.
    #[error("{}: {reason}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: rusqlite::Error,
    },
}

/// The format of the file.
const FORMAT: i64 = 1;

/// The most commands in one transaction.
const MAX_BATCH: usize = 256;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY,
        updated INTEGER NOT NULL,
        is_over INTEGER NOT NULL,
        record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS games_by_time ON games (is_over, updated);
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
";

type QueryResult<T> = rusqlite::Result<T>;

/// Work for the thread: done within a transaction. The returned function answers it after the commit.
type Command = Box<dyn FnOnce(&Connection) -> Box<dyn FnOnce(Result<(), &str>) + Send> + Send>;

/// A handle to the thread that owns the database.
#[derive(Clone)]
pub(crate) struct Store {
    commands: Sender<Command>,
}

/// A page of the list of games.
pub(crate) struct Page {
    pub(crate) records: Vec<Record>,
    pub(crate) total: u64,
}

impl Store {
    /// Opens the database and starts its thread.
    pub(crate) fn open(storage: &Storage) -> Result<Store, StorageError> {
        let connection = open(storage)?;
        let (commands, incoming) = mpsc::channel();
        thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || run(connection, &incoming))
            .map_err(|reason| StorageError::Folder { path: PathBuf::from("a thread for the database"), reason })?;
        Ok(Store { commands })
    }

    async fn query<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> QueryResult<T> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (send, receive) = oneshot::channel::<Result<T, String>>();
        let command: Command = Box::new(move |connection| {
            let answer = work(connection);
            Box::new(move |committed| {
                let answer = answer.map_err(|error| error.to_string());
                let _ = send.send(committed.map_err(str::to_owned).and(answer));
            })
        });
        self.commands.send(command).map_err(|_| ApiError::shutting_down())?;
        let answer = receive.await.map_err(|_| ApiError::shutting_down())?;
        answer.map_err(|reason| {
            tracing::error!(reason, "a query failed");
            ApiError::new(ErrorCode::Internal, format!("the database failed: {reason}"))
        })
    }

    /// Stores a game. It is committed when this returns.
    pub(crate) async fn save(&self, record: &Record) -> Result<(), ApiError> {
        let text =
            serde_json::to_string(record).map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))?;
        let (id, updated, is_over) = (record.id.clone(), record.updated, record.over.is_some());
        self.query(move |connection| {
            let mut statement = connection.prepare_cached(
                "INSERT INTO games (id, updated, is_over, record) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE \
                 SET updated = excluded.updated, is_over = excluded.is_over, record = excluded.record",
            )?;
            statement.execute(params![id, i64::try_from(updated).unwrap_or(i64::MAX), is_over, text]).map(drop)
        })
        .await
    }

    pub(crate) async fn delete(&self, id: &str) -> Result<(), ApiError> {
        let id = id.to_owned();
        self.query(move |connection| connection.execute("DELETE FROM games WHERE id = ?", [id]).map(drop)).await
    }

    pub(crate) async fn load(&self, id: &str) -> Result<Option<Record>, ApiError> {
        let id = id.to_owned();
        let text: Option<String> = self
            .query(move |connection| {
                let mut statement = connection.prepare_cached("SELECT record FROM games WHERE id = ?")?;
                statement.query_row([id], |row| row.get(0)).optional()
            })
            .await?;
        let unreadable = |error: serde_json::Error| ApiError::new(ErrorCode::Internal, error.to_string());
        text.map(|text| serde_json::from_str(&text).map_err(unreadable)).transpose()
    }

    /// Games, the last that changed first.
    pub(crate) async fn list(&self, is_over: Option<bool>, limit: u32, offset: u32) -> Result<Page, ApiError> {
        let (texts, total): (Vec<String>, i64) = self
            .query(move |connection| {
                let mut statement = connection.prepare_cached(
                    "SELECT record FROM games WHERE ?1 IS NULL OR is_over = ?1 \
                     ORDER BY updated DESC, id LIMIT ?2 OFFSET ?3",
                )?;
                let rows = statement.query_map(params![is_over, limit, offset], |row| row.get(0))?;
                let texts = rows.collect::<QueryResult<Vec<String>>>()?;
                let mut statement =
                    connection.prepare_cached("SELECT COUNT(*) FROM games WHERE ?1 IS NULL OR is_over = ?1")?;
                Ok((texts, statement.query_row([is_over], |row| row.get(0))?))
            })
            .await?;
        // A record that cannot be read does not hide the others.
        let parse = |text: &String| {
            serde_json::from_str(text).inspect_err(|error| tracing::error!(%error, "a stored game cannot be read")).ok()
        };
        let records = texts.iter().filter_map(parse).collect();
        Ok(Page { records, total: u64::try_from(total).unwrap_or(0) })
    }

    pub(crate) async fn settings(&self) -> Result<String, ApiError> {
        let text = self
            .query(|connection| {
                let mut statement = connection.prepare_cached("SELECT value FROM settings WHERE name = 'page'")?;
                statement.query_row([], |row| row.get(0)).optional()
            })
            .await?;
        Ok(text.unwrap_or_else(|| "{}".to_owned()))
    }

    pub(crate) async fn save_settings(&self, text: String) -> Result<(), ApiError> {
        self.query(move |connection| {
            connection.execute("INSERT OR REPLACE INTO settings (name, value) VALUES ('page', ?)", [text]).map(drop)
        })
        .await
    }
}

fn open(storage: &Storage) -> Result<Connection, StorageError> {
    let path = match storage {
        Storage::File(path) => path.as_path(),
        Storage::Memory => Path::new(":memory:"),
    };
    if let (Storage::File(_), Some(folder)) = (storage, path.parent().filter(|folder| !folder.as_os_str().is_empty())) {
        let failed = |reason| StorageError::Folder { path: folder.to_owned(), reason };
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let failed = |reason: rusqlite::Error| match reason.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
            StorageError::InUse { path: path.to_owned() }
        }
        _ => StorageError::Data { path: path.to_owned(), reason },
    };
    prepare(path, storage).map_err(failed)?.check_format(path)
}

/// A database whose format is not checked yet.
struct Opened(Connection, i64);

impl Opened {
    fn check_format(self, path: &Path) -> Result<Connection, StorageError> {
        let Opened(connection, found) = self;
        if found > FORMAT {
            return Err(StorageError::TooNew { path: path.to_owned(), found, known: FORMAT });
        }
        Ok(connection)
    }
}

fn prepare(path: &Path, storage: &Storage) -> rusqlite::Result<Opened> {
    let connection = match storage {
        Storage::File(_) => Connection::open(path)?,
        Storage::Memory => Connection::open_in_memory()?,
    };
    // Another server may just be shutting down.
    connection.busy_timeout(Duration::from_secs(2))?;
    // Two servers with one file would overwrite each other's games.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found <= FORMAT {
        connection.execute_batch(&format!("BEGIN EXCLUSIVE; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;"))?;
    }
    Ok(Opened(connection, found))
}

/// The loop of the thread. It ends when all handles are dropped.
fn run(connection: Connection, commands: &Receiver<Command>) {
    while let Ok(first) = commands.recv() {
        let begun = connection.execute_batch("BEGIN").map_err(|error| error.to_string());
        let waiting = std::iter::from_fn(|| commands.try_recv().ok());
        let answers: Vec<_> =
            std::iter::once(first).chain(waiting).take(MAX_BATCH).map(|command| command(&connection)).collect();
        let committed = begun.and_then(|()| connection.execute_batch("COMMIT").map_err(|error| error.to_string()));
        if let Err(error) = &committed {
            tracing::error!(%error, "a transaction failed");
            let _ = connection.execute_batch("ROLLBACK");
        }
        for answer in answers {
            answer(committed.as_ref().copied().map_err(String::as_str));
        }
    }
}
