//! Questions over HTTP: what can be played, counted, exchanged, read and written.

use std::time::Duration;

use crate::common::Client;
use crate::test_server::TestServer;
use saavedra_serve::{ServerLimits, Storage};
use serde_json::{Value, json};

fn client(host: &TestServer) -> Client {
    Client::new(host.address)
}

#[test]
fn positions_and_moves_are_told() {
    let host = TestServer::new();
    let mut client = client(&host);
    let start = client.good("/api/legal", &json!({}));
    assert_eq!(start["legal"].as_array().map(Vec::len), Some(20));
    assert_eq!((&start["turn"], &start["check"], &start["over"]), (&json!("white"), &Value::Null, &Value::Null));

    let made = client.good("/api/move", &json!({"moves": ["f3", "e7e5", "g4"], "move": "Qh4"}));
    assert_eq!((&made["move"]["san"], &made["move"]["check"]), (&json!("Qh4#"), &json!("e1")));
    assert_eq!(made["position"]["over"], json!({"result": "0-1", "winner": "black", "reason": "checkmate"}));
    assert_eq!(made["position"]["legal"], json!([]));

    let line = client.good("/api/line", &json!({"moves": ["e4", "e5", "Nf3"]}));
    let sans: Vec<_> = line["moves"].as_array().expect("moves").iter().map(|mv| mv["san"].clone()).collect();
    assert_eq!(sans, ["e4", "e5", "Nf3"]);
}

