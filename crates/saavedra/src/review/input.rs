//! The files whose games are reviewed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use records::source::{self, Source};

use crate::failure::Failure;

/// Endings of files with games, in folders.
const ENDINGS: [&str; 4] = [".pgn", ".pgn.gz", ".pgn.zst", ".pgn.zip"];

/// The files that are named, with those of a folder in the order of their names. A dash is the standard input.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(in_folder(path)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot_read = || format!("cannot read {}", folder.display());
    let entries = fs::read_dir(folder).with_context(cannot_read)?;
    let entries: Result<Vec<_>, io::Error> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let is_pgn = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        path.is_file() && ENDINGS.iter().any(|ending| name.ends_with(ending))
    };
    let mut files: Vec<PathBuf> = entries.with_context(cannot_read)?.into_iter().filter(is_pgn).collect();
    files.sort();
    if files.is_empty() {
        return Err(Failure::Failed(anyhow!("{} holds no PGN file", folder.display())));
    }
    Ok(files)
}

/// Whether the standard input is meant.
pub(super) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a file, or the standard input.
pub(super) fn open(path: &Path) -> Result<Source, Failure> {
    let opened = match is_standard(path) {
        true => source::unwrap("standard input", io::stdin()),
        false => source::open(path),
    };
    opened.map_err(|error| Failure::Failed(error.into()))
}

/// How a file is called in messages.
pub(super) fn name(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}
