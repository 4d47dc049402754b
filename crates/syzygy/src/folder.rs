//! Finding the tables in folders.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::OpenError;
use crate::layout::MOST_PIECES;
use crate::material::Material;
use crate::table::Kind;
use crate::table_bytes::TableBytes;
use crate::tables::TableFile;

/// All files in these folders that have the name of a table, each looked at quickly.
pub(crate) fn files(path: &str) -> Result<Vec<TableFile>, OpenError> {
    let folders: Vec<PathBuf> = std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()).collect();
    if folders.is_empty() {
        return Err(OpenError::NoFolder);
    }
    let mut files = Vec::new();
    for folder in &folders {
        if !folder.is_dir() {
            return Err(OpenError::MissingFolder(folder.to_string_lossy().into_owned()));
        }
        let unreadable = |path: &Path, error| OpenError::Unreadable { path: path.to_owned(), error };
        for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            let Some((material, kind)) = named(&path) else { continue };
            let bytes = TableBytes::of_file(&path).map_err(|error| unreadable(&path, error))?;
            files.push(TableFile::new(&path, material, kind, bytes)?);
        }
    }
    Ok(files)
}

/// What a file is about, if it is named like a table.
pub(crate) fn named(path: &Path) -> Option<(Material, Kind)> {
    let extension = path.extension()?;
    let kind = Kind::ALL.into_iter().find(|kind| OsStr::new(kind.extension()) == extension)?;
    let material = Material::from_name(path.file_stem()?.to_str()?)?;
    (3..=MOST_PIECES).contains(&material.pieces()).then_some((material, kind))
}
