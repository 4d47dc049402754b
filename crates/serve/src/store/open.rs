//! Opening the database.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use thiserror::Error;

use super::{DatabaseFile, Store, positions, run, schema};

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
    /// The file that says that the database is in use cannot be written.
    #[error("cannot lock {}: {reason}", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: std::io::Error,
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
    /// The system refuses a thread.
    #[error("cannot start a thread for the database: {0}")]
    Thread(std::io::Error),
}

/// The most commands in one transaction of the thread that writes.
const BATCH: usize = 256;

/// The memory that each connection may keep pages in, in KiB.
const CACHE: i64 = 48 << 10;

/// How long another server that is shutting down may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a lock is tried within that time.
const TRIES: u32 = 20;

impl Store {
    /// Opens the database and starts its threads.
    pub(crate) fn open(storage: &Storage) -> Result<Store, StorageError> {
        let Storage::File(path) = storage else {
            let failed = |reason| StorageError::Data { path: PathBuf::from(":memory:"), reason };
            let connection = Connection::open_in_memory().map_err(failed)?;
            prepare(&connection, Path::new(":memory:"))?;
            let writer = start("store", connection, DatabaseFile::UNWATCHED, BATCH)?;
            return Ok(Store { reader: writer.clone(), writer, _lock: None });
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let failed = |reason| StorageError::Folder { path: folder.to_owned(), reason };
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let lock = lock(path)?;
        let failed = |reason| data_error(path, reason);
        let connection = Connection::open(path).map_err(failed)?;
        prepare(&connection, path)?;
        let reader = Connection::open(path).and_then(|reader| {
            reader.busy_timeout(PATIENCE)?;
            reader.pragma_update(None, "cache_size", -CACHE)?;
            reader.pragma_update(None, "query_only", true)?;
            Ok(reader)
        });
        let reader = start("library", reader.map_err(failed)?, DatabaseFile::UNWATCHED, 1)?;
        let writer = start("store", connection, DatabaseFile::at(path), BATCH)?;
        Ok(Store { writer, reader, _lock: Some(Arc::new(lock)) })
    }
}

fn start(
    name: &str,
    connection: Connection,
    file: DatabaseFile,
    batch: usize,
) -> Result<mpsc::Sender<super::Command>, StorageError> {
    connection.set_prepared_statement_cache_capacity(64);
    let (commands, incoming) = mpsc::channel();
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || run(&connection, &file, &incoming, batch))
        .map_err(StorageError::Thread)?;
    Ok(commands)
}

/// Locks a file beside the database. SQLite's own exclusive lock would keep our reading thread out too.
fn lock(path: &Path) -> Result<File, StorageError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let name = PathBuf::from(name);
    let failed = |reason| StorageError::Lock { path: name.clone(), reason };
    let file = File::options().create(true).truncate(false).write(true).open(&name).map_err(failed)?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => thread::sleep(PATIENCE / TRIES),
            Err(TryLockError::Error(reason)) => return Err(failed(reason)),
        }
    }
    Err(StorageError::InUse { path: path.to_owned() })
}

fn data_error(path: &Path, reason: rusqlite::Error) -> StorageError {
    match reason.sqlite_error_code() {
        // A server of an earlier version holds SQLite's lock.
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
            StorageError::InUse { path: path.to_owned() }
        }
        _ => StorageError::Data { path: path.to_owned(), reason },
    }
}

fn prepare(connection: &Connection, path: &Path) -> Result<(), StorageError> {
    let failed = |reason| data_error(path, reason);
    let found = open_file(connection).map_err(failed)?;
    if found > schema::FORMAT {
        return Err(StorageError::TooNew { path: path.to_owned(), found, known: schema::FORMAT });
    }
    schema::prepare(connection, found).map_err(failed)?;
    positions::drop_incomplete_runs(connection).map_err(failed)
}

/// Sets how the file is used, and returns its format.
fn open_file(connection: &Connection) -> rusqlite::Result<i64> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -CACHE)?;
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}
