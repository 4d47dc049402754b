//! Games over HTTP and the WebSocket: played to the end, taken back, reloaded, watched.

use crate::common::{Client, Socket, human, id, mind, plies};
use crate::test_server::TestServer;
use saavedra_serve::{ServerLimits, Storage};
use serde_json::{Value, json};

fn new_game(client: &mut Client, white: Value, black: Value, more: &Value) -> Value {
    let mut asked = json!({"white": white, "black": black});
    asked.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let answer = client.post("/api/games", &asked);
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

/// Plays any legal move for the person, again and again, until the game is over.
fn play_to_the_end(client: &mut Client, socket: &mut Socket, game: &Value) -> Value {
    let name = id(game).to_owned();
    socket.send(&json!({"type": "watch", "game": name}));
    loop {
        let state = socket.game_when(|game| game["status"] == "over" || game["thinking"] == false);
        if state["status"] == "over" {
            return state;
        }
        let legal = state["position"]["legal"].as_array().expect("moves");
        let mv = &legal[(plies(&state) * 7) % legal.len()]["uci"];
        let answer = client.post(&format!("/api/games/{name}/move"), &json!({"move": mv, "ply": plies(&state)}));
        assert!(answer.status == 200 || answer.status == 409, "{answer:?}");
    }
}

#[test]
fn a_whole_game_is_played_and_written_down() {
    let host = TestServer::new();
    let (mut client, mut socket) = (Client::new(host.address), Socket::new(host.address));
    let game = new_game(&mut client, human("Ada"), mind("alphabeta:depth=2"), &json!({}));
    let end = play_to_the_end(&mut client, &mut socket, &game);
    assert_ne!(end["result"], "*");
    let score = client.get(&format!("/api/games/{}/pgn", id(&game)));
    assert_eq!(score.header("content-type"), Some("application/x-chess-pgn"));
    assert!(
        score.body.contains("[White \"Ada\"]") && score.body.contains("[Black \"Alpha-beta (depth=2)\"]"),
        "{}",
        score.body
    );
    let read = client.good("/api/pgn/read", &json!({"pgn": score.body}));
    assert_eq!(read["games"][0]["moves"].as_array().map(Vec::len), Some(plies(&end)));
    let late = client.post(&format!("/api/games/{}/move", id(&game)), &json!({"move": "e4"}));
    assert_eq!(late.code(), "conflict");
}

#[test]
fn moves_are_checked_and_taken_back() {
    let host = TestServer::new();
    let (mut client, mut socket) = (Client::new(host.address), Socket::new(host.address));
    let game = new_game(&mut client, human("Ada"), mind("random:seed=3"), &json!({"move_ms": 50}));
    let path = |what: &str| format!("/api/games/{}/{what}", id(&game));
    assert_eq!(client.post(&path("takeback"), &json!({})).code(), "conflict");
    assert_eq!(client.post(&path("move"), &json!({"move": "e5"})).code(), "illegal_move");
    assert_eq!(client.post(&path("move"), &json!({"move": "e4", "ply": 3})).code(), "conflict");
    socket.send(&json!({"type": "watch", "game": id(&game)}));
    assert_eq!(client.good(&path("move"), &json!({"move": "e4", "ply": 0}))["moves"][0]["san"], "e4");
    let answered = socket.game_when(|game| plies(game) == 2);
    assert_eq!(answered["moves"][1]["fen"], answered["position"]["fen"]);
    let back = client.good(&path("takeback"), &json!({}));
    assert_eq!((plies(&back), &back["position"]["fen"]), (0, &game["position"]["fen"]));
    client.good(&path("move"), &json!({"move": "d4"}));
    socket.game_when(|game| plies(game) == 2 && game["moves"][0]["san"] == "d4");
    let hint = client.good(&path("hint"), &json!({}));
    assert_eq!((&hint["ply"], hint["pv"]["san"][0].as_str()), (&json!(2), hint["san"].as_str()));
    let resigned = client.good(&path("resign"), &json!({}));
    assert_eq!((&resigned["result"], &resigned["reason"]), (&json!("0-1"), &json!("white resigned")));
    assert_eq!(client.post(&path("resign"), &json!({})).code(), "conflict");
    let reopened = client.good(&path("takeback"), &json!({}));
    assert_eq!((&reopened["status"], plies(&reopened)), (&json!("playing"), 0));
}

#[test]
fn two_people_at_one_board_may_agree_and_minds_decline_at_first() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let game = new_game(&mut client, human("Ada"), human("Bea"), &json!({"moves": ["e4", "e5"]}));
    let path = format!("/api/games/{}/", id(&game));
    assert_eq!(client.post(&format!("{path}takeback"), &json!({})).code(), "conflict", "the opening is not taken back");
    assert_eq!(client.good(&format!("{path}draw"), &json!({"side": "black"}))["answer"], "agreed");
    let game = new_game(&mut client, human("Ada"), mind("search:nodes=1000"), &json!({}));
    let path = format!("/api/games/{}/", id(&game));
    let declined = client.good(&format!("{path}draw"), &json!({}));
    assert_eq!((&declined["answer"], &declined["game"]["status"]), (&json!("declined"), &json!("playing")));
    assert_eq!(client.post(&format!("{path}resign"), &json!({"side": "black"})).code(), "conflict");
    assert_eq!(client.good(&format!("{path}abort"), &json!({}))["result"], "*");
    // A repetition is claimed by the side to move.
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"];
    let game = new_game(&mut client, human("Ada"), mind("random"), &json!({"moves": moves}));
    let claimed = client.good(&format!("/api/games/{}/draw", id(&game)), &json!({}));
    assert_eq!(claimed["game"]["reason"], "threefold repetition, claimed by white");
}

