//! An event: the games of a schedule are played, and every finished game goes into the journal at once.
//!
//! One thread, the one that calls [`Event::run`], owns the schedule, the results and the journal. What is to be played
//! goes through a [`Queue`] to workers that only play: threads of this process, or whatever another queue leads to. A
//! game is either finished and written down, or it never happened: when an event is stopped, what is being played is
//! dropped, and played again when the event is taken up.

mod cores;
mod log;
mod plan;
mod trial;
mod unit;
mod worker;

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use minds::{Fault, Mind, MindSpec};
use random::Random;
use records::openings::{Opening, Openings};
use rules::{Game, Position};
use thiserror::Error;

use crate::journal::{Journal, JournalError};
use crate::queue::{Queue, QueueError, Report, ThreadQueue, Unit};
use crate::referee::{Interrupted, Terms};
use crate::schedule::{FormatError, Next, Pairing, Schedule};

pub use cores::core_count;
use log::Lengthened;
pub use log::{EventLog, Faults, GameEntry, GameId, SavedEvent};
pub use plan::{Difference, EventPlan, OpeningOrder, OpeningPlan, difference};
pub use trial::SprtTest;
pub use unit::{PairUnit, PlayedGame, Seat, is_timed};
pub use worker::PairPlayer;

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
    /// Games can no longer be given out.
    #[error(transparent)]
    Queue(#[from] QueueError),
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
    /// The players that are functions of ours, by their name in [`MindSpec::Function`].
    pub functions: Functions,
    /// Where outside programs run.
    pub venue: Venue,
}

/// Where the outside programs of an event run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Venue {
    /// On this machine, so that they are tried before anything is written.
    #[default]
    Here,
    /// On other machines, which know them.
    Elsewhere,
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
    /// Games of these pairs that wait for room in the queue.
    open: VecDeque<(GameId, Pairing)>,
    /// Games that are in the queue.
    given: BTreeMap<GameId, Pairing>,
}

/// How long the event sleeps at most when nothing happens.
const WAKE_INTERVAL: Duration = Duration::from_millis(500);

