//! What is stored and sent: databases of earlier versions, and only what changed.

use std::path::Path;

use crate::common::{Client, Socket, human, id, mind};
use crate::test_server::TestServer;
use saavedra_serve::{ServerLimits, Storage};
use serde_json::{Value, json};

/// A database as the version before wrote it: two games that are over, two in progress.
const FORMAT_1: &str = include_str!("format-1.sql");

/// A database of the version after it, in which bots were known by their rating alone: a game that is over, one in
/// progress, an imported one with a card.
const FORMAT_2: &str = include_str!("format-2.sql");

fn open(file: &Path) -> TestServer {
    TestServer::with(ServerLimits::default(), Storage::File(file.to_owned()), None)
}

#[test]
fn a_database_of_the_version_before_keeps_every_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.sqlite");
    rusqlite::Connection::open(&file).and_then(|old| old.execute_batch(FORMAT_1)).expect("a database");
    for _ in 0..2 {
        let host = open(&file);
        let mut client = Client::new(host.address);
        let mate = client.get("/api/games/whrsif2qc8zw").json();
        assert_eq!(
            (&mate["result"], &mate["reason"], &mate["revision"]),
            (&json!("0-1"), &json!("checkmate"), &json!(5))
        );
        assert_eq!((&mate["moves"][3]["san"], &mate["moves"][3]["ms"]), (&json!("Qh4#"), &json!(23)));
        let timed = client.get("/api/games/tx5sefuf6rkj").json();
        assert_eq!((&timed["status"], &timed["moves"][2]["clock_ms"]), (&json!("playing"), &json!(600_980)));
        let score = client.get("/api/games/xurq7meauinr/pgn").body;
        assert!(score.contains("[Termination \"white resigned\"]") && score.contains("1. e4 "), "{score}");
        let chess960 = client.get("/api/games/kchceyghrhs6").json();
        assert_eq!((&chess960["chess960"], &chess960["black"]["name"]), (&json!(3), &json!("Zoë")));
        assert_eq!(client.get("/api/games").json()["total"], 4);
        assert_eq!(client.get("/api/library?q=ada").json()["total"], 4);
        assert_eq!(client.get("/api/explorer").json()["moves"][0]["san"], "f3");
        assert_eq!(client.get("/api/settings").json(), json!({"theme": "dark"}));
    }
    let host = open(&file);
    let moved = Client::new(host.address).good("/api/games/kchceyghrhs6/move", &json!({"move": "d3"}));
    assert_eq!(moved["moves"].as_array().map(Vec::len), Some(3), "it goes on");
}

#[test]
fn a_database_of_format_2_keeps_everything_and_its_bots_get_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.sqlite");
    rusqlite::Connection::open(&file).and_then(|old| old.execute_batch(FORMAT_2)).expect("a database");
    for _ in 0..2 {
        let host = open(&file);
        let mut client = Client::new(host.address);
        assert_eq!(client.get("/api/library").json()["total"], 3);
        let found = client.get("/api/library?q=lena").json();
        assert_eq!((&found["total"], &found["games"][0]["black"]), (&json!(1), &json!("Lena 1100")));
        let over = client.get("/api/games/pzzuzsa4fmc7").json();
        assert_eq!((&over["black"]["name"], &over["result"]), (&json!("Lena 1100"), &json!("0-1")));
        let playing = client.get("/api/games/uq8p9pfrbpp9").json();
        assert_eq!((&playing["black"]["name"], &playing["status"]), (&json!("Ada 1400"), &json!("playing")));
        assert_eq!((&playing["help"]["hints"], &playing["moves"][1]["san"]), (&json!(true), &json!("c5")));
        let imported = client.get("/api/library/sm9jtz48ps7u").json();
        assert_eq!(
            (&imported["labels"], &imported["game"]["moves"][2]["comment"]),
            (&json!(["mine"]), &json!("The gambit."))
        );
        assert_eq!(client.get("/api/explorer").json()["games"], 2);
        let card = client.get("/api/practice/1").json();
        assert_eq!((&card["best"]["san"], &card["answers"]), (&json!("e4"), &json!(1)));
        assert_eq!(client.get("/api/settings").json(), json!({"theme": "dark"}));
    }
}

