//! What a hub holds: `capacity [WORKERS [PAIRS [MILLISECONDS]]]`.
//!
//! A nats-server is started in a folder of its own, and simulated workers answer each unit at once by two short games,
//! so that all that is left is the road: giving out, sending there and back, checking, writing down, acknowledging. Or
//! they take so many milliseconds for a unit.
//!
//! ```text
//! cargo run --release --package saavedra-hub --example capacity -- 200 50000
//! ```

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use arena::event::{
    Event, EventError, EventInputs, EventLog, EventObserver, EventPlan, Functions, GameEntry, OpeningPlan, PlayedGame,
    Venue,
};
use arena::schedule::Format;
use arena::{Adjudication, GameRecord, Participant, Terms};
use async_nats::jetstream;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use records::openings::Openings;
use saavedra_hub::message::{ResultMessage, UnitMessage, WorkerStatus, read, write};
use saavedra_hub::server::{CONFIGURATION, Server};
use saavedra_hub::{Card, EventId, Hub, HubQueue, Luggage, Notice, Options, Outcome, Reference, Work};

/// The shortest mate there is.
const GAME: &str = concat!(
    r#"{"moves":"f2f3 e7e5 g2g4 d8h4","scores":[0,0,0,"M1"],"depths":[1,1,1,1],"nodes":[1,1,1,1],"#,
    r#""times":[1,1,1,1],"result":"0-1","reason":"checkmate"}"#
);

struct ServerProcess(Child);

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let workers: usize = arguments.next().as_deref().unwrap_or("200").parse()?;
    let pairs: u64 = arguments.next().as_deref().unwrap_or("20000").parse()?;
    let pause = Duration::from_millis(arguments.next().as_deref().unwrap_or("0").parse()?);
    let folder = tempfile::tempdir()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let hub_folder = folder.path().join("hub");
    Server { listen: format!("127.0.0.1:{port}").parse()?, tls: None }.write(&hub_folder)?;
    let mut command = Command::new("nats-server");
    command.arg("--config").arg(hub_folder.join(CONFIGURATION)).stdout(Stdio::null()).stderr(Stdio::null());
    let server = ServerProcess(command.spawn()?);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        thread::sleep(Duration::from_millis(10));
    }

    let url = format!("nats://127.0.0.1:{port}");
    let hub = |role: &str| -> Result<Hub, Box<dyn std::error::Error>> {
        Ok(Hub { address: url.parse()?, key: hub_folder.join(format!("{role}.key")), authority: None })
    };
    let notice: Notice = Arc::new(|line| eprintln!("{line}"));
    let reference = Reference { signature: 1, speed: 1000 };
    let options = Options { ack_wait: Duration::from_secs(30), reference, spot_check: 0 };
    let id = EventId::random()?;
    let card = Card { event: id, command: "match".to_owned(), name: "capacity".to_owned(), goes_on: false };
    let mut queue = HubQueue::open(&hub("coordinator")?, card, Luggage::default(), options, notice)?;
    let seed = fs::read_to_string(hub_folder.join("worker.key"))?;
    let seed = seed.lines().find(|line| line.starts_with('S')).unwrap_or_default().to_owned();
    let runtime = tokio::runtime::Runtime::new()?;
    for number in 0..workers {
        runtime.spawn(simulate(url.clone(), seed.clone(), number, pause));
    }
    let mut event = event(pairs, &folder.path().join("journal"))?;
    let warm_up = pairs / 10;
    let mut watch = Watch { warm_up, games: 0, began: Mutex::new(None) };
    event.run_through(&mut queue, &AtomicBool::new(false), &mut watch)?;
    let began = watch.began.into_inner().map_err(|error| error.to_string())?.ok_or("nothing was measured")?;
    let seconds = began.elapsed().as_secs_f64();
    let rate = (pairs - warm_up) as f64 / seconds;
    println!("{workers} workers: {rate:.0} units a second, {:.0} microseconds a unit", 1e6 / rate);
    println!("nats-server: {}", memory(server.0.id()));
    queue.close(true);
    Ok(())
}

/// How much memory a process takes, and has taken at most.
fn memory(process: u32) -> String {
    let status = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status")).unwrap_or_default();
    let lines: Vec<&str> =
        status.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM")).collect();
    lines.join(", ")
}

fn event(pairs: u64, journal: &Path) -> Result<Event, EventError> {
    let player = |name: &str| Participant {
        name: name.to_owned(),
        mind: "random".parse().expect("a mind"),
        time: "nodes=1".parse().expect("a time control"),
    };
    let plan = EventPlan {
        name: "capacity".to_owned(),
        seed: 1,
        schedule: Format::Match { pairs },
        players: vec![player("one"), player("other")],
        openings: OpeningPlan { plies: Some(0), ..OpeningPlan::default() },
        adjudication: Adjudication::default(),
        tablebase: None,
        time_margin: 0,
        sprt: None,
    };
    let openings = Openings::random_plies(0);
    let inputs =
        EventInputs { openings, terms: Terms::default(), functions: Functions::new(), venue: Venue::Elsewhere };
    Event::begin(plan, inputs, Some(journal))
}

/// Notes when the workers are warm.
struct Watch {
    warm_up: u64,
    games: u64,
    began: Mutex<Option<Instant>>,
}

impl EventObserver for Watch {
    fn finished(&mut self, _log: &mut EventLog, _entry: &GameEntry) -> Result<(), EventError> {
        self.games += 1;
        if self.games == 2 * self.warm_up.max(1) {
            *self.began.get_mut().expect("no panic") = Some(Instant::now());
        }
        Ok(())
    }
}

/// A worker of one core that does not think.
async fn simulate(url: String, seed: String, number: usize, pause: Duration) -> Option<()> {
    let name = format!("simulated-{number}");
    let public = nkeys::KeyPair::from_seed(&seed).ok()?.public_key();
    let options = async_nats::ConnectOptions::with_nkey(seed).custom_inbox_prefix(format!("_INBOX.{public}"));
    let client = options.connect(url).await.ok()?;
    let jetstream = jetstream::new(client.clone());
    let consumer: PullConsumer = jetstream.get_consumer_from_stream("workers", "SAAVEDRA_WORK").await.ok()?;
    let status = WorkerStatus {
        name: name.clone(),
        program: "simulated".to_owned(),
        cores: 1,
        playing: Vec::new(),
        finished: 0,
        signature: 1,
        speed: 1000,
        engines: Vec::new(),
    };
    let subject = format!("saavedra.status.worker.{name}");
    let (beating, payload) = (client.clone(), write(&status));
    tokio::spawn(async move {
        loop {
            let _ = beating.publish(subject.clone(), payload.clone().into()).await;
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    });
    let game: GameRecord = serde_json::from_str(GAME).ok()?;
    loop {
        let mut units = consumer.batch().max_messages(1).expires(Duration::from_secs(10)).messages().await.ok()?;
        while let Some(Ok(message)) = units.next().await {
            let UnitMessage { event, number, attempt, work, .. } = read(&message.payload).ok()?;
            let Work::Pair(pair) = work else { continue };
            tokio::time::sleep(pause).await;
            let games = pair.legs.iter().map(|&leg| PlayedGame { leg, started: 0, game: game.clone() });
            let outcome = Outcome::Pair(games.collect());
            let subject = format!("saavedra.result.{event}");
            let result = ResultMessage { event, number, attempt, worker: name.clone(), outcome };
            jetstream.publish(subject, write(&result).into()).await.ok()?.await.ok()?;
            message.ack().await.ok()?;
        }
    }
}
