//! The summary of a player over many games.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use records::write_atomically;
use review::{GameDigest, PlayerSummary};

use crate::failure::Failure;

/// What was found out about a player.
pub(super) struct Summary(PlayerSummary);

impl Summary {
    pub(super) fn new(player: &str) -> Summary {
        Summary(PlayerSummary::new(player))
    }

    pub(super) fn add(&mut self, game: &GameDigest) {
        self.0.add(game);
    }

    /// Writes the summary to a file, or prints it.
    pub(super) fn write(&self, path: Option<&Path>) -> Result<(), Failure> {
        if self.0.score.games == 0 {
            return Err(Failure::Failed(anyhow!("there is no game of {}", self.0.player)));
        }
        let Some(path) = path else {
            write!(io::stdout().lock(), "{}", self.0)?;
            return Ok(());
        };
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let text = match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("json") => serde_json::to_string_pretty(&self.0)?,
            Some("html" | "htm") => self.0.to_html(),
            _ => self.0.to_string(),
        };
        Ok(write_atomically(path, text).with_context(|| format!("cannot write {}", path.display()))?)
    }
}
