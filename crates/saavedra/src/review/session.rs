//! A run through the games: read one after the other, reviewed side by side, told and written in their order.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::anyhow;
use records::pgn::{self, GameTree};
use records::source::Source;
use review::{GameDigest, annotate, is_reviewed};

use super::journal::{GameRecord, Journal};
use super::puzzles::PuzzleRecord;
use super::results::Results;
use super::summary::Summary;
use super::worker_pool::{Job, Message, Reviewed, ReviewerOptions, WorkerPool};
use super::{Arguments, input, print};
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::counted;
use crate::progress::Bar;

/// How many games are read ahead for each thread, at most: one that takes long holds back those behind it.
const AHEAD: usize = 4;

/// A run through the games.
pub(super) struct Session<'a> {
    arguments: &'a Arguments,
    results: Results<'a>,
    journal: Option<Journal>,
    /// Without a journal.
    summary: Option<Summary>,
    stop: Arc<AtomicBool>,
    bar: Bar,
    /// The games that were read and are not written yet, in their order; the first has this number.
    queue: VecDeque<State>,
    first: usize,
    /// How far those have come that are being reviewed.
    running: BTreeMap<usize, [usize; 2]>,
    reviewed: usize,
    /// Games that had been reviewed before, or have no moves.
    unchanged: usize,
    spoiled: usize,
}

/// A game that is not written yet.
enum State {
    Waiting(GameTree),
    Running,
    Reviewed(Box<Reviewed>),
    /// There was nothing to do.
    Unchanged(GameTree),
    /// An earlier run had reviewed it, and it is in the journal.
    TakenOver,
    /// The run was stopped before it was reviewed.
    Stopped,
}

/// The games of all files.
struct Games<'f> {
    files: std::slice::Iter<'f, PathBuf>,
    open: Option<(String, pgn::Games<Source>)>,
}

