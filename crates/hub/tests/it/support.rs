//! A server, a coordinator's event and workers, all in this process but the server.

use std::collections::BTreeMap;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use arena::event::{Event, EventInputs, EventPlan, Finish, Functions, OpeningPlan, PairUnit, Venue};
use arena::schedule::Format;
use arena::{Adjudication, Participant, Terms};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions};
use records::openings::Openings;
use saavedra_hub::server::{CONFIGURATION, Role, Server};
use saavedra_hub::worker::Worker;
use saavedra_hub::{Card, EventId, Hub, HubQueue, Luggage, Notice, Options, Reference};
use tempfile::TempDir;

/// Nothing takes as long as this; a test that waits for longer has found a mistake.
const PATIENCE: Duration = Duration::from_secs(120);

/// What any search here has in common.
pub(crate) const REFERENCE: Reference = Reference { signature: 1, speed: 1000 };

/// Waits until something holds.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Lines that were told, by the server or by a part of ours.
#[derive(Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    pub(crate) fn notice(&self) -> Notice {
        let lines = Arc::clone(&self.0);
        Arc::new(move |line: &str| lines.lock().expect("lines").push(line.to_owned()))
    }

    pub(crate) fn has(&self, part: &str) -> bool {
        self.0.lock().expect("lines").iter().any(|line| line.contains(part))
    }
}

/// A server with its keys.
pub(crate) struct TestHub {
    pub(crate) folder: TempDir,
    port: u16,
    server: Child,
}

impl Drop for TestHub {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl TestHub {
    /// A hub; nothing where there is no nats-server.
    pub(crate) fn start() -> Option<TestHub> {
        let folder = tempfile::tempdir().expect("a folder");
        let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
        let listen = format!("127.0.0.1:{port}").parse().expect("an address");
        Server { listen, tls: None }.write(&folder.path().join("hub")).expect("a hub");
        let configuration = folder.path().join("hub").join(CONFIGURATION);
        let mut command = Command::new("nats-server");
        command.arg("--config").arg(configuration).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(server) = command.spawn() else {
            eprintln!("skipped: there is no nats-server on this machine");
            return None;
        };
        wait_until("the server listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        Some(TestHub { folder, port, server })
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn key(&self, role: Role) -> PathBuf {
        self.folder.path().join("hub").join(format!("{}.key", role.name()))
    }

    /// How one of ours connects.
    pub(crate) fn hub(&self, role: Role) -> Hub {
        Hub { address: self.url().parse().expect("an address"), key: self.key(role), authority: None }
    }

    /// A client that may try anything with a key, and what the server says to it.
    pub(crate) async fn client(&self, role: Role) -> (Client, Context, Lines) {
        let text = std::fs::read_to_string(self.key(role)).expect("a key");
        let seed = text.lines().find(|line| line.starts_with('S')).expect("a seed").to_owned();
        let public = nkeys::KeyPair::from_seed(&seed).expect("a key").public_key();
        let lines = Lines::default();
        let told = lines.notice();
        let options = ConnectOptions::with_nkey(seed).custom_inbox_prefix(format!("_INBOX.{public}"));
        let options = options.event_callback(move |event| {
            told(&event.to_string());
            async {}
        });
        let client = options.connect(self.url()).await.expect("a connection");
        (client.clone(), jetstream::new(client), lines)
    }

    /// A queue for an event of this name.
    pub(crate) fn queue(&self, name: &str, spot_check: u64, lines: &Lines) -> HubQueue<PairUnit> {
        let event = event_id(name);
        let card = Card { event, command: "match".to_owned(), name: name.to_owned(), goes_on: false };
        let options = Options { ack_wait: Duration::from_secs(20), reference: REFERENCE, spot_check };
        let hub = self.hub(Role::Coordinator);
        HubQueue::open(&hub, card, Luggage::default(), options, lines.notice()).expect("a queue")
    }

    /// A worker on a thread of its own.
    pub(crate) fn worker(&self, name: &str) -> RunningWorker {
        let stop = Arc::new(AtomicBool::new(false));
        let lines = Lines::default();
        let worker = Worker {
            hub: self.hub(Role::Worker),
            name: name.to_owned(),
            program: "test".to_owned(),
            cores: 1,
            engines: BTreeMap::new(),
            tablebase: None,
            cache: self.folder.path().join(format!("cache-{name}")),
            reference: REFERENCE,
            notice: lines.notice(),
        };
        let flag = Arc::clone(&stop);
        let thread = thread::spawn(move || worker.run(&flag).expect("it works"));
        RunningWorker { stop, thread: Some(thread), lines }
    }
}

/// A worker that ends with its test.
pub(crate) struct RunningWorker {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    pub(crate) lines: Lines,
}

impl Drop for RunningWorker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub(crate) fn event_id(name: &str) -> EventId {
    EventId::of(name, b"a test")
}

/// A match of two quick players.
pub(crate) fn event(pairs: u64) -> Event {
    let player = |mind: &str| Participant {
        name: mind.to_owned(),
        mind: mind.parse().expect("a mind"),
        time: "nodes=100".parse().expect("a time control"),
    };
    let plan = EventPlan {
        name: "a test".to_owned(),
        seed: 7,
        schedule: Format::Match { pairs },
        players: vec![player("capture"), player("random")],
        openings: OpeningPlan { plies: Some(6), ..OpeningPlan::default() },
        adjudication: Adjudication { longest: Some(30), ..Adjudication::default() },
        tablebase: None,
        time_margin: 0,
        sprt: None,
    };
    let terms = Terms { adjudication: plan.adjudication.clone(), ..Terms::default() };
    let openings = Openings::random_plies(6);
    let inputs = EventInputs { openings, terms, functions: Functions::new(), venue: Venue::Elsewhere };
    Event::begin(plan, inputs, None).expect("an event")
}

/// The games of an event, each as it was played.
pub(crate) fn games(event: &mut Event) -> Vec<String> {
    let ids: Vec<_> = event.log().ids().collect();
    let game = |id| {
        let entry = event.log_mut().entry(id).expect("a journal").expect("a game");
        let moves: Vec<String> = entry.game.moves.iter().map(ToString::to_string).collect();
        format!("{id:?} {} {} {} {:?}", entry.white, entry.black, moves.join(" "), entry.game.reason)
    };
    ids.into_iter().map(game).collect()
}

/// The games of such a match, played here.
pub(crate) fn games_played_here(pairs: u64) -> Vec<String> {
    let mut event = event(pairs);
    assert_eq!(event.run(2, &Arc::default(), &mut ()).expect("it is played"), Finish::Over);
    games(&mut event)
}
