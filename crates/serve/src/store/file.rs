//! Whether the database is still the file that was opened.
//!
//! On Unix a file that was deleted or replaced can be written on, and SQLite does not notice: every change would seem
//! to be stored, and be gone with the process. The same is true of the file beside it that holds the newest changes
//! (`-wal`). So both names are looked up at each commit, before the change is acknowledged.

use std::path::{Path, PathBuf};

/// The files of the database, none if there are none to lose.
pub(super) struct DatabaseFile(Vec<(PathBuf, Identity)>);

/// What tells a file from another with the same name: device and inode.
type Identity = Option<(u64, u64)>;

impl DatabaseFile {
    /// For a database in memory, and for a connection that only reads.
    pub(super) const UNWATCHED: DatabaseFile = DatabaseFile(Vec::new());

    /// The files as they are now, when the database is open.
    pub(super) fn at(path: &Path) -> DatabaseFile {
        let mut newest = path.as_os_str().to_owned();
        newest.push("-wal");
        let files = [path.to_owned(), PathBuf::from(newest)];
        DatabaseFile(files.map(|path| (path.clone(), identity(&path))).into())
    }

    /// Whether the names still lead to the files.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_another = |(path, opened): &&(PathBuf, Identity)| opened.is_some() && identity(path) != *opened;
        match self.0.iter().find(is_another) {
            Some((path, _)) => Err(format!(
                "{} was deleted or replaced while the server has it open: put it back or restart the server",
                path.display()
            )),
            None => Ok(()),
        }
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// Elsewhere a file that is open cannot be deleted.
#[cfg(not(unix))]
fn identity(_path: &Path) -> Identity {
    None
}
