//! Networks from files, read once: a match builds a mind for every game, and most of them ask for the same few.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use nnue::{Network, ReadError};

/// The most networks that are remembered.
const MOST: usize = 16;

/// What tells a file from another that took its place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    changed: Option<SystemTime>,
}

/// A network that was read, and the file as it was then.
struct Known {
    stamp: Stamp,
    network: Arc<Network>,
}

static KNOWN: Mutex<Option<HashMap<PathBuf, Known>>> = Mutex::new(None);

/// The network of a file. As long as the file does not change, it is read only once.
pub fn network_from_file(path: &Path) -> Result<Arc<Network>, NetworkFileError> {
    let failed = |reason| NetworkFileError { path: path.to_owned(), reason };
    let stamp = stamp(path).map_err(|error| failed(Reason::File(error)))?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(known) = known.get(path).filter(|known| known.stamp == stamp) {
        return Ok(Arc::clone(&known.network));
    }
    let bytes = fs::read(path).map_err(|error| failed(Reason::File(error)))?;
    let network = Arc::new(Network::read(&bytes).map_err(|error| failed(Reason::Network(error)))?);
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(path.to_owned(), Known { stamp, network: Arc::clone(&network) });
    Ok(network)
}

/// A pipe might never end, and a device has no network: only files will do.
fn stamp(path: &Path) -> io::Result<Stamp> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        Ok(Stamp { bytes: metadata.len(), changed: metadata.modified().ok() })
    } else {
        Err(io::Error::other("it is not a file"))
    }
}

/// Why there is no network in a file.
#[derive(Debug)]
pub struct NetworkFileError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    File(io::Error),
    Network(ReadError),
}

impl std::fmt::Display for NetworkFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = self.path.display();
        match &self.reason {
            Reason::File(error) => write!(f, "{path} cannot be read: {error}"),
            Reason::Network(error) => write!(f, "{path}: {error}"),
        }
    }
}

impl std::error::Error for NetworkFileError {}