#[test]
fn a_database_of_a_later_version_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.sqlite");
    rusqlite::Connection::open(&file)
        .and_then(|later| later.execute_batch("CREATE TABLE games (what TEXT); PRAGMA user_version = 99"))
        .expect("a database");
    let before = std::fs::read(&file).expect("a file");
    let error = saavedra_serve::Deck::open(&file).err().expect("it is refused");
    assert!(error.to_string().contains("was written by a later version of saavedra (format 99"), "{error}");
    assert_eq!(std::fs::read(&file).expect("a file")[100..], before[100..], "nothing but its head may change");
}

#[test]
fn a_game_is_the_same_after_a_restart_whatever_was_done_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.sqlite");
    let (game, known, analysis) = {
        let host = open(&file);
        let mut client = Client::new(host.address);
        let game = client.good("/api/games", &json!({"white": human("Ada"), "black": human("Bea"), "moves": ["e4"]}));
        let path = |what: &str| format!("/api/games/{}/{what}", id(&game));
        for mv in ["e5", "Nf3", "Nc6"] {
            client.good(&path("move"), &json!({"move": mv}));
        }
        client.good(&path("takeback"), &json!({}));
        client.good(&path("resign"), &json!({}));
        client.good(&path("takeback"), &json!({}));
        client.good(&path("move"), &json!({"move": "d4"}));
        let known = client.good(&path("draw"), &json!({}))["game"].clone();
        let analysis = client.good("/api/library", &json!({"pgn": "1. e4 (1. d4 {solid}) c5 *"}));
        (game, known, analysis)
    };
    let host = open(&file);
    let mut client = Client::new(host.address);
    let again = client.get(&format!("/api/games/{}", id(&game))).json();
    for field in ["moves", "result", "reason", "revision", "updated", "position"] {
        assert_eq!(again[field], known[field], "{field}");
    }
    assert_eq!(client.get(&format!("/api/library/{}", id(&analysis))).json(), analysis);
    assert_eq!(client.get("/api/explorer").json()["games"], 1, "the drawn game, and not the analysis");
}

#[test]
fn games_that_a_killed_server_left_without_an_index_are_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.sqlite");
    let games = "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. e4 c5 1/2-1/2\n";
    let text: String = games.split("\n\n").map(|moves| format!("[White \"Ada\"]\n\n{moves}\n\n")).collect();
    {
        let host = open(&file);
        assert_eq!(Client::new(host.address).import("three.pgn", text.as_bytes(), &[])["games"], 3);
    }
    let leave = "DELETE FROM positions; UPDATE games SET run = NULL; \
                 INSERT INTO runs VALUES (7, 0); INSERT INTO positions VALUES (7, 5060803636482931868, 1, 0, 0, 2);";
    rusqlite::Connection::open(&file).and_then(|left| left.execute_batch(leave)).expect("a database");
    let host = open(&file);
    let started = std::time::Instant::now();
    while Client::new(host.address).get("/api/explorer").json()["games"] != 3 {
        assert!(started.elapsed() < crate::common::PATIENCE, "they are found");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Messages about a game until it has so many plies, applied as a page does.
fn follow(socket: &mut Socket, game: &mut Value, plies: usize) -> Vec<Value> {
    let mut changes = Vec::new();
    while game["moves"].as_array().map(Vec::len) != Some(plies) {
        let message = socket.receive_until(|message| message["type"] != "thought");
        assert_eq!(message["type"], "change", "{message}");
        assert_eq!(message["follows"], game["revision"], "nothing is missed");
        let kept = message["kept"].as_u64().expect("a number") as usize;
        let moves = game["moves"].as_array_mut().expect("moves");
        moves.truncate(kept);
        moves.extend(message["moves"].as_array().expect("moves").iter().cloned());
        for field in ["revision", "position", "clocks", "thinking", "status", "result", "winner", "reason", "updated"] {
            game[field] = message[field].clone();
        }
        changes.push(message);
    }
    changes
}

#[test]
fn a_page_is_sent_what_changed_and_the_mover_hears_it_once() {
    let host = TestServer::new();
    let (mut client, mut socket) = (Client::new(host.address), Socket::new(host.address));
    let game = client.good("/api/games", &json!({"white": human("Ada"), "black": human("Bea")}));
    socket.send(&json!({"type": "watch", "game": game["id"], "changes": true}));
    let mut known = socket.game_when(|_| true);
    for (ply, mv) in ["e4", "e5", "Nf3"].iter().enumerate() {
        socket.send(&json!({"type": "play", "id": "m", "game": game["id"], "move": mv, "ply": ply}));
        let changes = follow(&mut socket, &mut known, ply + 1);
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0]["moves"].as_array().map(Vec::len), Some(1), "only the new move is sent");
    }
    socket.send(&json!({"type": "ping"}));
    assert_eq!(socket.receive()["type"], "pong", "there was no second message");
    client.good(&format!("/api/games/{}/takeback", id(&game)), &json!({}));
    let back = follow(&mut socket, &mut known, 2);
    assert_eq!((&back[0]["kept"], &back[0]["moves"]), (&json!(2), &json!([])));
    let whole = client.get(&format!("/api/games/{}", id(&game))).json();
    assert_eq!(known, whole, "what was put together is the game");
    socket.send(&json!({"type": "play", "id": "m", "game": game["id"], "move": "Ke2", "ply": 7}));
    let refused = socket.receive();
    assert_eq!(
        (&refused["type"], &refused["id"], &refused["code"]),
        (&json!("error"), &json!("m"), &json!("conflict"))
    );
}

