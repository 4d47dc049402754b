//! Live analysis: lines appear, keep coming at a bearable rate, and end when the client is gone.

use std::time::{Duration, Instant};

use crate::common::{Client, PATIENCE, Socket};
use crate::test_server::TestServer;
use saavedra_serve::{ServerLimits, Storage};
use serde_json::json;

#[test]
fn lines_are_told_from_whites_side() {
    let host = TestServer::new();
    let mut socket = Socket::new(host.address);
    // Black to move mates; White's view is a loss.
    let fen = "6k1/8/8/8/8/8/r7/1r4K1 b - - 0 1";
    socket.send(
        &json!({"type": "analyse", "id": "mate", "fen": "3r2k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "depth": 6, "lines": 2}),
    );
    let end = socket.receive_until(|message| message["type"] == "analysis" && message["done"] == true);
    assert_eq!(end["lines"][0]["score"], json!({"kind": "mate", "value": -1}));
    assert_eq!((&end["lines"][0]["san"][0], &end["lines"][0]["wdl"]), (&json!("Rd1#"), &json!([0, 0, 1000])));
    assert_eq!((end["lines"].as_array().map(Vec::len), &end["reason"]), (Some(2), &json!("depth")));
    socket.send(&json!({"type": "analyse", "id": "over", "fen": "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1"}));
    let over = socket.receive_until(|message| message["id"] == "over");
    assert_eq!((&over["done"], &over["reason"], &over["lines"]), (&json!(true), &json!("over"), &json!([])));
    socket.send(&json!({"type": "analyse", "id": "side", "fen": fen, "moves": ["Rg2"], "depth": 1}));
    assert_eq!(
        socket.receive_until(|message| message["id"] == "side")["type"],
        "error",
        "kings may not be left in check"
    );
}

#[test]
fn several_lines_come_at_a_steady_rate_and_stop_on_demand() {
    let host = TestServer::new();
    let mut socket = Socket::new(host.address);
    socket.send(&json!({"type": "analyse", "id": "a", "moves": ["e4"], "lines": 3, "seconds": 600}));
    let started = Instant::now();
    let (mut told, mut nodes) = (0, 0);
    while started.elapsed() < Duration::from_secs(1) || told < 5 {
        let message = socket.receive_until(|message| message["type"] == "analysis");
        told += 1;
        assert!(message["nodes"].as_u64().is_some_and(|now| now >= nodes), "nodes grow");
        nodes = message["nodes"].as_u64().unwrap_or(0);
        if message["depth"].as_u64().is_some_and(|depth| depth > 3) {
            assert_eq!(message["lines"].as_array().map(Vec::len), Some(3));
            let wdl = message["lines"][0]["wdl"].as_array().expect("chances").iter();
            assert_eq!(wdl.filter_map(|part| part.as_u64()).sum::<u64>(), 1000);
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    assert!(f64::from(told) <= 10.0 * seconds + 2.0, "{told} in {seconds} s");
    // Another one under the same name takes its place.
    socket.send(&json!({"type": "analyse", "id": "a", "moves": ["d4"], "seconds": 600}));
    socket.receive_until(|message| message["fen"].as_str().is_some_and(|fen| fen.contains("/3P4/")));
    socket.send(&json!({"type": "stop", "id": "a"}));
    socket.receive_until(|message| message["type"] == "stopped");
    socket.send(&json!({"type": "ping"}));
    socket.receive_until(|message| message["type"] == "pong");
}

#[test]
fn analyses_are_limited_and_their_places_come_back() {
    let limits = ServerLimits { analyses: 3, analyses_per_socket: 2, ..ServerLimits::default() };
    let host = TestServer::with(limits, Storage::Memory, None);
    let (mut one, mut other) = (Socket::new(host.address), Socket::new(host.address));
    let analyse = |id: &str| json!({"type": "analyse", "id": id, "seconds": 600});
    let is_analysis = |message: &serde_json::Value| message["type"] == "analysis";
    one.send(&analyse("a"));
    one.send(&analyse("b"));
    one.send(&analyse("c"));
    let refused = one.receive_until(|message| message["type"] == "error");
    assert_eq!((&refused["id"], &refused["code"]), (&json!("c"), &json!("too_many")));
    other.send(&analyse("d"));
    other.receive_until(is_analysis);
    other.send(&analyse("e"));
    assert_eq!(other.receive_until(|message| message["type"] == "error")["code"], "too_many");
    // A client that leaves makes room, as soon as the search notices.
    drop(one);
    let mut third = Socket::new(host.address);
    let started = Instant::now();
    loop {
        third.send(&analyse("f"));
        if third.receive()["type"] == "analysis" {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "the places come back");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_game_is_reviewed_with_news_on_the_way() {
    let host = TestServer::new();
    let mut socket = Socket::new(host.address);
    let pgn = "[White \"Ada\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
    socket.send(&json!({"type": "review", "id": "r", "pgn": pgn, "effort": "quick"}));
    let progress = socket.receive_until(|message| message["type"] == "review_progress");
    assert_eq!(progress["total"], 9);
    let done = socket.receive_until(|message| message["type"] == "review");
    assert_eq!(done["review"]["moves"][2]["judgement"], "blunder");
    let pgn = done["pgn"].as_str().expect("a text");
    assert!(pgn.contains("[White \"Ada\"]") && pgn.contains("g4 $4"), "{pgn}");
    for message in [json!({"type": "review", "id": "r", "pgn": "1. e4 Ke7"}), json!({"type": "review", "id": "r"})] {
        socket.send(&message);
        assert_eq!(socket.receive()["type"], "error", "{message}");
    }
}

#[test]
fn a_move_that_is_tried_is_judged_alone() {
    let limits = ServerLimits { task_time: PATIENCE, ..ServerLimits::default() };
    let host = TestServer::with(limits, Storage::Memory, None);
    let mut client = Client::new(host.address);
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let wrong = client.good("/api/judge", &json!({"fen": fen, "move": "g2g4", "effort": "quick"}));
    assert_eq!((&wrong["san"], &wrong["judgement"], &wrong["fen"]), (&json!("g4"), &json!("blunder"), &json!(fen)));
    assert_eq!(wrong["reasons"][0]["kind"], "allows_mate");
    let right = client.good("/api/judge", &json!({"fen": fen, "move": "Nc3"}));
    assert!(right["lost"].as_f64().is_some_and(|lost| lost < 0.05), "{right}");
    let only = client.good("/api/judge", &json!({"fen": "7k/8/8/8/8/6q1/8/7K b - - 0 1", "move": "g3f2"}));
    assert_eq!((&only["eval"], &only["reply"]["san"]), (&json!({"kind": "over", "value": "1/2-1/2"}), &json!([])));

    for (asked, code) in [
        (json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1", "move": "e2e4"}), "illegal_position"),
        (json!({"fen": fen, "move": "e2e5"}), "illegal_move"),
        (json!({"fen": fen, "move": "g4g5q".repeat(20)}), "illegal_move"),
        (json!({"fen": fen}), "bad_request"),
        (json!({"fen": fen, "move": "g2g4", "effort": "endless"}), "bad_request"),
    ] {
        assert_eq!(client.post("/api/judge", &asked).code(), code, "{asked}");
    }
}

#[test]
fn moves_are_judged_within_limits() {
    let asked = json!({"move": "e2e4", "effort": "deep"});
    for (limits, message) in [
        (ServerLimits { reviews: 0, ..ServerLimits::default() }, "0 reviews are in progress"),
        (ServerLimits { tasks: 0, ..ServerLimits::default() }, "0 requests are being computed"),
        (ServerLimits { task_time: Duration::from_millis(1), ..ServerLimits::default() }, "choose less effort"),
    ] {
        let host = TestServer::with(limits, Storage::Memory, None);
        let refused = Client::new(host.address).post("/api/judge", &asked);
        assert_eq!((refused.status, refused.code()), (429, "too_many".to_owned()), "{refused:?}");
        assert!(refused.body.contains(message), "{refused:?}");
    }
}

#[test]
fn a_tree_is_counted_for_as_long_as_the_client_waits() {
    // A request over HTTP would be given up at once.
    let limits = ServerLimits { task_time: Duration::from_millis(1), counts: 1, ..ServerLimits::default() };
    let host = TestServer::with(limits, Storage::Memory, None);
    let mut socket = Socket::new(host.address);
    for board in ["bitboard", "packed"] {
        socket.send(&json!({"type": "perft", "id": "p", "request": {"depth": 5, "board": board}}));
        let progress = socket.receive_until(|message| message["type"] == "perft_progress");
        assert_eq!(progress["total"], 400);
        let done = socket.receive_until(|message| message["type"] == "perft");
        assert_eq!((&done["id"], &done["perft"]["board"]), (&json!("p"), &json!(board)));
        let total = &done["perft"]["total"];
        let counted = [&total["nodes"], &total["captures"], &total["checks"], &total["checkmates"]];
        assert_eq!(counted, [4_865_609, 82_719, 27_351, 347]);
    }
    for request in [json!({"depth": 9}), json!({"depth": 2, "board": "abacus"}), json!({"depth": 1, "fen": "x"})] {
        socket.send(&json!({"type": "perft", "id": "p", "request": request}));
        assert_eq!(socket.receive()["type"], "error", "{request}");
    }
}

#[test]
fn a_count_ends_when_it_is_stopped_or_the_client_is_gone() {
    let host = TestServer::with(ServerLimits { counts: 1, ..ServerLimits::default() }, Storage::Memory, None);
    let endless = |id: &str| json!({"type": "perft", "id": id, "request": {"depth": 8, "board": "movemap"}});
    // With one place, a count begins only after the one before it has ended.
    let begin = |socket: &mut Socket| {
        let started = Instant::now();
        loop {
            socket.send(&endless("p"));
            match socket.receive_until(|message| message["type"] != "stopped")["type"].as_str() {
                Some("perft_progress") => break,
                kind => assert!(kind == Some("error") && started.elapsed() < PATIENCE, "{kind:?}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let mut socket = Socket::new(host.address);
    begin(&mut socket);
    let mut other = Socket::new(host.address);
    other.send(&endless("q"));
    assert_eq!(other.receive()["type"], "error", "there is one place");
    socket.send(&json!({"type": "stop", "id": "p"}));
    socket.receive_until(|message| message["type"] == "stopped");
    begin(&mut other);
    drop(other);
    begin(&mut socket);
}

#[test]
fn four_boards_may_count_at_once_on_a_socket() {
    const BOARDS: [&str; 4] = ["bitboard", "mailbox", "packed", "movemap"];
    let host = TestServer::new();
    let mut socket = Socket::new(host.address);
    let count =
        |board: &str, depth: u32| json!({"type": "perft", "id": board, "request": {"depth": depth, "board": board}});
    BOARDS.iter().for_each(|board| socket.send(&count(board, 3)));
    for _ in BOARDS {
        let done = socket.receive_until(|message| message["type"] == "perft");
        assert_eq!((&done["id"], &done["perft"]["total"]["nodes"]), (&done["perft"]["board"], &json!(8902)));
    }
    BOARDS.iter().for_each(|board| socket.send(&count(board, 8)));
    socket.send(&json!({"type": "perft", "id": "fifth", "request": {"depth": 1}}));
    let refused = socket.receive_until(|message| message["type"] == "error");
    assert_eq!((&refused["id"], &refused["code"]), (&json!("fifth"), &json!("too_many")), "{refused}");
}

#[test]
fn searches_are_shown_as_trees() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let nodes = |client: &mut Client, method: &str| {
        let asked = json!({"method": method, "depth": 3, "most_shown": 100});
        let tree = client.good("/api/tree", &asked);
        assert!(tree["nodes"].as_array().is_some_and(|nodes| nodes.len() <= 100));
        tree["totals"]["nodes"].as_u64().expect("a number")
    };
    assert_eq!(nodes(&mut client, "minimax"), 1 + 20 + 400 + 8902);
    assert!(nodes(&mut client, "alphabeta") < 3000);
    assert!(nodes(&mut client, "search") < 3000);
    // With room for one at a time, the others wait.
    let host = TestServer::with(ServerLimits { trees: 1, ..ServerLimits::default() }, Storage::Memory, None);
    let crowd: Vec<_> = (0..4)
        .map(|_| {
            let address = host.address;
            let asked = json!({"method": "minimax", "depth": 2});
            std::thread::spawn(move || Client::new(address).good("/api/tree", &asked)["totals"]["nodes"].clone())
        })
        .collect();
    for thread in crowd {
        assert_eq!(thread.join().expect("an answer"), 1 + 20 + 400);
    }
    for wrong in [json!({"method": "magic", "depth": 2}), json!({"method": "minimax", "depth": 7})] {
        assert_eq!(client.post("/api/tree", &wrong).code(), "bad_request", "{wrong}");
    }
}

#[test]
fn an_analysis_asks_for_threads_a_table_and_a_strength_within_limits() {
    let limits = ServerLimits { analysis_hash: 64, analysis_memory: 80, ..ServerLimits::default() };
    let host = TestServer::with(limits, Storage::Memory, None);
    let mut socket = Socket::new(host.address);
    let refused = |socket: &mut Socket, more: serde_json::Value| {
        let mut asked = json!({"type": "analyse", "id": "a"});
        asked.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        socket.send(&asked);
        let error = socket.receive_until(|message| message["type"] == "error");
        error["code"].as_str().expect("a code").to_owned()
    };
    assert_eq!(refused(&mut socket, json!({"threads": 3})), "bad_request", "the server has two");
    assert_eq!(refused(&mut socket, json!({"hash": 65})), "bad_request");
    assert_eq!(refused(&mut socket, json!({"elo": 100})), "bad_request");
    assert_eq!(refused(&mut socket, json!({"engine": "/bin/sh"})), "bad_mind", "no request names a program");
    socket.send(&json!({"type": "analyse", "id": "one", "threads": 2, "hash": 64, "seconds": 600}));
    socket.receive_until(|message| message["type"] == "analysis" && message["engine"] == "Saavedra");
    assert_eq!(refused(&mut socket, json!({"hash": 32})), "too_many", "both tables are more than there is");
    socket.send(&json!({"type": "analyse", "id": "bot", "elo": 1100}));
    let bot = socket.receive_until(|message| message["id"] == "bot" && message["done"] == true);
    assert_eq!((&bot["engine"], bot["lines"].as_array().map(Vec::len)), (&json!("Lena 1100"), Some(1)));
}
