//! What a run has done so far: `FILE.partial`, a line of JSON that says how games are reviewed, and one for each game.
//!
//! The files that a run writes are made of it when all games are done. So a run that was stopped or killed goes on
//! where it was, and ends with the same files as one that was not.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use records::pgn::{self, GameTree};
use review::GameDigest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Arguments;
use super::puzzles::PuzzleRecord;
use crate::failure::Failure;

/// What decides how games are judged. What an earlier run has done otherwise does not go with it.
#[derive(Serialize, Deserialize, PartialEq)]
struct Header {
    effort: Value,
    hash: u32,
    book: Option<PathBuf>,
    tablebase: Option<String>,
}

impl Header {
    fn new(arguments: &Arguments) -> serde_json::Result<Header> {
        Ok(Header {
            effort: serde_json::to_value(arguments.effort())?,
            hash: arguments.hash,
            book: arguments.book.clone(),
            tablebase: arguments.tablebase.clone(),
        })
    }
}

/// A game that is done with.
#[derive(Serialize, Deserialize)]
pub(super) struct GameRecord {
    /// The game, with the review in it if it was reviewed.
    pub(super) pgn: String,
    /// Whether it was reviewed in this run or an earlier one that it continues.
    pub(super) is_reviewed: bool,
    /// The puzzles that were made of it, if any were wanted.
    pub(super) puzzles: Option<Vec<PuzzleRecord>>,
    /// What a summary of a player needs, if one was wanted.
    pub(super) digest: Option<GameDigest>,
}

impl GameRecord {
    /// Whether this is about that game.
    fn is_of(&self, tree: &GameTree) -> bool {
        let game = pgn::games(self.pgn.as_bytes()).next_game().ok().flatten();
        game.is_some_and(|(game, problem)| problem.is_none() && is_same_game(&game, tree))
    }
}

fn is_same_game(one: &GameTree, other: &GameTree) -> bool {
    let moves = |tree: &GameTree| tree.mainline().map(|id| tree.node(id).mv()).collect::<Vec<_>>();
    let names = |tree: &GameTree| ["White", "Black", "Date", "Round"].map(|tag| tree.tags.get(tag).map(str::to_owned));
    one.start() == other.start() && names(one) == names(other) && moves(one) == moves(other)
}

/// The journal of a run.
pub(super) struct Journal {
    path: PathBuf,
    /// What an earlier run has done and this one has not come to yet.
    earlier: Option<BufReader<File>>,
    /// Where the next record goes.
    end: u64,
    file: BufWriter<File>,
}

impl Journal {
    /// The journal beside a file that is to be written. What an earlier run has left in it is taken over.
    pub(super) fn beside(path: &Path, arguments: &Arguments) -> Result<Journal, Failure> {
        let mut name = path.as_os_str().to_owned();
        name.push(".partial");
        let path = PathBuf::from(name);
        let cannot_write = || format!("cannot write {}", path.display());
        let file =
            OpenOptions::new().write(true).create(true).truncate(false).open(&path).with_context(cannot_write)?;
        if file.try_lock().is_err_and(|error| matches!(error, fs::TryLockError::WouldBlock)) {
            return Err(Failure::Failed(anyhow!("another program is writing {}", path.display())));
        }
        let mut earlier = BufReader::new(File::open(&path).with_context(cannot_write)?);
        let header = Header::new(arguments).map_err(io::Error::from).with_context(cannot_write)?;
        let mut line = Vec::new();
        earlier.read_until(b'\n', &mut line).with_context(cannot_write)?;
        let mut journal = Journal { earlier: Some(earlier), end: line.len() as u64, file: BufWriter::new(file), path };
        match serde_json::from_slice::<Header>(&line) {
            Ok(found) if found == header => {}
            // A run that was killed at once has left no line, or half of one.
            _ if !line.ends_with(b"\n") => {
                journal.end = 0;
                journal.add(&header)?;
            }
            Ok(_) => {
                let path = journal.path.display();
                return Err(Failure::Failed(anyhow!(
                    "{path} holds games that were reviewed with another effort, hash, book or tablebase: go on with \
                     those, or delete the file"
                )));
            }
            Err(_) => {
                let path = journal.path.display();
                return Err(Failure::Failed(anyhow!(
                    "{path} is not of a review that this program has begun: delete it"
                )));
            }
        }
        Ok(journal)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Takes over what an earlier run has made of the next game, if it came so far and did all that is wanted. From the
    /// first game that it does not have, all is done again.
    pub(super) fn takes_over(&mut self, tree: &GameTree, is_enough: impl Fn(&GameRecord) -> bool) -> bool {
        let Some(earlier) = &mut self.earlier else { return false };
        let mut line = String::new();
        let length = earlier.read_line(&mut line).unwrap_or(0);
        let whole = line.strip_suffix('\n').and_then(|line| serde_json::from_str::<GameRecord>(line).ok());
        let is_done = whole.is_some_and(|record| record.is_of(tree) && is_enough(&record));
        if is_done {
            self.end += length as u64;
        } else {
            self.earlier = None;
        }
        is_done
    }

    /// Adds a game that was not taken over, or the header.
    pub(super) fn add(&mut self, record: &impl Serialize) -> Result<(), Failure> {
        self.write(record).with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(())
    }

    fn write(&mut self, record: &impl Serialize) -> io::Result<()> {
        self.forget_the_rest()?;
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.flush()?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// Drops what an earlier run has left behind the games that were taken over.
    fn forget_the_rest(&mut self) -> io::Result<()> {
        self.earlier = None;
        if self.file.stream_position()? != self.end {
            self.file.get_ref().set_len(self.end)?;
            self.file.seek(SeekFrom::Start(self.end))?;
        }
        Ok(())
    }

    /// All games, for the files that are made of them.
    pub(super) fn records(&mut self) -> Result<impl Iterator<Item = io::Result<GameRecord>> + use<>, Failure> {
        let cannot_read = || format!("cannot read {}", self.path.display());
        self.file.get_ref().set_len(self.end).with_context(cannot_read)?;
        let lines = BufReader::new(File::open(&self.path).with_context(cannot_read)?).lines();
        Ok(lines.skip(1).map(|line| Ok(serde_json::from_str(&line?)?)))
    }

    /// Removes the journal, when the files are complete.
    pub(super) fn remove(self) -> Result<(), Failure> {
        let path = self.path.clone();
        // Some systems remove no file that is open.
        drop(self);
        Ok(fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?)
    }
}