#[test]
fn two_minds_play_by_themselves_and_can_be_stopped() {
    let host = TestServer::new();
    let (mut client, mut socket) = (Client::new(host.address), Socket::new(host.address));
    let game = new_game(&mut client, mind("random:seed=1"), mind("capture:seed=2"), &json!({}));
    socket.send(&json!({"type": "watch", "game": id(&game)}));
    socket.game_when(|game| game["status"] == "over");
    let slow = new_game(&mut client, mind("random"), mind("random"), &json!({"pause_ms": 10_000, "chess960": 3}));
    assert_eq!((&slow["chess960"], &slow["thinking"]), (&json!(3), &json!(true)));
    assert_eq!(client.post(&format!("/api/games/{}/move", id(&slow)), &json!({"move": "e4"})).code(), "conflict");
    assert_eq!(client.good(&format!("/api/games/{}/abort", id(&slow)), &json!({}))["reason"], "aborted");
    assert_eq!(client.delete(&format!("/api/games/{}", id(&slow))).status, 204);
    assert_eq!(client.get(&format!("/api/games/{}", id(&slow))).code(), "not_found");
    let list = client.get("/api/games?status=over").json();
    assert_eq!((&list["total"], &list["games"][0]["id"]), (&json!(1), &game["id"]));
}

#[test]
fn minds_with_a_clock_pause_for_those_who_watch_and_lose_no_time() {
    let host = TestServer::new();
    let (mut client, mut socket) = (Client::new(host.address), Socket::new(host.address));
    // A pause that is longer than the time on the clocks.
    let options = json!({"time": {"base_ms": 1000, "increment_ms": 0}, "pause_ms": 1100, "moves": ["e4", "e5"]});
    let game = new_game(&mut client, mind("random"), mind("random"), &options);
    socket.send(&json!({"type": "watch", "game": id(&game)}));
    let moved = socket.game_when(|game| plies(game) == 4);
    assert_eq!((&moved["status"], &moved["clocks"]["running"]), (&json!("playing"), &json!("white")));
    let left = |color: &str| moved["clocks"][color].as_u64().expect("a clock");
    assert!(left("pause_ms") > 0 && left("white_ms") > 900 && left("black_ms") > 900, "{}", moved["clocks"]);
}

#[test]
fn clocks_run_from_the_first_move_and_flags_fall() {
    let host = TestServer::new();
    let (mut client, mut socket) = (Client::new(host.address), Socket::new(host.address));
    let time = json!({"time": {"base_ms": 1000, "increment_ms": 100}});
    let game = new_game(&mut client, human("Ada"), human("Bea"), &time);
    assert_eq!(game["clocks"], json!({"white_ms": 1000, "black_ms": 1000, "running": null, "pause_ms": 0}));
    socket.send(&json!({"type": "watch", "game": id(&game)}));
    let moved = client.good(&format!("/api/games/{}/move", id(&game)), &json!({"move": "e4"}));
    assert_eq!((&moved["moves"][0]["clock_ms"], &moved["clocks"]["running"]), (&json!(1100), &json!("black")));
    let lost = socket.game_when(|game| game["status"] == "over");
    assert_eq!((&lost["reason"], &lost["winner"]), (&json!("black ran out of time"), &json!("white")));
    let score = client.get(&format!("/api/games/{}/pgn", id(&game))).body;
    assert!(score.contains("[TimeControl \"1+0.1\"]") && score.contains("[%clk 0:00:01.1]"), "{score}");
    // A mind with a clock answers before it runs out.
    let time = json!({"time": {"base_ms": 30_000, "increment_ms": 0}});
    let game = new_game(&mut client, human("Ada"), mind("search"), &time);
    socket.send(&json!({"type": "watch", "game": id(&game)}));
    client.good(&format!("/api/games/{}/move", id(&game)), &json!({"move": "e4"}));
    let answered = socket.game_when(|state| state["id"] == game["id"] && plies(state) == 2);
    assert_eq!(answered["status"], "playing");
}

