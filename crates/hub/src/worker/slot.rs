//! One core of a worker: fetches a unit, plays it, sends what came of it, and fetches the next.

use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use async_nats::jetstream;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;

use super::play::Player;
use super::{Shared, WAKE};
use crate::message::{ResultMessage, UnitMessage, read, write};
use crate::names::RESULT;
use crate::work::Work;

/// How long a question for a unit waits at the server.
const FETCH: Duration = Duration::from_secs(2);

/// How long to wait before something is tried again.
const PAUSE: Duration = Duration::from_millis(300);

/// After how long a unit that cannot be played here may come to another worker.
const HAND_BACK: Duration = Duration::from_millis(500);

/// The cores of a worker that are free. A player with several threads takes several.
pub(super) struct Cores {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Cores {
    pub(super) fn new(count: usize) -> Cores {
        Cores { free: Mutex::new(count), freed: Condvar::new() }
    }

    /// Takes so many cores as soon as they are free; they are given back when what is returned is dropped.
    fn take(&self, count: usize, is_stopped: &dyn Fn() -> bool) -> Option<Taken<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free < count {
            if is_stopped() {
                return None;
            }
            free = self.freed.wait_timeout(free, WAKE).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= count;
        Some(Taken { cores: self, count })
    }
}

struct Taken<'a> {
    cores: &'a Cores,
    count: usize,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.cores.free.lock().unwrap_or_else(PoisonError::into_inner) += self.count;
        self.cores.freed.notify_all();
    }
}

/// One core.
pub(super) struct Slot<'a> {
    shared: &'a Shared<'a>,
    player: Player<'a>,
    consumer: Option<PullConsumer>,
}

impl<'a> Slot<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Slot<'a> {
        Slot { shared, player: Player::new(shared), consumer: None }
    }

    /// Works until the worker is stopped.
    pub(super) fn run(mut self) {
        while !self.shared.is_stopped() {
            match self.fetch() {
                Some(message) => self.work(&message),
                None if self.consumer.is_none() => thread::sleep(PAUSE),
                None => {}
            }
        }
    }

    /// A unit to be played, if the hub has one.
    fn fetch(&mut self) -> Option<jetstream::Message> {
        self.shared.runtime.block_on(async {
            if self.consumer.is_none() {
                self.consumer = self.shared.connection.workers().await.ok();
            }
            let consumer = self.consumer.as_ref()?;
            let units = consumer.batch().max_messages(1).expires(FETCH).messages();
            let Ok(mut units) = units.await else {
                self.consumer = None;
                return None;
            };
            // The server's silence counts as well as its answer.
            match tokio::time::timeout(2 * FETCH, units.next()).await {
                Ok(Some(Ok(message))) => Some(message),
                Ok(None) => None,
                Ok(Some(Err(_))) | Err(_) => {
                    self.consumer = None;
                    None
                }
            }
        })
    }

    fn work(&mut self, message: &jetstream::Message) {
        let unit = match read::<UnitMessage>(&message.payload) {
            Ok(unit) => unit,
            Err(error) => {
                self.shared.complain(format!("a unit was refused: {error}"));
                return self.answer(message, AckKind::Term);
            }
        };
        if let Err(reason) = self.player.vet(&unit) {
            if !unit.avoid.contains(&self.shared.worker.name) {
                self.shared.complain(format!("units of the event {} are left to others: {reason}", unit.event));
            }
            self.answer(message, AckKind::Nak(Some(HAND_BACK)));
            // Others shall be asked first.
            return thread::sleep(HAND_BACK);
        }
        let alive = self.keep_alive(message);
        let id = (unit.event.clone(), unit.number);
        self.shared.playing().insert(id.clone());
        let is_done = self.play(&unit);
        self.shared.playing().remove(&id);
        alive.abort();
        self.answer(message, if is_done { AckKind::Ack } else { AckKind::Nak(None) });
    }

    /// Plays a unit and sends what came of it. Answers whether the hub has it.
    fn play(&mut self, unit: &UnitMessage) -> bool {
        let threads = match &unit.work {
            Work::Pair(pair) => pair.threads(),
            Work::SelfPlay { .. } => 1,
        };
        let shared = self.shared;
        let Some(_cores) = shared.cores.take(threads, &|| shared.is_stopped()) else { return false };
        let outcome = match self.player.play(unit) {
            Ok(outcome) => outcome,
            Err(reason) => {
                shared.complain(format!("a unit of the event {} was not played: {reason}", unit.event));
                return false;
            }
        };
        let UnitMessage { event, number, attempt, .. } = unit.clone();
        let worker = shared.worker.name.clone();
        let subject = format!("{RESULT}.{event}");
        let id = format!("{event}.{number}.{attempt}.{worker}");
        let payload = write(&ResultMessage { event, number, attempt, worker, outcome });
        let is_sent = self.send(&subject, &PublishMessage::build().payload(payload.into()).message_id(id));
        shared.finished.fetch_add(u64::from(is_sent), Ordering::Relaxed);
        is_sent
    }

    /// Sends a result until the server has it, however long the server is away.
    fn send(&self, subject: &str, message: &PublishMessage) -> bool {
        loop {
            let sent = self.shared.runtime.block_on(async {
                let sent = self.shared.connection.jetstream.send_publish(subject.to_owned(), message.clone()).await;
                match sent {
                    Ok(sent) => sent.await.is_ok(),
                    Err(_) => false,
                }
            });
            if sent || self.shared.is_stopped() {
                return sent;
            }
            thread::sleep(PAUSE);
        }
    }

    /// Says again and again that a unit is being played.
    fn keep_alive(&self, message: &jetstream::Message) -> tokio::task::JoinHandle<()> {
        let ack_wait = self.consumer.as_ref().map(|consumer| consumer.cached_info().config.ack_wait);
        let interval = ack_wait.unwrap_or_default().max(Duration::from_millis(300)) / 3;
        let message = message.clone();
        self.shared.runtime.spawn(async move {
            loop {
                tokio::time::sleep(interval).await;
                let _ = message.ack_with(AckKind::Progress).await;
            }
        })
    }

    fn answer(&self, message: &jetstream::Message, kind: AckKind) {
        let _ = self.shared.runtime.block_on(message.ack_with(kind));
    }
}
