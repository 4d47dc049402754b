//! The journal: what has been played, kept so that nothing ends it but the loss of the disk.
//!
//! A journal is a text file of JSON lines to which lines are only ever added. The first says what the event is, every
//! other is one finished game. Each begins with a checksum (CRC-32) of the rest of its line:
//!
//! ```text
//! {"crc":"1c291ca3","saavedra-journal":1,"event":{…}}
//! {"crc":"9be3e0a3","pair":0,"leg":0,…}
//! ```
//!
//! A line is written by one call, complete or not at all. When a process is killed or the power fails, what may remain
//! is a torn last line: it is cut off when the journal is opened again, and its game is played again. A line that is
//! damaged while good lines follow it is another matter: something else than us wrote there, so nothing is touched and
//! the line is named.
//!
//! An event without a file has the same journal in memory.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version of the format that we write, and the only one we read.
const VERSION: u32 = 1;

/// What is written is brought to the disk at least this often.
const SYNC_EVERY: Duration = Duration::from_secs(2);

/// No line of ours is as long as this; a file with such a line is something else.
const LONGEST_LINE: u64 = 1 << 26;

/// A journal that is open, and locked against other writers.
#[derive(Debug)]
pub struct Journal {
    storage: Storage,
    /// Where the next line begins.
    length: u64,
    /// When everything was on the disk for the last time, if something has been written since.
    unsynced: Option<Instant>,
}

#[derive(Debug)]
enum Storage {
    Memory(Vec<u8>),
    File { file: File, path: PathBuf },
}

/// Where a line stands in its journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryLocation {
    offset: u64,
    length: u64,
}

/// What was found when a journal was opened.
#[derive(Debug)]
pub struct Opened<H> {
    /// The journal, ready for more.
    pub journal: Journal,
    /// What the event is.
    pub event: H,
    /// How many bytes of a torn last line were cut off.
    pub cut: u64,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be opened or read.
    #[error("the journal {} cannot be read: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// Another process writes to it.
    #[error("the journal {} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// A new journal would overwrite something.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    /// The file is something else.
    #[error("{} is not a journal of an event", .0.display())]
    NotAJournal(PathBuf),
    /// It was written by another version.
    #[error("the journal {} has version {found} of the format, this program knows version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A line is damaged.
    #[error("line {line} of the journal {} is damaged; remove that line to have its game played again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
    },
    /// A line is whole, but makes no sense.
    #[error("line {line} of the journal {} makes no sense: {reason}", path.display())]
    Senseless {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Why.
        reason: String,
    },
    /// It cannot be written to.
    #[error("the journal {} cannot be written: {reason} (what was played before is kept)", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header<H> {
    #[serde(rename = "saavedra-journal")]
    version: u32,
    event: H,
}

/// The version alone, which every version of the format has in the same place.
#[derive(Deserialize)]
struct Version {
    #[serde(rename = "saavedra-journal")]
    version: u32,
}

impl Journal {
    /// A journal that is forgotten when it is dropped.
    pub fn in_memory() -> Journal {
        Journal { storage: Storage::Memory(Vec::new()), length: 0, unsynced: None }
    }

    /// Begins a journal. A file that is there already is left alone, unless nothing was ever completed in it.
    pub fn create<H: Serialize>(path: &Path, event: &H) -> Result<Journal, JournalError> {
        let write_error = |reason| JournalError::Write { path: path.to_owned(), reason };
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let mut file = lock(path, options.open(path).map_err(write_error)?)?;
        let mut start = Vec::new();
        (&mut file).take(LONGEST_LINE).read_to_end(&mut start).map_err(write_error)?;
        // A beginning of our own first line is all that a kill in the first moment leaves.
        if start.contains(&b'\n') || !(start.starts_with(PREFIX) || PREFIX.starts_with(&start)) {
            return Err(JournalError::Exists(path.to_owned()));
        }
        file.set_len(0).map_err(write_error)?;
        let storage = Storage::File { file, path: path.to_owned() };
        let mut journal = Journal { storage, length: 0, unsynced: None };
        journal.append(&Header { version: VERSION, event })?;
        journal.sync()?;
        Ok(journal)
    }