#[test]
fn a_mind_that_thinks_long_can_be_hurried() {
    let host = TestServer::new();
    let (mut client, mut socket) = (Client::new(host.address), Socket::new(host.address));
    let game = new_game(&mut client, mind("search"), human("Ada"), &json!({"move_ms": 60_000}));
    socket.send(&json!({"type": "watch", "game": id(&game)}));
    let thought = socket.receive_until(|message| message["type"] == "thought");
    assert_eq!((&thought["ply"], &thought["score"]["kind"]), (&json!(0), &json!("cp")));
    client.good(&format!("/api/games/{}/now", id(&game)), &json!({}));
    socket.game_when(|game| plies(game) == 1);
    assert_eq!(client.post(&format!("/api/games/{}/now", id(&game)), &json!({})).code(), "conflict");
}

#[test]
fn what_cannot_be_played_is_refused_in_words() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let ada = human("Ada");
    for (asked, code) in [
        (json!({"white": ada}), "bad_request"),
        (json!({"white": ada, "black": {"kind": "ghost"}}), "bad_request"),
        (json!({"white": ada, "black": mind("uci:/bin/sh")}), "bad_mind"),
        (json!({"white": ada, "black": mind("search:net=/etc/passwd")}), "bad_mind"),
        (json!({"white": ada, "black": mind("nobody")}), "bad_mind"),
        (json!({"white": ada, "black": ada, "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), "illegal_position"),
        (json!({"white": ada, "black": ada, "moves": ["e4", "e4"]}), "illegal_move"),
        (json!({"white": ada, "black": ada, "moves": ["f3", "e5", "g4", "Qh4"]}), "conflict"),
        (json!({"white": ada, "black": ada, "chess960": 960}), "bad_request"),
        (json!({"white": ada, "black": ada, "time": {"base_ms": 0, "increment_ms": 0}}), "bad_request"),
        (json!({"white": ada, "black": ada, "move_ms": 1_000_000}), "bad_request"),
        (json!({"white": human(&"x".repeat(100)), "black": ada}), "bad_request"),
        (json!({"white": ada, "black": ada, "typo": 1}), "bad_request"),
    ] {
        let answer = client.post("/api/games", &asked);
        assert_eq!(answer.code(), code, "{asked}: {answer:?}");
    }
    for path in ["/api/games/nobody", "/api/games/..%2f..%2fetc%2fpasswd", "/api/games/nobody/pgn"] {
        assert_eq!(client.get(path).code(), "not_found", "{path}");
    }
    assert_eq!(client.get("/api/games?limit=many").code(), "bad_request");
}

#[test]
fn games_and_limits_hold_and_many_minds_play_at_once() {
    let limits = ServerLimits { running_games: 20, kept_games: 22, kept_engines: 2, ..ServerLimits::default() };
    let host = TestServer::with(limits, Storage::Memory, None);
    let (mut client, mut socket) = (Client::new(host.address), Socket::new(host.address));
    let minds = ["search:nodes=500", "random", "alphabeta:depth=1", "search:elo=800"];
    let games: Vec<Value> = (0..20)
        .map(|number| new_game(&mut client, human("Ada"), mind(minds[number % 4]), &json!({"move_ms": 200})))
        .collect();
    let refused = client.post("/api/games", &json!({"white": human("Ada"), "black": human("Bea")}));
    assert_eq!((refused.status, refused.code()), (429, "too_many".to_owned()));
    for game in &games {
        socket.send(&json!({"type": "watch", "game": id(game)}));
        client.good(&format!("/api/games/{}/move", id(game)), &json!({"move": "e4"}));
    }
    let mut answered = std::collections::HashSet::new();
    while answered.len() < games.len() {
        let game = socket.game_when(|game| plies(game) == 2);
        assert_eq!(game["fault"], Value::Null);
        answered.insert(id(&game).to_owned());
    }
    for game in &games[..3] {
        client.good(&format!("/api/games/{}/abort", id(game)), &json!({}));
    }
    for _ in 0..2 {
        new_game(&mut client, human("Ada"), human("Bea"), &json!({}));
    }
    let refused = client.post("/api/games", &json!({"white": human("Ada"), "black": human("Bea")}));
    assert!(refused.body.contains("delete some first"), "{refused:?}");
    // One more place is free, and then there is none for a game that was over.
    client.good(&format!("/api/games/{}/takeback", id(&games[0])), &json!({}));
    assert_eq!(client.post(&format!("/api/games/{}/takeback", id(&games[1])), &json!({})).code(), "too_many");
}

#[test]
fn hints_and_take_backs_are_refused_where_that_was_agreed() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let more = json!({"moves": ["e4", "e5"], "help": {"hints": false, "takebacks": false}});
    let game = new_game(&mut client, human("Ada"), human("Bea"), &more);
    assert_eq!(game["help"], json!({"hints": false, "takebacks": false}));
    let path = format!("/api/games/{}/", id(&game));
    client.good(&format!("{path}move"), &json!({"move": "Nf3"}));
    assert_eq!(client.post(&format!("{path}takeback"), &json!({})).code(), "conflict");
    assert_eq!(client.post(&format!("{path}hint"), &json!({})).code(), "conflict");
    let usual = new_game(&mut client, human("Ada"), human("Bea"), &json!({}));
    assert_eq!(usual["help"], json!({"hints": true, "takebacks": true}));
}
