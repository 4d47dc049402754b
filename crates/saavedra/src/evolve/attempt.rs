//! One attempt: games, a network learned from them, and matches that decide whether it is better.
//!
//! An attempt has a folder. `attempt.json` says what it is and is written first; `steps.json` says what is done and is
//! written after each step. Whatever a step leaves when it is killed, the step itself can go on with.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow};
use arena::event::Difference;
use arena::selfplay::{Goal, SelfPlay, Settings};
use clap::Parser;
use nnue::Network;
use search::AnyEvaluator;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use train::{VERIFIED, write_whole};

use super::contest::{self, Contest, Outcome};
use crate::datagen;
use crate::failure::Failure;
use crate::train as training;

/// What an attempt is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    /// Whom the network is to beat: the fingerprint of its network.
    pub(super) champion: String,
    /// How many new positions are played.
    pub(super) positions: u64,
    /// How they are played.
    pub(super) play: Settings,
    /// Files to learn from, besides the new games.
    pub(super) data: Vec<String>,
    /// The options of the training.
    pub(super) train: String,
    /// How the network is tried.
    pub(super) contest: Contest,
}

/// What is done of an attempt.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(super) struct Steps {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) generated: Option<Generated>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trained: Option<Trained>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) matched: Option<Outcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tested: Option<Outcome>,
}

/// Games that were played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Generated {
    pub(super) games: u64,
    pub(super) positions: u64,
    pub(super) seconds: f64,
}

/// A network that was trained.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Trained {
    pub(super) architecture: String,
    pub(super) checksum: String,
    /// The command that would do the same.
    pub(super) command: String,
    /// What the training told: samples, losses, device.
    pub(super) report: Value,
    pub(super) seconds: f64,
}

impl Steps {
    /// How long all steps took, as far as they were not interrupted.
    pub(super) fn seconds(&self) -> f64 {
        let contests = [&self.matched, &self.tested].into_iter().flatten().map(|outcome| outcome.seconds);
        let others = [self.generated.as_ref().map(|step| step.seconds), self.trained.as_ref().map(|step| step.seconds)];
        contests.chain(others.into_iter().flatten()).sum()
    }
}

