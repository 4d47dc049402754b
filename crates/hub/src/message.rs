//! What is said on the way: small JSON messages with a version, of which none is believed before it is checked.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::names::EventId;
use crate::work::{Outcome, Work};

/// The version of messages that we send, and the only one we read.
pub const VERSION: u32 = 1;

/// No message of ours is as long as this.
pub const LONGEST: usize = 8 << 20;

/// A unit on its way to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitMessage {
    /// The event.
    pub event: EventId,
    /// The unit's number in the event.
    pub number: u64,
    /// How often the unit was sent before, and once more.
    pub attempt: u32,
    /// Workers who have played it already and whose word is to be checked: another one shall play it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<String>,
    /// The signature of the coordinator's search: a worker whose search is another one must not play.
    pub signature: u64,
    /// How fast the machine is for which time controls are meant, in nodes a second of one core.
    pub speed: u64,
    /// What is to be done.
    pub work: Work,
}

/// What came of a unit, on its way to the coordinator.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultMessage {
    /// The event.
    pub event: EventId,
    /// The unit's number in the event.
    pub number: u64,
    /// Which attempt this is the answer to.
    pub attempt: u32,
    /// Who played it.
    pub worker: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What a worker tells of itself every two seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerStatus {
    /// How it is called.
    pub name: String,
    /// The version of its program.
    pub program: String,
    /// How many cores it plays on.
    pub cores: usize,
    /// The units it plays now, by event and number: the sign that they are alive.
    pub playing: Vec<(EventId, u64)>,
    /// How many units it has finished.
    pub finished: u64,
    /// The signature of its search.
    pub signature: u64,
    /// Nodes a second of one core while all cores are busy.
    pub speed: u64,
    /// The outside programs it knows, by name.
    pub engines: Vec<String>,
}

/// What a coordinator tells of its event every second.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventStatus {
    /// The event.
    pub event: EventId,
    /// The command that runs it.
    pub command: String,
    /// What the event is called.
    pub name: String,
    /// How far it is.
    pub figures: Figures,
    /// Units that are on the way or being played.
    pub outstanding: u64,
    /// Units that went out again because there was no sign of them.
    pub sent_again: u64,
    /// Units that two workers played with the same moves.
    pub checked: u64,
    /// Messages that were refused.
    pub refused: u64,
    /// What each worker has done for the event.
    pub workers: BTreeMap<String, Tally>,
}

/// How far an event is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Games that are over.
    pub games: u64,
    /// How many there will be, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Games a second.
    pub games_per_second: f64,
    /// The log-likelihood ratio of a sequential test, with its bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llr: Option<[f64; 3]>,
}

/// What a worker has done for an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Units that were written down.
    pub units: u64,
    /// Games in them.
    pub games: u64,
    /// Games that were lost on time.
    pub time_losses: u64,
    /// Games that were forfeited in another way.
    pub faults: u64,
    /// Units that another worker played with other moves.
    pub mismatches: u64,
    /// Answers that made no sense.
    pub refused: u64,
}

/// Why bytes are no message.
#[derive(Debug, Error)]
pub enum MessageError {
    /// Longer than any message of ours.
    #[error("it has {0} bytes, and {LONGEST} are the limit")]
    Long(usize),
    /// Not JSON, or not of ours.
    #[error("it is no message of a hub: {0}")]
    Garbage(serde_json::Error),
    /// Another version.
    #[error("it has version {0}, and this program knows version {VERSION}")]
    Version(u32),
}

#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    #[serde(rename = "saavedra-hub")]
    version: u32,
    body: T,
}

/// The version alone, which every version has in the same place.
#[derive(Deserialize)]
struct Version {
    #[serde(rename = "saavedra-hub")]
    version: u32,
}

/// A message as it is sent.
pub fn write<T: Serialize>(body: &T) -> Vec<u8> {
    serde_json::to_vec(&Sealed { version: VERSION, body }).expect("messages are made of numbers and text")
}

/// Reads a message from bytes that may be anything.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, MessageError> {
    if bytes.len() > LONGEST {
        return Err(MessageError::Long(bytes.len()));
    }
    match serde_json::from_slice(bytes).map_err(MessageError::Garbage)? {
        Version { version: VERSION } => {}
        Version { version } => return Err(MessageError::Version(version)),
    }
    let Sealed { body, .. } = serde_json::from_slice(bytes).map_err(MessageError::Garbage)?;
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written_and_nothing_else_is() {
        let tally = Tally { units: 1, games: 2, ..Tally::default() };
        let bytes = write(&tally);
        assert_eq!(read::<Tally>(&bytes).expect("a message"), tally);
        let complaint = |bytes: &[u8]| read::<Tally>(bytes).expect_err("no message").to_string();
        assert!(complaint(b"hello").starts_with("it is no message of a hub"));
        assert_eq!(complaint(br#"{"saavedra-hub":2,"body":7}"#), "it has version 2, and this program knows version 1");
        assert!(complaint(&vec![b' '; LONGEST + 1]).starts_with("it has 8388609 bytes"));
        let text = String::from_utf8(bytes).expect("text").replace("units", "unity");
        assert!(complaint(text.as_bytes()).contains("unknown field"));
    }
}
