//! An event: workers play the games of a schedule, and every finished game goes into the journal at once.
//!
//! One thread, the one that calls [`Event::run`], owns the schedule, the results and the journal. Workers only play. A
//! game is either finished and written down, or it never happened: when an event is stopped, what is being played is
//! dropped, and played again when the event is taken up.

mod cores;
mod log;
mod plan;
mod trial;
mod worker;

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use minds::{Fault, Mind};
use random::Random;
use records::openings::{Opening, Openings};
use rules::{ByColor, Game, Position};
use thiserror::Error;

use crate::journal::{Journal, JournalError};
use crate::referee::{Interrupted, Terms};
use crate::schedule::{FormatError, Next, Pairing, Schedule};

pub use cores::core_count;
use log::Lengthened;
pub use log::{EventLog, Faults, GameEntry, GameId, SavedEvent};
pub use plan::{Difference, EventPlan, OpeningOrder, OpeningPlan, difference};
pub use trial::SprtTest;
use worker::{Job, Worker};

/// Is told how an event goes on. An error stops the event.
pub trait EventObserver {
    /// A game was finished and written down.
    fn finished(&mut self, log: &mut EventLog, entry: &GameEntry) -> Result<(), EventError>;

    /// Whether more games shall begin. If not, the event stops when those that have begun are over.
    fn goes_on(&self) -> bool {
        true
    }

    /// Nothing happened for a while.
    fn waits(&mut self, _chronicle: &EventLog) {}
}

/// Reports nothing.
impl EventObserver for () {
    fn finished(&mut self, _chronicle: &mut EventLog, _entry: &GameEntry) -> Result<(), EventError> {
        Ok(())
    }
}

/// How an event came to its end, for now or for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// Everything was played.
    Over,
    /// The stopping rule has decided.
    Decided,
    /// It was stopped. It can be resumed.
    Stopped,
}

/// Why an event cannot begin, or not go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EventError {
    /// There can be no such event.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A player cannot play.
    #[error("the player {name} cannot play: {fault}")]
    Participant {
        /// The player.
        name: String,
        /// What happened when it was tried.
        fault: Fault,
    },
    /// The journal belongs to another event.
    #[error("the journal is of another event: {} was {}, not {}", .0.setting, .0.was, .0.is)]
    OtherEvent(Difference),
    /// A game of the journal is not one of the event.
    #[error("the journal has a game that is not of its event: pair {pair}")]
    OtherGame {
        /// The pair, from 0.
        pair: u64,
    },
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What was to be written elsewhere cannot be written.
    #[error("{what} cannot be written: {reason}")]
    Output {
        /// What was written.
        what: String,
        /// Why it failed.
        reason: std::io::Error,
    },
}

/// What does not belong to the plan of an event: what was read from files for it.
#[derive(Clone)]
pub struct EventInputs {
    /// Where games begin.
    pub openings: Openings,
    /// What holds for every game.
    pub terms: Terms,
    /// The players that are functions of ours, by their name in [`MindSpec::Function`](minds::MindSpec::Function).
    pub functions: Functions,
}

/// Makes the mind of a player that is a function, anew for each game.
pub type MakeMind = Arc<dyn Fn() -> Box<dyn Mind> + Send + Sync>;

/// Players that are functions, by name.
pub type Functions = BTreeMap<String, MakeMind>;

/// An event, ready to be played or played on.
pub struct Event {
    log: EventLog,
    schedule: Box<dyn Schedule>,
    inputs: EventInputs,
    /// Pairs that the schedule has given out.
    drawn: u64,
    /// Games that were given out and wait for a worker.
    open: VecDeque<(GameId, Pairing)>,
}

/// How long the event sleeps at most when nothing happens.
const WAKE_INTERVAL: Duration = Duration::from_millis(500);

impl Event {
    /// An event that begins. Its players are tried once before anything is written; without a path nothing ever is.
    pub fn begin(plan: EventPlan, inputs: EventInputs, path: Option<&Path>) -> Result<Event, EventError> {
        let schedule = plan.schedule.schedule(plan.players.len())?;
        try_players(&plan, &inputs.functions)?;
        let journal = match path {
            Some(path) => Journal::create(path, &plan)?,
            None => Journal::in_memory(),
        };
        Ok(Event::new(EventLog::new(plan, journal), schedule, inputs))
    }

    /// An event that goes on. The plan may be longer than the one it began with, and must be the same in all else.
    pub fn resume(kept: SavedEvent, plan: EventPlan, inputs: EventInputs) -> Result<Event, EventError> {
        if let Some(difference) = kept.plan.difference(&plan) {
            return Err(EventError::OtherEvent(difference));
        }
        let schedule = plan.schedule.schedule(plan.players.len())?;
        let mut journal = kept.journal;
        if plan.schedule != kept.plan.schedule {
            journal.append(&Lengthened { schedule: plan.schedule.clone() })?;
        }
        let mut event = Event::new(EventLog::new(plan, journal), schedule, inputs);
        for (id, (summary, place)) in kept.games {
            // Games come by their numbers, and a schedule never waits for one that comes later.
            while event.drawn <= id.pair && event.draw_pair() {}
            let Some(at) = event.open.iter().rposition(|&game| game == (id, summary.pairing)) else {
                return Err(EventError::OtherGame { pair: id.pair });
            };
            event.open.remove(at);
            event.log.remember(id, summary, place);
        }
        if !event.log.is_decided() && event.next_open().is_some() {
            try_players(event.log.plan(), &event.inputs.functions)?;
        }
        Ok(event)
    }

    fn new(log: EventLog, schedule: Box<dyn Schedule>, inputs: EventInputs) -> Event {
        Event { log, schedule, inputs, drawn: 0, open: VecDeque::new() }
    }

