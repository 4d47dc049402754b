//! One attempt: games, a network learned from them, and matches that decide whether it is better.
//!
//! An attempt has a folder. `attempt.json` says what it is and is written first; `steps.json` says what is done and is
//! written after each step. Whatever a step leaves when it is killed, the step itself can go on with.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, anyhow};
use arena::event::Difference;
use arena::selfplay::{Goal, SelfPlay, SelfPlaySettings};
use nnue::Network;
use search::AnyEvaluator;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use train::{FloatNetwork, StartingWeights, VERIFIED};

use crate::contest::{self, Running};
use crate::cpu::TrainingOptions;
use crate::folder::{read_json, write_json};
use crate::networks::{checksum, float_network_of};
use crate::{Contest, Failure, MatchOutcome, Training};

/// What an attempt is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AttemptPlan {
    /// The network to beat, by its fingerprint.
    pub champion: String,
    /// How many new positions are played.
    pub positions: u64,
    /// How they are played.
    pub play: SelfPlaySettings,
    /// Files to learn from, besides the new games.
    pub data: Vec<String>,
    /// The recipe of the training.
    pub train: String,
    /// How the network is tried.
    pub contest: Contest,
}

/// What is done of an attempt.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Steps {
    /// Games were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<Generated>,
    /// A network was trained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trained: Option<Trained>,
    /// It was measured by a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<MatchOutcome>,
    /// A sequential test has decided, or has ended undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<MatchOutcome>,
}

/// Games that were played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Generated {
    /// How many games.
    pub games: u64,
    /// How many positions they have.
    pub positions: u64,
    /// How long they took.
    pub seconds: f64,
}

/// A network that was trained.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trained {
    /// What kind of network it is.
    pub architecture: String,
    /// The checksum of its file.
    pub checksum: String,
    /// The command that would do the same.
    pub command: String,
    /// What the training told: samples, losses, device.
    pub report: Value,
    /// How long it took, verification included.
    pub seconds: f64,
}

impl Steps {
    /// How long all steps took, as far as they were not interrupted.
    pub fn seconds(&self) -> f64 {
        let contests = [&self.matched, &self.tested].into_iter().flatten().map(|outcome| outcome.seconds);
        let others = [self.generated.as_ref().map(|step| step.seconds), self.trained.as_ref().map(|step| step.seconds)];
        contests.chain(others.into_iter().flatten()).sum()
    }
}

/// The champion, as an attempt needs it.
pub(crate) struct Champion {
    pub(crate) evaluator: AnyEvaluator,
    /// Its network as a setting of the mind that plays with it, if it is not what is compiled in.
    pub(crate) net: Option<String>,
}

impl Champion {
    /// The float weights beside its file or, without them, its quantised weights.
    fn floats(&self, network: &Network) -> Result<FloatNetwork, Failure> {
        match self.net.as_deref().map(Path::new).filter(|path| path.is_file()) {
            Some(path) => float_network_of(path),
            None => Ok(FloatNetwork::of(network)),
        }
    }
}

/// An attempt and its folder.
pub(crate) struct Attempt {
    folder: PathBuf,
    pub(crate) plan: AttemptPlan,
    pub(crate) steps: Steps,
}

impl Attempt {
    /// Begins an attempt, or goes on with one that was begun in the same way.
    pub(crate) fn open(folder: PathBuf, plan: AttemptPlan) -> Result<Attempt, Failure> {
        let path = folder.join("attempt.json");
        if path.exists() {
            let begun: AttemptPlan = read_json(&path)?;
            if let Some(Difference { setting, was, is }) = arena::event::difference(&begun, &plan) {
                return Err(Failure::Usage(format!(
                    "{} was begun with other settings: {setting} was {was}, not {is}; go on with those, or --abandon it",
                    folder.display()
                )));
            }
        } else {
            fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            write_json(&path, &plan)?;
        }
        Attempt::read(folder)
    }

    /// An attempt as it stands.
    pub(crate) fn read(folder: PathBuf) -> Result<Attempt, Failure> {
        let plan = read_json(&folder.join("attempt.json"))?;
        let steps = folder.join("steps.json");
        let steps = if steps.exists() { read_json(&steps)? } else { Steps::default() };
        Ok(Attempt { folder, plan, steps })
    }

    pub(crate) fn network_path(&self) -> PathBuf {
        self.folder.join("net.nnue")
    }

    fn games_path(&self) -> PathBuf {
        self.folder.join("games.svd")
    }