#[test]
fn a_game_of_two_engines_is_followed_by_its_changes() {
    let host = TestServer::new();
    let (mut client, mut socket) = (Client::new(host.address), Socket::new(host.address));
    let game = client.good("/api/games", &json!({"white": mind("random:seed=1"), "black": human("Ada")}));
    socket.send(&json!({"type": "watch", "game": game["id"], "changes": true}));
    let mut known = socket.game_when(|_| true);
    follow(&mut socket, &mut known, 1);
    let reply = known["position"]["legal"][0]["uci"].clone();
    socket.send(&json!({"type": "play", "id": "m", "game": game["id"], "move": reply}));
    follow(&mut socket, &mut known, 3);
    assert_eq!(known["moves"], client.get(&format!("/api/games/{}", id(&game))).json()["moves"]);
}

#[test]
#[cfg(unix)]
fn a_change_is_not_acknowledged_when_the_database_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.sqlite");
    let host = open(&file);
    let mut client = Client::new(host.address);
    let game = client.good("/api/games", &json!({"white": human("Ada"), "black": human("Bea")}));
    let path = format!("/api/games/{}/move", id(&game));
    let away = folder.path().join("elsewhere.sqlite");
    std::fs::rename(&file, &away).expect("it can be moved");
    let answer = client.post(&path, &json!({"move": "e4"}));
    assert_eq!(answer.status, 500, "{answer:?}");
    assert!(answer.body.contains("was deleted or replaced"), "{answer:?}");
    assert_eq!(client.get(&format!("/api/games/{}", id(&game))).status, 200, "what there is can be read");
    std::fs::rename(&away, &file).expect("it can be moved back");
    let answer = client.post(&path, &json!({"move": "e4"}));
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[test]
#[cfg(unix)]
fn a_change_is_not_acknowledged_when_the_newest_changes_are_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.sqlite");
    let host = open(&file);
    let mut client = Client::new(host.address);
    let game = client.good("/api/games", &json!({"white": human("Ada"), "black": human("Bea")}));
    std::fs::remove_file(folder.path().join("games.sqlite-wal")).expect("the file of the newest changes");
    let answer = client.post(&format!("/api/games/{}/move", id(&game)), &json!({"move": "e4"}));
    assert_eq!(answer.status, 500, "{answer:?}");
    assert!(answer.body.contains("games.sqlite-wal was deleted or replaced"), "{answer:?}");
}
