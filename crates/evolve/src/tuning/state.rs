//! A tuning on the GPU as it lies in its file, replaced whole after every round.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, anyhow};
use arena::statistics::Pentanomial;
use arena::tune::{Rounds, Tuning};
use forge::SearchParameters;
use serde::{Deserialize, Serialize};

use crate::Failure;

/// What games are played with, beside the numbers that are tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuningConditions {
    /// The checksum of the network.
    pub network: String,
    /// Positions that each search looks at.
    pub nodes: u32,
    /// Pairs of games that each warp plays in a round.
    pub pairs: usize,
}

/// How far a tuning has come.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuningState {
    /// What games are played with.
    pub setting: TuningConditions,
    /// The rounds that were played.
    pub rounds: Rounds,
    /// How long the rounds took.
    pub seconds: f64,
    /// What the numbers found made against those before, once all rounds are over.
    pub confirmed: Option<Pentanomial>,
}

impl TuningState {
    /// What a file holds, if there is one.
    pub fn read(path: &Path) -> Result<Option<TuningState>, Failure> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let damaged = |reason: String| anyhow!("{} is no tuning, or damaged: {reason}", path.display());
        let mut state: TuningState = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        state.rounds.rename_parameters(SearchParameters::renamed);
        let tuning = state.rounds.tuning();
        tuning.check().map_err(|error| damaged(error.to_string()))?;
        if state.rounds.results().len() as u64 > tuning.iterations {
            return Err(damaged("there are more results than rounds".to_owned()).into());
        }
        Ok(Some(state))
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let bytes = serde_json::to_vec_pretty(self)?;
        Ok(records::write_atomically(path, &bytes).with_context(|| format!("cannot write {}", path.display()))?)
    }

    /// Complains if this is another tuning than the one asked for. How many rounds it has need not be said again.
    pub fn require(&self, setting: &TuningConditions, tuning: &Tuning, rounds: Option<u64>) -> Result<(), String> {
        let (kept, wanted) = (self.rounds.tuning(), tuning);
        let differs = |what: &str, was: String, is: String| match was == is {
            true => Ok(()),
            false => Err(format!("it is of another tuning: {what} was {was}, not {is}")),
        };
        differs("the network", self.setting.network.clone(), setting.network.clone())?;
        differs("--nodes", self.setting.nodes.to_string(), setting.nodes.to_string())?;
        differs("--pairs", self.setting.pairs.to_string(), setting.pairs.to_string())?;
        differs("--seed", kept.seed.to_string(), wanted.seed.to_string())?;
        differs("--rate", kept.rate.to_string(), wanted.rate.to_string())?;
        differs("--rounds", kept.iterations.to_string(), rounds.unwrap_or(kept.iterations).to_string())?;
        let parameters = |tuning: &Tuning| {
            let shown = tuning.parameters.iter().map(|one| format!("{}={}+-{}", one.name, one.start, one.step));
            shown.collect::<Vec<_>>().join(",")
        };
        differs("--parameters", parameters(kept), parameters(wanted))
    }
}
