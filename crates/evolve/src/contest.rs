//! A new network against the champion: a match that measures it, and a sequential test that decides.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use arena::event::{
    Event, EventError, EventInputs, EventLog, EventObserver, EventPlan, Finish, Functions, GameEntry, OpeningPlan,
    SavedEvent, Venue,
};
use arena::schedule::Format;
use arena::statistics::{Decision, EloScale, Pentanomial, Performance, Sprt, Tally};
use arena::{Adjudication, DrawRule, Participant, ResignClaim, ResignRule, Terms, TimeControl};
use minds::{EvaluationSpec, MindSpec, SearchSpec};
use records::openings::Openings;
use serde::{Deserialize, Serialize};

use crate::{Failure, RunReporter};

/// How a network is tried.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contest {
    /// Games of the match that measures the difference.
    pub games: u64,
    /// The most games of the test.
    pub sprt_games: u64,
    /// Positions for a move.
    pub nodes: u64,
    /// How players are timed in the test, if not by positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeControl>,
    /// No more than so many Elo: rejected.
    pub elo0: f64,
    /// At least so many Elo: promoted.
    pub elo1: f64,
    /// What openings are drawn by.
    pub seed: u64,
    /// Where games begin, if not with random moves.
    pub book: Option<String>,
}

/// What games have shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchOutcome {
    /// How many games were counted.
    pub games: u64,
    /// Pairs of games by the points of the new network: 0, ½, 1, 1½ and 2.
    pub pairs: Pentanomial,
    /// How much stronger it is; nothing if everything or nothing was won.
    pub elo: Option<f64>,
    /// How far off that may be, with 95 % confidence.
    pub error: Option<f64>,
    /// The log-likelihood ratio of the test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
    /// What the test decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_stronger: Option<bool>,
    /// How long they took.
    pub seconds: f64,
}

impl MatchOutcome {
    /// Whether the new network is stronger beyond doubt, by the games alone.
    pub fn is_clear_win(&self) -> bool {
        Performance::of(&self.pairs).is_some_and(|performance| performance.elo.low > 0.0)
    }
}

/// Random moves with which games start if there is no book.
const RANDOM_PLIES: usize = 8;

/// The table of each player, in MiB.
const HASH: usize = 8;

/// What attempts on the CPU run with.
pub(crate) struct Running<'a> {
    pub(crate) threads: usize,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) reporter: &'a dyn RunReporter,
}

impl<'a> Running<'a> {
    /// What the games of a match run with.
    pub(crate) fn match_context(&self) -> MatchContext<'a> {
        MatchContext { threads: self.threads, stop: self.stop, show: self.reporter.pairs() }
    }
}

/// What the games of a match run with.
pub(crate) struct MatchContext<'a> {
    /// How many games are played at once.
    pub(crate) threads: usize,
    pub(crate) stop: &'a AtomicBool,
    /// Is called with the pairs that are done, how many there are, and how they stand.
    pub(crate) show: Box<dyn FnMut(usize, usize, String)>,
}

/// The new network and the champion, whose network may be the one that is compiled in.
pub(crate) fn players(network: &str, champion: Option<&str>, contest: &Contest) -> Result<[Participant; 2], Failure> {
    let time = contest.time.unwrap_or(TimeControl::Nodes(contest.nodes));
    let player = |name: &str, net: Option<&str>| {
        let spec = SearchSpec { hash: Some(HASH), net: net.map(EvaluationSpec::from), ..SearchSpec::default() };
        Participant { name: name.to_owned(), mind: MindSpec::Search(spec), time }
    };
    if [Some(network), champion].into_iter().flatten().any(|path| path.contains(',')) {
        return Err(Failure::Usage(format!("{network}: the path of a network that plays cannot hold a comma")));
    }
    Ok([player("new", Some(network)), player("champion", champion)])
}

impl Contest {
    /// Plays a match of a fixed number of games.
    pub(crate) fn play_match(
        &self,
        players: &[Participant; 2],
        journal: &Path,
        context: MatchContext,
    ) -> Result<MatchOutcome, Failure> {
        let plan = self.plan("a match of networks", players, self.games, self.seed, None);
        play(plan, journal, context)
    }

    /// Plays until the test is decided, or there were too many games.
    pub(crate) fn play_test(
        &self,
        players: &[Participant; 2],
        journal: &Path,
        context: MatchContext,
    ) -> Result<MatchOutcome, Failure> {
        let sprt = self.sprt()?;
        // Other games than those of the match: what has been seen must not be seen twice.
        let plan = self.plan("a test of networks", players, self.sprt_games, self.seed ^ 1 << 32, Some(sprt));
        play(plan, journal, context)
    }