    /// Takes all steps that are not done.
    pub(crate) fn run(&mut self, champion: &Champion, run: &Running) -> Result<(), Failure> {
        if self.steps.generated.is_none() && self.plan.positions > 0 {
            self.steps.generated = Some(self.generate(champion, run)?);
            self.note()?;
        }
        if self.steps.trained.is_none() {
            self.steps.trained = Some(self.train(champion, run)?);
            self.note()?;
        }
        self.verify()?;
        let path = self.network_path().display().to_string();
        let players = contest::players(&path, champion.net.as_deref(), &self.plan.contest)?;
        if self.steps.matched.is_none() && self.plan.contest.games > 0 {
            let journal = self.folder.join("match.journal");
            self.steps.matched = Some(self.plan.contest.play_match(&players, &journal, run.match_context())?);
            self.note()?;
        }
        if self.steps.tested.is_none() && self.plan.contest.sprt_games > 0 {
            let journal = self.folder.join("sprt.journal");
            self.steps.tested = Some(self.plan.contest.play_test(&players, &journal, run.match_context())?);
            self.note()?;
        }
        Ok(())
    }

    fn note(&self) -> Result<(), Failure> {
        write_json(&self.folder.join("steps.json"), &self.steps)
    }

    fn generate(&self, champion: &Champion, run: &Running) -> Result<Generated, Failure> {
        let goal = Goal::Positions(self.plan.positions);
        let (path, settings, evaluator) = (self.games_path(), &self.plan.play, &champion.evaluator);
        let job = SelfPlay { path: &path, settings, evaluator, goal, threads: run.threads };
        let progress = job.run(run.stop, &mut *run.reporter.self_play(goal))?;
        if !progress.is_complete {
            return Err(Failure::Stopped);
        }
        let (games, positions) = (progress.done.games, progress.done.positions);
        Ok(Generated { games, positions, seconds: progress.time.as_secs_f64() })
    }

    fn train(&self, champion: &Champion, run: &Running) -> Result<Trained, Failure> {
        let begun = Instant::now();
        let (out, checkpoint) = (self.network_path(), self.folder.join("checkpoint"));
        // A network without a note of it: the program was killed between the two. Its checkpoint makes it again at
        // once.
        if fs::remove_file(&out).is_ok() {
            tracing::warn!(file = %out.display(), "a network that was not noted is trained again");
        }
        let TrainingOptions { recipe, device, threads } = TrainingOptions::read(&self.plan.train)?;
        let mut data: Vec<PathBuf> = self.plan.data.iter().map(PathBuf::from).collect();
        data.extend(self.steps.generated.is_some().then(|| self.games_path()));
        let network = champion.evaluator.network();
        let champion_floats = match (&recipe.from, network) {
            (StartingWeights::Champion, None) => {
                return Err(Failure::Usage("the champion has no network to go on from".to_owned()));
            }
            (StartingWeights::Champion, Some(network)) => Some(champion.floats(network)?),
            _ => None,
        };
        let training = Training {
            recipe: &recipe,
            champion: champion_floats.as_ref(),
            reference: network.map(|network| &**network),
            data: &data,
            out: &out,
            checkpoint: Some(&checkpoint),
            // A training that begins with another network cannot be taken up, and begins anew.
            resumes: checkpoint.exists() && recipe.from == StartingWeights::Random,
            device,
            threads,
            stop: run.stop,
        };
        let report = match training.run(&mut *run.reporter.training()) {
            Ok(report) => serde_json::to_value(&report)?,
            Err(_) if run.stop.load(Ordering::Relaxed) => return Err(Failure::Stopped),
            Err(failure) => return Err(failure),
        };
        let network = self.network()?;
        Ok(Trained {
            architecture: network.architecture().to_string(),
            checksum: checksum(&network),
            command: training.command(),
            report,
            seconds: begun.elapsed().as_secs_f64(),
        })
    }

    fn network(&self) -> Result<Arc<Network>, Failure> {
        Ok(minds::cached_network(&self.network_path())?)
    }

    /// Reads the network from its file, and checks that every implementation evaluates it alike.
    fn verify(&self) -> Result<(), Failure> {
        let network = self.network()?;
        if self.steps.trained.as_ref().is_some_and(|trained| trained.checksum != checksum(&network)) {
            return Err(anyhow!("{} is not the network that was trained", self.network_path().display()).into());
        }
        train::verify(&network, VERIFIED)?;
        Ok(nnue::verify(&network, 1, VERIFIED, |_, _| ())?)
    }
}