    /// What is known so far.
    pub fn log(&self) -> &EventLog {
        &self.log
    }

    /// The same, to read games from the journal.
    pub fn log_mut(&mut self) -> &mut EventLog {
        &mut self.log
    }

    /// Plays games, so many at once, until the event is over or the flag is set. The event sets it itself when it
    /// drops the last games, so that a flag is good for one run.
    pub fn run(
        &mut self,
        concurrency: usize,
        stop: &Arc<AtomicBool>,
        observer: &mut dyn EventObserver,
    ) -> Result<Finish, EventError> {
        let inputs = self.inputs.clone();
        let threads = self.log.plan().threads();
        let cores = cores::share_out(&cores::allowed(), concurrency, threads);
        thread::scope(|scope| {
            let (done, finished) = mpsc::channel();
            let workers: Vec<Sender<Job>> = cores
                .iter()
                .enumerate()
                .map(|(number, cores)| {
                    let (jobs, orders) = mpsc::channel();
                    let (done, inputs) = (done.clone(), &inputs);
                    scope.spawn(move || work(number, cores, &orders, &done, Worker::new(inputs, stop)));
                    jobs
                })
                .collect();
            drop(done);
            let result = self.manage(&workers, &finished, stop, observer);
            stop.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Gives out games and takes results in.
    fn manage(
        &mut self,
        workers: &[Sender<Job>],
        finished: &Receiver<Done>,
        stop: &AtomicBool,
        observer: &mut dyn EventObserver,
    ) -> Result<Finish, EventError> {
        let mut idle: Vec<usize> = (0..workers.len()).rev().collect();
        loop {
            while !self.log.is_decided() && !stop.load(Ordering::Relaxed) && observer.goes_on() && !idle.is_empty() {
                let Some((id, pairing)) = self.next_open() else { break };
                self.open.pop_front();
                let worker = idle.pop().expect("a worker is idle");
                // A worker lives as long as we hold its orders.
                let _ = workers[worker].send(self.job(id, pairing));
            }
            if idle.len() == workers.len() {
                self.log.journal().sync()?;
                let is_over = self.next_open().is_none();
                return Ok(match () {
                    () if self.log.is_decided() => Finish::Decided,
                    () if is_over => Finish::Over,
                    () => Finish::Stopped,
                });
            }
            match finished.recv_timeout(WAKE_INTERVAL) {
                Ok(Done { worker, game }) => {
                    idle.push(worker);
                    match game {
                        Ok(entry) => self.take_down(&entry, observer)?,
                        Err((id, pairing)) => self.open.push_front((id, pairing)),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.log.journal().tend()?;
                    observer.waits(&self.log);
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(Finish::Stopped),
            }
            if self.log.is_decided() {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn take_down(&mut self, entry: &GameEntry, observer: &mut dyn EventObserver) -> Result<(), EventError> {
        if self.log.is_decided() {
            return Ok(());
        }
        self.log.record(entry)?;
        observer.finished(&mut self.log, entry)
    }

    /// The next game that can be played now.
    fn next_open(&mut self) -> Option<(GameId, Pairing)> {
        if self.open.is_empty() {
            self.draw_pair();
        }
        self.open.front().copied()
    }

    /// Lets the schedule give out one more pair. Answers whether there was one.
    fn draw_pair(&mut self) -> bool {
        match self.schedule.pair(self.drawn, self.log.results()) {
            Next::Pair(pairing) => {
                self.open.extend([0, 1].map(|leg| (GameId { pair: self.drawn, leg }, pairing)));
                self.drawn += 1;
                true
            }
            Next::Wait | Next::Over => false,
        }
    }

    fn opening(&self, pair: u64) -> Game {
        // Openings are drawn from another sequence than games.
        let seed = Random::new(self.log.plan().seed).next_u64();
        let Opening { start, moves } = self.inputs.openings.opening(seed, pair);
        let mut game = Game::new(start);
        moves.into_iter().for_each(|mv| game.play(mv).expect("an opening has legal moves"));
        game
    }

    fn job(&self, id: GameId, pairing: Pairing) -> Job {
        let EventPlan { seed, players, .. } = self.log.plan();
        let seats = log::seats(pairing, id.leg);
        let enter = |index: usize| (index, self.schedule.enter(id.pair, index, &players[index]));
        let mut random = Random::numbered(*seed, 2 * id.pair + id.leg as u64);
        Job {
            id,
            pairing,
            players: ByColor::new_with(|color| enter(seats[color])),
            opening: self.opening(id.pair),
            seeds: ByColor { white: random.next_u64(), black: random.next_u64() },
        }
    }
}

/// What a worker sends back.
struct Done {
    worker: usize,
    /// The finished game, or which one was interrupted.
    game: Result<GameEntry, (GameId, Pairing)>,
}

/// A worker's thread. It ends when its queue is closed.
fn work(number: usize, cores: &[usize], orders: &Receiver<Job>, done: &Sender<Done>, mut worker: Worker) {
    cores::keep_to(cores);
    for job in orders {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let game = match worker.play(&job) {
            Ok(game) => Ok(GameEntry::new(job.id, job.pairing, started, game)),
            Err(Interrupted) => Err((job.id, job.pairing)),
        };
        if done.send(Done { worker: number, game }).is_err() {
            break;
        }
    }
}

/// Starts every player once, so that an event does not begin with a player that cannot play.
fn try_players(plan: &EventPlan, functions: &Functions) -> Result<(), EventError> {
    for player in &plan.players {
        let tried =
            worker::build(player, functions, plan.seed).and_then(|mut mind| mind.new_game(&Position::initial()));
        tried.map_err(|fault| EventError::Participant { name: player.name.clone(), fault })?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) use plan::tests;
