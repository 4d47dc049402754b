//! Attempts on the CPU, one after the other: games, a training, a match, a test.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use arena::selfplay::{SelfPlaySettings, fingerprint};
use interface::parse_count;
use minds::EvaluationSpec;
use search::AnyEvaluator;
use train::Recipe;

use crate::attempt::{Attempt, Champion};
use crate::contest::Running;
use crate::{AttemptPlan, AttemptVerdict, Contest, Device, Failure, Folder, Ledger, LedgerEntry, RunReporter, clocks};

/// Options of `saavedra train` that a run gives to its trainings itself.
const OWN_OPTIONS: [&str; 5] = ["out", "checkpoint", "resume", "json", "check"];

/// How an attempt trains: the recipe, and what computes.
pub(crate) struct TrainingOptions {
    pub(crate) recipe: Recipe,
    pub(crate) device: Device,
    pub(crate) threads: Option<usize>,
}

impl TrainingOptions {
    /// Reads the words of a recipe, with `device` and `threads` among them.
    pub(crate) fn read(text: &str) -> Result<TrainingOptions, Failure> {
        let usage = |error: String| Failure::Usage(format!("--train: {error}"));
        let mut options = TrainingOptions { recipe: Recipe::default(), device: Device::default(), threads: None };
        for (key, value) in Recipe::words(text).map_err(|error| usage(error.to_string()))? {
            match &*key {
                own if OWN_OPTIONS.contains(&own) => {
                    return Err(usage(format!("--{own} is set by evolve and cannot be given here")));
                }
                "device" => options.device = value.parse().map_err(usage)?,
                "threads" => {
                    let threads = parse_count(&value, 1..=8);
                    options.threads = Some(threads.map_err(|error| usage(format!("threads: {error}")))?);
                }
                key => options.recipe.set(key, &value).map_err(|error| usage(error.to_string()))?,
            }
        }
        Ok(options)
    }
}

/// A run of attempts on the CPU.
pub struct OnCpu<'a> {
    /// The folder.
    pub folder: &'a Folder,
    /// The network to begin with; what is compiled in if none is given.
    pub first: Option<EvaluationSpec>,
    /// How many positions each attempt plays; with none it learns from the data alone.
    pub positions: u64,
    /// From how many attempts before the games are learned from again.
    pub reuse: u32,
    /// Further files of packed games to learn from.
    pub data: &'a [PathBuf],
    /// How games are played.
    pub play: SelfPlaySettings,
    /// The recipe of the trainings.
    pub train: &'a str,
    /// How networks are tried; its seed is that of `play`.
    pub contest: Contest,
    /// How many games are played at once.
    pub threads: usize,
    /// The command that is running, for the ledger.
    pub command: String,
    /// Set to stop the run.
    pub stop: &'a AtomicBool,
}

