//! Where a run stands, in a file that is replaced whole after every step.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};

use super::clock::Rates;
use crate::folder::write_json;
use crate::{Failure, Ledger, LedgerEntry};

/// The version of the file.
const VERSION: u32 = 1;

/// Where a run stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RunState {
    version: u32,
    /// What all random numbers follow from.
    pub(super) seed: u64,
    /// The generation that is being made, from 1.
    pub(super) generation: u32,
    /// Rounds that were begun in all generations: no two have the same games.
    pub(super) rounds_begun: u64,
    /// Positions of all rounds that came to an end.
    pub(super) positions: u64,
    /// How long the GPU has been busy.
    pub(super) seconds: Seconds,
    /// What was played of the generation.
    pub(super) played: Played,
    /// Candidates of the generation that were matched, but not yet written into the ledger.
    pub(super) pending: Vec<LedgerEntry>,
    /// How fast everything went so far.
    pub(super) rates: Rates,
}

/// How long the GPU was busy with what.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Seconds {
    /// With self-play.
    pub playing: f64,
    /// With trainings.
    pub training: f64,
    /// With matches.
    pub matching: f64,
}

impl Seconds {
    /// All of it, in minutes.
    pub fn minutes(&self) -> f64 {
        (self.playing + self.training + self.matching) / 60.0
    }
}

/// What was played of a generation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Played {
    /// Rounds that came to an end.
    pub(super) rounds: u32,
    pub(super) games: u64,
    pub(super) positions: u64,
    /// Positions to learn from, those for validation included.
    pub(super) samples: u64,
    pub(super) seconds: f64,
    /// Whether there are enough.
    pub(super) is_complete: bool,
}

impl RunState {
    pub(super) fn new(seed: u64) -> RunState {
        RunState {
            version: VERSION,
            seed,
            generation: 1,
            rounds_begun: 0,
            positions: 0,
            seconds: Seconds::default(),
            played: Played::default(),
            pending: Vec::new(),
            rates: Rates::default(),
        }
    }

    fn path(folder: &Path) -> PathBuf {
        folder.join("state.json")
    }

    /// Reads where the run of a folder stands; at its beginning if there is none.
    pub(super) fn open(folder: &Path, seed: u64) -> Result<RunState, Failure> {
        let path = RunState::path(folder);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(RunState::new(seed)),
            Err(error) => return Err(anyhow!("cannot read {}: {error}", path.display()).into()),
        };
        let state: RunState =
            serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged", path.display()))?;
        if state.version != VERSION || state.generation == 0 {
            return Err(anyhow!("{} is of version {}, not {VERSION}", path.display(), state.version).into());
        }
        Ok(state)
    }

    pub(super) fn save(&self, folder: &Path) -> Result<(), Failure> {
        write_json(&RunState::path(folder), self)
    }

    /// The seed of the next round.
    pub(super) fn begin_round(&mut self) -> u64 {
        self.rounds_begun += 1;
        // Odd numbers far apart, so that neighbouring seeds of runs share no round.
        self.seed.wrapping_add(self.rounds_begun.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The positions of the generation are lost: they have to be played again, though the time is spent.
    pub(super) fn forget_played(&mut self) {
        self.played = Played::default();
    }

    /// The number of the next candidate.
    pub(super) fn next_attempt(&self, ledger: &Ledger) -> u32 {
        let open = self.pending.iter().filter(|entry| !is_written(ledger, entry)).count() as u32;
        ledger.concluded() + open + 1
    }

    /// Goes on to the next generation.
    pub(super) fn next_generation(&mut self) {
        self.generation += 1;
        self.played = Played::default();
        self.pending.clear();
    }
}

/// Whether a candidate is in the ledger already: the program may have been killed between that and its note of it.
pub(super) fn is_written(ledger: &Ledger, entry: &LedgerEntry) -> bool {
    ledger.entries.iter().any(|written| written.attempt == entry.attempt && written.steps.trained.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_where_it_stood() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut state = RunState::open(folder.path(), 7).expect("a new run");
        let first = state.begin_round();
        state.positions = 1_000;
        state.played.rounds = 1;
        state.save(folder.path()).expect("it can be written");
        let mut again = RunState::open(folder.path(), 8).expect("the same run");
        assert_eq!((again.seed, again.positions, again.played.rounds), (7, 1_000, 1));
        assert_ne!(again.begin_round(), first, "no round is played twice");
        again.next_generation();
        assert_eq!((again.generation, again.played.clone(), again.positions), (2, Played::default(), 1_000));
    }

    #[test]
    fn a_damaged_state_is_told_in_a_line() {
        let folder = tempfile::tempdir().expect("a folder");
        for text in ["{", "", "{\"version\": 1}", "[]"] {
            fs::write(folder.path().join("state.json"), text).expect("it can be written");
            let message = RunState::open(folder.path(), 1).expect_err("damaged").message();
            assert!(message.contains("state.json is damaged") && !message.contains('\n'), "{message}");
        }
        let mut other = RunState::new(1);
        other.version = 9;
        other.save(folder.path()).expect("it can be written");
        assert!(
            RunState::open(folder.path(), 1)
                .expect_err("of another version")
                .message()
                .contains("is of version 9, not 1")
        );
    }
}
