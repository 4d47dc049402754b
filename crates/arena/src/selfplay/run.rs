//! Many games at once into one file, in the order of their numbers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use records::packed::{Counts, PackedError, PackedGame, Writer};
use records::write_atomically;
use search::{AnyEvaluator, Searcher};
use serde::{Deserialize, Serialize};

use super::{SelfPlayError, SelfPlaySettings, SelfPlayUnit, fingerprint};
use crate::event::difference;
use crate::queue::{Queue, Report, ThreadQueue, Unit};

/// When there are enough games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// After so many games.
    Games(u64),
    /// After the game that brings so many positions.
    Positions(u64),
}

impl Goal {
    fn is_reached(self, counts: Counts) -> bool {
        match self {
            Goal::Games(games) => counts.games >= games,
            Goal::Positions(positions) => counts.positions >= positions,
        }
    }
}

/// How far the making of games has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SelfPlayProgress {
    /// What is in the file.
    pub done: Counts,
    /// What was in the file when this run began.
    pub before: Counts,
    /// How long this run has taken.
    pub time: Duration,
    /// Whether there are enough games.
    pub is_complete: bool,
}

impl SelfPlayProgress {
    /// Positions a second in this run.
    pub fn speed(&self) -> f64 {
        (self.done.positions - self.before.positions) as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// How long it will take to reach a goal, if that can be guessed.
    pub fn left(&self, goal: Goal) -> Option<Duration> {
        let (done, before, goal) = match goal {
            Goal::Games(games) => (self.done.games, self.before.games, games),
            Goal::Positions(positions) => (self.done.positions, self.before.positions, positions),
        };
        let share = goal.saturating_sub(done) as f64 / done.checked_sub(before).filter(|&new| new > 0)? as f64;
        Duration::try_from_secs_f64(self.time.as_secs_f64() * share).ok()
    }
}

/// How the games of a file were made, written beside them.
#[derive(Serialize, Deserialize)]
struct SelfPlayRecipe {
    version: String,
    network: String,
    #[serde(flatten)]
    settings: SelfPlaySettings,
}

/// The file beside a file of games that says how they were made.
pub fn recipe_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(".json");
    PathBuf::from(name)
}

/// Writes the recipe beside a file that begins, or checks that the games in it were made by the same.
fn settle_recipe(path: &Path, settings: &SelfPlaySettings, network: String) -> Result<(), SelfPlayError> {
    let beside = recipe_path(path);
    let failed = |source: io::Error| SelfPlayError::Recipe { path: beside.clone(), source };
    let recipe = SelfPlayRecipe { version: env!("CARGO_PKG_VERSION").to_owned(), network, settings: settings.clone() };
    match fs::read(&beside) {
        Ok(bytes) => {
            let before: SelfPlayRecipe = serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))?;
            match difference(&before, &recipe) {
                Some(difference) => Err(SelfPlayError::OtherSettings { path: path.to_owned(), difference }),
                None => Ok(()),
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0) {
                return Err(SelfPlayError::NoRecipe { path: beside });
            }
            let mut text = serde_json::to_vec_pretty(&recipe).map_err(|error| failed(error.into()))?;
            text.push(b'\n');
            write_atomically(&beside, text).map_err(failed)
        }
        Err(error) => Err(failed(error)),
    }
}

/// How many units may be finished for each one that the queue takes, before the one that is to be written next.
const LOOK_AHEAD: u64 = 64;
/// How many games a thread may have at once, so that it need not wait while games are written.
const GAMES_OF_A_THREAD: usize = 2;
/// How often progress is reported and the flag to stop is read.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);
/// How often games are put on the disk, even if a block is not full.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);

/// A file of games to be made.
pub struct SelfPlay<'a> {
    /// The file. What is in it already is continued.
    pub path: &'a Path,
    /// What decides the games, besides their numbers.
    pub settings: &'a SelfPlaySettings,
    /// The evaluation.
    pub evaluator: &'a AnyEvaluator,
    /// How many games are enough.
    pub goal: Goal,
    /// How many games are played at once, which changes nothing but the time it takes.
    pub threads: usize,
}