impl OnCpu<'_> {
    /// Finds what cannot go well before hours of games are played.
    pub fn check(&self) -> Result<(), Failure> {
        if self.positions == 0 && self.data.is_empty() {
            return Err(Failure::Usage("without --positions there must be --data to learn from".to_owned()));
        }
        if self.contest.games == 0 && self.contest.sprt_games == 0 {
            return Err(Failure::Usage("without any games nothing can be decided".to_owned()));
        }
        TrainingOptions::read(self.train)?;
        self.contest.sprt()?;
        Ok(())
    }

    /// Makes attempts until the ledger has so many.
    pub fn run(&self, ledger: &mut Ledger, attempts: u32, reporter: &dyn RunReporter) -> Result<(), Failure> {
        self.check()?;
        while ledger.concluded() < attempts {
            self.attempt(ledger, reporter)?;
        }
        self.folder.keep_champion(ledger)
    }

    /// Makes one attempt, or goes on with it, and writes down what came of it.
    fn attempt(&self, ledger: &mut Ledger, reporter: &dyn RunReporter) -> Result<(), Failure> {
        let number = ledger.concluded() + 1;
        let champion = self.champion(ledger)?;
        let plan = self.plan(number, &champion)?;
        let mut attempt = Attempt::open(self.folder.attempt(number), plan)?;
        let running = Running { threads: self.threads, stop: self.stop, reporter };
        match attempt.run(&champion, &running) {
            Ok(()) => {
                let (verdict, reason) = judge(&attempt);
                ledger.append(self.entry(number, verdict, reason, attempt))?;
                self.folder.keep_champion(ledger)?;
                Ok(ledger.entries.last().map_or(Ok(()), |entry| reporter.attempt(entry))?)
            }
            Err(Failure::Stopped) => {
                Err(anyhow!("interrupted in attempt {number}; run the same command to resume").into())
            }
            Err(failure) => {
                ledger.append(self.entry(number, AttemptVerdict::Failed, Some(failure.message()), attempt))?;
                Err(failure)
            }
        }
    }

    fn champion(&self, ledger: &Ledger) -> Result<Champion, Failure> {
        let judge = match ledger.champion() {
            Some(entry) => Some(EvaluationSpec::File(self.folder.network_path(entry).display().to_string())),
            None => self.first.clone(),
        };
        let evaluator = match &judge {
            Some(judge) => judge.evaluator()?,
            None => AnyEvaluator::default(),
        };
        Ok(Champion { evaluator, net: judge.map(|judge| judge.to_string()) })
    }

    fn plan(&self, number: u32, champion: &Champion) -> Result<AttemptPlan, Failure> {
        // Every attempt has a seed of its own.
        let seed = self.play.seed.wrapping_add(u64::from(number) - 1);
        let text = |path: &Path| -> Result<String, Failure> {
            let path = std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?;
            Ok(path.display().to_string())
        };
        let before = (1..number).rev().take(self.reuse as usize).map(|number| self.folder.attempt(number));
        let games = before.map(|folder| folder.join("games.svd")).filter(|path| path.exists());
        let mut data = games.map(|path| text(&path)).collect::<Result<Vec<_>, _>>()?;
        data.reverse();
        for path in self.data {
            data.push(text(path)?);
        }
        let book = self.contest.book.as_deref().map(|book| text(Path::new(book))).transpose()?;
        Ok(AttemptPlan {
            champion: fingerprint(&champion.evaluator),
            positions: self.positions,
            play: SelfPlaySettings { seed, ..self.play.clone() },
            data,
            train: self.train.to_owned(),
            contest: Contest { seed, book, ..self.contest.clone() },
        })
    }

    /// Gives up the attempt that was begun, with a line in the ledger.
    pub fn abandon(folder: &Folder, ledger: &mut Ledger, command: String) -> Result<(), Failure> {
        let number = ledger.concluded() + 1;
        let folder = folder.attempt(number);
        if !folder.join("attempt.json").exists() {
            return Err(Failure::Usage("no attempt was begun that could be abandoned".to_owned()));
        }
        let Attempt { plan, steps, .. } = Attempt::read(folder)?;
        let (verdict, time) = (AttemptVerdict::Abandoned, now());
        ledger.append(LedgerEntry { attempt: number, verdict, reason: None, plan, steps, gpu: None, time, command })
    }

    fn entry(&self, attempt: u32, verdict: AttemptVerdict, reason: Option<String>, done: Attempt) -> LedgerEntry {
        let Attempt { plan, steps, .. } = done;
        LedgerEntry { attempt, verdict, reason, plan, steps, gpu: None, time: now(), command: self.command.clone() }
    }
}

/// What the games say of a network.
fn judge(attempt: &Attempt) -> (AttemptVerdict, Option<String>) {
    match (&attempt.steps.tested, &attempt.steps.matched) {
        (Some(test), _) => clocks::verdict(test),
        (None, Some(matched)) if matched.is_clear_win() => (AttemptVerdict::Promoted, None),
        (None, _) => (AttemptVerdict::Rejected, None),
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_training_is_told_its_recipe_and_its_device_in_either_spelling() {
        for text in ["width=32 epochs=2 device=cpu threads=2", "--width 32 --epochs 2 --device cpu --threads 2"] {
            let TrainingOptions { recipe, device, threads } = TrainingOptions::read(text).expect(text);
            assert_eq!((recipe.width, recipe.settings.epochs), (Some(32), 2));
            assert_eq!((device, threads), (Device::Cpu, Some(2)));
        }
        for (text, expected) in [
            ("--out x", "--train: --out is set by evolve"),
            ("--width", "--train: width: a value is required"),
            ("device=abacus", "--train: device: expected auto, cpu or gpu"),
            ("threads=9", "--train: threads: expected a whole number from 1 to 8"),
        ] {
            let error = TrainingOptions::read(text).map(|_| ()).expect_err(text).message();
            assert!(error.contains(expected), "{error}");
        }
    }
}
