//! A crowd at the board: many games against minds and many live analyses at once, for some seconds.
//!
//! `cargo run --release -p saavedra-serve --example load -- [SECONDS] [GAMES] [ANALYSES] [PAUSE]`: 30 seconds, 200
//! games and 20 analyses if nothing is said. Half of the games are against the random mind, half against alpha-beta;
//! the person at each has a connection of their own and thinks for PAUSE milliseconds about each move, a second if
//! nothing is said. Moves go over the socket, and what comes back is what changed. Games are kept in a file. It ends
//! with 1 if anything went wrong, and tells how long answers took, how evenly turns were shared, and how much memory it
//! took: server and crowd together, as they are one process.

#[path = "../tests/it/common.rs"]
mod common;
/// Answers are checked against the schema in the tests, not under load.
mod schema {
    pub(crate) fn check_response(_method: &str, _path: &str, _body: &str) {}
    pub(crate) fn check_message(_message: &serde_json::Value) {}
}
#[path = "../tests/it/test_server.rs"]
mod test_server;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use common::{Client, Socket, human, id, mind, plies};
use saavedra_serve::{ServerLimits, Storage};
use serde_json::{Value, json};
use test_server::TestServer;

/// The seconds between two looks at the memory.
const BETWEEN_LOOKS: u64 = 60;

/// What one visitor has seen.
#[derive(Default)]
struct Seen {
    errors: Vec<String>,
    /// From sending a move to the answer that it is kept.
    acknowledged: Vec<Duration>,
    /// From sending a move to the mind's answer, less the time that it thought.
    answered: Vec<Duration>,
    games_ended: usize,
    /// The times between two reports of an analysis.
    silences: Vec<Duration>,
    nodes: u64,
}

/// What all visitors know.
#[derive(Clone, Copy)]
struct Visit<'a> {
    address: SocketAddr,
    seconds: u64,
    pause: Duration,
    is_over: &'a AtomicBool,
}

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let number = |index: usize, usual: u64| numbers.get(index).copied().unwrap_or(usual);
    let (seconds, games, analyses) = (number(0, 30), number(1, 200), number(2, 20));
    let folder = tempfile::tempdir().expect("a folder");
    let host = TestServer::with(ServerLimits::default(), Storage::File(folder.path().join("games.sqlite")), None);
    let is_over = AtomicBool::new(false);
    let pause = Duration::from_millis(number(3, 1000));
    let visit = Visit { address: host.address, seconds, pause, is_over: &is_over };
    let (players, watchers) = thread::scope(|scope| {
        let play = |number: u64| {
            // Not all at once, or they would all move at once for ever.
            thread::sleep(pause.mul_f64(number as f64 / games as f64));
            play(number.is_multiple_of(2), visit)
        };
        let players: Vec<_> = (0..games).map(|number| scope.spawn(move || play(number))).collect();
        let watchers: Vec<_> =
            (0..analyses as usize).map(|number| scope.spawn(move || analyse(number, visit))).collect();
        for second in 1..=seconds {
            thread::sleep(Duration::from_secs(1));
            if second.is_multiple_of(BETWEEN_LOOKS) || second == seconds {
                println!("after {second} s: {}", memory());
            }
        }
        is_over.store(true, Relaxed);
        let seen = |threads: Vec<thread::ScopedJoinHandle<'_, Seen>>| -> Vec<Seen> {
            threads.into_iter().map(|thread| thread.join().expect("a thread that ends well")).collect()
        };
        (seen(players), seen(watchers))
    });
    drop(host);
    report(&players, &watchers)
}

/// Plays one game after the other.
fn play(is_random: bool, visit: Visit) -> Seen {
    let mut seen = Seen::default();
    let mut socket = Socket::new(visit.address);
    // A connection that says nothing during a whole game would be closed: each request has its own.
    let client = || Client::new(visit.address);
    let spec = if is_random { "random" } else { "alphabeta:depth=3" };
    while !visit.is_over.load(Relaxed) {
        let game = client().good("/api/games", &json!({"white": human("Load"), "black": mind(spec)}));
        let name = id(&game).to_owned();
        socket.send(&json!({"type": "watch", "game": name, "changes": true}));
        if let Err(error) = play_one(&mut socket, visit, &name, &mut seen) {
            seen.errors.push(error);
            break;
        }
        socket.send(&json!({"type": "unwatch", "game": name}));
        client().delete(&format!("/api/games/{name}"));
    }
    seen
}