impl SelfPlay<'_> {
    /// Makes games on threads of this process until there are enough in the file, or until the flag is set. Only whole
    /// games are written.
    pub fn run(
        &self,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&SelfPlayProgress),
    ) -> Result<SelfPlayProgress, SelfPlayError> {
        let mut searchers = Vec::new();
        for _ in 0..self.threads.max(1) {
            let mut searcher = Searcher::new(self.evaluator.clone());
            searcher.set_hash(self.settings.hash).map_err(|_| SelfPlayError::OutOfMemory(self.settings.hash))?;
            searchers.push(searcher);
        }
        let is_over = AtomicBool::new(false);
        let is_stopped = || stop.load(Ordering::Relaxed) || is_over.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let makers = searchers.iter_mut().map(|searcher| {
                move || {
                    move |unit: SelfPlayUnit| match unit.play(searcher, &is_stopped) {
                        Some(games) => Report::Done { number: unit.number(), outcome: games },
                        None => Report::Dropped(unit),
                    }
                }
            });
            let mut queue = ThreadQueue::start(scope, GAMES_OF_A_THREAD, makers);
            let result = self.run_through(&mut queue, stop, watch);
            is_over.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Makes games through any queue.
    pub fn run_through(
        &self,
        queue: &mut dyn Queue<SelfPlayUnit>,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&SelfPlayProgress),
    ) -> Result<SelfPlayProgress, SelfPlayError> {
        let SelfPlay { path, settings, evaluator, goal, .. } = *self;
        let failed = |source: PackedError| SelfPlayError::File { path: path.to_owned(), source };
        let network = fingerprint(evaluator);
        settle_recipe(path, settings, network.clone())?;
        let (writer, before) = Writer::resume(path).map_err(failed)?;
        let mut output = OrderedWriter { path, writer, counts: before, waiting: BTreeMap::new(), goal };
        let units = Units {
            settings,
            network,
            games: queue.games_per_unit(),
            look_ahead: LOOK_AHEAD * queue.games_per_unit() * queue.room().max(1) as u64,
            next: before.games,
            last: match goal {
                Goal::Games(games) => games,
                Goal::Positions(_) => u64::MAX,
            },
        };
        let started = Instant::now();
        let progress = |counts: Counts| SelfPlayProgress {
            done: counts,
            before,
            time: started.elapsed(),
            is_complete: goal.is_reached(counts),
        };
        let written = output.write_all(queue, units, stop, &mut |counts| watch(&progress(counts)));
        // Nothing is needed of what others still play.
        queue.recall();
        let saved = output.writer.save();
        written?;
        saved.map_err(|error| failed(error.into()))?;
        Ok(progress(output.counts))
    }
}

/// The units that are still to be given out.
struct Units<'a> {
    settings: &'a SelfPlaySettings,
    network: String,
    /// How many games each holds.
    games: u64,
    /// How many games may be given out beyond those that are written.
    look_ahead: u64,
    next: u64,
    /// Games from this number on are not needed, if that is known.
    last: u64,
}

impl Units<'_> {
    /// The next unit, unless those before it are too far ahead of what is written.
    fn next(&mut self, written: u64) -> Option<SelfPlayUnit> {
        let first = self.next;
        let count = self.games.min(self.last.saturating_sub(first));
        (count > 0 && first < written + self.look_ahead).then(|| {
            self.next += count;
            let (settings, network) = (self.settings.clone(), self.network.clone());
            SelfPlayUnit { first, count, settings, network }
        })
    }
}

/// Writes games in the order of their numbers.
struct OrderedWriter<'a> {
    path: &'a Path,
    writer: Writer<fs::File>,
    counts: Counts,
    /// Games that came before their turn.
    waiting: BTreeMap<u64, PackedGame>,
    goal: Goal,
}

impl OrderedWriter<'_> {
    /// Gives units out and writes games in their order, until there are enough or no more are wanted.
    fn write_all(
        &mut self,
        queue: &mut dyn Queue<SelfPlayUnit>,
        mut units: Units,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Counts),
    ) -> Result<(), SelfPlayError> {
        let (mut told, mut saved) = (Instant::now(), Instant::now());
        while !self.goal.is_reached(self.counts) && !stop.load(Ordering::Relaxed) {
            while queue.room() > 0
                && let Some(unit) = units.next(self.counts.games)
            {
                queue.push(unit);
            }
            if let Some(Report::Done { number, outcome }) = queue.next(REPORT_INTERVAL)? {
                self.waiting.extend((number..).zip(outcome).filter(|(number, _)| *number >= self.counts.games));
                self.write_ready_games().map_err(|error| self.failed(error))?;
                queue.settle(number);
            }
            if told.elapsed() >= REPORT_INTERVAL {
                watch(self.counts);
                told = Instant::now();
            }
            if saved.elapsed() >= SAVE_INTERVAL {
                self.writer.save().map_err(|error| self.failed(error.into()))?;
                saved = Instant::now();
            }
        }
        Ok(())
    }

    fn failed(&self, source: PackedError) -> SelfPlayError {
        SelfPlayError::File { path: self.path.to_owned(), source }
    }

    fn write_ready_games(&mut self) -> Result<(), PackedError> {
        while !self.goal.is_reached(self.counts) {
            let Some(game) = self.waiting.remove(&self.counts.games) else { break };
            self.writer.write(&game)?;
            self.counts.games += 1;
            self.counts.positions += game.plies().len() as u64;
        }
        Ok(())
    }
}
