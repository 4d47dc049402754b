//! What outlives the server: games and settings, in one SQLite file or in memory.
//!
//! One thread owns the data base. Whatever waits for it is written in one transaction, and nobody is told that something
//! is kept before that transaction is committed. A commit reaches the operating system, so that the end of the process,
//! however sudden, loses nothing; against the end of the machine SQLite's write-ahead log keeps the file sound.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::games::Record;
use crate::refusal::{Code, Refusal};

/// Where things are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In a file. Its folder is made if it is not there.
    File(PathBuf),
    /// Nowhere: what happens is forgotten when the server ends.
    Memory,
}

/// Why nothing can be kept.
#[derive(Debug, Error)]
pub enum StorageError {
    /// The folder cannot be made.
    #[error("cannot make the folder {}: {reason}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
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
        /// Its format.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// SQLite says no.
    #[error("{}: {reason}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: rusqlite::Error,
    },
}

/// The format of the file.
const FORMAT: i64 = 1;

/// The most orders in one transaction.
const MOST_IN_ONE: usize = 256;

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

type Answer<T> = rusqlite::Result<T>;

/// Work for the thread: done within a transaction, and told after it.
type Order = Box<dyn FnOnce(&Connection) -> Box<dyn FnOnce(Result<(), &str>) + Send> + Send>;

/// The way to the thread that keeps things.
#[derive(Clone)]
pub(crate) struct Keeper {
    orders: Sender<Order>,
}

/// A page of the list of games.
pub(crate) struct Page {
    pub(crate) records: Vec<Record>,
    pub(crate) total: u64,
}

impl Keeper {
    /// Opens the data base and starts the thread.
    pub(crate) fn open(storage: &Storage) -> Result<Keeper, StorageError> {
        let connection = open(storage)?;
        let (orders, incoming) = mpsc::channel();
        thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || keep(connection, &incoming))
            .map_err(|reason| StorageError::Folder { path: PathBuf::from("a thread for the data base"), reason })?;
        Ok(Keeper { orders })
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Answer<T> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (tell, told) = oneshot::channel::<Result<T, String>>();
        let order: Order = Box::new(move |connection| {
            let answer = work(connection);
            Box::new(move |committed| {
                let answer = answer.map_err(|error| error.to_string());
                let _ = tell.send(committed.map_err(str::to_owned).and(answer));
            })
        });
        self.orders.send(order).map_err(|_| Refusal::gone())?;
        let answer = told.await.map_err(|_| Refusal::gone())?;
        answer.map_err(|reason| Refusal::new(Code::Internal, format!("the data base says: {reason}")))
    }

    /// Keeps a game. When this returns, it is kept.
    pub(crate) async fn save(&self, record: &Record) -> Result<(), Refusal> {
        let text = serde_json::to_string(record).map_err(|error| Refusal::new(Code::Internal, error.to_string()))?;
        let (id, updated, is_over) = (record.id.clone(), record.updated, record.over.is_some());
        self.ask(move |connection| {
            let mut statement = connection.prepare_cached(
                "INSERT INTO games (id, updated, is_over, record) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE \
                 SET updated = excluded.updated, is_over = excluded.is_over, record = excluded.record",
            )?;
            statement.execute(params![id, i64::try_from(updated).unwrap_or(i64::MAX), is_over, text]).map(drop)
        })
        .await
    }

    pub(crate) async fn delete(&self, id: &str) -> Result<(), Refusal> {
        let id = id.to_owned();
        self.ask(move |connection| connection.execute("DELETE FROM games WHERE id = ?", [id]).map(drop)).await
    }

    pub(crate) async fn load(&self, id: &str) -> Result<Option<Record>, Refusal> {
        let id = id.to_owned();
        let text: Option<String> = self
            .ask(move |connection| {
                let mut statement = connection.prepare_cached("SELECT record FROM games WHERE id = ?")?;
                statement.query_row([id], |row| row.get(0)).optional()
            })
            .await?;
        let unreadable = |error: serde_json::Error| Refusal::new(Code::Internal, error.to_string());
        text.map(|text| serde_json::from_str(&text).map_err(unreadable)).transpose()
    }

    /// Games, the last that changed first.
    pub(crate) async fn list(&self, is_over: Option<bool>, limit: u32, offset: u32) -> Result<Page, Refusal> {
        let (texts, total): (Vec<String>, i64) = self
            .ask(move |connection| {
                let mut statement = connection.prepare_cached(
                    "SELECT record FROM games WHERE ?1 IS NULL OR is_over = ?1 \
                     ORDER BY updated DESC, id LIMIT ?2 OFFSET ?3",
                )?;
                let rows = statement.query_map(params![is_over, limit, offset], |row| row.get(0))?;
                let texts = rows.collect::<Answer<Vec<String>>>()?;
                let mut statement =
                    connection.prepare_cached("SELECT COUNT(*) FROM games WHERE ?1 IS NULL OR is_over = ?1")?;
                Ok((texts, statement.query_row([is_over], |row| row.get(0))?))
            })
            .await?;
        // A record that cannot be read is left out: the others are still there.
        let records = texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
        Ok(Page { records, total: u64::try_from(total).unwrap_or(0) })
    }

    pub(crate) async fn settings(&self) -> Result<String, Refusal> {
        let text = self
            .ask(|connection| {
                let mut statement = connection.prepare_cached("SELECT value FROM settings WHERE name = 'page'")?;
                statement.query_row([], |row| row.get(0)).optional()
            })
            .await?;
        Ok(text.unwrap_or_else(|| "{}".to_owned()))
    }

    pub(crate) async fn save_settings(&self, text: String) -> Result<(), Refusal> {
        self.ask(move |connection| {
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

/// A data base whose format is not checked yet.
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
    // Another server may just be ending.
    connection.busy_timeout(Duration::from_secs(2))?;
    // Two servers with one file would not know of each other's games.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found <= FORMAT {
        connection.execute_batch(&format!("BEGIN EXCLUSIVE; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;"))?;
    }
    Ok(Opened(connection, found))
}

/// The thread's work. It ends when nobody can give orders any more.
fn keep(connection: Connection, orders: &Receiver<Order>) {
    while let Ok(first) = orders.recv() {
        let begun = connection.execute_batch("BEGIN").map_err(|error| error.to_string());
        let waiting = std::iter::from_fn(|| orders.try_recv().ok());
        let answers: Vec<_> =
            std::iter::once(first).chain(waiting).take(MOST_IN_ONE).map(|order| order(&connection)).collect();
        let committed = begun.and_then(|()| connection.execute_batch("COMMIT").map_err(|error| error.to_string()));
        if committed.is_err() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        for answer in answers {
            answer(committed.as_ref().copied().map_err(String::as_str));
        }
    }
}