impl Event {
    /// An event that begins. Its players are tried once before anything is written; without a path nothing ever is.
    pub fn begin(plan: EventPlan, inputs: EventInputs, path: Option<&Path>) -> Result<Event, EventError> {
        let schedule = plan.schedule.schedule(plan.players.len())?;
        try_players(&plan, &inputs)?;
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
            try_players(event.log.plan(), &event.inputs)?;
        }
        Ok(event)
    }

    fn new(log: EventLog, schedule: Box<dyn Schedule>, inputs: EventInputs) -> Event {
        Event { log, schedule, inputs, drawn: 0, open: VecDeque::new(), given: BTreeMap::new() }
    }

    /// What is known so far.
    pub fn log(&self) -> &EventLog {
        &self.log
    }

    /// The same, to read games from the journal.
    pub fn log_mut(&mut self) -> &mut EventLog {
        &mut self.log
    }

    /// Plays games on threads of this process, so many at once, until the event is over or the flag is set. The event
    /// sets it itself when it drops the last games, so that a flag is good for one run.
    pub fn run(
        &mut self,
        concurrency: usize,
        stop: &Arc<AtomicBool>,
        observer: &mut dyn EventObserver,
    ) -> Result<Finish, EventError> {
        let EventInputs { terms, functions, .. } = self.inputs.clone();
        let threads = self.log.plan().threads();
        let cores = cores::share_out(&cores::allowed(), concurrency, threads);
        thread::scope(|scope| {
            let makers = cores.iter().map(|cores| {
                let (terms, functions) = (&terms, functions.clone());
                move || {
                    cores::keep_to(cores);
                    let mut player = PairPlayer::of_event(terms, functions);
                    move |unit: PairUnit| match player.play(&unit, stop) {
                        Ok(games) => Report::Done { number: unit.number(), outcome: games },
                        Err(Interrupted) => Report::Dropped(unit),
                    }
                }
            });
            let mut queue = ThreadQueue::start(scope, 1, makers);
            let result = self.run_through(&mut queue, stop, observer);
            stop.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Plays games through any queue, until the event is over or the flag is set.
    pub fn run_through(
        &mut self,
        queue: &mut dyn Queue<PairUnit>,
        stop: &AtomicBool,
        observer: &mut dyn EventObserver,
    ) -> Result<Finish, EventError> {
        loop {
            if self.log.is_decided() {
                stop.store(true, Ordering::Relaxed);
            }
            let goes_on = !stop.load(Ordering::Relaxed) && observer.goes_on();
            if !goes_on {
                queue.recall().iter().rev().for_each(|unit| self.put_back(unit));
            } else {
                while queue.room() > 0
                    && let Some(unit) = self.next_unit(queue.games_per_unit())
                {
                    queue.push(unit);
                }
            }
            let is_over = self.given.is_empty() && self.next_open().is_none();
            if is_over || (self.given.is_empty() && !goes_on) {
                self.log.journal().sync()?;
                return Ok(match () {
                    () if self.log.is_decided() => Finish::Decided,
                    () if is_over => Finish::Over,
                    () => Finish::Stopped,
                });
            }
            match queue.next(WAKE_INTERVAL)? {
                Some(Report::Done { number, outcome }) => {
                    outcome.into_iter().try_for_each(|game| self.take_down(number, game, observer))?;
                    queue.settle(number);
                }
                Some(Report::Dropped(unit)) => self.put_back(&unit),
                None => {
                    self.log.journal().tend()?;
                    observer.waits(&self.log);
                }
            }
        }
    }

    /// Writes a game down, unless it was written down before: what comes twice counts once.
    fn take_down(&mut self, pair: u64, game: PlayedGame, observer: &mut dyn EventObserver) -> Result<(), EventError> {
        let Some(pairing) = self.given.remove(&GameId { pair, leg: game.leg }) else { return Ok(()) };
        if self.log.is_decided() {
            return Ok(());
        }
        let entry = GameEntry::new(pair, pairing, game);
        self.log.record(&entry)?;
        observer.finished(&mut self.log, &entry)
    }

    /// The games of a unit wait again.
    fn put_back(&mut self, unit: &PairUnit) {
        for &leg in unit.legs.iter().rev() {
            let id = GameId { pair: unit.pair, leg };
            if let Some(pairing) = self.given.remove(&id) {
                self.open.push_front((id, pairing));
            }
        }
    }

    /// The next unit that can be played now, of at most so many games.
    fn next_unit(&mut self, most_games: u64) -> Option<PairUnit> {
        let (GameId { pair, .. }, pairing) = self.next_open()?;
        let mut legs = Vec::new();
        while (legs.len() as u64) < most_games
            && let Some(&(id, _)) = self.open.front().filter(|(id, _)| id.pair == pair)
        {
            self.open.pop_front();
            self.given.insert(id, pairing);
            legs.push(id.leg);
        }
        Some(self.unit(pair, legs, pairing))
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

    fn unit(&self, pair: u64, legs: Vec<usize>, pairing: Pairing) -> PairUnit {
        let EventPlan { seed, players, .. } = self.log.plan();
        let terms = &self.inputs.terms;
        let seat = |place: usize| Seat { place, player: self.schedule.enter(pair, place, &players[place]) };
        PairUnit {
            pair,
            legs,
            players: [seat(pairing.first), seat(pairing.second)],
            opening: self.opening(pair),
            seed: *seed,
            adjudication: terms.adjudication.clone(),
            tablebase: terms.tablebase.is_some(),
            time_margin: terms.time_margin.as_millis() as u64,
        }
    }
}

/// Starts every player once, so that an event does not begin with a player that cannot play.
fn try_players(plan: &EventPlan, inputs: &EventInputs) -> Result<(), EventError> {
    for player in &plan.players {
        if inputs.venue == Venue::Elsewhere && matches!(player.mind, MindSpec::Program(_)) {
            continue;
        }
        let tried = worker::build(player, &inputs.functions, plan.seed)
            .and_then(|mut mind| mind.new_game(&Position::initial()));
        tried.map_err(|fault| EventError::Participant { name: player.name.clone(), fault })?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) use plan::tests;
