//! The files whose games are reviewed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use records::source::{self, Source};

use crate::failure::Failure;

/// Endings of files with games, in folders.
const ENDINGS: [&str; 4] = [".pgn", ".pgn.gz", ".pgn.zst", ".pgn.zip"];

pub(super) use records::source::{input_name as name, is_standard_input as is_standard};

/// The files that are named, with those of a folder and the folders in it in the order of their names. A dash is the
/// standard input.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            add_folder(path, &mut files)?;
            if files.len() == before {
                return Err(Failure::Failed(anyhow!("{} holds no PGN file", path.display())));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn add_folder(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let cannot_read = || format!("cannot read {}", folder.display());
    let entries = fs::read_dir(folder).with_context(cannot_read)?;
    let mut entries = entries.collect::<io::Result<Vec<_>>>().with_context(cannot_read)?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let (name, path) = (entry.file_name().to_string_lossy().to_lowercase(), entry.path());
        // A link to a folder may lead in a circle.
        if entry.file_type().with_context(cannot_read)?.is_dir() {
            add_folder(&path, files)?;
        } else if path.is_file() && ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    Ok(())
}

/// Opens a file, or the standard input.
pub(super) fn open(path: &Path) -> Result<Source, Failure> {
    source::open_input(path).map_err(|error| Failure::Failed(error.into()))
}
