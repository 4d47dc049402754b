//! Networks from files.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nnue::{Network, ReadError};

/// Why there is no network to be had from a file.
#[derive(Debug)]
pub struct LoadError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    /// The file cannot be read.
    File(io::Error),
    /// What it holds cannot be used.
    Network(ReadError),
}

/// Reads a network from a file.
pub fn load_network(path: &Path) -> Result<Network, LoadError> {
    let failed = |reason| LoadError { path: path.to_owned(), reason };
    let bytes = read(path).map_err(|error| failed(Reason::File(error)))?;
    Network::read(&bytes).map_err(|error| failed(Reason::Network(error)))
}

/// All bytes of a file. A pipe might never end, and a device has no network.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_file() { fs::read(path) } else { Err(io::Error::other("it is not a file")) }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.reason {
            Reason::File(error) => write!(f, "{path} cannot be read: {error}"),
            Reason::Network(error) => write!(f, "{path}: {error}"),
        }
    }
}

impl std::error::Error for LoadError {}
