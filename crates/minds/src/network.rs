//! Networks from files.

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
struct Cached {
    stamp: Stamp,
    network: Arc<Network>,
}

static CACHE: Mutex<Option<HashMap<PathBuf, Cached>>> = Mutex::new(None);

/// Reads a network from a file.
pub fn load_network(path: &Path) -> Result<Network, LoadError> {
    stamp(path).map_err(|error| LoadError::file(path, error))?;
    let bytes = fs::read(path).map_err(|error| LoadError::file(path, error))?;
    Network::read(&bytes).map_err(|error| LoadError { path: path.to_owned(), reason: Reason::Network(error) })
}

/// The network of a file, which is read once as long as it does not change: a match builds a player for every game, and
/// most of them ask for the same few networks.
pub fn cached_network(path: &Path) -> Result<Arc<Network>, LoadError> {
    let stamp = stamp(path).map_err(|error| LoadError::file(path, error))?;
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let cache = cache.get_or_insert_default();
    if let Some(cached) = cache.get(path).filter(|cached| cached.stamp == stamp) {
        return Ok(Arc::clone(&cached.network));
    }
    let network = Arc::new(load_network(path)?);
    if cache.len() >= MOST {
        cache.clear();
    }
    cache.insert(path.to_owned(), Cached { stamp, network: Arc::clone(&network) });
    Ok(network)
}

/// The stamp of a plain file. A pipe might never end, and a device holds no network.
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
pub struct LoadError {
    path: PathBuf,
    reason: Reason,
}

impl LoadError {
    fn file(path: &Path, error: io::Error) -> LoadError {
        LoadError { path: path.to_owned(), reason: Reason::File(error) }
    }
}

#[derive(Debug)]
enum Reason {
    File(io::Error),
    Network(ReadError),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = self.path.display();
        match &self.reason {
            Reason::File(error) => write!(f, "{path} cannot be read: {error}"),
            Reason::Network(error) => write!(f, "{path}: {error}"),
        }
    }
}

/// The text tells the cause, so that it is not told again as a source.
impl std::error::Error for LoadError {}
