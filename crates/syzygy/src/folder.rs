//! The folders with tables: which tables are there, and whether they look like tables.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::material::Material;

/// Why tables cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No folder was named.
    #[error("no folder with tablebases was named")]
    NoFolder,
    /// A folder that was named is not there.
    #[error("there is no folder {0:?}")]
    MissingFolder(String),
    /// The path separator of the tables' reader occurs in the name of a folder.
    #[error("the name of the folder {0:?} contains a colon, which the reader of the tables does not allow")]
    Colon(String),
    /// A folder or a file could not be read.
    #[error("cannot read {path:?}: {error}")]
    Unreadable {
        /// The folder or the file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// None of the folders has a table of results.
    #[error("there is no tablebase (no .rtbw file) in {0:?}")]
    NoTables(String),
    /// A file with the name of a table is not one, or only the beginning of one.
    #[error("{path:?} is not a complete tablebase: {reason}")]
    Corrupted {
        /// The file.
        path: PathBuf,
        /// How that can be told.
        reason: &'static str,
    },
    /// Other folders are open, and still in use.
    #[error("the tablebases in {0:?} are still in use, and only one set can be open at a time")]
    InUse(String),
    /// The reader of the tables did not accept what looked fine to us.
    #[error("the reader of the tables does not accept {0:?}")]
    Refused(String),
}

/// What is known about some material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// Whether there is a table of distances besides the one of results.
    pub(crate) has_distances: bool,
}

/// Folders that exist, and the tables in them that can be relied on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Inventory {
    pub(crate) folders: Vec<String>,
    /// Both colourings of all material for which every question can be answered.
    known: HashMap<Material, Known>,
    pub(crate) most_pieces: usize,
}

/// The kinds of tables: the end of the name, and the four bytes a file begins with.
const RESULTS: (&str, [u8; 4]) = ("rtbw", [0x71, 0xe8, 0x23, 0x5d]);
const DISTANCES: (&str, [u8; 4]) = ("rtbz", [0xd7, 0x66, 0x0c, 0xa5]);

impl Inventory {
    /// Looks through folders that are separated as the platform separates paths.
    pub(crate) fn take(path: &str) -> Result<Inventory, OpenError> {
        let folders: Vec<String> = std::env::split_paths(path)
            .map(|folder| folder.to_string_lossy().into_owned())
            .filter(|folder| !folder.is_empty())
            .collect();
        if folders.is_empty() {
            return Err(OpenError::NoFolder);
        }
        let mut results = Vec::new();
        let mut distances = Vec::new();
        for folder in &folders {
            if !Path::new(folder).is_dir() {
                return Err(OpenError::MissingFolder(folder.clone()));
            }
            if folder.contains(':') {
                return Err(OpenError::Colon(folder.clone()));
            }
            results.extend(tables(folder, RESULTS)?);
            distances.extend(tables(folder, DISTANCES)?);
        }
        let mut found = HashMap::new();
        for material in results {
            let has_distances = distances.contains(&material);
            found.insert(material, Known { has_distances });
            found.insert(material.flipped(), Known { has_distances });
        }
        if found.is_empty() {
            return Err(OpenError::NoTables(path.to_owned()));
        }
        let known = reliable(&found);
        let most_pieces = known.keys().map(|material| material.pieces()).max().unwrap_or(0);
        Ok(Inventory { folders, known, most_pieces })
    }

    /// What is known about positions with this material.
    pub(crate) fn known(&self, material: Material) -> Option<Known> {
        self.known.get(&material).copied()
    }

    /// How many tables of results can be relied on: one for both colourings.
    pub(crate) fn tables(&self) -> usize {
        let is_counted = |material: &&Material| **material != Material::KINGS && **material >= material.flipped();
        self.known.keys().filter(is_counted).count()
    }

    /// The folders as a user would name them.
    pub(crate) fn path(&self) -> String {
        let joined = std::env::join_paths(&self.folders);
        joined.map_or_else(|_| self.folders.join(" "), |path| path.to_string_lossy().into_owned())
    }
}

/// The material of the tables of one kind in a folder, each file checked for being whole.
fn tables(folder: &str, (extension, magic): (&str, [u8; 4])) -> Result<Vec<Material>, OpenError> {
    let unreadable = |path: &Path, error| OpenError::Unreadable { path: path.to_owned(), error };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| unreadable(Path::new(folder), error))? {
        let path = entry.map_err(|error| unreadable(Path::new(folder), error))?.path();
        if path.extension() != Some(OsStr::new(extension)) {
            continue;
        }
        let Some(material) = path.file_stem().and_then(OsStr::to_str).and_then(Material::from_name) else { continue };
        let mut file = File::open(&path).map_err(|error| unreadable(&path, error))?;
        let length = file.metadata().map_err(|error| unreadable(&path, error))?.len();
        let corrupted = |reason| Err(OpenError::Corrupted { path: path.clone(), reason });
        let mut start = [0; 4];
        if length < 64 || file.read_exact(&mut start).is_err() {
            return corrupted("it is too short");
        }
        if start != magic {
            return corrupted("it does not begin like one");
        }
        // A table is padded to blocks of 64 bytes, and a checksum of 16 bytes follows.
        if length % 64 != 16 {
            return corrupted("a part is missing, by its length");
        }
        found.push(material);
    }
    Ok(found)
}

/// The material whose positions can be looked up whatever is captured or promoted on the way.
///
/// A look-up searches captures, and needs the tables of all that they lead to.
fn reliable(found: &HashMap<Material, Known>) -> HashMap<Material, Known> {
    let mut by_pieces: Vec<Material> = found.keys().copied().collect();
    // What a move leads to has fewer pieces, or as many and fewer pawns: those are settled first.
    by_pieces.sort_by_key(|material| (material.pieces(), material.pawns()));
    let mut reliable = HashMap::from([(Material::KINGS, Known { has_distances: false })]);
    for material in by_pieces {
        if material.successors().iter().all(|next| reliable.contains_key(next)) {
            reliable.insert(material, found[&material]);
        }
    }
    reliable
}
