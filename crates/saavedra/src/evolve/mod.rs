//! `saavedra evolve`: play, learn, and keep what is stronger, again and again.

mod attempt;
mod contest;
mod gpu;
mod ledger;
mod report;

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use arena::event::core_count;
use arena::selfplay::fingerprint;
use clap::Args;
use minds::Judge;
use search::AnyEvaluator;

use crate::datagen::{Play, parse_judge};
use crate::failure::Failure;
use crate::interrupt;
use attempt::{Attempt, Break, Champion, Plan};
use contest::Contest;
use ledger::{Entry, Ledger, Verdict};

const HELP: &str = "\
An attempt plays games with the champion's network, trains a new one on them, checks that the engine reads it as the trainer does, measures it in a
match at a fixed number of positions, and promotes it if a sequential test finds it stronger. The folder holds everything: an attempt's games,
network, checkpoint and journals in a folder of its own, the ledger of all attempts, and the champion. The same command goes on where it was stopped.
Exit code 0: the attempts were made, whatever became of them; 1: it failed, or was stopped; 2: wrong usage.
Examples: saavedra evolve nets --positions 10000000 --train \"--width 256 --epochs 8\"
          saavedra evolve nets --attempts 5 --nodes 1000 --train \"--from champion --epochs 3 --rate 1e-4\"
          saavedra evolve nets --gpu --minutes 60 --nodes 1000 --positions 5e7
          saavedra evolve nets --report > ledger.md
          saavedra evolve nets --report --json | jq .verdict";

/// Play, train, and promote what is stronger: the whole loop, with a ledger.
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The folder of the run, which is made if there is none.
    folder: PathBuf,
    /// How many attempts there are to be in the end; left out, one more, or the one that was begun.
    #[arg(long, value_name = "N", conflicts_with = "gpu")]
    attempts: Option<u32>,
    /// How many positions each attempt plays, such as 5e7; with 0 it learns from --data alone, or on a GPU from --samples. Left out, 10
    /// million, or 50 on a GPU.
    #[arg(long, value_name = "N", value_parser = parse_positions)]
    positions: Option<u64>,
    /// From how many attempts before the games are learned from again.
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "gpu")]
    reuse: u32,
    /// Further files of packed games to learn from.
    #[arg(long, value_name = "FILE", conflicts_with = "gpu")]
    data: Vec<PathBuf>,
    #[command(flatten)]
    play: Play,
    /// Options for saavedra train, in quotes; the word champion stands for its file.
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true, conflicts_with = "gpu")]
    train: String,
    /// Games of the match that measures a network.
    #[arg(long, value_name = "N", default_value_t = 400, conflicts_with = "gpu")]
    games: u64,
    /// The most games of the test that decides; without any, the match decides.
    #[arg(long, value_name = "N", default_value_t = 4000, conflicts_with = "gpu")]
    sprt_games: u64,
    /// The hypotheses of the test, in Elo.
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10", value_parser = parse_hypotheses, allow_hyphen_values = true, conflicts_with = "gpu")]
    sprt: (f64, f64),
    /// Positions for a move in matches.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "gpu")]
    match_nodes: u64,
    /// Positions or games to start matches from; without it, they start with eight random moves.
    #[arg(long, value_name = "FILE", conflicts_with = "gpu")]
    book: Option<PathBuf>,
    /// The network to begin with, or none for piece-square tables; left out, what is compiled in.
    #[arg(long, value_name = "FILE", value_parser = parse_judge)]
    first: Option<Judge>,
    /// How many games to play at once, if not one on each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "gpu")]
    threads: Option<u16>,
    /// Give up the attempt that was begun, with a line in the ledger. Its games stay, to be learned from.
    #[arg(long, conflicts_with = "gpu")]
    abandon: bool,
    /// Print the ledger as a table, draw it into ledger.svg in the folder, and do nothing else.
    #[arg(long)]
    report: bool,
    /// Print a line of JSON for each attempt, as it is in the ledger, and nothing else.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    gpu: gpu::Options,
}

/// How many positions an attempt plays if nothing is said.
const POSITIONS: u64 = 10_000_000;

