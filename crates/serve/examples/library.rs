//! A large library: how long an import, searches and the explorer take, and how much memory.
//!
//! `cargo run --release -p saavedra-serve --example library -- [GAMES]`: 100,000 games if nothing is said. The games
//! begin with a named opening and go on at random to about 80 half-moves; names and results are random too. They are
//! written to a file, sent to a server that keeps its library in a file, and looked for over HTTP.

#[path = "../tests/it/common.rs"]
mod common;
/// Answers are checked against the schema in the tests, not here.
mod schema {
    pub(crate) fn check_response(_method: &str, _path: &str, _body: &str) {}
    pub(crate) fn check_message(_message: &serde_json::Value) {}
}
#[path = "../tests/it/test_server.rs"]
mod test_server;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Client, id};
use random::Random;
use records::eco::{self, OpeningLine};
use records::pgn;
use rules::{Game, Position};
use saavedra_serve::{ServerLimits, Storage};
use serde_json::{Value, json};
use test_server::TestServer;

/// About how many half-moves a game has.
const PLIES: usize = 80;

/// How often each request is repeated.
const ROUNDS: usize = 20;

const FIRST_NAMES: [&str; 12] =
    ["Ada", "Bea", "Carl", "Dina", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jana", "Karl", "Lea"];

const LAST_NAMES: [&str; 20] = [
    "Abel", "Berg", "Costa", "Diaz", "Evans", "Frey", "Gallo", "Haas", "Ivanov", "Jensen", "Kato", "Lang", "Meyer",
    "Novak", "Olsen", "Popov", "Quist", "Rossi", "Silva", "Tal",
];

fn main() -> io::Result<()> {
    let games = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("games.pgn");
    let started = Instant::now();
    write_games(&file, games)?;
    println!("{games} games, {} MB of PGN, written in {:.1?}", file.metadata()?.len() >> 20, started.elapsed());
    let data = folder.path().join("library.sqlite");
    let host = TestServer::with(ServerLimits::default(), Storage::File(data.clone()), None);
    let before = memory();
    let started = Instant::now();
    let import = send(host.address, &file)?;
    let took = started.elapsed();
    assert_eq!((&import["state"], &import["games"]), (&json!("done"), &json!(games)), "{import}");
    println!("imported in {took:.1?}: {:.0} games a second", games as f64 / took.as_secs_f64());
    println!("database {} MB, memory at most {} MB (before: {before} MB)", data.metadata()?.len() >> 20, memory());
    let mut client = Client::new(host.address);
    let sicilian = "fen=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR%20w%20KQkq%20-%200%202";
    for (what, path) in [
        ("the newest games", "/api/library".to_owned()),
        ("a name", "/api/library?q=tal".to_owned()),
        ("a name and an opening", "/api/library?q=tal%20sicilian".to_owned()),
        ("a frequent word", "/api/library?q=defense".to_owned()),
        ("name, result, years and code", "/api/library?q=player:tal%20result:1-0%20year:1990-1999%20eco:B".to_owned()),
        ("a result", "/api/library?q=result:draw".to_owned()),
        ("a position", format!("/api/library?{sicilian}")),
        (
            "the starting position",
            "/api/library?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%200%201".to_owned(),
        ),
        ("explorer, starting position", "/api/explorer".to_owned()),
        ("explorer, Sicilian Defense", format!("/api/explorer?{sicilian}")),
    ] {
        let (found, times) = ask(&mut client, &path);
        println!("{what:<30} {found:>7} found {:>7.1?} median {:>7.1?} most", times[ROUNDS / 2], times[ROUNDS - 1]);
    }
    println!("memory at most {} MB", memory());
    Ok(())
}

/// Asks for something again and again. Returns how many games were found, and the times in order.
fn ask(client: &mut Client, path: &str) -> (u64, Vec<Duration>) {
    let mut found = 0;
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let started = Instant::now();
            let answer = client.get(path);
            let time = started.elapsed();
            assert_eq!(answer.status, 200, "{answer:?}");
            let answer = answer.json();
            found = answer["total"].as_u64().or(answer["games"].as_u64()).unwrap_or_default();
            time
        })
        .collect();
    times.sort();
    (found, times)
}

/// Sends a file as a page does, without holding it in memory.
fn send(address: SocketAddr, path: &Path) -> io::Result<Value> {
    let import = Client::new(address).good("/api/imports", &json!({"name": "games.pgn"}));
    let mut file = File::open(path)?;
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "PUT /api/imports/{}/body HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/octet-stream\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n",
        id(&import),
        file.metadata()?.len()
    )?;
    io::copy(&mut file, &mut stream)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or_else(|| io::Error::other("no answer"))?;
    serde_json::from_str(body).map_err(io::Error::other)
}

fn write_games(path: &Path, games: usize) -> io::Result<()> {
    let table = eco::parse(include_str!("../../records/data/eco.tsv")).map_err(io::Error::other)?;
    let (mut random, mut out) = (Random::new(1), BufWriter::new(File::create(path)?));
    for _ in 0..games {
        let line = &table[random.below(table.len())];
        let game = play(line, &mut random);
        let mut name = || {
            format!("{}, {}", LAST_NAMES[random.below(LAST_NAMES.len())], FIRST_NAMES[random.below(FIRST_NAMES.len())])
        };
        let (white, black) = (name(), name());
        let result = ["1-0", "0-1", "1/2-1/2"][random.below(3)];
        writeln!(out, "[Event \"Random open\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]")?;
        writeln!(out, "[Date \"{}.01.01\"]\n\n{} {result}\n", 1950 + random.below(75), pgn::movetext(&game).join(" "))?;
    }
    out.flush()
}

/// An opening, and random moves after it.
fn play(line: &OpeningLine, random: &mut Random) -> Game {
    let mut game = Game::new(Position::initial());
    for san in &line.moves {
        let mv = game.position().parse_san(san).expect("a line of the table");
        game.play(mv).expect("a legal move");
    }
    let plies = PLIES / 2 + random.below(PLIES);
    while game.moves().len() < plies && game.outcome().is_none() {
        let moves = game.position().legal_moves();
        game.play(moves[random.below(moves.len())]).expect("a legal move");
    }
    game
}

/// The most memory that this process has used so far, in MB, where the system tells.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).map_or(0, |kilobytes| kilobytes >> 10)
}
