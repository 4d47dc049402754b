//! Matches of two players, played by the arena.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arena::event::{
    Event, EventError, EventInputs, EventLog, EventObserver, EventPlan, Finish, Functions, GameEntry, MakeMind,
    OpeningPlan, Venue,
};
use arena::report::{PgnFile, game_tree};
use arena::schedule::Format;
use arena::{Adjudication, Participant, Terms, TimeControl, TimeControlError};
use minds::{MindSpec, SpecError};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use records::openings::Openings;

use super::function::{FunctionMind, Question};
use crate::waiting::{self, Messages, Word};

/// A player: its name, its mind if it has one, its time.
type Player = (String, Option<String>, String);

/// What a match is, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    players: [Player; 2],
    pairs: u64,
    openings: Option<PathBuf>,
    plies: Option<usize>,
    seed: u64,
    concurrency: usize,
    longest: Option<usize>,
    pgn: Option<PathBuf>,
    name: String,
}

/// A game that was played: pair, game of the pair, who had White, result, reason, fault, PGN.
type Played = (u64, usize, usize, &'static str, String, Option<String>, String);

/// What a match has come to: how it ended, its games, and its complete pairs by the points of the first player.
#[derive(Default, Clone, IntoPyObject)]
pub(crate) struct Outcome {
    finish: &'static str,
    games: Vec<Played>,
    pentanomial: Vec<u64>,
}

/// What the match tells the Python thread.
enum News {
    Asked(Box<Question>),
    /// So many games are over.
    Finished(u64),
}

type Tell = Messages<News, Result<(), MatchError>>;

/// Why there was no match, or not all of it.
enum MatchError {
    Wrong(String),
    File(String),
}

impl From<EventError> for MatchError {
    fn from(error: EventError) -> MatchError {
        match error {
            EventError::Output { .. } | EventError::Journal(_) => MatchError::File(error.to_string()),
            error => MatchError::Wrong(error.to_string()),
        }
    }
}

impl From<MatchError> for PyErr {
    fn from(error: MatchError) -> PyErr {
        match error {
            MatchError::Wrong(text) => PyValueError::new_err(text),
            MatchError::File(text) => PyOSError::new_err(text),
        }
    }
}

impl Settings {
    fn participants(&self) -> Result<Vec<Participant>, MatchError> {
        let participant = |(index, (name, mind, time)): (usize, &Player)| {
            let mind = match mind {
                Some(text) => text.parse().map_err(|error: SpecError| MatchError::Wrong(error.to_string()))?,
                None => MindSpec::Function(index.to_string()),
            };
            let time: TimeControl =
                time.parse().map_err(|error: TimeControlError| MatchError::Wrong(error.to_string()))?;
            Ok(Participant { name: name.clone(), mind, time })
        };
        self.players.iter().enumerate().map(participant).collect()
    }

    fn plan(&self) -> Result<EventPlan, MatchError> {
        let adjudication = Adjudication { longest: self.longest, ..Adjudication::default() };
        let file = self.openings.as_ref().map(|path| path.display().to_string());
        Ok(EventPlan {
            name: self.name.clone(),
            seed: self.seed,
            schedule: Format::RoundRobin { pairs: self.pairs },
            players: self.participants()?,
            openings: OpeningPlan { file, plies: self.plies, ..OpeningPlan::default() },
            adjudication,
            tablebase: None,
            time_margin: 0,
            sprt: None,
        })
    }

    fn inputs(&self, plan: &EventPlan, tell: &Tell) -> Result<EventInputs, MatchError> {
        let openings = match (&self.openings, self.plies) {
            (Some(file), Some(plies)) => Openings::read_plies(file, plies),
            (Some(file), None) => Openings::read(file),
            (None, plies) => Ok(Openings::random_plies(plies.unwrap_or(0))),
        };
        let openings = openings.map_err(|error| MatchError::Wrong(error.to_string()))?;
        let openings = openings.in_order(records::openings::Order::Random);
        let terms = Terms { adjudication: plan.adjudication.clone(), time_margin: Duration::ZERO, ..Terms::default() };
        let mut functions = Functions::new();
        for (index, (name, mind, _)) in self.players.iter().enumerate() {
            if mind.is_none() {
                functions.insert(index.to_string(), function(name.clone(), index, tell.clone()));
            }
        }
        Ok(EventInputs { openings, terms, functions, venue: Venue::Here })
    }
}

fn function(name: String, index: usize, tell: Tell) -> MakeMind {
    Arc::new(move || {
        let tell = tell.clone();
        let ask = move |question| tell.send(Word::Message(News::Asked(question))).is_ok();
        Box::new(FunctionMind::new(&name, index, Box::new(ask)))
    })
}

/// Writes games and tells of them.
struct Observer<'a> {
    pgn: Option<PgnFile>,
    tell: &'a Tell,
}

