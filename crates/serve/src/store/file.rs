//! Whether the database is still the file that was opened.
//!
//! On Unix a file that was deleted or replaced can be written on, and SQLite does not notice: every change would seem
//! to be stored, and be gone with the process. So the name is looked up at each commit, before the change is
//! acknowledged.

use std::path::{Path, PathBuf};

/// The database's file, or nothing if there is none to lose.
pub(super) struct DatabaseFile(Option<(PathBuf, Identity)>);

/// What tells a file from another with the same name: device and inode.
type Identity = Option<(u64, u64)>;

impl DatabaseFile {
    /// For a database in memory, and for a connection that only reads.
    pub(super) const UNWATCHED: DatabaseFile = DatabaseFile(None);

    /// The file as it is now.
    pub(super) fn at(path: &Path) -> DatabaseFile {
        DatabaseFile(Some((path.to_owned(), identity(path))))
    }

    /// Whether the name still leads to the file.
    pub(super) fn check(&self) -> Result<(), String> {
        match &self.0 {
            Some((path, opened)) if identity(path) != *opened => Err(format!(
                "{} was deleted or replaced while the server has it open: put it back or restart the server",
                path.display()
            )),
            _ => Ok(()),
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
