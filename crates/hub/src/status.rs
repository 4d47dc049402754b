//! What a viewer sees of a hub: the workers and the events that tell of themselves.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use serde::Serialize;
use tokio::runtime;

use crate::message::{EventStatus, WorkerStatus, read};
use crate::names::{EVENT_STATUS, WORKER_STATUS};
use crate::{Hub, HubError, Notice};

/// What goes on at a hub.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Overview {
    /// The workers, by name.
    pub workers: BTreeMap<String, WorkerStatus>,
    /// The events that have a coordinator, by what they are called on the way.
    pub events: BTreeMap<String, EventStatus>,
    /// Messages that made no sense.
    pub refused: u64,
}

/// More workers or events than these are not listed.
const MOST: usize = 10_000;

impl Overview {
    /// Listens for a while: workers tell of themselves every two seconds, coordinators every second.
    pub fn listen(hub: &Hub, time: Duration, notice: &Notice) -> Result<Overview, HubError> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(HubError::Thread)?;
        runtime.block_on(async {
            let connection = hub.connect("viewer", notice).await?;
            let subscribed = connection.client.subscribe("saavedra.status.>").await;
            let mut messages = subscribed.map_err(|error| HubError::refused("show its status", error))?;
            let mut overview = Overview::default();
            let _ = tokio::time::timeout(time, async {
                while let Some(message) = messages.next().await {
                    overview.note(&message.subject, &message.payload);
                }
            })
            .await;
            Ok(overview)
        })
    }

    fn note(&mut self, subject: &str, payload: &[u8]) {
        let is_of = |kind: &str| subject.strip_prefix(kind).is_some_and(|rest| rest.starts_with('.'));
        let noted = if is_of(WORKER_STATUS) {
            read::<WorkerStatus>(payload).map(|worker| insert(&mut self.workers, worker.name.clone(), worker))
        } else if is_of(EVENT_STATUS) {
            read::<EventStatus>(payload).map(|event| insert(&mut self.events, event.event.to_string(), event))
        } else {
            Ok(())
        };
        if let Err(error) = noted {
            self.refused += 1;
            tracing::debug!(%subject, %error, "a message was refused");
        }
    }
}

fn insert<T>(map: &mut BTreeMap<String, T>, name: String, value: T) {
    if map.len() < MOST || map.contains_key(&name) {
        map.insert(name, value);
    }
}