/// Plays a game until it is over, or the visit is. It hears the whole game once and then what changes, as a page does.
fn play_one(socket: &mut Socket, visit: Visit, name: &str, seen: &mut Seen) -> Result<(), String> {
    let mut game = Value::Null;
    let mut sent: Option<Sent> = None;
    while !visit.is_over.load(Relaxed) {
        let message = socket.try_hear().ok_or("the socket was closed")?;
        match message["type"].as_str() {
            Some("game") if message["game"]["id"] == name => game = message["game"].clone(),
            Some("change") if message["game"] == name => apply(&mut game, &message)?,
            // The last game says goodbye, and minds think aloud.
            Some("game" | "change" | "gone" | "thought") => continue,
            _ => return Err(message.to_string()),
        }
        if let Some(fault) = game["fault"].as_str() {
            return Err(fault.to_owned());
        }
        if let Some(sent) = &mut sent {
            if plies(&game) > sent.before && !sent.is_acknowledged {
                sent.is_acknowledged = true;
                seen.acknowledged.push(sent.at.elapsed());
            }
            let is_over = game["status"] == "over";
            if plies(&game) < sent.before + 2 && !is_over {
                continue;
            }
            if let Some(thought) = game["moves"][sent.before + 1]["ms"].as_u64() {
                seen.answered.push(sent.at.elapsed().saturating_sub(Duration::from_millis(thought)));
            }
        }
        if game["status"] == "over" {
            seen.games_ended += 1;
            break;
        }
        thread::sleep(visit.pause);
        let legal = game["position"]["legal"].as_array().ok_or("no moves")?;
        let mv = &legal[(plies(&game) * 13 + 5) % legal.len()]["uci"];
        sent = Some(Sent { at: Instant::now(), before: plies(&game), is_acknowledged: false });
        socket.send(&json!({"type": "play", "id": "move", "game": name, "move": mv, "ply": plies(&game)}));
    }
    Ok(())
}

/// A move on its way.
struct Sent {
    at: Instant,
    /// How many moves there were before it.
    before: usize,
    is_acknowledged: bool,
}

/// Applies what changed. A change that does not follow the game that is known would be an error of the server.
fn apply(game: &mut Value, change: &Value) -> Result<(), String> {
    if change["follows"] != game["revision"] {
        return Err(format!("a change of revision {} came to {}", change["follows"], game["revision"]));
    }
    let kept = change["kept"].as_u64().ok_or("no number of moves")? as usize;
    let moves = game["moves"].as_array_mut().ok_or("no moves")?;
    moves.truncate(kept);
    moves.extend(change["moves"].as_array().ok_or("no new moves")?.iter().cloned());
    for field in ["revision", "position", "thinking", "status", "fault"] {
        game[field] = change[field].clone();
    }
    Ok(())
}

/// Looks at a position.
fn analyse(number: usize, visit: Visit) -> Seen {
    let mut seen = Seen::default();
    let mut socket = Socket::new(visit.address);
    let openings = [["e4", "e5"], ["d4", "d5"], ["c4", "e5"], ["Nf3", "d5"]];
    let moves = openings[number % openings.len()];
    let seconds = (visit.seconds + 30).min(600);
    socket.send(&json!({"type": "analyse", "id": "a", "moves": moves, "lines": 1 + number % 3, "seconds": seconds}));
    let mut heard = Instant::now();
    while !visit.is_over.load(Relaxed) {
        match socket.try_hear() {
            Some(message) if message["type"] == "analysis" => {
                seen.silences.push(heard.elapsed());
                heard = Instant::now();
                seen.nodes = message["nodes"].as_u64().unwrap_or(seen.nodes);
            }
            Some(message) => seen.errors.push(message.to_string()),
            None => {
                seen.errors.push("the socket of an analysis was closed".to_owned());
                break;
            }
        }
    }
    seen
}

fn report(players: &[Seen], watchers: &[Seen]) -> ExitCode {
    let all = |seen: &[&Seen], list: fn(&Seen) -> &Vec<Duration>| -> Vec<Duration> {
        seen.iter().flat_map(|seen| list(seen)).copied().collect()
    };
    let every_player: Vec<&Seen> = players.iter().collect();
    let (at_random, against_alpha_beta): (Vec<&Seen>, Vec<&Seen>) =
        (every_player.iter().step_by(2).copied().collect(), every_player.iter().skip(1).step_by(2).copied().collect());
    println!("{:<44}{:>9}{:>9}{:>9}{:>9}{:>9}", "milliseconds", "count", "median", "95 %", "99 %", "most");
    show("a move is kept and acknowledged", all(&every_player, |seen| &seen.acknowledged));
    show("the random mind's answer, beyond thinking", all(&at_random, |seen| &seen.answered));
    show("alpha-beta's answer, beyond thinking", all(&against_alpha_beta, |seen| &seen.answered));
    let watching: Vec<&Seen> = watchers.iter().collect();
    show("between two reports of an analysis", all(&watching, |seen| &seen.silences));
    let ended: usize = players.iter().map(|seen| seen.games_ended).sum();
    println!("{} boards, {ended} games ended", players.len());
    println!("moves of a board: {}", spread(players.iter().map(|seen| seen.acknowledged.len() as u64)));
    println!("nodes of an analysis: {}", spread(watchers.iter().map(|seen| seen.nodes)));
    let errors: Vec<&String> = players.iter().chain(watchers).flat_map(|seen| &seen.errors).collect();
    println!("{} errors", errors.len());
    for error in errors.iter().take(10) {
        println!("  {error}");
    }
    if errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The least, the median and the most of some numbers.
fn spread(numbers: impl Iterator<Item = u64>) -> String {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    match (numbers.first(), numbers.get(numbers.len() / 2), numbers.last()) {
        (Some(least), Some(median), Some(most)) => format!("{least} to {most}, median {median}"),
        _ => "none".to_owned(),
    }
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: f64| {
        let index = (times.len() as f64 * part) as usize;
        times.get(index.min(times.len().saturating_sub(1))).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    println!("{what:<44}{:>9}{:>9.1}{:>9.1}{:>9.1}{:>9.1}", times.len(), at(0.5), at(0.95), at(0.99), at(1.0));
}

/// The memory of this process, where the system tells.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    [line("VmRSS:"), line("Threads:")].map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).join(", ")
}
