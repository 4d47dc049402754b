//! What a journal promises: nothing lost, nothing twice, and one clear line when something is wrong.

use std::fs;
use std::path::{Path, PathBuf};

use saavedra_arena::journal::{Journal, JournalError};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Entry {
    number: u64,
    text: String,
}

fn entry(number: u64) -> Entry {
    Entry { number, text: format!("\"quoted\", long\n and números {number}") }
}

/// A folder of a test's own, gone when the test ends.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("event.journal")
    }
}

fn write(path: &Path, entries: u64) {
    let mut journal = Journal::create(path, &"an event").expect("a journal");
    for number in 0..entries {
        journal.append(&entry(number)).expect("it is written");
    }
}

fn read(path: &Path) -> Result<(Vec<Entry>, u64), JournalError> {
    let mut entries = Vec::new();
    let opened = Journal::open::<String>(path, |event, line, _| {
        assert_eq!(event, "an event");
        entries.push(serde_json::from_slice(line).expect("an entry"));
        Ok(())
    })?;
    Ok((entries, opened.cut))
}

#[test]
fn what_was_written_is_read_again_and_goes_on() {
    let folder = Folder::new();
    write(&folder.file(), 3);
    let opened = Journal::open::<String>(&folder.file(), |_, _, _| Ok(())).expect("a journal");
    let mut journal = opened.journal;
    let place = journal.append(&entry(3)).expect("it is written");
    assert_eq!(journal.read::<Entry>(place).expect("it is there"), entry(3));
    journal.append(&entry(4)).expect("reading does not disturb writing");
    drop(journal);
    assert_eq!(read(&folder.file()).expect("a journal").0, (0..5).map(entry).collect::<Vec<_>>());
    for line in fs::read_to_string(folder.file()).expect("text").lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("every line is JSON");
    }
}

#[test]
fn a_journal_in_memory_is_one_too() {
    let mut journal = Journal::in_memory();
    let places: Vec<_> = (0..3).map(|number| journal.append(&entry(number)).expect("room")).collect();
    assert_eq!(journal.read::<Entry>(places[1]).expect("it is there"), entry(1));
}

#[test]
fn cut_anywhere_it_keeps_every_complete_line_and_no_other() {
    let folder = Folder::new();
    write(&folder.file(), 3);
    let bytes = fs::read(folder.file()).expect("a file");
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').map(|at| at + 1).collect();
    for length in ends[0]..=bytes.len() {
        fs::write(folder.file(), &bytes[..length]).expect("a file");
        let complete = ends.iter().filter(|&&end| end <= length).count() - 1;
        let (entries, cut) = read(&folder.file()).expect("a journal");
        assert_eq!(entries, (0..complete as u64).map(entry).collect::<Vec<_>>(), "cut at {length}");
        assert_eq!(cut, (length - ends[complete]) as u64);
        assert_eq!(fs::metadata(folder.file()).expect("a file").len(), ends[complete] as u64);
    }
    // Power failures may leave zeros where a line should be.
    fs::write(folder.file(), [&bytes[..], &[0; 5000]].concat()).expect("a file");
    assert_eq!(read(&folder.file()).expect("a journal").1, 5000);
}

#[test]
fn a_kill_in_the_first_moment_leaves_room_for_a_new_journal_and_nothing_else_is_overwritten() {
    let folder = Folder::new();
    write(&folder.file(), 0);
    let bytes = fs::read(folder.file()).expect("a file");
    for length in 0..bytes.len() {
        fs::write(folder.file(), &bytes[..length]).expect("a file");
        assert!(matches!(read(&folder.file()), Err(JournalError::NotAJournal(_))));
        write(&folder.file(), 1);
        assert_eq!(read(&folder.file()).expect("a journal").0.len(), 1);
    }
    for other in [&bytes[..], b"a letter", b"a letter\n"] {
        fs::write(folder.file(), other).expect("a file");
        let error = Journal::create(&folder.file(), &"an event").expect_err("it is there already");
        assert!(error.to_string().ends_with("event.journal is there already"), "{error}");
        assert_eq!(fs::read(folder.file()).expect("a file"), other);
    }
}

#[test]
fn any_damaged_byte_is_noticed_and_the_line_is_named() {
    let folder = Folder::new();
    write(&folder.file(), 3);
    let bytes = fs::read(folder.file()).expect("a file");
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').map(|at| at + 1).collect();
    for at in ends[0]..ends[2] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        fs::write(folder.file(), &damaged).expect("a file");
        let error = read(&folder.file()).expect_err("it is damaged").to_string();
        let line = if at < ends[1] { 2 } else { 3 };
        assert!(error.starts_with(&format!("line {line} of the journal")), "byte {at}: {error}");
        assert_eq!(fs::read(folder.file()).expect("a file"), damaged, "nothing is touched");
    }
}

#[test]
fn two_processes_cannot_write_one_journal() {
    let folder = Folder::new();
    let journal = Journal::create(&folder.file(), &"an event").expect("a journal");
    assert!(matches!(read(&folder.file()), Err(JournalError::InUse(_))));
    assert!(matches!(Journal::create(&folder.file(), &"an event"), Err(JournalError::InUse(_))));
    drop(journal);
    assert!(read(&folder.file()).is_ok());
}

#[test]
fn files_of_another_kind_or_version_are_told_apart() {
    let folder = Folder::new();
    let complaint = || read(&folder.file()).expect_err("no journal").to_string();
    assert!(complaint().contains("cannot be read: No such file"), "{}", complaint());
    fs::write(folder.file(), "{\"crc\":\"00000000\",\"saavedra-journal\":1}\n").expect("a file");
    assert!(complaint().ends_with("is not a journal of an event"));
    let header = ",\"saavedra-journal\":7}";
    let line = format!("{{\"crc\":\"{:08x}\"{header}\n", crc32fast::hash(&header.as_bytes()[1..]));
    fs::write(folder.file(), line).expect("a file");
    assert!(complaint().ends_with("has version 7 of the format, this program knows version 1"), "{}", complaint());
    let folder_itself = Journal::open::<String>(folder.0.path(), |_, _, _| Ok(())).expect_err("no file");
    assert!(folder_itself.to_string().contains("cannot be read"), "{folder_itself}");
}