#[test]
fn castling_names_the_rook_in_every_variant() {
    let host = TestServer::new();
    let mut client = client(&host);
    let castling = |position: &Value| {
        let moves = position["legal"].as_array().expect("moves").iter();
        let castles = moves.filter(|mv| !mv["castle_rook"].is_null());
        castles.map(|mv| [&mv["uci"], &mv["to"], &mv["castle_rook"]].map(Clone::clone)).collect::<Vec<_>>()
    };
    let standard = client.good("/api/legal", &json!({"fen": "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"}));
    assert_eq!(castling(&standard), [["e1c1", "c1", "a1"], ["e1g1", "g1", "h1"]].map(|mv| mv.map(|text| json!(text))));
    let line_up = client.good("/api/chess960", &json!({"number": 0}));
    assert_eq!(line_up["fen"], "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    let free = client.good("/api/legal", &json!({"fen": "6kr/8/8/8/8/8/8/R5KR w HAh - 0 1"}));
    assert_eq!(free["chess960"], true);
    assert!(castling(&free).contains(&["g1h1", "g1", "h1"].map(|text| json!(text))), "{free}");
    assert_eq!(client.post("/api/chess960", &json!({"number": 960})).code(), "bad_request");
    assert!(client.good("/api/chess960", &json!({}))["number"].as_u64().is_some_and(|number| number < 960));
}

#[test]
fn the_editor_is_told_every_reason_at_once() {
    let host = TestServer::new();
    let mut client = client(&host);
    let wrong = client.good("/api/check", &json!({"fen": "4k3/8/8/8/8/8/4K3/4r2P w KQ - 0 1"}));
    assert_eq!((&wrong["legal"], wrong["problems"].as_array().map(Vec::len)), (&json!(false), Some(4)));
    let nonsense = client.good("/api/check", &json!({"fen": "hello"}));
    assert_eq!(nonsense["problems"].as_array().map(Vec::len), Some(1));
    let right = client.good("/api/check", &json!({"fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}));
    assert_eq!(
        (&right["legal"], &right["position"]["over"]["reason"]),
        (&json!(true), &json!("insufficient material"))
    );
    let refused = client.post("/api/legal", &json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}));
    assert_eq!((refused.status, refused.code()), (422, "illegal_position".to_owned()));
    assert_eq!(refused.json()["error"]["problems"], json!(["white has no king", "black has no king"]));
}

#[test]
fn perft_counts_every_kind_of_move() {
    let host = TestServer::new();
    let mut client = client(&host);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let counted = client.good("/api/perft", &json!({"fen": kiwipete, "depth": 3}));
    let total = &counted["total"];
    assert_eq!(total["nodes"], 97_862);
    assert_eq!([&total["captures"], &total["en_passant"], &total["castles"]], [17_102, 45, 3162]);
    assert_eq!([&total["promotions"], &total["checks"], &total["checkmates"]], [0, 993, 1]);
    assert_eq!(counted["divide"].as_array().map(Vec::len), Some(48));
    for (depth, nodes) in [(0, 1), (1, 20), (2, 400), (3, 8902)] {
        assert_eq!(client.good("/api/perft", &json!({"depth": depth}))["total"]["nodes"], nodes);
    }
    assert_eq!(client.post("/api/perft", &json!({"depth": 9})).status, 400);
}

#[test]
fn perft_counts_the_same_on_every_board() {
    let host = TestServer::new();
    let mut client = client(&host);
    let example = "rn3k1r/p1Bp2p1/5ppn/6N1/3pQ3/8/PP2PPPP/4KB1R w K - 4 21";
    let mut count = |board: &str| {
        let counted = client.good("/api/perft", &json!({"fen": example, "depth": 3, "board": board}));
        assert_eq!(counted["board"], board);
        let mut moves = counted["divide"].as_array().cloned().expect("moves");
        moves.sort_by_key(|entry| entry["uci"].to_string());
        (counted["total"].clone(), moves)
    };
    let expected = count("bitboard");
    assert_eq!(expected.0["nodes"], 29_809);
    for board in ["mailbox", "packed", "movemap", "movemap-rights", "movemap-lines", "movemap-both"] {
        assert_eq!(count(board), expected, "{board}");
    }
    let refused = client.post("/api/perft", &json!({"depth": 2, "board": "abacus"}));
    assert!(refused.status == 400 && refused.body.contains("choose among bitboard"), "{refused:?}");
    let chess960 = json!({"depth": 2, "fen": "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "board": "packed"});
    assert!(client.post("/api/perft", &chess960).body.contains("only standard chess"));
}

#[test]
fn counting_that_takes_too_long_is_refused_in_words() {
    let limits = ServerLimits { task_time: Duration::from_millis(50), ..ServerLimits::default() };
    let host = TestServer::with(limits, Storage::Memory, None);
    let queens = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    for asked in [json!({"depth": 8}), json!({"depth": 8, "fen": queens})] {
        let refused = client(&host).post("/api/perft", &asked);
        assert_eq!((refused.status, refused.code()), (429, "too_many".to_owned()), "{refused:?}");
        assert!(refused.body.contains("choose a smaller depth"), "{refused:?}");
    }
}

#[test]
fn boards_show_their_memory_and_what_the_last_move_did() {
    let host = TestServer::new();
    let mut client = client(&host);
    let start = client.good("/api/boards", &json!({}));
    let names = |answer: &Value| -> Vec<String> {
        let boards = answer["boards"].as_array().expect("boards").iter();
        boards.map(|board| board["board"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names(&start), ["mailbox", "packed", "movemap", "bitboard"]);
    assert_eq!((&start["boards"][0]["steps"], &start["boards"][0]["flip"]), (&json!([]), &Value::Null));
    assert_eq!(start["boards"][0]["memory"]["tables"][0]["rows"][8]["cells"][5]["value"], "1", "a pawn on e2");

    let asked = json!({"moves": ["e4", "d5", "exd5"], "boards": ["packed", "mailbox"], "corrupt": "d5", "seed": 5});
    let answer = client.good("/api/boards", &asked);
    assert_eq!(names(&answer), ["packed", "mailbox"]);
    let [packed, mailbox] = [&answer["boards"][0], &answer["boards"][1]];
    assert_eq!(packed["steps"].as_array().map(Vec::len), Some(1), "only the last move is told");
    assert_eq!(packed["steps"][0]["move"]["integer"], 0b10_0100 << 14 | 0b1_1011 << 8 | 0b0100 << 4 | 0b0010);
    assert_eq!(mailbox["steps"][0]["move"]["integer"], 55 | 64 << 7 | 7 << 14);
    assert_eq!(mailbox["steps"][0]["key"]["after"], mailbox["memory"]["key"]);
    assert!(mailbox["flip"]["complaints"].as_array().is_some_and(|said| !said.is_empty()), "{}", mailbox["flip"]);

    for (asked, message) in [
        (json!({"boards": ["abacus"]}), "there is no board called"),
        (json!({"boards": ["packed", "packed"]}), "packed is asked for twice"),
        (json!({"boards": ["movemap-both"]}), "is not drawn"),
        (json!({"corrupt": "e9"}), "nowhere in the memory"),
        (json!({"fen": "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1"}), "standard chess"),
    ] {
        let refused = client.post("/api/boards", &asked);
        assert_eq!((refused.status, refused.code()), (400, "bad_request".to_owned()), "{refused:?}");
        assert!(refused.body.contains(message), "{refused:?}");
    }
    assert_eq!(client.post("/api/boards", &json!({"moves": ["e5"]})).code(), "illegal_move");
}

#[test]
fn exchanges_are_told_in_the_order_of_capture() {
    let host = TestServer::new();
    let mut client = client(&host);
    let fen = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
    let told = client.good("/api/see", &json!({"fen": fen, "square": "e5"}));
    let squares = |side: &str| -> Vec<String> {
        let attackers = told["attackers"][side].as_array().expect("attackers").iter();
        attackers.map(|attacker| attacker["square"].as_str().expect("a square").to_owned()).collect()
    };
    assert_eq!(squares("white"), ["d3", "e2", "e1"]);
    assert_eq!(squares("black"), ["d7", "f6", "h8"]);
    assert_eq!(told["attackers"]["white"][2]["behind"], "e2");
    assert_eq!(told["captures"].as_array().map(Vec::len), Some(2), "knight and rook can take");
    let told = &client.good("/api/see", &json!({"fen": fen, "move": "Nxe5"}))["told"];
    assert_eq!((&told["oracle"], &told["agree"]), (&json!(-200), &json!(true)));
    assert!(told["words"].as_array().is_some_and(|words| words.contains(&json!("It loses 200."))), "{told}");
    let quiet = client.good("/api/see", &json!({"square": "e5"}));
    assert_eq!((&quiet["told"], &quiet["captures"]), (&Value::Null, &json!([])));
    assert_eq!(client.post("/api/see", &json!({})).code(), "bad_request");
    assert_eq!(client.post("/api/see", &json!({"square": "e9"})).code(), "bad_request");
    let pinned = client.good("/api/see", &json!({"fen": "4k3/8/2n5/1B2p3/6N1/8/8/4K3 w - - 0 1", "square": "e5"}));
    assert_eq!(pinned["attackers"]["black"][0]["pinned_by"], "b5");
}

#[test]
fn games_are_read_and_written() {
    let host = TestServer::new();
    let mut client = client(&host);
    let text =
        "[White \"A\"]\n\n1. e4 {best by test} e5 $1 (1... c5 2. Nf3) 2. f4 {[%clk 0:01:00]} 1-0\n\n1. e4 Ke7 0-1";
    let read = client.good("/api/pgn/read", &json!({"pgn": text}));
    let game = &read["games"][0];
    assert_eq!((&game["tags"]["White"], &game["result"]), (&json!("A"), &json!("1-0")));
    assert_eq!(game["moves"][0]["comment"], "best by test");
    assert_eq!(game["moves"][1]["nags"], json!([1]));
    let variation = |index: usize| (&game["variations"][index]["san"], &game["variations"][index]["after"]);
    assert_eq!(variation(0), (&json!("c5"), &json!(1)), "instead of the second move");
    assert_eq!(variation(1), (&json!("Nf3"), &json!(4)), "after the first move behind the three of the game");
    assert_eq!(game["moves"][2]["clock_ms"], 60_000);
    assert_eq!((&read["errors"][0]["game"], &read["errors"][0]["line"]), (&json!(2), &json!(5)));

    let asked = json!({"moves": [{"move": "e4", "nags": [1]}, {"move": "e5", "comment": "solid"}],
        "tags": {"White": "A \"quoted\" name"}, "result": "1/2-1/2"});
    let written = client.good("/api/pgn/write", &asked);
    let text = written["pgn"].as_str().expect("a text");
    assert!(text.ends_with("\n1. e4 $1 e5 {solid} 1/2-1/2\n"), "{text}");
    assert_eq!(client.good("/api/pgn/read", &json!({"pgn": text}))["games"][0]["moves"][1]["comment"], "solid");
    let plain = client.good("/api/pgn/write", &json!({"moves": ["f3", "e5", "g4", "Qh4"]}));
    assert!(plain["pgn"].as_str().expect("a text").ends_with("\n1. f3 e5 2. g4 Qh4# 0-1\n"), "{plain}");
}

#[test]
fn a_game_with_variations_is_written_as_it_was_read() {
    let host = TestServer::new();
    let mut client = client(&host);
    let movetext = "{before all} 1. e4 e5 {[%eval 0.31] [%clk 0:01:00] said} ({or} 1... c5 2. Nf3 (2. c3 d5 (2... Nf6)) \
        2... d6 $5) (1... e6) 2. f4 (2. Nf3) 2... exf4 1-0";
    let read = client.good("/api/pgn/read", &json!({"pgn": movetext}));
    let game = &read["games"][0];
    let moves: Vec<Value> = ["moves", "variations"].iter().flat_map(|&list| game[list].as_array().expect("moves")).map(
        |mv| json!({"move": mv["uci"], "after": mv["after"], "comment_before": mv["comment_before"], "comment": mv["comment"],
            "nags": mv["nags"], "clock_ms": mv["clock_ms"], "eval": mv["eval"]}),
    ).collect();
    let asked = json!({"moves": moves, "result": game["result"], "comment": game["comment"]});
    let written = client.good("/api/pgn/write", &asked);
    let again = client.good("/api/pgn/read", &json!({"pgn": written["pgn"]}));
    assert_eq!(again["games"][0]["moves"], game["moves"]);
    assert_eq!(again["games"][0]["variations"], game["variations"]);
    let text = written["pgn"].as_str().expect("a text").replace('\n', " ");
    assert!(text.contains("({or} 1... c5 2. Nf3 (2. c3 d5 (2... Nf6)) 2... d6 $5) (1... e6) 2. f4"), "{text}");

    for (moves, wrong) in [
        (json!([{"move": "e4", "after": 1}]), "move 1: there is no move 1 before it to follow"),
        (json!(["e4", {"move": "e4", "after": 1}]), "move 2: e4 is not a legal move here"),
        (json!([{"move": "e4", "later": 1}]), "expected a move, or an object of move, after, comment_before"),
    ] {
        let refusal = client.post("/api/pgn/write", &json!({"moves": moves})).json();
        let message = refusal["error"]["message"].as_str().expect("a message");
        assert!(message.contains(wrong), "{message}");
    }
}

#[test]
fn settings_are_kept_and_minds_are_shown() {
    let host = TestServer::new();
    let mut client = client(&host);
    assert_eq!(client.get("/api/settings").json(), json!({}));
    let settings = json!({"theme": "dark", "size": 1.5});
    assert_eq!(client.ask("PUT", "/api/settings", Some(&settings.to_string()), &[]).status, 200);
    assert_eq!(client.get("/api/settings").json(), settings);
    let large = json!({"much": "x".repeat(20_000)}).to_string();
    assert_eq!(client.ask("PUT", "/api/settings", Some(&large), &[]).code(), "too_large");
    assert_eq!(client.ask("PUT", "/api/settings", Some("[1]"), &[]).code(), "bad_request");
    let minds = client.get("/api/minds").json();
    assert_eq!(minds["minds"].as_array().map(Vec::len), Some(5));
    assert_eq!(client.get("/api/about").json()["memory_only"], true);
    let description = client.get("/api/openapi.json").json();
    assert!(description["paths"]["/api/games/{id}/move"]["post"].is_object());
}