    /// The test.
    pub(crate) fn sprt(&self) -> Result<Sprt, Failure> {
        Sprt::new(EloScale::Logistic, self.elo0, self.elo1, 0.05, 0.05)
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    fn plan(&self, name: &str, players: &[Participant; 2], games: u64, seed: u64, sprt: Option<Sprt>) -> EventPlan {
        let plies = self.book.is_none().then_some(RANDOM_PLIES);
        EventPlan {
            name: name.to_owned(),
            seed,
            schedule: Format::Match { pairs: games.div_ceil(2) },
            players: players.to_vec(),
            openings: OpeningPlan { file: self.book.clone(), plies, ..OpeningPlan::default() },
            adjudication: Adjudication {
                draw: Some(DrawRule { from_move: 40, moves: 8, within: 10 }),
                win: Some(ResignRule { moves: 4, beyond: 1000, claimed_by: ResignClaim::Both }),
                ..Adjudication::default()
            },
            tablebase: None,
            time_margin: 0,
            sprt,
        }
    }
}

/// Plays an event, going on with the games of its journal.
fn play(plan: EventPlan, journal: &Path, context: MatchContext) -> Result<MatchOutcome, Failure> {
    let begun = Instant::now();
    let openings = match &plan.openings.file {
        Some(file) => Openings::read(file)?.in_order(plan.openings.order.into()),
        None => Openings::random_plies(plan.openings.plies.unwrap_or(0)),
    };
    let setting = EventInputs {
        openings,
        terms: Terms { adjudication: plan.adjudication.clone(), ..Terms::default() },
        functions: Functions::new(),
        venue: Venue::Here,
    };
    let mut event = match SavedEvent::open_if_begun(journal)? {
        Some(kept) => Event::resume(kept, plan, setting)?,
        None => Event::begin(plan, setting, Some(journal))?,
    };
    // An event sets its flag when it ends, and ours has to serve the next step, too.
    let halt = Arc::new(AtomicBool::new(false));
    let mut watch = Watch { show: context.show, stop: context.stop, halt: &halt };
    let finish = event.run(context.threads, &halt, &mut watch)?;
    drop(watch);
    if finish == Finish::Stopped {
        return Err(Failure::Stopped);
    }
    Ok(outcome(event.log(), begun.elapsed().as_secs_f64()))
}

fn outcome(log: &EventLog, seconds: f64) -> MatchOutcome {
    let pairs = pairs(log);
    let elo = Performance::of(&pairs).map(|performance| performance.elo);
    let finite = |number: f64| Some(number).filter(|number| number.is_finite());
    let sprt = log.plan().sprt;
    let llr = sprt.map(|sprt| sprt.llr(&pairs));
    MatchOutcome {
        games: 2 * pairs.total(),
        pairs,
        elo: elo.and_then(|elo| finite(elo.value)),
        error: elo.and_then(|elo| finite(elo.error())),
        llr,
        is_stronger: sprt.zip(llr).and_then(|(sprt, llr)| match sprt.decide(llr) {
            Decision::GoOn => None,
            Decision::H0 => Some(false),
            Decision::H1 => Some(true),
        }),
        seconds,
    }
}

/// The pairs that count: up to the decision, if there is one.
fn pairs(log: &EventLog) -> Pentanomial {
    let counted = usize::try_from(log.counted()).unwrap_or(usize::MAX);
    let mut pairs = Pentanomial::default();
    for pair in log.results().unbroken().take(counted) {
        pairs.0[pair.half_points() as usize] += 1;
    }
    pairs
}

/// Shows how the games go, and passes the stop flag on.
struct Watch<'a> {
    show: Box<dyn FnMut(usize, usize, String)>,
    stop: &'a AtomicBool,
    halt: &'a AtomicBool,
}

impl Watch<'_> {
    fn look_up(&self) {
        if self.stop.load(Ordering::Relaxed) {
            self.halt.store(true, Ordering::Relaxed);
        }
    }
}

impl EventObserver for Watch<'_> {
    fn finished(&mut self, log: &mut EventLog, _entry: &GameEntry) -> Result<(), EventError> {
        let pairs = pairs(log);
        let total = log.plan().schedule.total_pairs(2).unwrap_or(0);
        let standing = Performance::of(&pairs).map_or_else(String::new, |performance| {
            let llr = log.plan().sprt.map_or_else(String::new, |sprt| format!(", LLR {:.2}", sprt.llr(&pairs)));
            format!("Elo {}{llr}", performance.elo)
        });
        (self.show)(pairs.total() as usize, total as usize, standing);
        self.look_up();
        Ok(())
    }

    fn waits(&mut self, _chronicle: &EventLog) {
        self.look_up();
    }
}
