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
    Network::read(&bytes).map_err(|error| LoadError::Network { path: path.to_owned(), error })
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

/// Why there is no network in a file. The text tells the cause.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// What the file holds cannot be used.
    #[error("{}: {error}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ReadError,
    },
}

impl LoadError {
    fn file(path: &Path, error: io::Error) -> LoadError {
        LoadError::File { path: path.to_owned(), error }
    }
}
