//! `saavedra serve` as people meet it: it says where it is, survives being killed, and refuses what makes no sense.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::common::{Folder, complaint};
use serde_json::{Value, json};

/// A server that is killed with the test.
pub(crate) struct Running {
    child: Child,
    address: String,
    /// Kept open, so that its output is not closed.
    _out: BufReader<ChildStdout>,
}

impl Running {
    pub(crate) fn new(data: &Path) -> Running {
        let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
            .args(["serve", "--port", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("an output"));
        out.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("Saavedra serves at http://").expect("an address");
        let address = address.trim_end_matches('/').to_owned();
        Running { child, address, _out: out }
    }

    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let answer = request(&self.address, method, path, body).expect("an answer");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error} in {answer:?}"))
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }
}

/// Sends a request and returns the body of the answer, or nothing if the server is gone before it has answered.
fn request(address: &str, method: &str, path: &str, body: Option<&Value>) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    let kind = "Content-Type: application/json\r\n";
    write!(stream, "{head}{kind}Content-Length: {}\r\n\r\n{body}", body.len()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned())
}

/// What a server has acknowledged.
enum Kept {
    /// A game of the library, with this label.
    Labelled(String, String),
    /// A game with at least so many moves.
    Played(String, usize),
}

/// Plays moves, stores games and labels them until the server is gone, and tells each change that was acknowledged.
fn change_things(address: &str, round: usize, kept: &mpsc::Sender<Kept>) -> Option<()> {
    let ask = |method: &str, path: &str, body: Value| -> Option<Value> {
        serde_json::from_str(&request(address, method, path, Some(&body))?).ok()
    };
    let you = json!({"kind": "human", "name": "Ada"});
    for turn in 0.. {
        let game = ask("POST", "/api/games", json!({"white": you, "black": you}))?["id"].as_str()?.to_owned();
        for (ply, mv) in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"].into_iter().enumerate() {
            ask("POST", &format!("/api/games/{game}/move"), json!({"move": mv}))?["moves"].as_array()?;
            kept.send(Kept::Played(game.clone(), ply + 1)).ok()?;
        }
        let stored = ask("POST", "/api/library", json!({"pgn": "1. d4 d5 (1... Nf6 2. c4) 2. c4 *"}))?;
        let (id, label) = (stored["id"].as_str()?.to_owned(), format!("round {round}.{turn}"));
        ask("PUT", &format!("/api/library/{id}/labels"), json!({"labels": [label]}))?["labels"].as_array()?;
        kept.send(Kept::Labelled(id, label)).ok()?;
    }
    Some(())
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_killed_server_loses_no_move() {
    let folder = Folder::new();
    let data = folder.0.path().join("deep").join("games.sqlite");
    let you = json!({"kind": "human", "name": "Ada"});
    let minds = ["random", "alphabeta:depth=1", "search:nodes=300"];
    let mut server = Running::new(&data);
    let games: Vec<String> = minds
        .iter()
        .map(|mind| {
            let asked = json!({"white": you, "black": {"kind": "mind", "mind": mind},
                "time": {"base_ms": 600_000, "increment_ms": 1000}});
            let game = server.ask("POST", "/api/games", Some(&asked));
            game["id"].as_str().expect("a name").to_owned()
        })
        .collect();
    server.ask("PUT", "/api/settings", Some(&json!({"theme": "dark"})));
    // What was acknowledged, move by move.
    let mut known: Vec<Vec<Value>> = vec![Vec::new(); games.len()];
    for round in 0..4 {
        for (game, known) in games.iter().zip(&mut known) {
            let mut state = server.ask("GET", &format!("/api/games/{game}"), None);
            while state["thinking"] == true {
                std::thread::sleep(Duration::from_millis(5));
                state = server.ask("GET", &format!("/api/games/{game}"), None);
            }
            let moves = state["moves"].as_array().expect("moves").clone();
            assert!(moves.len() >= known.len() && moves[..known.len()] == known[..], "round {round}: a move is lost");
            assert_eq!(state["fault"], Value::Null);
            let legal = state["position"]["legal"].as_array().expect("moves");
            let asked = json!({"move": legal[round % legal.len()]["uci"]});
            let played = server.ask("POST", &format!("/api/games/{game}/move"), Some(&asked));
            *known = played["moves"].as_array().unwrap_or_else(|| panic!("{played}")).clone();
        }
        // In the middle of whatever it is doing.
        server.kill();
        server = Running::new(&data);
    }
    let list = server.ask("GET", "/api/games?status=playing", None);
    assert_eq!(list["total"], games.len());
    assert_eq!(server.ask("GET", "/api/settings", None), json!({"theme": "dark"}));
    // Two servers do not share a file.
    let told = complaint(&["serve", "--port", "0", "--data", &data.display().to_string()], 1);
    assert!(told.contains("does another saavedra serve run?"), "{told}");
}

#[test]
fn twenty_kills_lose_nothing_that_was_acknowledged() {
    let folder = Folder::new();
    let data = folder.0.path().join("games.sqlite");
    let mut all = Vec::new();
    for round in 0..20 {
        let server = Running::new(&data);
        let (send, receive) = mpsc::channel();
        let address = server.address.clone();
        let client = thread::spawn(move || change_things(&address, round, &send));
        // Killed after a different number of changes each time, with the next one on its way.
        all.extend(receive.iter().take(1 + 3 * round % 11));
        server.kill();
        all.extend(receive.iter());
        assert!(client.join().expect("it ends").is_none(), "the client ends because the server is gone");
    }
    let server = Running::new(&data);
    assert!(all.len() > 100, "{} changes", all.len());
    for kept in all {
        match kept {
            Kept::Labelled(id, label) => {
                let game = server.ask("GET", &format!("/api/library/{id}"), None);
                assert_eq!(game["labels"], json!([label]), "{id}");
                assert_eq!(game["game"]["moves"].as_array().map(Vec::len), Some(3), "{id}");
            }
            Kept::Played(id, plies) => {
                let game = server.ask("GET", &format!("/api/games/{id}"), None);
                assert!(game["moves"].as_array().is_some_and(|moves| moves.len() >= plies), "{id}: {game}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_well() {
    let folder = Folder::new();
    let mut server = Running::new(&folder.0.path().join("games.sqlite"));
    server.ask("GET", "/api/about", None);
    let status = Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().expect("kill starts");
    assert!(status.success());
    assert!(server.child.wait().expect("it ends").success());
}

#[test]
fn what_makes_no_sense_is_refused_in_a_line() {
    let told = complaint(&["serve", "--bind", "0.0.0.0", "--port", "0", "--memory"], 2);
    assert!(told.contains("that needs a token"), "{told}");
    let told = complaint(&["serve", "--memory", "--token", "short"], 2);
    assert!(told.contains("a token has 8 to 200 letters"), "{told}");
    complaint(&["serve", "--memory", "--data", "x.sqlite"], 2);
    complaint(&["serve", "--threads", "0"], 2);
    let folder = Folder::new();
    let file = folder.0.path().join("text.sqlite");
    fs::write(&file, "this is not a data base, but it is long enough to look at it twice".repeat(20)).expect("a file");
    let told = complaint(&["serve", "--port", "0", "--data", &file.display().to_string()], 1);
    assert!(told.contains("text.sqlite"), "{told}");
}
