//! A worker: a machine that plays units for any coordinator of its hub.
//!
//! It fetches a unit for each free core, says while it plays that it is alive, sends what came of it, and acknowledges
//! the unit only then. Nothing that arrives is believed: a unit names engines by names that the worker's owner gave,
//! and files by checksums.

mod play;
mod slot;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use search::Tablebase;
use tokio::runtime::{self, Handle};

use crate::connection::Connection;
use crate::files::FileCache;
use crate::message::{WorkerStatus, write};
use crate::names::{WORKER_STATUS, is_name};
use crate::{EventId, Hub, HubError, Notice, Reference};
use slot::{Cores, Slot};

/// What a worker offers.
pub struct Worker {
    /// Its hub.
    pub hub: Hub,
    /// How it is called.
    pub name: String,
    /// The version of its program.
    pub program: String,
    /// How many cores it plays on.
    pub cores: usize,
    /// The outside programs that it may start, by the names under which coordinators know them.
    pub engines: BTreeMap<String, String>,
    /// Tablebases for events that end games by them.
    pub tablebase: Option<Arc<dyn Tablebase>>,
    /// Where files that travelled are kept.
    pub cache: PathBuf,
    /// What the machine is worth.
    pub reference: Reference,
    /// Is told what the owner should know.
    pub notice: Notice,
}

/// How often a worker tells of itself.
const STATUS_INTERVAL: Duration = Duration::from_secs(2);

/// How often a worker tries to connect at first.
const RETRY: Duration = Duration::from_secs(2);

/// How often the flag to stop is read.
const WAKE: Duration = Duration::from_millis(100);

/// How many complaints a worker remembers, so that it does not repeat them.
const MOST_COMPLAINTS: usize = 1000;

/// What all cores of a worker share.
pub(crate) struct Shared<'a> {
    worker: &'a Worker,
    runtime: Handle,
    connection: Connection,
    files: FileCache,
    cores: Cores,
    stop: &'a Arc<AtomicBool>,
    /// The units that are being played.
    playing: Mutex<BTreeSet<(EventId, u64)>>,
    finished: AtomicU64,
    complaints: Mutex<BTreeSet<String>>,
}

impl Worker {
    /// Works until the flag is set.
    pub fn run(&self, stop: &Arc<AtomicBool>) -> Result<(), HubError> {
        for name in self.engines.keys().chain([&self.name]) {
            if !is_name(name) {
                return Err(HubError::Name(name.clone()));
            }
        }
        let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(HubError::Thread)?;
        let Some(connection) = runtime.block_on(self.connect(stop))? else { return Ok(()) };
        let cores = self.cores.max(1);
        let shared = Shared {
            worker: self,
            runtime: runtime.handle().clone(),
            connection,
            files: FileCache::open(&self.cache)?,
            cores: Cores::new(cores),
            stop,
            playing: Mutex::default(),
            finished: AtomicU64::new(0),
            complaints: Mutex::default(),
        };
        thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(|| Slot::new(&shared).run());
            }
            shared.tell_status_until_stopped();
        });
        runtime.shutdown_timeout(Duration::from_secs(1));
        Ok(())
    }

    /// Connects, however long it takes until the hub is there; nothing if it is stopped before. A key that the hub does
    /// not know stays unknown.
    async fn connect(&self, stop: &AtomicBool) -> Result<Option<Connection>, HubError> {
        let mut is_told = false;
        loop {
            match self.hub.connect(&self.name, &self.notice).await {
                Ok(connection) => return Ok(Some(connection)),
                Err(HubError::Connect { address, reason }) if !reason.contains("authorization") => {
                    if !std::mem::replace(&mut is_told, true) {
                        (self.notice)(&format!("cannot connect to {address} yet: {reason}"));
                    }
                }
                Err(error) => return Err(error),
            }
            for _ in 0..RETRY.as_millis() / WAKE.as_millis() {
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                tokio::time::sleep(WAKE).await;
            }
        }
    }
}

impl Shared<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn playing(&self) -> MutexGuard<'_, BTreeSet<(EventId, u64)>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell_status_until_stopped(&self) {
        let subject = format!("{WORKER_STATUS}.{}", self.worker.name);
        while !self.is_stopped() {
            let status = WorkerStatus {
                name: self.worker.name.clone(),
                program: self.worker.program.clone(),
                cores: self.worker.cores,
                playing: self.playing().iter().cloned().collect(),
                finished: self.finished.load(Ordering::Relaxed),
                signature: self.worker.reference.signature,
                speed: self.worker.reference.speed,
                engines: self.worker.engines.keys().cloned().collect(),
            };
            let sent = self.connection.client.publish(subject.clone(), write(&status).into());
            let _ = self.runtime.block_on(sent);
            for _ in 0..STATUS_INTERVAL.as_millis() / WAKE.as_millis() {
                if self.is_stopped() {
                    break;
                }
                thread::sleep(WAKE);
            }
        }
    }

    /// Tells something once.
    fn complain(&self, line: String) {
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        if complaints.len() >= MOST_COMPLAINTS {
            complaints.clear();
        }
        if !complaints.contains(&line) {
            (self.worker.notice)(&line);
            complaints.insert(line);
        }
    }
}
