//! The names of streams and subjects, and which texts may be part of one.

use std::fmt;

use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use crate::HubError;

/// The stream of units that wait or are being played. What is acknowledged is gone.
pub(crate) const WORK_STREAM: &str = "SAAVEDRA_WORK";
/// The stream of what came of units, until the coordinator has written it down.
pub(crate) const RESULT_STREAM: &str = "SAAVEDRA_RESULTS";
/// The one consumer that hands units to workers.
pub(crate) const WORKERS: &str = "workers";

pub(crate) const WORK: &str = "saavedra.work";
pub(crate) const RESULT: &str = "saavedra.result";
pub(crate) const FILE: &str = "saavedra.file";
pub(crate) const WORKER_STATUS: &str = "saavedra.status.worker";
pub(crate) const EVENT_STATUS: &str = "saavedra.status.event";

/// How an event is called on the way: 32 hexadecimal digits, which is more than can be guessed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EventId(String);

impl EventId {
    /// The id of an event that is kept in a file: always the same for the same beginning in the same place, so that an
    /// event that is resumed finds what workers have done for it in the meantime.
    pub fn of(place: &str, beginning: &[u8]) -> EventId {
        let parts = [place.as_bytes(), &[0], beginning].concat();
        EventId(hex(&digest(&SHA256, &parts).as_ref()[..16]))
    }

    /// The id of an event that is kept nowhere.
    pub fn random() -> Result<EventId, HubError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| HubError::Random(error.to_string()))?;
        Ok(EventId(hex(&bytes)))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for EventId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<EventId, &'static str> {
        let is_id = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        is_id.then_some(EventId(text)).ok_or("an event is called by 32 hexadecimal digits")
    }
}

impl From<EventId> for String {
    fn from(EventId(text): EventId) -> String {
        text
    }
}

/// Whether a text can be the name of a worker or of an engine: short, and without signs that mean something elsewhere.
pub(crate) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&text.len()) && text.bytes().all(is_plain)
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of some bytes, in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(digest(&SHA256, bytes).as_ref())
}
