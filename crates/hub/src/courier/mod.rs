//! The courier: takes units to the server, and brings back what came of them.
//!
//! It trusts the server with nothing. A unit is out until an answer to it was handed to the coordinator; a unit that is
//! lost goes out again under a new attempt number; an answer is acknowledged when the coordinator has written it down,
//! and one that comes twice changes nothing.

mod given;
mod road;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arena::queue::Report;
use async_nats::jetstream;
use random::Random;
use tokio::sync::mpsc::{Sender, UnboundedReceiver};
use tokio::sync::oneshot;
use tokio::time::MissedTickBehavior;

use crate::connection::Connection;
use crate::files::Luggage;
use crate::message::{EventStatus, Figures, ResultMessage, Tally, UnitMessage, WorkerStatus, read, write};
use crate::names::{EVENT_STATUS, RESULT, RESULT_STREAM, WORK, WORK_STREAM, is_name};
use crate::queue::{Card, Options, SMALLEST_WINDOW, read_figures};
use crate::work::Freight;
use crate::{HubError, Notice};
use given::{Answer, Given, Verdict};

/// What the coordinator asks for.
pub(crate) enum Command<U: Freight> {
    /// A unit to be played.
    Push(U),
    /// The answer to a unit is written down.
    Settle(u64),
    /// Nothing more is wanted.
    Recall,
    /// The end, for now or for ever.
    Close { is_over: bool, done: oneshot::Sender<()> },
}

/// What comes in from the server.
pub(crate) enum Arrival {
    /// What came of a unit, or so it says.
    Result(Box<jetstream::Message>),
    /// A worker tells of itself.
    Worker { subject: String, payload: Vec<u8> },
    /// The server has an attempt of a unit.
    Confirmed { number: u64, attempt: u32 },
    /// Which units the server had when it was asked.
    Present { asked: Instant, numbers: BTreeSet<u64> },
}

/// How many arrivals may wait to be looked at.
const ARRIVALS: usize = 1024;

/// How often others are told how far the event is.
const STATUS_INTERVAL: Duration = Duration::from_secs(1);

/// A worker that has said nothing for so long counts as gone.
const WORKER_AWAY: Duration = Duration::from_secs(10);

/// How many units may be out for each core.
const UNITS_PER_CORE: usize = 4;

/// A unit of which there is no sign goes out again after so many times the acknowledgement wait.
const SILENCES: u32 = 4;

/// How many workers are counted one by one.
const MOST_WORKERS: usize = 4096;

/// How many answers may wait for their units to be pushed.
const MOST_EARLY: usize = 4096;

/// A worker that was heard of.
struct Seen {
    cores: usize,
    /// Whether some of them have nothing to do.
    is_idle: bool,
    last: Instant,
}

pub(crate) struct Courier<U: Freight> {
    connection: Connection,
    card: Card,
    luggage: Arc<Luggage>,
    options: Options,
    notice: Notice,
    reports: mpsc::Sender<Report<U>>,
    /// Tells messages of this run of the coordinator from those of others, and draws which units are checked.
    session: u64,
    given: BTreeMap<u64, Given<U>>,
    /// The greatest number that was pushed.
    reached: Option<u64>,
    /// Answers to units that were not pushed yet: an earlier run of the event gave them out.
    early: BTreeMap<u64, jetstream::Message>,
    /// Messages to acknowledge when the coordinator has written down what they say.
    unsettled: BTreeMap<u64, Vec<jetstream::Message>>,
    workers: BTreeMap<String, Seen>,
    tallies: BTreeMap<String, Tally>,
    sent_again: u64,
    checked: u64,
    refused: u64,
    window: Arc<AtomicUsize>,
    figures: Arc<Mutex<Figures>>,
}