    /// Takes a journal up again, and tells every line after the first, which is JSON, to a listener. It may
    /// refuse a line with a reason.
    pub fn open<H: DeserializeOwned>(
        path: &Path,
        mut listener: impl FnMut(&H, &[u8], EntryLocation) -> Result<(), String>,
    ) -> Result<Opened<H>, JournalError> {
        let read_error = |reason| JournalError::Read { path: path.to_owned(), reason };
        let file = lock(path, OpenOptions::new().read(true).write(true).open(path).map_err(read_error)?)?;
        let mut lines = Lines::new(&file, path);
        let first = lines.next_good()?.map(|(line, _)| line).unwrap_or_default();
        let senseless = |line: u64, reason: String| JournalError::Senseless { path: path.to_owned(), line, reason };
        match serde_json::from_slice(&first) {
            Ok(Version { version: VERSION }) => {}
            Ok(Version { version: found }) => return Err(JournalError::Version { path: path.to_owned(), found }),
            Err(_) => return Err(JournalError::NotAJournal(path.to_owned())),
        }
        let header: Header<H> = serde_json::from_slice(&first).map_err(|error| senseless(1, error.to_string()))?;
        while let Some((line, place)) = lines.next_good()? {
            listener(&header.event, &line, place).map_err(|reason| senseless(lines.number, reason))?;
        }
        let (length, cut) = (lines.offset, lines.rest()?);
        if cut > 0 {
            tracing::warn!(journal = %path.display(), bytes = cut, "an unfinished line was cut off the journal");
            file.set_len(length).map_err(|reason| JournalError::Write { path: path.to_owned(), reason })?;
        }
        let storage = Storage::File { file, path: path.to_owned() };
        Ok(Opened { journal: Journal { storage, length, unsynced: None }, event: header.event, cut })
    }

    /// Adds a line, and says where it stands. If that fails, what was written of it is cut off again.
    pub fn append<E: Serialize>(&mut self, entry: &E) -> Result<EntryLocation, JournalError> {
        let line = seal(entry).map_err(|error| self.write_error(error.into()))?;
        let place = EntryLocation { offset: self.length, length: line.len() as u64 };
        match &mut self.storage {
            Storage::Memory(bytes) => bytes.extend(&line),
            Storage::File { file, .. } => {
                let written = file.seek(SeekFrom::Start(self.length)).and_then(|_| file.write_all(&line));
                if let Err(error) = written {
                    tracing::error!(%error, "a line could not be added to the journal");
                    // If this fails too, the next who opens the journal cuts the torn line off.
                    let _ = file.set_len(self.length);
                    return Err(self.write_error(error));
                }
            }
        }
        self.length += place.length;
        self.unsynced.get_or_insert_with(Instant::now);
        self.tend()?;
        Ok(place)
    }

    /// Reads a line again.
    pub fn read<E: DeserializeOwned>(&mut self, place: EntryLocation) -> Result<E, JournalError> {
        let mut line = vec![0; place.length as usize];
        match &mut self.storage {
            Storage::Memory(bytes) => line.copy_from_slice(&bytes[place.offset as usize..][..place.length as usize]),
            Storage::File { file, path } => file
                .seek(SeekFrom::Start(place.offset))
                .and_then(|_| file.read_exact(&mut line))
                .map_err(|reason| JournalError::Read { path: path.clone(), reason })?,
        }
        serde_json::from_slice(&line).map_err(|error| JournalError::Read { path: self.path(), reason: error.into() })
    }

    /// Brings what was written to the disk, if that was not done for a while. Call it now and then.
    pub fn tend(&mut self) -> Result<(), JournalError> {
        let is_due = self.unsynced.is_some_and(|since| since.elapsed() >= SYNC_EVERY);
        if is_due { self.sync() } else { Ok(()) }
    }

    /// Brings what was written to the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        match &self.storage {
            Storage::File { file, .. } if self.unsynced.is_some() => {
                file.sync_data().map_err(|error| self.write_error(error))?;
            }
            _ => {}
        }
        self.unsynced = None;
        Ok(())
    }

    fn path(&self) -> PathBuf {
        match &self.storage {
            Storage::Memory(_) => PathBuf::from("in memory"),
            Storage::File { path, .. } => path.clone(),
        }
    }

    fn write_error(&self, reason: io::Error) -> JournalError {
        JournalError::Write { path: self.path(), reason }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // A caller that wants to know whether it worked calls it before.
        let _ = self.sync();
        // Closing the file is not enough: a program that is being started has a copy of it for a moment, and the lock
        // with it.
        if let Storage::File { file, .. } = &self.storage {
            let _ = file.unlock();
        }
    }
}