/// Why an attempt did not come to its end.
pub(super) enum Break {
    /// Somebody wanted it so.
    Stopped,
    /// Something went wrong.
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Break {
    fn from(error: E) -> Break {
        Break::Failed(error.into())
    }
}

/// The champion, as an attempt needs it.
pub(super) struct Champion {
    pub(super) evaluator: AnyEvaluator,
    /// Its network as a setting of the mind that plays with it, if it is not what is compiled in.
    pub(super) net: Option<String>,
}

/// An attempt and its folder.
pub(super) struct Attempt {
    folder: PathBuf,
    pub(super) plan: Plan,
    pub(super) steps: Steps,
}

/// The training as a command line.
#[derive(Parser)]
#[command(name = "saavedra train")]
struct TrainingLine {
    #[command(flatten)]
    arguments: training::Arguments,
}

impl Attempt {
    /// Begins an attempt, or goes on with one that was begun in the same way.
    pub(super) fn open(folder: PathBuf, plan: Plan) -> Result<Attempt, Failure> {
        let path = folder.join("attempt.json");
        if path.exists() {
            let begun: Plan = read_json(&path)?;
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
    pub(super) fn read(folder: PathBuf) -> Result<Attempt, Failure> {
        let plan = read_json(&folder.join("attempt.json"))?;
        let steps = folder.join("steps.json");
        let steps = if steps.exists() { read_json(&steps)? } else { Steps::default() };
        Ok(Attempt { folder, plan, steps })
    }

    pub(super) fn network_path(&self) -> PathBuf {
        self.folder.join("net.nnue")
    }

    fn games_path(&self) -> PathBuf {
        self.folder.join("games.svd")
    }

    /// Takes all steps that are not done; quietly, if somebody wants to read nothing but what comes of them.
    pub(super) fn run(
        &mut self,
        champion: &Champion,
        threads: usize,
        is_quiet: bool,
        stop: &Arc<AtomicBool>,
    ) -> Result<(), Break> {
        if self.steps.generated.is_none() && self.plan.positions > 0 {
            self.steps.generated = Some(self.generate(champion, threads, stop)?);
            self.note()?;
        }
        if self.steps.trained.is_none() {
            self.steps.trained = Some(self.train(champion, is_quiet, stop)?);
            self.note()?;
        }
        self.verify()?;
        let path = self.network_path().display().to_string();
        let players = contest::players(&path, champion, &self.plan.contest)?;
        if self.steps.matched.is_none() && self.plan.contest.games > 0 {
            let journal = self.folder.join("match.journal");
            self.steps.matched = Some(self.plan.contest.play_match(&players, &journal, threads, stop)?);
            self.note()?;
        }
        if self.steps.tested.is_none() && self.plan.contest.sprt_games > 0 {
            let journal = self.folder.join("sprt.journal");
            self.steps.tested = Some(self.plan.contest.play_test(&players, &journal, threads, stop)?);
            self.note()?;
        }
        Ok(())
    }

    fn note(&self) -> Result<(), Failure> {
        write_json(&self.folder.join("steps.json"), &self.steps)
    }

    fn generate(&self, champion: &Champion, threads: usize, stop: &AtomicBool) -> Result<Generated, Break> {
        let goal = Goal::Positions(self.plan.positions);
        let (path, settings, evaluator) = (self.games_path(), &self.plan.play, &champion.evaluator);
        let job = SelfPlay { path: &path, settings, evaluator, goal, threads };
        let progress = job.run(stop, &mut datagen::show(goal)).map_err(anyhow::Error::from)?;
        if !progress.is_complete {
            return Err(Break::Stopped);
        }
        let (games, positions) = (progress.done.games, progress.done.positions);
        Ok(Generated { games, positions, seconds: progress.time.as_secs_f64() })
    }

    fn train(&self, champion: &Champion, is_quiet: bool, stop: &AtomicBool) -> Result<Trained, Break> {
        let begun = Instant::now();
        let (out, checkpoint) = (self.network_path(), self.folder.join("checkpoint"));
        // A network without a note of it: the program was killed between the two. Its checkpoint makes it again at once.
        let _ = fs::remove_file(&out);
        let mut words = vec!["saavedra train".to_owned()];
        words.extend(self.plan.data.iter().cloned());
        words.extend(self.steps.generated.is_some().then(|| self.games_path().display().to_string()));
        for word in self.plan.train.split_whitespace() {
            words.push(match (word, &champion.net) {
                ("champion", Some(net)) => net.clone(),
                ("champion", None) => {
                    return Err(Failure::Usage("the champion has no file to go on from".to_owned()).into());
                }
                _ => word.to_owned(),
            });
        }
        let files = [("--out", &out), ("--checkpoint", &checkpoint)];
        words.extend(files.into_iter().flat_map(|(name, path)| [name.to_owned(), path.display().to_string()]));
        let command = words.join(" ");
        // A training that begins with another network cannot be taken up, and begins anew.
        let starts_from_network = words.iter().any(|word| word.starts_with("--from"));
        if checkpoint.exists() && !starts_from_network {
            words.push("--resume".to_owned());
        }
        let mut arguments = parse_training(words.iter().map(String::as_str))?;
        arguments.json = is_quiet;
        let report = match arguments.train(&out) {
            Ok(report) => serde_json::to_value(&report).map_err(Failure::from)?,
            Err(_) if stop.load(Ordering::Relaxed) => return Err(Break::Stopped),
            Err(failure) => return Err(Break::Failed(failure)),
        };
        let network = self.network()?;
        Ok(Trained {
            architecture: network.architecture().to_string(),
            checksum: format!("{:016x}", nnue::checksum(&network.write())),
            command,
            report,
            seconds: begun.elapsed().as_secs_f64(),
        })
    }

    fn network(&self) -> Result<Network, Failure> {
        Ok(engine::load_network(&self.network_path()).map_err(anyhow::Error::from)?)
    }

    /// Reads the network from its file, and has all who can evaluate it agree.
    fn verify(&self) -> Result<(), Failure> {
        let network = self.network()?;
        let checksum = format!("{:016x}", nnue::checksum(&network.write()));
        if self.steps.trained.as_ref().is_some_and(|trained| trained.checksum != checksum) {
            return Err(anyhow!("{} is not the network that was trained", self.network_path().display()).into());
        }
        train::verify(&network, VERIFIED).map_err(anyhow::Error::from)?;
        Ok(nnue::verify(&Arc::new(network), 1, VERIFIED, |_, _| ()).map_err(anyhow::Error::from)?)
    }
}

/// Reads the command line of a training.
pub(super) fn parse_training<'a>(words: impl Iterator<Item = &'a str>) -> Result<training::Arguments, Failure> {
    match TrainingLine::try_parse_from(words) {
        Ok(line) => Ok(line.arguments),
        Err(error) => Err(match Failure::from_clap(error) {
            Err(Failure::Usage(message)) => Failure::Usage(format!("--train: {message}")),
            Err(failure) => failure,
            Ok(()) => Failure::Usage("--train: expected options of saavedra train".to_owned()),
        }),
    }
}

fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Failure> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(serde_json::from_slice(&bytes).with_context(|| format!("cannot read {}", path.display()))?)
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    Ok(write_whole(path, &text).with_context(|| format!("cannot write {}", path.display()))?)
}
