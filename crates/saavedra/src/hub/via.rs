//! `--via`: units of an event go to workers on other machines.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::hub::message::Figures;
use ::hub::{Address, Card, EventId, Hub, HubQueue, Luggage, Options, Reference};
use arena::event::{Event, EventError, EventLog, EventObserver, EventPlan, Finish, GameEntry, Venue, core_count};
use arena::selfplay::{SelfPlay, SelfPlayProgress, fingerprint};
use clap::Args;
use minds::EvaluationSpec;

use super::notice;
use crate::failure::Failure;
use crate::numbers::within;

/// Where games are played, if not here.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "On other machines")]
pub(crate) struct Via {
    /// Let workers at this hub play, like nats://host or nats://host:4222 (docs/machines.md).
    #[arg(long, value_name = "ADDRESS", requires = "creds")]
    via: Option<Address>,
    /// The key of a coordinator at the hub.
    #[arg(long, value_name = "FILE", requires = "via")]
    creds: Option<PathBuf>,
    /// The certificate of the authority that signed the hub's, if the system does not know it.
    #[arg(long, value_name = "FILE", requires = "via")]
    ca: Option<PathBuf>,
    /// After so many seconds without a sign of life from its worker a unit goes to another (30, if not given).
    #[arg(long, value_name = "SECONDS", requires = "via", value_parser = within::<u16>(1..=3600))]
    ack_wait: Option<u16>,
}

impl Via {
    fn hub(&self) -> Option<Hub> {
        let (address, key) = (self.via.clone()?, self.creds.clone()?);
        Some(Hub { address, key, authority: self.ca.clone() })
    }

    /// Where outside programs run.
    pub(crate) fn venue(&self) -> Venue {
        if self.via.is_some() { Venue::Elsewhere } else { Venue::Here }
    }

    /// Says what cannot be played on other machines, before anything is written.
    pub(crate) fn check(&self, plan: &EventPlan) -> Result<(), Failure> {
        match self.via {
            Some(_) => Luggage::of_players(&plan.players).map(drop).map_err(failed),
            None => Ok(()),
        }
    }

    fn options(&self, reference: Reference) -> Options {
        let ack_wait = self.ack_wait.map_or(Options::ACK_WAIT, |seconds| Duration::from_secs(seconds.into()));
        Options { ack_wait, reference, spot_check: Options::SPOT_CHECK }
    }

    /// Plays an event at the hub; nothing if it is to be played here.
    pub(crate) fn play(
        &self,
        event: &mut Event,
        command: &str,
        journal: Option<&Path>,
        stop: &AtomicBool,
        observer: &mut dyn EventObserver,
    ) -> Option<Result<Result<Finish, EventError>, Failure>> {
        let hub = self.hub()?;
        let played = self.open_event(&hub, event, command, journal).map(|mut queue| {
            let figures = queue.figures();
            let log = event.log();
            let mut reporter = Reporter { observer, figures, began: Instant::now(), before: log.results().games() };
            reporter.report(log);
            let finish = event.run_through(&mut queue, stop, &mut reporter);
            queue.close(matches!(finish, Ok(Finish::Over | Finish::Decided)));
            finish
        });
        Some(played)
    }

    fn open_event(
        &self,
        hub: &Hub,
        event: &Event,
        command: &str,
        journal: Option<&Path>,
    ) -> Result<HubQueue<arena::event::PairUnit>, Failure> {
        let log = event.log();
        let plan = log.plan();
        let luggage = Luggage::of_players(&plan.players).map_err(failed)?;
        let beginning = serde_json::to_vec(&(&plan.name, plan.seed, &plan.players))?;
        let id = event_id(journal, &beginning)?;
        let goes_on = log.results().games() > 0;
        let card = Card { event: id, command: command.to_owned(), name: plan.name.clone(), goes_on };
        let is_timed = plan.players.iter().any(arena::event::is_timed);
        let reference = Reference::measure(if is_timed { core_count() } else { 1 });
        HubQueue::open(hub, card, luggage, self.options(reference), notice()).map_err(failed)
    }

    /// Makes games of self-play at the hub; nothing if they are to be made here.
    pub(crate) fn make(
        &self,
        job: &SelfPlay,
        net: Option<&EvaluationSpec>,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&SelfPlayProgress),
    ) -> Option<Result<SelfPlayProgress, Failure>> {
        let hub = self.hub()?;
        Some(self.open_self_play(&hub, job, net).and_then(|mut queue| {
            let figures = queue.figures();
            let progress = job.run_through(&mut queue, stop, &mut |progress| {
                *figures.lock().unwrap_or_else(PoisonError::into_inner) = Figures {
                    games: progress.done.games,
                    games_per_second: (progress.done.games - progress.before.games) as f64
                        / progress.time.as_secs_f64().max(1e-3),
                    ..Figures::default()
                };
                watch(progress);
            });
            queue.close(progress.as_ref().is_ok_and(|progress| progress.is_complete));
            progress.map_err(failed)
        }))
    }

    fn open_self_play(
        &self,
        hub: &Hub,
        job: &SelfPlay,
        net: Option<&EvaluationSpec>,
    ) -> Result<HubQueue<arena::selfplay::SelfPlayUnit>, Failure> {
        let luggage = Luggage::of_net(net).map_err(failed)?;
        let beginning = serde_json::to_vec(&(fingerprint(job.evaluator), job.settings))?;
        let id = event_id(Some(job.path), &beginning)?;
        let name = job.path.display().to_string();
        // Games depend on their numbers alone, so that what an earlier run has asked for is as good.
        let card = Card { event: id, command: "datagen".to_owned(), name, goes_on: true };
        HubQueue::open(hub, card, luggage, self.options(Reference::measure(1)), notice()).map_err(failed)
    }
}

/// What an event that is kept in a file is called on the way.
fn event_id(path: Option<&Path>, beginning: &[u8]) -> Result<EventId, Failure> {
    match path {
        Some(path) => Ok(EventId::of(&std::path::absolute(path)?.display().to_string(), beginning)),
        None => EventId::random().map_err(failed),
    }
}

pub(super) fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::Failed(error.into())
}

/// Tells the hub how far an event is, and everything to another observer.
struct Reporter<'a> {
    observer: &'a mut dyn EventObserver,
    figures: Arc<Mutex<Figures>>,
    began: Instant,
    /// Games that were there before.
    before: u64,
}

impl Reporter<'_> {
    fn report(&self, log: &EventLog) {
        let plan = log.plan();
        let games = log.results().games();
        let total = plan.schedule.total_pairs(plan.players.len()).filter(|_| plan.sprt.is_none());
        *self.figures.lock().unwrap_or_else(PoisonError::into_inner) = Figures {
            games,
            total: total.map(|pairs| pairs.saturating_mul(2)),
            games_per_second: (games - self.before) as f64 / self.began.elapsed().as_secs_f64().max(1e-3),
            llr: log.trial().map(|trial| [trial.llr(), trial.sprt().lower(), trial.sprt().upper()]),
        };
    }
}

impl EventObserver for Reporter<'_> {
    fn finished(&mut self, log: &mut EventLog, entry: &GameEntry) -> Result<(), EventError> {
        self.report(log);
        self.observer.finished(log, entry)
    }

    fn goes_on(&self) -> bool {
        self.observer.goes_on()
    }

    fn waits(&mut self, log: &EventLog) {
        self.observer.waits(log);
    }
}