/// Locks a file against other writers.
fn lock(path: &Path, file: File) -> Result<File, JournalError> {
    let read_error = |reason| JournalError::Read { path: path.to_owned(), reason };
    if !file.metadata().map_err(read_error)?.is_file() {
        return Err(JournalError::NotAJournal(path.to_owned()));
    }
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(JournalError::InUse(path.to_owned())),
        // Some file systems know no locks.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(read_error(error)),
    }
}

/// How every line begins, up to the eight digits of its checksum.
const PREFIX: &[u8] = br#"{"crc":""#;
const DIGITS: usize = 8;
const AFTER: &[u8] = br#"","#;
const SEAL: usize = PREFIX.len() + DIGITS + AFTER.len();

/// The line of an entry: its JSON with the checksum as the first field, and the end of the line.
fn seal(entry: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let json = serde_json::to_vec(entry)?;
    let rest = &json[1..];
    let mut line = Vec::with_capacity(SEAL + json.len());
    line.extend(PREFIX);
    line.extend(format!("{:08x}", crc32fast::hash(rest)).as_bytes());
    line.extend(AFTER);
    line.extend(rest);
    line.push(b'\n');
    Ok(line)
}

/// Whether a line is whole.
fn is_sealed(line: &[u8]) -> bool {
    let Some(line) = line.strip_suffix(b"\n").filter(|line| line.len() > SEAL && line.starts_with(PREFIX)) else {
        return false;
    };
    let (seal, rest) = line.split_at(SEAL);
    seal.ends_with(AFTER) && seal[PREFIX.len()..][..DIGITS] == *format!("{:08x}", crc32fast::hash(rest)).as_bytes()
}

/// Whether a line is whole, or would be if what stands before it were not.
fn ends_sealed(line: &[u8]) -> bool {
    let mut starts = (0..line.len()).filter(|&at| line[at..].starts_with(PREFIX));
    starts.any(|at| is_sealed(&line[at..]))
}

/// The good lines of a file, one after the other.
struct Lines<'a> {
    reader: BufReader<&'a File>,
    path: &'a Path,
    /// The end of the last good line.
    offset: u64,
    /// Its number, from 1.
    number: u64,
    /// How many bytes of something else follow, once that was met.
    torn: u64,
}

impl<'a> Lines<'a> {
    fn new(file: &'a File, path: &'a Path) -> Lines<'a> {
        Lines { reader: BufReader::with_capacity(1 << 16, file), path, offset: 0, number: 0, torn: 0 }
    }

    fn raw(&mut self) -> Result<Vec<u8>, JournalError> {
        let mut line = Vec::new();
        let read = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut line);
        read.map_err(|reason| JournalError::Read { path: self.path.to_owned(), reason })?;
        Ok(line)
    }

    /// The next line, if it is good; nothing at the end, or where something else begins.
    fn next_good(&mut self) -> Result<Option<(Vec<u8>, EntryLocation)>, JournalError> {
        let line = self.raw()?;
        if !is_sealed(&line) {
            self.add_to_rest(&line)?;
            return Ok(None);
        }
        let place = EntryLocation { offset: self.offset, length: line.len() as u64 };
        self.offset += place.length;
        self.number += 1;
        Ok(Some((line, place)))
    }

    /// Reads on to the end, and answers how long the torn rest is.
    fn rest(mut self) -> Result<u64, JournalError> {
        loop {
            let line = self.raw()?;
            if line.is_empty() {
                return Ok(self.torn);
            }
            self.add_to_rest(&line)?;
        }
    }

    /// If a good line is found in the rest, it is not a torn line but damage.
    fn add_to_rest(&mut self, line: &[u8]) -> Result<(), JournalError> {
        if self.number > 0 && ends_sealed(line) {
            return Err(JournalError::Damaged { path: self.path.to_owned(), line: self.number + 1 });
        }
        self.torn += line.len() as u64;
        Ok(())
    }
}
