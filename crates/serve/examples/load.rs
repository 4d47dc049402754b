//! A crowd at the board: many games against minds and many live analyses at once, for some seconds.
//!
//! `cargo run --release -p saavedra-serve --example load -- [SECONDS] [GAMES] [ANALYSES]`: 30 seconds, 200 games and 20
//! analyses if nothing is said. Half of the games are against the random mind, half against alpha-beta; the people at them
//! think for a second about each move. It ends with 1 if anything went wrong, and tells how long answers took, how evenly
//! turns were shared, and how much memory it took: server and crowd together, as they are one process.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/host/mod.rs"]
mod host;

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use common::{Client, Socket, human, id, mind, plies};
use host::Host;
use serde_json::{Value, json};

/// Games that one thread plays.
const GAMES_A_THREAD: usize = 20;

/// How long a person thinks.
const THINKING: Duration = Duration::from_secs(1);

/// How long we listen before we look whose thinking is over.
const GLANCE: Duration = Duration::from_millis(2);

/// What a thread has seen.
#[derive(Default)]
struct Seen {
    errors: Vec<String>,
    /// From asking to the answer that a move is kept.
    acknowledged: Vec<Duration>,
    /// From the acknowledgement to the random mind's answer, which thinks no time at all.
    answered_at_once: Vec<Duration>,
    /// The same for alpha-beta, with its thinking.
    answered_after_thought: Vec<Duration>,
    /// Moves of each game.
    moves: Vec<usize>,
    /// Reports of each analysis, and its nodes.
    reports: Vec<(usize, u64)>,
    /// The longest time without news of an analysis.
    longest_silence: Duration,
    games_ended: usize,
}

struct Table {
    name: String,
    is_random: bool,
    moves: usize,
    asked: Option<Instant>,
    /// A position to move in, and when.
    due: Option<(Instant, Value)>,
}

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let number = |index: usize, usual: u64| numbers.get(index).copied().unwrap_or(usual);
    let (seconds, games, analyses) = (number(0, 30), number(1, 200) as usize, number(2, 20) as usize);
    let host = Host::new();
    let is_over = AtomicBool::new(false);
    let address = host.address;
    let seen: Vec<Seen> = thread::scope(|scope| {
        let is_over = &is_over;
        let players = (0..games.div_ceil(GAMES_A_THREAD)).map(|number| {
            let count = GAMES_A_THREAD.min(games - number * GAMES_A_THREAD);
            scope.spawn(move || play(address, count, is_over))
        });
        let watchers = (0..analyses).map(|number| scope.spawn(move || analyse(address, number, seconds, is_over)));
        let threads: Vec<_> = players.chain(watchers).collect();
        for second in 1..=seconds {
            thread::sleep(Duration::from_secs(1));
            if second == seconds / 3 || second == seconds {
                println!("after {second} s: {}", memory());
            }
        }
        is_over.store(true, Relaxed);
        threads.into_iter().map(|thread| thread.join().expect("a thread that ends well")).collect()
    });
    report(&seen, seconds)
}

fn new_game(client: &mut Client, is_random: bool) -> Table {
    let spec = if is_random { "random" } else { "alphabeta:depth=3" };
    let game = client.good("/api/games", &json!({"white": human("Load"), "black": mind(spec)}));
    Table { name: id(&game).to_owned(), is_random, moves: 0, asked: None, due: None }
}

/// Plays some games at once, each move as soon as the mind has answered.
fn play(address: std::net::SocketAddr, count: usize, is_over: &AtomicBool) -> Seen {
    let mut seen = Seen::default();
    let (mut client, mut socket) = (Client::new(address), Socket::new(address));
    let mut tables = HashMap::new();
    for number in 0..count {
        let table = new_game(&mut client, number % 2 == 0);
        socket.say(&json!({"type": "watch", "game": table.name}));
        tables.insert(table.name.clone(), table);
        // A socket may not say everything at once.
        thread::sleep(Duration::from_millis(40));
    }
    while !is_over.load(Relaxed) {
        match socket.hear_within(GLANCE) {
            Ok(Some(message)) => hear(&mut client, &mut socket, &mut tables, &message, &mut seen),
            Ok(None) => {}
            Err(()) => {
                seen.errors.push("the socket was closed".to_owned());
                break;
            }
        }
        for table in tables.values_mut() {
            if let Some((_, game)) = table.due.take_if(|(due, _)| *due <= Instant::now()) {
                move_in(&mut client, table, &game, &mut seen);
            }
        }
    }
    seen.moves = tables.values().map(|table| table.moves).collect();
    seen
}

