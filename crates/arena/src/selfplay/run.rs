//! Many games at once into one file, in the order of their numbers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use records::packed::{Counts, PackedError, PackedGame, Writer};
use records::write_atomically;
use search::{AnyEvaluator, Searcher};
use serde::{Deserialize, Serialize};

use super::{SelfPlayError, SelfPlaySettings, fingerprint, play};
use crate::event::difference;

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

/// How many games each thread may be ahead of the game that is to be written next.
const LOOK_AHEAD: u64 = 64;
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
    /// Makes games until there are enough in the file, or until the flag is set. Only whole games are written.
    pub fn run(
        &self,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&SelfPlayProgress),
    ) -> Result<SelfPlayProgress, SelfPlayError> {
        let SelfPlay { path, settings, evaluator, goal, threads } = *self;
        let failed = |source: PackedError| SelfPlayError::File { path: path.to_owned(), source };
        let mut searchers = Vec::new();
        for _ in 0..threads.max(1) {
            let mut searcher = Searcher::new(evaluator.clone());
            searcher.set_hash(settings.hash).map_err(|_| SelfPlayError::OutOfMemory(settings.hash))?;
            searchers.push(searcher);
        }
        settle_recipe(path, settings, fingerprint(evaluator))?;
        let (writer, before) = Writer::resume(path).map_err(failed)?;
        let queue = GameQueue {
            settings,
            stop,
            is_over: AtomicBool::new(false),
            look_ahead: LOOK_AHEAD * searchers.len() as u64,
            numbers: Mutex::new(GameNumbers { next: before.games, written: before.games }),
            may_begin: Condvar::new(),
        };
        let mut output = OrderedWriter { writer, counts: before, waiting: BTreeMap::new(), goal };
        let started = Instant::now();
        let progress = |counts: Counts| SelfPlayProgress {
            done: counts,
            before,
            time: started.elapsed(),
            is_complete: goal.is_reached(counts),
        };
        let written = thread::scope(|scope| {
            let (done, finished) = mpsc::channel();
            for searcher in &mut searchers {
                let (queue, done) = (&queue, done.clone());
                scope.spawn(move || queue.work(searcher, &done));
            }
            drop(done);
            let written = output.write_down(&queue, &finished, &mut |counts| watch(&progress(counts)));
            queue.close();
            written
        });
        let saved = output.writer.save();
        written.map_err(failed)?;
        saved.map_err(|error| failed(error.into()))?;
        Ok(progress(output.counts))
    }
}

/// The games to be played, shared by the threads that play them.
struct GameQueue<'a> {
    settings: &'a SelfPlaySettings,
    stop: &'a AtomicBool,
    /// No other game is needed.
    is_over: AtomicBool,
    look_ahead: u64,
    numbers: Mutex<GameNumbers>,
    /// Another game may begin.
    may_begin: Condvar,
}

/// Which games are given out, and which are written.
struct GameNumbers {
    next: u64,
    written: u64,
}

/// Closes the queue if the thread that holds it fails, so that no thread waits for its game.
struct CloseOnPanic<'a>(&'a GameQueue<'a>);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
}

impl GameQueue<'_> {
    fn is_closed(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.is_over.load(Ordering::Relaxed)
    }

    fn close(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.may_begin.notify_all();
    }

    fn work(&self, searcher: &mut Searcher<AnyEvaluator>, done: &Sender<(u64, PackedGame)>) {
        let _close_on_panic = CloseOnPanic(self);
        while let Some(number) = self.next_number() {
            let Some(game) = play(self.settings, number, searcher, &|| self.is_closed()) else { break };
            if done.send((number, game)).is_err() {
                break;
            }
        }
    }

    /// The next game to play. A thread that is too far ahead waits for the others.
    fn next_number(&self) -> Option<u64> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_closed() {
            if numbers.next < numbers.written + self.look_ahead {
                numbers.next += 1;
                return Some(numbers.next - 1);
            }
            numbers = self.may_begin.wait_timeout(numbers, REPORT_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }

    fn note_written(&self, games: u64) {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).written = games;
        self.may_begin.notify_all();
    }
}

/// Writes games in the order of their numbers.
struct OrderedWriter {
    writer: Writer<fs::File>,
    counts: Counts,
    /// Games that came before their turn.
    waiting: BTreeMap<u64, PackedGame>,
    goal: Goal,
}

impl OrderedWriter {
    /// Writes games in their order, until there are enough or no more come.
    fn write_down(
        &mut self,
        queue: &GameQueue,
        finished: &Receiver<(u64, PackedGame)>,
        watch: &mut dyn FnMut(Counts),
    ) -> Result<(), PackedError> {
        let (mut told, mut saved) = (Instant::now(), Instant::now());
        while !self.goal.is_reached(self.counts) {
            match finished.recv_timeout(REPORT_INTERVAL) {
                Ok((number, game)) => {
                    self.waiting.insert(number, game);
                    self.write_ready_games()?;
                    queue.note_written(self.counts.games);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if told.elapsed() >= REPORT_INTERVAL {
                watch(self.counts);
                told = Instant::now();
            }
            if saved.elapsed() >= SAVE_INTERVAL {
                self.writer.save()?;
                saved = Instant::now();
            }
        }
        Ok(())
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