impl EventObserver for Observer<'_> {
    fn finished(&mut self, log: &mut EventLog, _entry: &GameEntry) -> Result<(), EventError> {
        if let Some(pgn) = &mut self.pgn {
            pgn.catch_up(log)?;
        }
        // If there is no listener any more, the match is about to be stopped.
        let _ = self.tell.send(Word::Message(News::Finished(log.results().games())));
        Ok(())
    }
}

fn conduct(
    settings: &Settings,
    stop: &Arc<AtomicBool>,
    tell: &Tell,
    outcome: &Mutex<Outcome>,
) -> Result<(), MatchError> {
    let plan = settings.plan()?;
    let inputs = settings.inputs(&plan, tell)?;
    let mut event = Event::begin(plan, inputs, None)?;
    let create = |path: &PathBuf| PgnFile::create(Path::new(path), event.log_mut());
    let mut observer = Observer { pgn: settings.pgn.as_ref().map(create).transpose()?, tell };
    let finish = event.run(settings.concurrency.max(1), stop, &mut observer)?;
    let pgn = observer.pgn;
    if let Some(pgn) = pgn {
        pgn.finish(event.log_mut())?;
    }
    *outcome.lock().unwrap_or_else(PoisonError::into_inner) = take_stock(event.log_mut(), finish)?;
    Ok(())
}

/// Everything that was played.
fn take_stock(log: &mut EventLog, finish: Finish) -> Result<Outcome, EventError> {
    let ids: Vec<_> = log.ids().collect();
    let mut games = Vec::with_capacity(ids.len());
    for id in ids {
        let Some(entry) = log.entry(id)? else { continue };
        let pgn = game_tree(log.plan(), &entry).to_string();
        let (result, reason) = (entry.game.ending.score(), entry.game.reason.to_string());
        games.push((entry.pair, entry.leg, entry.white, result, reason, entry.game.fault, pgn));
    }
    let mut pentanomial = vec![0; 5];
    log.scores().for_each(|score| pentanomial[score.half_points() as usize] += 1);
    let finish = if finish == Finish::Stopped { "stopped" } else { "over" };
    Ok(Outcome { finish, games, pentanomial })
}

/// Plays a match. Players without a mind are functions. The outcome comes with the exception that stopped it, if any.
#[pyfunction]
pub(crate) fn play_match(
    py: Python<'_>,
    settings: Settings,
    functions: Vec<Bound<'_, PyAny>>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Outcome, Option<Py<PyAny>>)> {
    let (stop, outcome) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Outcome::default())));
    let (flag, result) = (Arc::clone(&stop), Arc::clone(&outcome));
    let work = move |tell: &Tell| conduct(&settings, &flag, tell, &result);
    let stop_playing = || {
        stop.store(true, Ordering::Relaxed);
        true
    };
    let played = waiting::work(py, work, stop_playing, |_, news| match news {
        News::Asked(question) => {
            let function = &functions[question.function];
            question.put(function).map_err(|(unanswered, error)| {
                // The game is stopped before its player learns that there is no answer, or it would be forfeited.
                stop.store(true, Ordering::Relaxed);
                drop(unanswered);
                error
            })
        }
        News::Finished(games) => match &progress {
            Some(progress) => progress.call1((games,)).map(drop),
            None => Ok(()),
        },
    });
    let outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match played {
        Ok(finished) => finished.map_err(PyErr::from).map(|()| (outcome, None)),
        Err(error) => Ok((outcome, Some(error.into_value(py).into_any()))),
    }
}
