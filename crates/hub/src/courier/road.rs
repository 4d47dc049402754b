//! The tasks that speak with the server, and try again where it does not answer.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use tokio::sync::mpsc::Sender;
use tokio::task::AbortHandle;

use super::Arrival;
use crate::EventId;
use crate::connection::Connection;
use crate::files::Luggage;
use crate::names::{FILE, WORK, WORK_STREAM, WORKER_STATUS};

/// How long to wait before something is tried again.
const PAUSE: Duration = Duration::from_millis(300);

/// How many results are fetched at once.
const BATCH: usize = 256;

/// A unit to be sent.
pub(super) struct Parcel {
    /// The subject of the attempt before, which no worker shall begin any more.
    pub(super) before: Option<String>,
    pub(super) subject: String,
    pub(super) id: String,
    pub(super) payload: Vec<u8>,
    pub(super) number: u64,
    pub(super) attempt: u32,
}

/// Starts everything that listens: for results, for workers, and for questions for files.
pub(super) fn listen(connection: &Connection, event: &EventId, luggage: &Arc<Luggage>, arrive: &Sender<Arrival>) {
    tokio::spawn(fetch_results(connection.clone(), event.clone(), arrive.clone()));
    tokio::spawn(hear_workers(connection.clone(), arrive.clone()));
    tokio::spawn(hand_out_files(connection.clone(), event.clone(), Arc::clone(luggage)));
}

/// Sends a unit until the server has it.
pub(super) fn publish(connection: &Connection, parcel: Parcel, arrive: &Sender<Arrival>) -> AbortHandle {
    let (connection, arrive) = (connection.clone(), arrive.clone());
    let task = tokio::spawn(async move {
        let Parcel { before, subject, id, payload, number, attempt } = parcel;
        if let Some(before) = before {
            connection.remove(WORK_STREAM, before).await;
        }
        let message = PublishMessage::build().payload(payload.into()).message_id(&id).expected_stream(WORK_STREAM);
        loop {
            if let Ok(sent) = connection.jetstream.send_publish(subject.clone(), message.clone()).await
                && sent.await.is_ok()
            {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        let _ = arrive.send(Arrival::Confirmed { number, attempt }).await;
    });
    task.abort_handle()
}

/// Tells the server that a message has done its work. If it does not hear that, the message comes again.
pub(super) fn acknowledge(message: &jetstream::Message) {
    let message = message.clone();
    tokio::spawn(async move { message.ack().await.is_ok() });
}

/// Asks which units the server has, waiting or being played.
pub(super) fn ask_for_units(connection: &Connection, event: &EventId, ack_wait: Duration, arrive: &Sender<Arrival>) {
    let (connection, event, arrive) = (connection.clone(), event.clone(), arrive.clone());
    tokio::spawn(async move {
        let asked = Instant::now();
        match present(&connection, &event).await {
            Some(numbers) => {
                let _ = arrive.send(Arrival::Present { asked, numbers }).await;
            }
            None => {
                let _ = connection.prepare(ack_wait).await;
            }
        }
    });
}

async fn present(connection: &Connection, event: &EventId) -> Option<BTreeSet<u64>> {
    // A server that was killed while it wrote may have the stream, and no longer the consumer of the workers: then its
    // units are there, and no worker is given one.
    connection.workers().await.ok()?;
    let stream = connection.jetstream.get_stream_no_info(WORK_STREAM).await.ok()?;
    let mut subjects = stream.info_with_subjects(format!("{WORK}.{event}.>")).await.ok()?;
    let mut numbers = BTreeSet::new();
    while let Some(subject) = subjects.next().await {
        let (subject, _) = subject.ok()?;
        numbers.extend(subject.split('.').nth(3).and_then(|number| number.parse::<u64>().ok()));
    }
    Some(numbers)
}

/// Fetches results, with a new consumer whenever the old one fails.
async fn fetch_results(connection: Connection, event: EventId, arrive: Sender<Arrival>) {
    loop {
        if let Ok(consumer) = connection.results(event.as_str()).await {
            let stream = consumer.stream().max_messages_per_batch(BATCH).expires(Duration::from_secs(6));
            if let Ok(mut messages) = stream.heartbeat(Duration::from_secs(1)).messages().await {
                while let Some(Ok(message)) = messages.next().await {
                    if arrive.send(Arrival::Result(Box::new(message))).await.is_err() {
                        return;
                    }
                }
            }
        }
        if arrive.is_closed() {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Listens to what workers tell of themselves.
async fn hear_workers(connection: Connection, arrive: Sender<Arrival>) {
    let Ok(mut messages) = connection.client.subscribe(format!("{WORKER_STATUS}.*")).await else { return };
    while let Some(message) = messages.next().await {
        let arrival = Arrival::Worker { subject: message.subject.to_string(), payload: message.payload.to_vec() };
        if arrive.send(arrival).await.is_err() {
            return;
        }
    }
}

/// Answers questions for parts of the files that the event needs, and no others.
async fn hand_out_files(connection: Connection, event: EventId, luggage: Arc<Luggage>) {
    let Ok(mut questions) = connection.client.subscribe(format!("{FILE}.{event}.*.*")).await else { return };
    while let Some(question) = questions.next().await {
        let mut parts = question.subject.split('.').skip(3);
        let (checksum, number) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let chunk = number.parse().ok().and_then(|number| luggage.chunk(checksum, number)).unwrap_or_default();
        if let Some(reply) = question.reply {
            let _ = connection.client.publish(reply, chunk.into()).await;
        }
    }
}
