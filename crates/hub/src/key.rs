//! Keys: who may connect to a hub. A key is an nkey, and its file is one line of text with comments above it.

use std::fs;
use std::path::Path;

use nkeys::KeyPair;

use crate::HubError;

/// The key of a coordinator, a worker or a viewer.
pub struct Key(KeyPair);

impl Key {
    /// A new key.
    pub fn new() -> Result<Key, HubError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| HubError::Random(error.to_string()))?;
        let pair = KeyPair::new_from_raw(nkeys::KeyPairType::User, bytes);
        pair.map(Key).map_err(|error| HubError::Random(error.to_string()))
    }

    /// Reads a key from its file.
    pub fn read(path: &Path) -> Result<Key, HubError> {
        let text = fs::read_to_string(path).map_err(|source| HubError::Key { path: path.to_owned(), source })?;
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let seed = lines.next().and_then(|line| KeyPair::from_seed(line).ok());
        seed.map(Key).ok_or_else(|| HubError::NoKey(path.to_owned()))
    }

    /// The part that the server knows.
    pub fn public(&self) -> String {
        self.0.public_key()
    }

    /// Where answers to this key arrive: no other key may listen there.
    pub(crate) fn inbox(&self) -> String {
        inbox_of(&self.public())
    }

    pub(crate) fn seed(&self) -> Result<String, HubError> {
        self.0.seed().map_err(|error| HubError::refused("show a key", error))
    }
}

/// Where answers to a key arrive.
pub(crate) fn inbox_of(public_key: &str) -> String {
    format!("_INBOX.{public_key}")
}