/// Takes in what a game has come to.
fn hear(
    client: &mut Client,
    socket: &mut Socket,
    tables: &mut HashMap<String, Table>,
    message: &Value,
    seen: &mut Seen,
) {
    if message["type"] == "error" {
        seen.errors.push(message.to_string());
    }
    if message["type"] != "game" {
        return;
    }
    let game = &message["game"];
    let Some(table) = tables.get_mut(id(game)) else { return };
    if let Some(fault) = game["fault"].as_str() {
        seen.errors.push(fault.to_owned());
    }
    if game["thinking"] == true {
        return;
    }
    let now = Instant::now();
    if let Some(asked) = table.asked.take() {
        let list = if table.is_random { &mut seen.answered_at_once } else { &mut seen.answered_after_thought };
        list.push(now - asked);
    }
    if game["status"] == "over" {
        seen.games_ended += 1;
        let next = new_game(client, table.is_random);
        client.delete(&format!("/api/games/{}", table.name));
        let (old, moves) = (table.name.clone(), table.moves);
        tables.remove(&old);
        socket.say(&json!({"type": "unwatch", "game": old}));
        socket.say(&json!({"type": "watch", "game": next.name}));
        tables.insert(next.name.clone(), Table { moves, ..next });
    } else {
        table.due = Some((now + THINKING, game.clone()));
    }
}

fn move_in(client: &mut Client, table: &mut Table, game: &Value, seen: &mut Seen) {
    let legal = game["position"]["legal"].as_array().expect("moves");
    let mv = &legal[(plies(game) * 13 + 5) % legal.len()]["uci"];
    let asked = Instant::now();
    let answer = client.post(&format!("/api/games/{}/move", table.name), &json!({"move": mv, "ply": plies(game)}));
    match answer.status {
        200 => {
            seen.acknowledged.push(asked.elapsed());
            table.moves += 1;
            table.asked = Some(Instant::now());
        }
        // The same state may be told twice.
        409 => {}
        status => seen.errors.push(format!("{status}: {}", answer.body)),
    }
}

/// Looks at one position after the other.
fn analyse(address: std::net::SocketAddr, number: usize, seconds: u64, is_over: &AtomicBool) -> Seen {
    let mut seen = Seen::default();
    let mut socket = Socket::new(address);
    let openings = [["e4", "e5"], ["d4", "d5"], ["c4", "e5"], ["Nf3", "d5"]];
    let moves = openings[number % openings.len()];
    let seconds = (seconds + 30).min(600);
    socket.say(&json!({"type": "analyse", "id": "a", "moves": moves, "lines": 1 + number % 3, "seconds": seconds}));
    let (mut heard, mut reports, mut nodes) = (Instant::now(), 0, 0);
    while !is_over.load(Relaxed) {
        match socket.try_hear() {
            Some(message) if message["type"] == "analysis" => {
                seen.longest_silence = seen.longest_silence.max(heard.elapsed());
                heard = Instant::now();
                reports += 1;
                nodes = message["nodes"].as_u64().unwrap_or(nodes);
            }
            Some(message) => seen.errors.push(message.to_string()),
            None => {
                seen.errors.push("the socket of an analysis was closed".to_owned());
                break;
            }
        }
    }
    seen.reports.push((reports, nodes));
    seen
}

fn report(seen: &[Seen], seconds: u64) -> ExitCode {
    let all = |list: fn(&Seen) -> &Vec<Duration>| -> Vec<Duration> { seen.iter().flat_map(list).copied().collect() };
    println!("{:<44}{:>9}{:>9}{:>9}{:>9}", "milliseconds", "median", "95 %", "99 %", "most");
    show("a move is kept and acknowledged", all(|seen| &seen.acknowledged));
    show("the random mind's answer arrives", all(|seen| &seen.answered_at_once));
    show("alpha-beta's answer arrives, thinking included", all(|seen| &seen.answered_after_thought));
    let moves: Vec<usize> = seen.iter().flat_map(|seen| seen.moves.iter().copied()).collect();
    let ended: usize = seen.iter().map(|seen| seen.games_ended).sum();
    println!("{} boards, {} moves, {ended} games ended", moves.len(), moves.iter().sum::<usize>());
    println!(
        "moves of a board: {} to {}",
        moves.iter().min().copied().unwrap_or(0),
        moves.iter().max().copied().unwrap_or(0)
    );
    let reports: Vec<(usize, u64)> = seen.iter().flat_map(|seen| seen.reports.iter().copied()).collect();
    let nodes = reports.iter().map(|(_, nodes)| *nodes);
    let silence = seen.iter().map(|seen| seen.longest_silence).max().unwrap_or_default();
    println!(
        "{} analyses: {} to {} nodes each, {:.1} reports a second each, longest silence {:.1} s",
        reports.len(),
        nodes.clone().min().unwrap_or(0),
        nodes.max().unwrap_or(0),
        reports.iter().map(|(count, _)| *count as f64).sum::<f64>() / (reports.len().max(1) as f64 * seconds as f64),
        silence.as_secs_f64()
    );
    let errors: Vec<&String> = seen.iter().flat_map(|seen| &seen.errors).collect();
    println!("{} errors", errors.len());
    for error in errors.iter().take(10) {
        println!("  {error}");
    }
    if errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: f64| {
        let index = (times.len() as f64 * part) as usize;
        times.get(index.min(times.len().saturating_sub(1))).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    println!("{what:<44}{:>9.1}{:>9.1}{:>9.1}{:>9.1}", at(0.5), at(0.95), at(0.99), at(1.0));
}

/// The memory of this process, where the system tells: server and clients together.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    [line("VmRSS:"), line("Threads:")].map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).join(", ")
}