impl<U: Freight> Courier<U> {
    pub(crate) fn new(
        connection: Connection,
        card: Card,
        luggage: Luggage,
        options: Options,
        notice: Notice,
        reports: mpsc::Sender<Report<U>>,
    ) -> Result<Courier<U>, HubError> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|error| HubError::Random(error.to_string()))?;
        Ok(Courier {
            connection,
            card,
            luggage: Arc::new(luggage),
            options,
            notice,
            reports,
            session: u64::from_le_bytes(bytes),
            given: BTreeMap::new(),
            reached: None,
            early: BTreeMap::new(),
            unsettled: BTreeMap::new(),
            workers: BTreeMap::new(),
            tallies: BTreeMap::new(),
            sent_again: 0,
            checked: 0,
            refused: 0,
            window: Arc::default(),
            figures: Arc::default(),
        })
    }

    /// What the coordinator's thread looks at.
    pub(crate) fn sharing(self, window: Arc<AtomicUsize>, figures: Arc<Mutex<Figures>>) -> Courier<U> {
        Courier { window, figures, ..self }
    }

    /// Carries until the coordinator closes.
    pub(crate) async fn run(mut self, mut orders: UnboundedReceiver<Command<U>>) {
        self.begin().await;
        let (arrive, mut arrivals) = tokio::sync::mpsc::channel(ARRIVALS);
        road::listen(&self.connection, &self.card.event, &self.luggage, &arrive);
        let mut status = tokio::time::interval(STATUS_INTERVAL);
        let mut audit = tokio::time::interval((self.options.ack_wait / 2).max(Duration::from_millis(250)));
        status.set_missed_tick_behavior(MissedTickBehavior::Delay);
        audit.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                // Units are known before their answers are looked at.
                biased;
                order = orders.recv() => match order {
                    Some(Command::Push(unit)) => self.push(unit, &arrive),
                    Some(Command::Settle(number)) => self.settle(number).await,
                    Some(Command::Recall) => self.recall().await,
                    Some(Command::Close { is_over, done }) => {
                        self.close(is_over).await;
                        let _ = done.send(());
                        return;
                    }
                    None => return,
                },
                Some(arrival) = arrivals.recv() => self.arrived(arrival, &arrive).await,
                _ = status.tick() => self.tell_status().await,
                _ = audit.tick() => self.audit(&arrive),
            }
        }
    }

    /// Takes back what an earlier run has left: its units, and, of an event that begins anew, their answers.
    async fn begin(&self) {
        let event = &self.card.event;
        self.connection.forget_results_consumer(event.as_str()).await;
        self.connection.remove(WORK_STREAM, format!("{WORK}.{event}.>")).await;
        if !self.card.goes_on {
            self.connection.remove(RESULT_STREAM, format!("{RESULT}.{event}")).await;
        }
    }

    fn push(&mut self, unit: U, arrive: &Sender<Arrival>) {
        let number = unit.number();
        self.reached = self.reached.max(Some(number));
        let is_spot = unit.is_repeatable()
            && self.options.spot_check > 0
            && Random::numbered(self.session, number).below(self.options.spot_check as usize) == 0;
        self.given.insert(number, Given::new(unit, is_spot));
        match self.early.remove(&number) {
            Some(message) => self.take_in(&message, arrive),
            None => self.send(number, Vec::new(), arrive),
        }
    }

    /// Sends a unit, or sends it again.
    fn send(&mut self, number: u64, avoid: Vec<String>, arrive: &Sender<Arrival>) {
        let Some(given) = self.given.get_mut(&number) else { return };
        given.begin_attempt();
        let attempt = given.attempt();
        let event = self.card.event.clone();
        let before = (attempt > 1).then(|| format!("{WORK}.{event}.{number}.{}", attempt - 1));
        let subject = format!("{WORK}.{event}.{number}.{attempt}");
        let id = format!("{event}.{number}.{attempt}.{:x}", self.session);
        let payload = write(&UnitMessage {
            event,
            number,
            attempt,
            avoid,
            signature: self.options.reference.signature,
            speed: self.options.reference.speed,
            work: given.unit().pack(&self.luggage),
        });
        let parcel = road::Parcel { before, subject, id, payload, number, attempt };
        given.on_its_way(road::publish(&self.connection, parcel, arrive));
    }

    async fn arrived(&mut self, arrival: Arrival, arrive: &Sender<Arrival>) {
        match arrival {
            Arrival::Result(message) => self.take_in(&message, arrive),
            Arrival::Worker { subject, payload } => self.hear(&subject, &payload),
            Arrival::Confirmed { number, attempt } => {
                if let Some(given) = self.given.get_mut(&number) {
                    given.confirm(attempt);
                }
            }
            Arrival::Present { asked, numbers } => self.look_for_lost(asked, &numbers, arrive).await,
        }
    }

    /// Looks at what says that it came of a unit.
    fn take_in(&mut self, message: &jetstream::Message, arrive: &Sender<Arrival>) {
        let result = match read::<ResultMessage>(&message.payload) {
            Ok(result) if result.event == self.card.event && is_name(&result.worker) => result,
            Ok(_) => return self.refuse(message, None, "an answer is not of this event"),
            Err(error) => return self.refuse(message, None, &format!("an answer makes no sense: {error}")),
        };
        let ResultMessage { number, attempt, worker, outcome, .. } = result;
        let Some(given) = self.given.get_mut(&number) else {
            if self.reached < Some(number) && self.early.len() < MOST_EARLY {
                self.early.insert(number, message.clone());
            } else if let Some(messages) = self.unsettled.get_mut(&number) {
                messages.push(message.clone());
            } else {
                // Written down before, or not wanted any longer.
                road::acknowledge(message);
            }
            return;
        };
        let outcome = match U::unpack(outcome).and_then(|outcome| given.unit().check(&outcome).map(|()| outcome)) {
            Ok(outcome) => outcome,
            Err(reason) => {
                self.refuse(message, Some(&worker), &format!("an answer makes no sense: {reason}"));
                return self.send(number, vec![worker], arrive);
            }
        };
        if given.add(Answer { worker, attempt, outcome, message: message.clone() }) {
            self.judge(number, arrive);
        }
    }

    /// Decides whether there are answers enough to a unit, and hands one on.
    fn judge(&mut self, number: u64, arrive: &Sender<Arrival>) {
        let others = |workers: &[String]| self.workers.keys().any(|name| !workers.contains(name));
        let Some(given) = self.given.get(&number) else { return };
        match given.verdict(&others) {
            Verdict::Accept { answer, is_checked } => {
                self.checked += u64::from(is_checked);
                self.accept(number, answer);
            }
            Verdict::AskAnother { avoid } => self.send(number, avoid, arrive),
            Verdict::Contradiction { workers, difference, avoid } => {
                let [one, other] = &workers;
                let line = format!("the workers {one} and {other} disagree about unit {number}: {difference}");
                (self.notice)(&format!("{line}; it is played a third time"));
                self.send(number, avoid, arrive);
            }
        }
    }

    /// Hands an answer to the coordinator. Those that disagree with it are remembered.
    fn accept(&mut self, number: u64, answer: usize) {
        let Some(given) = self.given.remove(&number) else { return };
        let attempts = given.attempt();
        let (answers, differing) = given.close(answer);
        for (worker, difference) in differing {
            (self.notice)(&format!("the worker {worker} is contradicted about unit {number}: {difference}"));
            self.tally(&worker).mismatches += 1;
        }
        let messages = answers.iter().map(|answer| answer.message.clone()).collect();
        self.unsettled.insert(number, messages);
        let Some(Answer { worker, outcome, .. }) = answers.into_iter().nth(answer) else { return };
        let tally = self.tally(&worker);
        tally.units += 1;
        U::count(&outcome, tally);
        if attempts > 1 {
            self.remove_in_background(format!("{WORK}.{}.{number}.>", self.card.event));
        }
        let _ = self.reports.send(Report::Done { number, outcome });
    }

    fn remove_in_background(&self, subjects: String) {
        let connection = self.connection.clone();
        tokio::spawn(async move { connection.remove(WORK_STREAM, subjects).await });
    }

    fn tally(&mut self, worker: &str) -> &mut Tally {
        let is_full = self.tallies.len() >= MOST_WORKERS && !self.tallies.contains_key(worker);
        self.tallies.entry(if is_full { "others" } else { worker }.to_owned()).or_default()
    }

    /// Refuses a result for good.
    fn refuse(&mut self, message: &jetstream::Message, worker: Option<&str>, reason: &str) {
        road::acknowledge(message);
        self.note_refusal(worker, reason);
    }

    /// Counts what was refused, and says so unless that was said often.
    fn note_refusal(&mut self, worker: Option<&str>, reason: &str) {
        const OFTEN: u64 = 50;
        self.refused += 1;
        if let Some(worker) = worker {
            self.tally(worker).refused += 1;
        }
        let of = worker.map_or(String::new(), |worker| format!(" of {worker}"));
        match self.refused {
            ..OFTEN => (self.notice)(&format!("refused{of}: {reason}")),
            OFTEN => (self.notice)(&format!("refused{of}: {reason}; more of this is only counted")),
            _ => {}
        }
    }

    /// Notes what a worker says of itself.
    fn hear(&mut self, subject: &str, payload: &[u8]) {
        let worker = match read::<WorkerStatus>(payload) {
            Ok(worker) if is_name(&worker.name) && subject.rsplit('.').next() == Some(&worker.name) => worker,
            Ok(_) => return self.note_refusal(None, "a worker tells of itself under another name"),
            Err(error) => return self.note_refusal(None, &format!("what a worker tells makes no sense: {error}")),
        };
        if self.workers.len() >= MOST_WORKERS && !self.workers.contains_key(&worker.name) {
            return;
        }
        for (event, number) in &worker.playing {
            if let Some(given) = self.given.get_mut(number).filter(|_| *event == self.card.event) {
                given.hear();
            }
        }
        let is_idle = worker.playing.len() < worker.cores;
        self.workers.insert(worker.name, Seen { cores: worker.cores.min(4096), is_idle, last: Instant::now() });
        self.widen();
    }

    /// As many units may be out as keep all workers busy.
    fn widen(&mut self) {
        self.workers.retain(|_, seen| seen.last.elapsed() < WORKER_AWAY);
        let cores: usize = self.workers.values().map(|seen| seen.cores).sum();
        self.window.store(SMALLEST_WINDOW + UNITS_PER_CORE * cores, Ordering::Relaxed);
    }

    async fn settle(&mut self, number: u64) {
        for message in self.unsettled.remove(&number).into_iter().flatten() {
            road::acknowledge(&message);
        }
    }

    async fn recall(&mut self) {
        self.given.clear();
        self.connection.remove(WORK_STREAM, format!("{WORK}.{}.>", self.card.event)).await;
    }

    async fn close(&mut self, is_over: bool) {
        let event = self.card.event.clone();
        self.recall().await;
        self.tell_status().await;
        // Acknowledgements go out before the consumer that they are for is forgotten.
        let _ = self.connection.client.flush().await;
        self.connection.forget_results_consumer(event.as_str()).await;
        if is_over {
            self.connection.remove(RESULT_STREAM, format!("{RESULT}.{event}")).await;
        }
        let _ = self.connection.client.flush().await;
    }

    async fn tell_status(&mut self) {
        self.widen();
        let status = EventStatus {
            event: self.card.event.clone(),
            command: self.card.command.clone(),
            name: self.card.name.clone(),
            figures: read_figures(&self.figures),
            outstanding: self.given.len() as u64,
            sent_again: self.sent_again,
            checked: self.checked,
            refused: self.refused,
            workers: self.tallies.clone(),
        };
        let subject = format!("{EVENT_STATUS}.{}", self.card.event);
        let _ = self.connection.client.publish(subject, write(&status).into()).await;
    }

    /// Asks the server which units it has.
    fn audit(&self, arrive: &Sender<Arrival>) {
        if !self.given.is_empty() {
            road::ask_for_units(&self.connection, &self.card.event, self.options.ack_wait, arrive);
        }
    }

    /// Sends units again of which there is no sign, and accepts answers that no other worker comes to check.
    ///
    /// A unit may wait at the server while all workers are busy. But after a crash the server may have units that it
    /// hands to no worker any more, so that one that waits while a worker is idle is as good as lost.
    async fn look_for_lost(&mut self, asked: Instant, present: &BTreeSet<u64>, arrive: &Sender<Arrival>) {
        let patience = SILENCES * self.options.ack_wait;
        let mut lost = Vec::new();
        let mut unchecked = Vec::new();
        let is_idle = self.workers.values().any(|seen| seen.is_idle);
        for (&number, given) in &self.given {
            let is_silent = given.silence(asked).is_some_and(|silence| silence >= patience);
            if given.waits_for_check(patience * 2) {
                unchecked.push(number);
            } else if is_silent && (is_idle || !present.contains(&number)) {
                lost.push(number);
            }
        }
        for number in unchecked {
            (self.notice)(&format!("no other worker played unit {number}, so that it is not checked"));
            // The first answer counts.
            self.accept(number, 0);
        }
        for number in lost {
            self.sent_again += 1;
            tracing::info!(number, "there is no sign of a unit, and it is sent again");
            let answered = self.given.get(&number).map(Given::answered_by).unwrap_or_default();
            self.send(number, answered, arrive);
        }
    }
}
