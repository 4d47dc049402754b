//! The connection to a hub, and the streams that must be there.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event};
use futures_util::StreamExt;

use crate::names::{RESULT, RESULT_STREAM, WORK, WORK_STREAM, WORKERS};
use crate::{HubError, Key, Notice};

/// Where NATS listens unless it is told otherwise.
const PORT: u16 = 4222;

/// How long one question to the server may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often a connection that says nothing is tried.
const PING_INTERVAL: Duration = Duration::from_secs(10);

/// How long a result that no coordinator fetches is kept.
const RESULT_AGE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long the server remembers which messages it has.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

/// Where a hub is: `nats://host`, `nats://host:port`, or `tls://host`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address(String);

impl FromStr for Address {
    type Err = HubError;

    fn from_str(text: &str) -> Result<Address, HubError> {
        let wrong = || HubError::Address(text.to_owned());
        let (scheme, place) = text.split_once("://").ok_or_else(wrong)?;
        let place = place.trim_end_matches('/');
        let is_known = ["nats", "tls"].contains(&scheme);
        if !is_known || place.is_empty() || place.contains(['/', '@', '?', '#']) || place.contains(char::is_whitespace)
        {
            return Err(wrong());
        }
        let has_port = match place.rsplit_once(':') {
            Some((_, port)) if !place.ends_with(']') => port.parse::<u16>().map(|_| true).map_err(|_| wrong())?,
            _ => false,
        };
        let port = if has_port { String::new() } else { format!(":{PORT}") };
        Ok(Address(format!("{scheme}://{place}{port}")))
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// How to reach a hub.
#[derive(Clone, Debug)]
pub struct Hub {
    /// Where it is.
    pub address: Address,
    /// The file of the key.
    pub key: PathBuf,
    /// The certificate of the authority that signed the server's, if the system does not know it.
    pub authority: Option<PathBuf>,
}

/// A connection that comes back by itself.
#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
}

impl Hub {
    /// Connects, or says why that cannot be.
    pub(crate) async fn connect(&self, name: &str, notice: &Notice) -> Result<Connection, HubError> {
        let key = Key::read(Path::new(&self.key))?;
        let told = Arc::clone(notice);
        let mut options = ConnectOptions::with_nkey(key.seed()?)
            .name(name)
            .custom_inbox_prefix(key.inbox())
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(PING_INTERVAL)
            .reconnect_delay_callback(|attempts| Duration::from_millis(100 * (attempts as u64).min(20)))
            .event_callback(move |event| {
                tell(&event, &told);
                async {}
            });
        if let Some(authority) = &self.authority {
            options = options.add_root_certificates(authority.clone());
        }
        let client = options
            .connect(&self.address.0)
            .await
            .map_err(|error| HubError::Connect { address: self.address.to_string(), reason: reason(&error) })?;
        let jetstream = jetstream::ContextBuilder::new().timeout(PATIENCE).build(client.clone());
        Ok(Connection { client, jetstream })
    }
}

/// What the server did not like, with the cause, which tells more.
fn reason(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| {
        let cause = cause.to_string();
        if text.contains(&cause) { text } else { format!("{text}: {cause}") }
    })
}

fn tell(event: &Event, notice: &Notice) {
    match event {
        Event::Connected => tracing::info!("connected to the hub"),
        Event::Disconnected => {
            notice("the hub is away; what is being played goes on, and the connection is tried again")
        }
        Event::ServerError(error) => notice(&format!("the hub complains: {error}")),
        other => tracing::debug!(event = %other, "the connection to the hub"),
    }
}

impl Connection {
    /// Makes the streams and the consumer of workers, if they are not there.
    pub(crate) async fn prepare(&self, ack_wait: Duration) -> Result<(), HubError> {
        let failed = |error: &dyn std::fmt::Display| HubError::refused("keep a queue", error);
        let work = stream::Config {
            name: WORK_STREAM.to_owned(),
            subjects: vec![format!("{WORK}.>")],
            retention: RetentionPolicy::WorkQueue,
            duplicate_window: DUPLICATE_WINDOW,
            ..stream::Config::default()
        };
        let results = stream::Config {
            name: RESULT_STREAM.to_owned(),
            subjects: vec![format!("{RESULT}.>")],
            max_age: RESULT_AGE,
            max_message_size: crate::message::LONGEST as i32,
            discard: DiscardPolicy::Old,
            ..work.clone()
        };
        let stream = self.jetstream.get_or_create_stream(work).await.map_err(|error| failed(&error))?;
        self.jetstream.get_or_create_stream(results).await.map_err(|error| failed(&error))?;
        let workers = pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            // Units that a worker cannot play come back to others, as often as that takes.
            max_deliver: -1,
            max_ack_pending: -1,
            ..pull::Config::default()
        };
        stream.create_consumer(workers).await.map(drop).map_err(|error| failed(&error))
    }

    /// The consumer that hands out units.
    pub(crate) async fn workers(&self) -> Result<PullConsumer, HubError> {
        let consumer = self.jetstream.get_consumer_from_stream(WORKERS, WORK_STREAM).await;
        consumer.map_err(|error| HubError::refused("hand out units", error))
    }

    /// The consumer of the results of one event, from the first that was not written down.
    pub(crate) async fn results(&self, event: &str) -> Result<PullConsumer, HubError> {
        let failed = |error: &dyn std::fmt::Display| HubError::refused("hand out results", error);
        let stream = self.jetstream.get_stream(RESULT_STREAM).await.map_err(|error| failed(&error))?;
        let config = pull::Config {
            durable_name: Some(format!("results-{event}")),
            filter_subject: format!("{RESULT}.{event}"),
            ack_policy: AckPolicy::Explicit,
            max_ack_pending: -1,
            ..pull::Config::default()
        };
        stream.get_or_create_consumer(&format!("results-{event}"), config).await.map_err(|error| failed(&error))
    }

    /// Forgets the consumer of an event's results; what it has not acknowledged is there for the next.
    pub(crate) async fn forget_results_consumer(&self, event: &str) {
        let _ = self.jetstream.delete_consumer_from_stream(format!("results-{event}"), RESULT_STREAM).await;
    }

    /// Removes what waits on some subjects of a stream, message by message: when nats-server 2.9 purges by subject, the
    /// consumers of the stream forget what they have not handed out on other subjects.
    pub(crate) async fn remove(&self, stream: &str, subjects: String) {
        let Ok(stream) = self.jetstream.get_stream_no_info(stream).await else { return };
        let Ok(mut found) = stream.info_with_subjects(subjects).await else { return };
        while let Some(Ok((subject, count))) = found.next().await {
            for _ in 0..count {
                let Ok(message) = stream.get_last_raw_message_by_subject(&subject).await else { break };
                let _ = stream.delete_message(message.sequence).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_port_of_its_own_or_the_usual_one() {
        let read = |text: &str| text.parse::<Address>().map(|address| address.to_string()).ok();
        assert_eq!(read("nats://hub").as_deref(), Some("nats://hub:4222"));
        assert_eq!(read("tls://10.0.0.1:5000/").as_deref(), Some("tls://10.0.0.1:5000"));
        assert_eq!(read("nats://[::1]").as_deref(), Some("nats://[::1]:4222"));
        assert_eq!(read("nats://[::1]:7").as_deref(), Some("nats://[::1]:7"));
        for text in ["hub", "http://hub", "nats://", "nats://hub:port", "nats://me:word@hub", "nats://a b"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
