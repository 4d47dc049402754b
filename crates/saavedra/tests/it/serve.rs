//! `saavedra serve` as people meet it: it says where it is, survives being killed, and refuses what makes no sense.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::common::{Folder, complaint};
use serde_json::{Value, json};

/// A server that is killed with the test.
struct Running {
    child: Child,
    address: String,
    /// Kept open, so that its output is not closed.
    _out: BufReader<ChildStdout>,
}

impl Running {
    fn new(data: &PathBuf) -> Running {
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

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let body = body.map(Value::to_string).unwrap_or_default();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        let kind = "Content-Type: application/json\r\n";
        write!(stream, "{head}{kind}Content-Length: {}\r\n\r\n{body}", body.len()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error} in {answer:?}"))
    }

    fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }
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
