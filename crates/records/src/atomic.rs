//! Files that appear under their name only when they are complete.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is written under its name with `.part` behind it, and takes the place of any file of its own name when
/// it is complete.
///
/// Dropped before [`commit`](AtomicFile::commit), it leaves nothing behind; a program that is killed leaves the part,
/// which the next one overwrites. While it is written, no other program can write the same file.
///
/// ```
/// use std::io::Write;
/// use saavedra_records::AtomicFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.pgn");
/// let mut file = AtomicFile::create(&path)?;
/// writeln!(file, "1. e4 *")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "1. e4 *\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    part: PathBuf,
    file: File,
    is_committed: bool,
}

impl AtomicFile {
    /// Begins a file.
    pub fn create(path: impl AsRef<Path>) -> io::Result<AtomicFile> {
        let path = path.as_ref().to_owned();
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        // It is emptied only once it is locked: it may be the part of another program.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&part)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let text = format!("another program is writing {}", part.display());
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
            }
            // Where files cannot be locked, that is left to the user.
            Err(TryLockError::Error(_)) | Ok(()) => file.set_len(0)?,
        }
        Ok(AtomicFile { path, part, file, is_committed: false })
    }

    /// Gives the file its name, when all of it is on the disk.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.part, &self.path)?;
        self.is_committed = true;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.is_committed {
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// Writes a file so that under its name there is the old file or the new one, whole, whatever happens.
pub fn write_atomically(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("it can be read");
        entries.map(|entry| entry.expect("a file").file_name().into_string().expect("text")).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state.json");
        write_atomically(&path, "old").expect("it can be written");
        let mut file = AtomicFile::create(&path).expect("it can be written");
        file.write_all(b"new").expect("it can be written");
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        drop(file);
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        assert_eq!(names(folder.path()), ["state.json"], "no part is left");
        // What a program that was killed has left is overwritten.
        fs::write(folder.path().join("state.json.part"), "longer than the new text").expect("it can be written");
        write_atomically(&path, "new").expect("it can be written");
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        assert_eq!(names(folder.path()), ["state.json"]);
    }

    #[test]
    fn only_one_program_writes_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.svd");
        let mut first = AtomicFile::create(&path).expect("it can be written");
        first.write_all(b"first").expect("it can be written");
        let refused = write_atomically(&path, "second").expect_err("it is being written");
        assert!(refused.to_string().contains("another program is writing"), "{refused}");
        first.commit().expect("it can be renamed");
        assert_eq!(fs::read(&path).expect("it is there"), b"first");
    }

    #[test]
    fn a_folder_that_does_not_exist_is_an_error() {
        assert_eq!(write_atomically("/nowhere/file", "").expect_err("no folder").kind(), io::ErrorKind::NotFound);
    }
}