fn parse_positions(text: &str) -> Result<u64, String> {
    let whole = |number: f64| ((0.0..1e15).contains(&number) && number.fract() == 0.0).then_some(number as u64);
    let number = text.parse().ok().or_else(|| text.parse().ok().and_then(whole));
    number.ok_or_else(|| "expected a number of positions, such as 5e7".to_owned())
}

fn parse_hypotheses(text: &str) -> Result<(f64, f64), String> {
    let read = |text: &str| text.trim().parse::<f64>().ok();
    let hypotheses = text.split_once(',').and_then(|(elo0, elo1)| read(elo0).zip(read(elo1)));
    hypotheses.ok_or_else(|| "expected two numbers of Elo, like 0,10".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.report {
        return report::print(&Ledger::open(&arguments.folder)?, &arguments.folder, arguments.json);
    }
    let folder = arguments.prepare()?;
    let _lock = lock(&folder)?;
    let mut ledger = Ledger::open(&folder)?;
    if arguments.abandon {
        return arguments.abandon(&folder, &mut ledger);
    }
    if arguments.gpu.gpu {
        return gpu::run(arguments, &folder, ledger);
    }
    let stop = interrupt::flag();
    let goal = arguments.attempts.unwrap_or(ledger.concluded() + 1);
    while ledger.concluded() < goal {
        arguments.attempt(&folder, &mut ledger, &stop)?;
    }
    keep_champion(&folder, &ledger)
}

/// Sees to it that nobody else works in the folder.
fn lock(folder: &Path) -> Result<File, Failure> {
    let path = folder.join("lock");
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(anyhow!("another program evolves in {}", folder.display()).into()),
        Err(TryLockError::Error(_)) | Ok(()) => Ok(file),
    }
}

/// The network of an attempt.
fn network_path(folder: &Path, entry: &Entry) -> PathBuf {
    match entry.gpu {
        Some(_) => folder.join(format!("{:03}.nnue", entry.attempt)),
        None => attempt_folder(folder, entry.attempt).join("net.nnue"),
    }
}

fn attempt_folder(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:03}"))
}

