//! The ledger: what every attempt was made of and what became of it, one JSON object a line, never changed.
//!
//! Who the champion is follows from it, so that writing one line is all there is to a promotion.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};

use crate::{AttemptPlan, Failure, Seconds, Steps};

/// What became of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptVerdict {
    /// The network is the new champion.
    Promoted,
    /// The network passed the gate of a GPU. Only a test with clocks can promote it, which has a line of its own for
    /// the same attempt.
    Passed,
    /// The network is not proven to be stronger.
    Rejected,
    /// It was given up.
    Abandoned,
    /// Something went wrong. The attempt goes on when it is right again.
    Failed,
}

impl AttemptVerdict {
    /// The verdict in a word.
    pub fn word(self) -> &'static str {
        match self {
            AttemptVerdict::Promoted => "promoted",
            AttemptVerdict::Passed => "passed",
            AttemptVerdict::Rejected => "rejected",
            AttemptVerdict::Abandoned => "abandoned",
            AttemptVerdict::Failed => "failed",
        }
    }
}

/// One line of the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// The attempt, from 1.
    pub attempt: u32,
    /// What became of it.
    pub verdict: AttemptVerdict,
    /// Why, where the verdict does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What it was.
    pub plan: AttemptPlan,
    /// What was done.
    pub steps: Steps,
    /// What there is to say of an attempt on a GPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<GpuEntry>,
    /// When it was written, in seconds since 1970.
    pub time: u64,
    /// The command that was running.
    pub command: String,
}

/// An attempt on a GPU: a candidate of a generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GpuEntry {
    /// The name of the GPU.
    pub device: String,
    /// The generation, from 1.
    pub generation: u32,
    /// The name of the candidate.
    pub candidate: String,
    /// Nodes of a search, in self-play and in the match.
    pub nodes: u64,
    /// Positions that the generation has played.
    pub new_positions: u64,
    /// Positions that the run has played so far.
    pub all_positions: u64,
    /// How long the GPU played for the generation, and trained and matched the candidate.
    pub seconds: Seconds,
    /// How long the GPU has been busy in the run so far.
    pub all_minutes: f64,
}

/// All lines of the ledger, and where it is.
pub struct Ledger {
    path: PathBuf,
    /// The lines, oldest first.
    pub entries: Vec<LedgerEntry>,
}

impl Ledger {
    /// Reads the ledger of a folder. A last line that was not written to its end is cut off.
    pub fn open(folder: &Path) -> Result<Ledger, Failure> {
        let path = folder.join("ledger.jsonl");
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(anyhow!("{}: {error}", path.display()).into()),
        };
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        if end < bytes.len() {
            tracing::warn!(file = %path.display(), bytes = bytes.len() - end, "a line that was not finished is cut off");
            let cut = OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(end as u64));
            cut.with_context(|| format!("cannot write {}", path.display()))?;
        }
        let lines = bytes[..end].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let read = |(number, line): (usize, &[u8])| {
            serde_json::from_slice(line).with_context(|| format!("{}, line {}", path.display(), number + 1))
        };
        let entries = lines.enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(Ledger { path, entries })
    }

    /// Adds a line, which is on the disk when this returns.
    pub fn append(&mut self, entry: LedgerEntry) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        let write = |file: &mut File| file.write_all(&line).and_then(|()| file.sync_all());
        let written =
            OpenOptions::new().append(true).create(true).open(&self.path).and_then(|mut file| write(&mut file));
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        self.entries.push(entry);
        Ok(())
    }

    /// How many attempts have come to an end.
    pub fn concluded(&self) -> u32 {
        let concluded = self.entries.iter().filter(|entry| entry.verdict != AttemptVerdict::Failed);
        concluded.map(|entry| entry.attempt).max().unwrap_or(0)
    }

    /// The last attempt whose network was promoted.
    pub fn champion(&self) -> Option<&LedgerEntry> {
        self.entries.iter().rfind(|entry| entry.verdict == AttemptVerdict::Promoted)
    }
}