impl<'a> Session<'a> {
    pub(super) fn new(arguments: &'a Arguments) -> Result<Session<'a>, Failure> {
        let results = Results::new(arguments)?;
        let journal = results.first_file().map(|path| Journal::beside(path, arguments)).transpose()?;
        let summary = arguments.player.as_deref().filter(|_| journal.is_none()).map(Summary::new);
        Ok(Session {
            arguments,
            results,
            journal,
            summary,
            stop: interrupt::flag(),
            bar: Bar::new("{bar:30} {pos}/{len} {wide_msg}"),
            queue: VecDeque::new(),
            first: 1,
            running: BTreeMap::new(),
            reviewed: 0,
            unchanged: 0,
            spoiled: 0,
        })
    }

    /// Reviews the games of all files.
    pub(super) fn run(mut self, files: &[PathBuf], options: &ReviewerOptions) -> Result<(), Failure> {
        let threads = usize::from(self.arguments.threads);
        let mut games = Games { files: files.iter(), open: None };
        while self.waiting() < threads && self.read(&mut games)? {}
        let stop = Arc::clone(&self.stop);
        thread::scope(|scope| {
            let pool = WorkerPool::start(scope, options, self.waiting(), threads, &stop)?;
            let outcome = self.work(&mut games, &pool);
            // If nothing can be written, nothing more need be reviewed.
            stop.fetch_or(outcome.is_err(), Ordering::Relaxed);
            outcome
        })?;
        self.finish(&files[0])
    }

    fn work(&mut self, games: &mut Games<'_>, pool: &WorkerPool) -> Result<(), Failure> {
        loop {
            self.write_what_is_done()?;
            while self.running.len() < pool.size && self.give(pool, games)? {}
            if self.running.is_empty() {
                return self.write_what_is_done();
            }
            match pool.messages.recv().unwrap_or(Message::Panicked) {
                Message::Progress(number, progress) => self.running.insert(number, progress),
                Message::Done(number, done) => {
                    self.queue[number - self.first] = done.map_or(State::Stopped, State::Reviewed);
                    self.running.remove(&number)
                }
                Message::Panicked => return Err(Failure::Failed(anyhow!("a thread has failed"))),
            };
            self.show_progress();
        }
    }

    /// Hands the next game to the pool, if there is one.
    fn give(&mut self, pool: &WorkerPool, games: &mut Games<'_>) -> Result<bool, Failure> {
        while self.waiting() == 0 {
            if self.queue.len() >= AHEAD * pool.size || !self.read(games)? {
                return Ok(false);
            }
            self.write_what_is_done()?;
        }
        if self.is_stopped() {
            return Ok(false);
        }
        let next = self.queue.iter_mut().enumerate().find(|(_, state)| matches!(state, State::Waiting(_)));
        if let Some((index, state)) = next
            && let State::Waiting(tree) = std::mem::replace(state, State::Running)
        {
            let number = self.first + index;
            self.running.insert(number, [0, 1]);
            pool.give(Job { number, tree });
        }
        Ok(true)
    }

    /// How many games wait for a thread.
    fn waiting(&self) -> usize {
        self.queue.iter().filter(|state| matches!(state, State::Waiting(_))).count()
    }

    /// Reads a game. A file that cannot be read to its end is named, and the next one follows.
    fn read(&mut self, games: &mut Games<'_>) -> Result<bool, Failure> {
        while !self.is_stopped() {
            let (name, stream) = match &mut games.open {
                Some(open) => open,
                None => {
                    let Some(path) = games.files.next() else { return Ok(false) };
                    games.open.insert((input::name(path), pgn::games(input::open(path)?)))
                }
            };
            match stream.next_game() {
                Ok(Some((tree, problem))) => {
                    if let Some(problem) = problem {
                        let good = match tree.mainline().count() {
                            0 => "the game is skipped",
                            _ => "the moves before it are reviewed",
                        };
                        self.complain(&format!("{name}: {problem}; {good}"))?;
                    }
                    self.add(tree);
                    return Ok(true);
                }
                Ok(None) => games.open = None,
                Err(error) => {
                    let complaint = format!("cannot read {name} any further: {error}");
                    games.open = None;
                    self.complain(&complaint)?;
                }
            }
        }
        Ok(false)
    }

    fn complain(&mut self, complaint: &str) -> Result<(), Failure> {
        self.spoiled += 1;
        Ok(self.bar.aside(|| writeln!(io::stderr(), "saavedra: {complaint}"))?)
    }

    /// Adds a game to the queue, unless an earlier run has done all that is wanted.
    fn add(&mut self, tree: GameTree) {
        // A summary and puzzles are made of reviews, and of one that is read only the words are left.
        let Arguments { again, puzzles, player, .. } = self.arguments;
        let is_wanted = tree.mainline().next().is_some()
            && (*again || puzzles.is_some() || player.is_some() || !is_reviewed(&tree));
        let is_enough = |record: &GameRecord| {
            !is_wanted
                || record.is_reviewed
                    && record.puzzles.is_some() >= puzzles.is_some()
                    && record.digest.is_some() >= player.is_some()
        };
        let is_taken_over = self.journal.as_mut().is_some_and(|journal| journal.takes_over(&tree, is_enough));
        self.queue.push_back(match is_wanted {
            _ if is_taken_over => State::TakenOver,
            true => State::Waiting(tree),
            false => State::Unchanged(tree),
        });
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn show_progress(&self) {
        let sum = |index: usize| self.running.values().map(|progress| progress[index]).sum();
        self.bar.set(sum(0), sum(1));
        let numbers: Vec<String> = self.running.keys().map(usize::to_string).collect();
        match &numbers[..] {
            [] => {}
            [number] => self.bar.say(format!("of game {number}")),
            _ => self.bar.say(format!("of games {}", numbers.join(", "))),
        }
    }

    /// Tells and writes the games at the head of the queue that are done.
    fn write_what_is_done(&mut self) -> Result<(), Failure> {
        while let Some(State::Reviewed(_) | State::Unchanged(_) | State::TakenOver) = self.queue.front() {
            let Some(state) = self.queue.pop_front() else { return Ok(()) };
            let number = self.first;
            self.first += 1;
            let record = match state {
                State::Reviewed(done) => self.tell(number, *done)?,
                State::Unchanged(tree) => {
                    self.unchanged += 1;
                    GameRecord { pgn: tree.to_string(), is_reviewed: false, puzzles: None, digest: None }
                }
                State::TakenOver | State::Waiting(_) | State::Running | State::Stopped => continue,
            };
            match &mut self.journal {
                Some(journal) => journal.add(&record)?,
                None => {
                    if let (Some(summary), Some(digest)) = (&mut self.summary, &record.digest) {
                        summary.add(digest);
                    }
                }
            }
        }
        Ok(())
    }

    /// Prints a review and writes it into the game.
    fn tell(&mut self, number: usize, done: Reviewed) -> Result<GameRecord, Failure> {
        let Reviewed { mut tree, review, puzzles } = done;
        self.reviewed += 1;
        annotate(&mut tree, &review);
        let json = self.arguments.json;
        let printed = self.bar.aside(|| print::review(&mut io::stdout().lock(), number, &tree, &review, json));
        match printed {
            // The reader of the output is gone, but the files are still wanted.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.journal.is_some() => {}
            printed => printed?,
        }
        let puzzles = puzzles.iter().map(|puzzle| PuzzleRecord::new(&tree, &review, puzzle)).collect();
        Ok(GameRecord {
            pgn: tree.to_string(),
            is_reviewed: true,
            puzzles: self.arguments.puzzles.as_ref().map(|_| puzzles),
            digest: self.arguments.player.as_ref().map(|_| GameDigest::new(&tree, &review)),
        })
    }

    fn finish(self, first: &Path) -> Result<(), Failure> {
        let is_stopped = self.is_stopped();
        drop(self.bar);
        if is_stopped {
            let done = format!("stopped after {}", counted(self.reviewed as u64, "game"));
            return Err(Failure::Failed(match &self.journal {
                Some(journal) => {
                    let path = journal.path().display();
                    anyhow!("{done}; they are kept in {path}: run the same command again to continue")
                }
                None => anyhow!("{done}"),
            }));
        }
        match self.journal {
            Some(journal) if self.first == 1 => journal.remove()?,
            Some(mut journal) => {
                if self.spoiled > 0 {
                    self.results.keep_what_was_not_read()?;
                }
                self.results.write(&mut journal)?;
                journal.remove()?;
            }
            None => {
                if let Some(summary) = &self.summary {
                    self.results.write_summary(summary)?;
                }
            }
        }
        if self.first == 1 {
            return Err(Failure::Failed(anyhow!("{} holds no game", input::name(first))));
        }
        if self.reviewed == 0 && self.unchanged > 0 && self.spoiled == 0 {
            let games = if self.unchanged == 1 { "the game was" } else { "all games were" };
            let _ = writeln!(
                io::stderr(),
                "saavedra: {games} reviewed before, or without moves: nothing was done (--again reviews them again)"
            );
        }
        if self.spoiled > 0 { Err(Failure::Told) } else { Ok(()) }
    }
}
