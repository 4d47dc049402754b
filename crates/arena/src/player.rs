//! Who takes part in an event.

use minds::MindSpec;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::TimeControl;

/// A participant. Two players may have the same mind, at different times or under different names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Participant {
    /// What the player is called in tables.
    pub name: String,
    /// Who thinks.
    #[serde(serialize_with = "write_mind", deserialize_with = "read_mind")]
    pub mind: MindSpec,
    /// How the player is timed.
    pub time: TimeControl,
}

fn write_mind<S: Serializer>(mind: &MindSpec, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(mind)
}

fn read_mind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MindSpec, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_written_as_people_write_them() {
        let text = r#"{"name":"fish","mind":"uci,Hash=16:stockfish","time":"1+0.01"}"#;
        let player: Participant = serde_json::from_str(text).expect("a player");
        assert_eq!(serde_json::to_string(&player).expect("it can be written"), text);
        let error = serde_json::from_str::<Participant>(&text.replace("uci", "uzi")).expect_err("no such mind");
        assert!(error.to_string().contains("there is no mind \"uzi\""), "{error}");
    }
}