/// The champion under a name that does not change, for whoever wants to play with it.
fn keep_champion(folder: &Path, ledger: &Ledger) -> Result<(), Failure> {
    let Some(entry) = ledger.champion() else { return Ok(()) };
    let source = network_path(folder, entry);
    let bytes = fs::read(&source).with_context(|| format!("cannot read {}", source.display()))?;
    let path = folder.join("champion.nnue");
    Ok(train::write_whole(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?)
}

impl Arguments {
    /// Makes the folder, and looks for what cannot go well.
    fn prepare(&self) -> Result<PathBuf, Failure> {
        let folder = std::path::absolute(&self.folder).context("cannot find the folder")?;
        if folder.display().to_string().contains(',') {
            return Err(Failure::Usage(format!("{}: the folder's path cannot hold a comma", folder.display())));
        }
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        if self.positions == Some(0) && self.data.is_empty() && !self.gpu.gpu {
            return Err(Failure::Usage("without --positions there must be --data to learn from".to_owned()));
        }
        if self.games == 0 && self.sprt_games == 0 {
            return Err(Failure::Usage("without any games nothing can be decided".to_owned()));
        }
        if let Some(word) = ["--out", "--checkpoint", "--resume", "--json", "--check"]
            .iter()
            .find(|&&word| self.train.split_whitespace().any(|given| given.split('=').next() == Some(word)))
        {
            return Err(Failure::Usage(format!("--train: {word} is ours to give")));
        }
        // A slip is better told before hours of games than after them.
        let words = ["saavedra train", "games", "--out", "network"].into_iter().chain(self.train.split_whitespace());
        attempt::parse_training(words)?;
        Ok(folder)
    }

    /// Makes one attempt, or goes on with it, and writes down what came of it.
    fn attempt(&self, folder: &Path, ledger: &mut Ledger, stop: &Arc<AtomicBool>) -> Result<(), Failure> {
        let number = ledger.concluded() + 1;
        let champion = self.champion(folder, ledger)?;
        let plan = self.plan(folder, number, &champion)?;
        let mut attempt = Attempt::open(attempt_folder(folder, number), plan)?;
        let threads = self.threads.map_or_else(core_count, usize::from);
        match attempt.run(&champion, threads, self.json, stop) {
            Ok(()) => {
                let (verdict, reason) = judge(&attempt);
                ledger.append(entry(number, verdict, reason, attempt))?;
                keep_champion(folder, ledger)?;
                report::tell(ledger.entries.last(), self.json)
            }
            Err(Break::Stopped) => {
                Err(Failure::Failed(anyhow!("stopped in attempt {number}; the same command goes on")))
            }
            Err(Break::Failed(failure)) => {
                ledger.append(entry(number, Verdict::Failed, Some(failure.message()), attempt))?;
                Err(failure)
            }
        }
    }

    fn champion(&self, folder: &Path, ledger: &Ledger) -> Result<Champion, Failure> {
        let judge = match ledger.champion() {
            Some(entry) => Some(Judge::File(network_path(folder, entry).display().to_string())),
            None => self.first.clone(),
        };
        let evaluator = match &judge {
            Some(judge) => judge.evaluator().map_err(anyhow::Error::from)?,
            None => AnyEvaluator::default(),
        };
        Ok(Champion { evaluator, net: judge.map(|judge| judge.to_string()) })
    }

    fn plan(&self, folder: &Path, number: u32, champion: &Champion) -> Result<Plan, Failure> {
        let mut play = self.play.settings();
        // Every attempt draws its own lots.
        play.seed = play.seed.wrapping_add(u64::from(number) - 1);
        let text = |path: &Path| -> Result<String, Failure> {
            let path = std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?;
            Ok(path.display().to_string())
        };
        let before = (1..number).rev().take(self.reuse as usize).map(|number| attempt_folder(folder, number));
        let games = before.map(|folder| folder.join("games.svd")).filter(|path| path.exists());
        let mut data = games.map(|path| text(&path)).collect::<Result<Vec<_>, _>>()?;
        data.reverse();
        for path in &self.data {
            data.push(text(path)?);
        }
        let contest = Contest {
            games: self.games,
            sprt_games: self.sprt_games,
            nodes: self.match_nodes,
            elo0: self.sprt.0,
            elo1: self.sprt.1,
            seed: play.seed,
            book: self.book.as_deref().map(text).transpose()?,
        };
        contest.sprt()?;
        let (positions, train) = (self.positions.unwrap_or(POSITIONS), self.train.clone());
        Ok(Plan { champion: fingerprint(&champion.evaluator), positions, play, data, train, contest })
    }

    fn abandon(&self, folder: &Path, ledger: &mut Ledger) -> Result<(), Failure> {
        let number = ledger.concluded() + 1;
        let folder = attempt_folder(folder, number);
        if !folder.join("attempt.json").exists() {
            return Err(Failure::Usage("no attempt was begun that could be abandoned".to_owned()));
        }
        let attempt = Attempt::read(folder)?;
        ledger.append(entry(number, Verdict::Abandoned, None, attempt))
    }
}

/// What the games say of a network.
fn judge(attempt: &Attempt) -> (Verdict, Option<String>) {
    let verdict = |is_stronger| if is_stronger { Verdict::Promoted } else { Verdict::Rejected };
    match (&attempt.steps.tested, &attempt.steps.matched) {
        (Some(test), _) => match test.is_stronger {
            Some(is_stronger) => (verdict(is_stronger), None),
            None => (Verdict::Rejected, Some(format!("the test is undecided after {} games", test.games))),
        },
        (None, matched) => (verdict(matched.as_ref().is_some_and(contest::Outcome::is_clear_win)), None),
    }
}

fn entry(attempt: u32, verdict: Verdict, reason: Option<String>, done: Attempt) -> Entry {
    Entry { attempt, verdict, reason, plan: done.plan, steps: done.steps, gpu: None, time: now(), command: command() }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The command that is running.
fn command() -> String {
    std::env::args().collect::<Vec<_>>().join(" ")
}
