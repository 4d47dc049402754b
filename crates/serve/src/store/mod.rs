//! The store: games, reviews, practice and settings, in one SQLite file or in memory.
//!
//! One thread writes: it does all waiting commands in one transaction, and answers them after the commit. A commit
//! reaches the operating system, so a crash of the process loses nothing; if the machine loses power, SQLite's
//! write-ahead log keeps the file sound. Another thread reads, so that a search in a large library delays no move. A
//! database in memory has one thread for both.

mod cards;
mod file;
mod library;
mod open;
mod played;
mod positions;
mod reviews;
mod rows;
mod schema;
mod search;

use std::fs::File;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use rusqlite::{Connection, OptionalExtension};
use tokio::sync::oneshot;

use crate::error::{ApiError, ErrorCode};

pub(crate) use cards::{CardRow, NewCard};
use file::DatabaseFile;
pub(crate) use library::{Deletion, Filed, Imported, Saved, entries_of};
pub use open::{Storage, StorageError};
pub(crate) use played::Change;
pub(crate) use positions::{Explored, IndexEntry, Results, entries};
pub(crate) use reviews::NewReview;
pub(crate) use rows::{GameKind, GameRow, NewRow};
pub(crate) use search::{Search, Selection};

pub(crate) type QueryResult<T> = rusqlite::Result<T>;

/// Work for a thread: done within a transaction. The returned function answers it after the commit.
type Command = Box<dyn FnOnce(&Connection) -> Box<dyn FnOnce(Result<(), &str>) + Send> + Send>;

/// A handle to the threads that have the database.
#[derive(Clone)]
pub(crate) struct Store {
    writer: Sender<Command>,
    reader: Sender<Command>,
    /// Locked for as long as the server runs, so that two servers do not overwrite each other's games.
    _lock: Option<Arc<File>>,
}

fn command<T: Send + 'static>(
    work: impl FnOnce(&Connection) -> QueryResult<T> + Send + 'static,
    answer: impl FnOnce(Result<T, String>) + Send + 'static,
) -> Command {
    Box::new(move |connection| {
        let done = work(connection).map_err(|error| error.to_string());
        Box::new(move |committed| answer(committed.map_err(str::to_owned).and(done)))
    })
}

fn failed(reason: String) -> ApiError {
    tracing::error!(reason, "a query failed");
    ApiError::new(ErrorCode::Internal, format!("the database failed: {reason}"))
}

/// Does all of some work, or nothing: others are done in the same transaction.
fn atomically<T>(connection: &Connection, work: impl FnOnce(&Connection) -> QueryResult<T>) -> QueryResult<T> {
    connection.execute_batch("SAVEPOINT command")?;
    let done = work(connection);
    connection.execute_batch(if done.is_ok() { "RELEASE command" } else { "ROLLBACK TO command; RELEASE command" })?;
    done
}

async fn ask<T: Send + 'static>(
    thread: &Sender<Command>,
    work: impl FnOnce(&Connection) -> QueryResult<T> + Send + 'static,
) -> Result<T, ApiError> {
    let (send, receive) = oneshot::channel::<Result<T, String>>();
    let command = command(work, move |answer| drop(send.send(answer)));
    thread.send(command).map_err(|_| ApiError::shutting_down())?;
    receive.await.map_err(|_| ApiError::shutting_down())?.map_err(failed)
}

impl Store {
    /// Changes the database. The change is committed when this returns.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> QueryResult<T> + Send + 'static,
    ) -> Result<T, ApiError> {
        ask(&self.writer, |connection| atomically(connection, work)).await
    }

    /// Looks something up.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> QueryResult<T> + Send + 'static,
    ) -> Result<T, ApiError> {
        ask(&self.reader, work).await
    }

    /// Changes the database from a thread that may wait. The answer comes through the channel.
    fn write_from_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> QueryResult<T> + Send + 'static,
    ) -> Pending<T> {
        let (send, receive) = std::sync::mpsc::channel();
        let command = command(|connection| atomically(connection, work), move |answer| drop(send.send(answer)));
        // If the store is gone, so is the sender, and the receiver says so.
        let _ = self.writer.send(command);
        Pending(receive)
    }

    pub(crate) async fn settings(&self) -> Result<String, ApiError> {
        let text = self
            .read(|connection| {
                let mut statement = connection.prepare_cached("SELECT value FROM settings WHERE name = 'page'")?;
                statement.query_row([], |row| row.get(0)).optional()
            })
            .await?;
        Ok(text.unwrap_or_else(|| "{}".to_owned()))
    }

    pub(crate) async fn save_settings(&self, text: String) -> Result<(), ApiError> {
        self.write(move |connection| {
            connection.execute("INSERT OR REPLACE INTO settings (name, value) VALUES ('page', ?)", [text]).map(drop)
        })
        .await
    }
}

/// A change that was ordered and may not be done yet.
pub(crate) struct Pending<T>(Receiver<Result<T, String>>);

impl<T> Pending<T> {
    pub(crate) fn wait(self) -> Result<T, ApiError> {
        self.0.recv().map_err(|_| ApiError::shutting_down())?.map_err(failed)
    }
}

/// The loop of a thread, which does at most `batch` commands in a transaction. It ends when all handles are dropped.
fn run(connection: &Connection, file: &DatabaseFile, commands: &Receiver<Command>, batch: usize) {
    while let Ok(first) = commands.recv() {
        let begun = connection.execute_batch("BEGIN").map_err(|error| error.to_string());
        let waiting = std::iter::from_fn(|| commands.try_recv().ok());
        let answers: Vec<_> =
            std::iter::once(first).chain(waiting).take(batch).map(|command| command(connection)).collect();
        // Checked before, so that nothing is written into a file that is gone; and after, because it may go meanwhile.
        let committed = begun
            .and_then(|()| file.check())
            .and_then(|()| connection.execute_batch("COMMIT").map_err(|error| error.to_string()))
            .and_then(|()| file.check());
        if let Err(error) = &committed {
            tracing::error!(%error, "a transaction failed");
            let _ = connection.execute_batch("ROLLBACK");
        }
        for answer in answers {
            answer(committed.as_ref().copied().map_err(String::as_str));
        }
    }
}
