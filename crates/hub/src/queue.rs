//! The queue of units over a hub, as a coordinator sees it: the same trait as the threads of one process.
//!
//! The coordinator's thread stays free of async code. A task in the background, the courier, speaks with the server.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arena::queue::{Queue, QueueError, Report};
use tokio::runtime::{self, Runtime};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use crate::courier::{Command, Courier};
use crate::files::Luggage;
use crate::message::Figures;
use crate::work::Freight;
use crate::{EventId, Hub, HubError, Notice, Reference};

/// How many units may be out before it is known how many cores there are.
pub(crate) const SMALLEST_WINDOW: usize = 16;

/// How long the server has to take leave of us.
const FAREWELL: Duration = Duration::from_secs(10);

/// What others see of an event.
#[derive(Clone, Debug)]
pub struct Card {
    /// What it is called on the way.
    pub event: EventId,
    /// The command that runs it.
    pub command: String,
    /// What people call it.
    pub name: String,
    /// Whether it goes on, so that answers to an earlier run of it are welcome.
    pub goes_on: bool,
}

/// How an event travels.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long a worker may say nothing of a unit before another gets it.
    pub ack_wait: Duration,
    /// The coordinator's search, and the machine that time controls are meant for.
    pub reference: Reference,
    /// One unit in so many is played by two workers and compared.
    pub spot_check: u64,
}

impl Options {
    /// How long a worker may say nothing, by default.
    pub const ACK_WAIT: Duration = Duration::from_secs(30);
    /// One unit in so many is checked, by default.
    pub const SPOT_CHECK: u64 = 50;
}

/// Units of an event, played by workers elsewhere.
pub struct HubQueue<U: Freight> {
    commands: UnboundedSender<Command<U>>,
    reports: Receiver<Report<U>>,
    /// What is out.
    given: BTreeMap<u64, U>,
    window: Arc<AtomicUsize>,
    figures: Arc<Mutex<Figures>>,
    runtime: Option<Runtime>,
}

impl<U: Freight> HubQueue<U> {
    /// Connects to a hub and makes it ready for an event.
    pub fn open(hub: &Hub, card: Card, luggage: Luggage, options: Options, notice: Notice) -> Result<Self, HubError> {
        let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(HubError::Thread)?;
        let (commands, orders) = tokio::sync::mpsc::unbounded_channel();
        let (report, reports) = mpsc::channel();
        let window = Arc::new(AtomicUsize::new(SMALLEST_WINDOW));
        let figures = Arc::new(Mutex::new(Figures::default()));
        let name = format!("coordinator of {}", card.name);
        let courier = runtime.block_on(async {
            let connection = hub.connect(&name, &notice).await?;
            connection.prepare(options.ack_wait).await?;
            let courier = Courier::new(connection, card, luggage, options, notice, report)?;
            Ok::<_, HubError>(courier.sharing(Arc::clone(&window), Arc::clone(&figures)))
        })?;
        runtime.spawn(courier.run(orders));
        Ok(HubQueue { commands, reports, given: BTreeMap::new(), window, figures, runtime: Some(runtime) })
    }

    /// Where the coordinator leaves what others shall see of its event.
    pub fn figures(&self) -> Arc<Mutex<Figures>> {
        Arc::clone(&self.figures)
    }

    /// Takes leave of the hub. Nothing is left there of an event that is over; for one that goes on later, what workers
    /// still send is kept.
    pub fn close(mut self, is_over: bool) {
        let (done, is_done) = oneshot::channel();
        if let Some(runtime) = self.runtime.take() {
            if self.commands.send(Command::Close { is_over, done }).is_ok() {
                let _ = runtime.block_on(async { tokio::time::timeout(FAREWELL, is_done).await });
            }
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
    }

    fn send(&self, command: Command<U>) {
        // If the courier has ended, `next` says so.
        let _ = self.commands.send(command);
    }
}

/// Changes what others see of an event.
pub(crate) fn read_figures(figures: &Mutex<Figures>) -> Figures {
    figures.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

impl<U: Freight> Queue<U> for HubQueue<U> {
    fn games_per_unit(&self) -> u64 {
        U::GAMES
    }

    fn room(&self) -> usize {
        self.window.load(Ordering::Relaxed).saturating_sub(self.given.len())
    }

    fn push(&mut self, unit: U) {
        self.given.insert(unit.number(), unit.clone());
        self.send(Command::Push(unit));
    }

    fn next(&mut self, longest: Duration) -> Result<Option<Report<U>>, QueueError> {
        match self.reports.recv_timeout(longest) {
            Ok(report) => {
                if let Report::Done { number, .. } = &report {
                    self.given.remove(number);
                }
                Ok(Some(report))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(QueueError::Elsewhere(Box::new(HubError::Ended))),
        }
    }

    fn settle(&mut self, number: u64) {
        self.send(Command::Settle(number));
    }

    fn recall(&mut self) -> Vec<U> {
        if !self.given.is_empty() {
            self.send(Command::Recall);
        }
        std::mem::take(&mut self.given).into_values().collect()
    }
}

impl<U: Freight> Drop for HubQueue<U> {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
