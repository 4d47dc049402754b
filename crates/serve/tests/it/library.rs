//! The library: games imported, saved, found, labelled, deleted, brought back, exported and explored.

use crate::common::{Client, human, id};
use crate::test_server::TestServer;
use records::polyglot::BookBuilder;
use records::{GameResult, rules::Position};
use saavedra_serve::{ServerLimits, Storage};
use serde_json::{Value, json};

/// Three games, the second of which breaks off.
const FILE: &str = "[Event \"Wijk aan Zee\"]\n[White \"Carlsen, Magnus\"]\n[Black \"van Wely, Loek\"]\n[Date \"2013.01.26\"]\n\
    [Result \"1-0\"]\n[WhiteElo \"2861\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {Morphy} (3... Nf6) 4. Ba4 1-0\n\n\
    [Event \"Club\"]\n[White \"Zoë\"]\n[Black \"Ada\"]\n[Date \"1997.??.??\"]\n[Result \"0-1\"]\n\n1. e4 c5 2. Nf3 Qxz9 0-1\n\n\
    [Event \"Club\"]\n[White \"Ada\"]\n[Black \"Bea\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 2. c4 1/2-1/2\n";

fn found(client: &mut Client, query: &str) -> Vec<String> {
    let answer = client.get(&format!("/api/library?{query}")).json();
    let games = answer["games"].as_array().unwrap_or_else(|| panic!("{query}: {answer}"));
    assert_eq!(answer["total"], games.len(), "{query}");
    games.iter().map(|game| game["white"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn a_file_is_imported_and_the_good_part_of_a_broken_game_is_kept() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let import = client.import("club.pgn", FILE.as_bytes(), &["club"]);
    assert_eq!((&import["state"], &import["games"], &import["broken"]), (&json!("done"), &json!(3), &json!(1)));
    assert_eq!(import["bytes"], FILE.len());
    assert_eq!(import["problems"][0]["message"], "2… \"Qxz9\" is not a move: expected something like Nf3, exd5 or O-O");
    assert_eq!(client.get(&format!("/api/imports/{}", id(&import))).json(), import);
    let first = client.get(&format!("/api/library/{}", import["first"].as_str().expect("an id"))).json();
    assert_eq!(
        (&first["kind"], &first["status"], &first["labels"]),
        (&json!("imported"), &Value::Null, &json!(["club"]))
    );
    assert_eq!(first["game"]["moves"].as_array().map(Vec::len), Some(7));
    assert_eq!(
        (&first["game"]["moves"][5]["comment"], &first["game"]["variations"][0]["san"]),
        (&json!("Morphy"), &json!("Nf6"))
    );
    let list = client.get("/api/library?q=broken:yes").json();
    let broken = &list["games"][0];
    assert_eq!((&broken["white"], &broken["plies"], &broken["eco"]), (&json!("Zoë"), &json!(3), &json!("B27")));
    assert_eq!(broken["problem"], import["problems"][0]["message"]);
}

#[test]
fn a_game_that_is_there_already_is_not_stored_again() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let counts = |import: &Value| (import["games"].as_u64(), import["known"].as_u64());
    let first = client.import("club.pgn", FILE.as_bytes(), &[]);
    assert_eq!(counts(&first), (Some(3), Some(0)));
    let again = client.import("copy.pgn", FILE.as_bytes(), &["club"]);
    assert_eq!((counts(&again), &again["state"]), ((Some(0), Some(3)), &json!("done")));
    assert_eq!(again["first"], first["first"], "one gets to the game that is there");
    assert_eq!(client.get("/api/explorer").json()["games"], 3);
    assert_eq!(found(&mut client, "q=tag:club").len(), 3, "labels are added to what is there");
    // In one file, and pasted.
    let twice = FILE.replace("Zoë", "Zora").repeat(2);
    assert_eq!(counts(&client.import("twice.pgn", twice.as_bytes(), &[])), (Some(1), Some(5)));
    let pasted = client.good("/api/library", &json!({"kind": "imported", "pgn": FILE.split("\n\n[").next()}));
    assert_eq!(pasted["id"], first["first"]);
    // A game that says more is another one, and so is one without names, or one that was deleted.
    let more = FILE.replace("1. d4 d5", "1. d4 {The queen's pawn.} d5");
    assert_eq!(counts(&client.import("more.pgn", more.as_bytes(), &[])), (Some(1), Some(2)));
    for _ in 0..2 {
        assert_eq!(counts(&client.import("bare.pgn", b"1. e4 e5 *", &[])), (Some(1), Some(0)));
    }
    // A game that was played here is known when its own PGN is imported.
    let game = json!({"white": human("Ada"), "black": human("Bea"), "moves": ["e4", "e5"]});
    let game = client.good("/api/games", &game);
    client.good(&format!("/api/games/{}/resign", id(&game)), &json!({"side": "white"}));
    let played = client.get(&format!("/api/library/{}/pgn", id(&game))).body;
    assert_eq!(counts(&client.import("played.pgn", played.as_bytes(), &[])), (Some(0), Some(1)));
    client.good("/api/library/delete", &json!({"q": "carlsen"}));
    assert_eq!(counts(&client.import("club.pgn", FILE.as_bytes(), &[])), (Some(1), Some(2)));
}

#[test]
fn packed_files_are_imported_and_text_that_is_no_game_is_told() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    // A Zstandard frame with one raw block.
    let mut packed = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    let length = u32::try_from(FILE.len()).expect("a short text");
    packed.extend(&(length << 3 | 1).to_le_bytes()[..3]);
    packed.extend(FILE.as_bytes());
    assert_eq!(client.import("club.pgn.zst", &packed, &[])["games"], 3);
    let cut = client.import("cut.pgn.zst", &packed[..packed.len() - 100], &[]);
    assert_eq!((&cut["state"], &cut["games"], &cut["known"]), (&json!("failed"), &json!(0), &json!(1)), "{cut}");
    let nothing = client.import("empty.pgn", b"", &[]);
    assert_eq!((&nothing["state"], &nothing["error"]), (&json!("failed"), &json!("there is no game in the file")));
    let import = client.good("/api/imports", &json!({}));
    let path = format!("/api/imports/{}/body", id(&import));
    assert_eq!(client.put(&path, &json!({})).code(), "unsupported_media_type");
    assert_eq!(client.get("/api/imports/nothing").code(), "not_found");
}

#[test]
fn games_are_found_by_words_fields_and_positions() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    client.import("club.pgn", FILE.as_bytes(), &["club"]);
    for (query, names) in [
        ("", &["Ada", "Zoë", "Carlsen, Magnus"][..]),
        ("q=carls%20ruy", &["Carlsen, Magnus"]),
        ("q=wely%20wijk", &["Carlsen, Magnus"]),
        ("q=zoe", &["Zoë"]),
        ("q=ada", &["Ada", "Zoë"]),
        ("q=white:ada", &["Ada"]),
        ("q=player:%22van%20wely%22", &["Carlsen, Magnus"]),
        ("q=result:draw", &["Ada"]),
        ("q=result:0-1%20tag:club", &["Zoë"]),
        ("q=tag:other", &[]),
        ("q=year:1990-1999", &["Zoë"]),
        ("q=year:2013", &["Carlsen, Magnus"]),
        ("q=eco:C7", &["Carlsen, Magnus"]),
        ("q=kind:analysis", &[]),
        ("q=%22%20*%20)%20(", &["Ada", "Zoë", "Carlsen, Magnus"]),
        ("fen=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR%20w%20KQkq%20-%200%202", &["Zoë"]),
        ("q=ada&fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%200%201", &["Ada", "Zoë"]),
    ] {
        assert_eq!(found(&mut client, query), names, "{query}");
    }
    for (query, told) in [
        ("q=result:won", "q: \"won\" is not a result"),
        ("q=eco:Z1", "q: \"Z1\" is not a code"),
        ("q=palyer:ada", "q: there is no filter \"palyer\": expected result, year,"),
        ("fen=nonsense", "fen: "),
        ("limit=1000", "limit is 1000"),
        ("cursor=x", "cursor: "),
    ] {
        let answer = client.get(&format!("/api/library?{query}"));
        assert!(answer.status >= 400 && answer.body.contains(&told.replace('"', "\\\"")), "{query}: {answer:?}");
    }
}

#[test]
fn a_long_list_comes_in_pages() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let file: String = (0..120).map(|number| format!("[White \"Player {number}\"]\n\n1. e4 *\n\n")).collect();
    assert_eq!(client.import("many.pgn", file.as_bytes(), &[])["games"], 120);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("/api/library?limit=50{cursor}")).json();
        assert_eq!(page["total"], 120);
        seen.extend(page["games"].as_array().expect("games").iter().map(|game| game["white"].clone()));
        match page["cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let all: Vec<Value> = (0..120).rev().map(|number| json!(format!("Player {number}"))).collect();
    assert_eq!(seen, all);
}

#[test]
fn an_analysis_is_saved_and_two_pages_do_not_overwrite_each_other() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let game = client.good("/api/library", &json!({"moves": ["e4", "e5"], "labels": ["mine"]}));
    assert_eq!((&game["kind"], &game["revision"]), (&json!("analysis"), &json!(1)));
    let path = format!("/api/library/{}", id(&game));
    let moves =
        json!(["e4", {"move": "e5", "comment": "[%cal Gg1f3] classical", "nags": [1]}, {"move": "c5", "after": 1}]);
    let saved = client.put(&path, &json!({"revision": 1, "moves": moves, "tags": {"White": "Ada"}}));
    assert_eq!((saved.status, &saved.json()["revision"]), (200, &json!(2)), "{saved:?}");
    let late = client.put(&path, &json!({"revision": 1, "moves": ["d4"]}));
    assert_eq!(late.code(), "conflict");
    assert!(late.body.contains("revision: the game was saved elsewhere and is at revision 2, not 1"), "{late:?}");
    let game = client.get(&path).json();
    assert_eq!((&game["game"]["tags"]["White"], &game["labels"]), (&json!("Ada"), &json!(["mine"])));
    let mv = &game["game"]["moves"][1];
    assert_eq!((&mv["comment"], &mv["nags"]), (&json!("[%cal Gg1f3] classical"), &json!([1])));
    assert_eq!(game["game"]["variations"][0]["san"], "c5");
    assert!(client.get(&format!("{path}/pgn")).body.contains("1. e4 e5 $1 {[%cal Gg1f3] classical} (1... c5) *"));
    assert_eq!(
        found(&mut client, "fen=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR%20w%20KQkq%20-%200%202"),
        ["Ada"]
    );
    // What is not legal is refused and changes nothing.
    assert_eq!(client.put(&path, &json!({"revision": 2, "moves": ["e4", "e4"]})).code(), "illegal_move");
    assert_eq!(client.put(&path, &json!({"revision": 2, "pgn": "1. e4", "fen": "x"})).code(), "bad_request");
    assert_eq!(client.get(&path).json()["revision"], 2);
}

#[test]
fn a_game_that_was_played_keeps_its_moves_and_takes_comments() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let game = client.good("/api/games", &json!({"white": human("Ada"), "black": human("Bea")}));
    let path = format!("/api/library/{}", id(&game));
    for mv in ["f3", "e5", "g4"] {
        client.good(&format!("/api/games/{}/move", id(&game)), &json!({"move": mv}));
    }
    let going = client.get(&path).json();
    assert_eq!((&going["kind"], &going["status"]), (&json!("played"), &json!("playing")));
    assert_eq!(going["game"]["moves"].as_array().map(Vec::len), Some(3));
    assert_eq!(client.put(&path, &json!({"revision": 4, "moves": ["f3"]})).code(), "conflict", "it is in progress");
    assert_eq!(client.get("/api/home").json()["continue"][0]["id"], game["id"]);
    client.good(&format!("/api/games/{}/move", id(&game)), &json!({"move": "Qh4"}));
    let over = client.get(&path).json();
    assert_eq!((&over["status"], &over["game"]["result"]), (&json!("over"), &json!("0-1")));
    let line = json!(["f3", "e5", {"move": "g4", "nags": [4]}, "Qh4", {"move": "e4", "after": 2}]);
    assert_eq!(client.put(&path, &json!({"revision": 5, "moves": ["e4"]})).code(), "conflict", "other moves");
    assert_eq!(client.put(&path, &json!({"revision": 5, "moves": line, "result": "0-1"})).status, 200);
    assert_eq!(client.get(&path).json()["game"]["variations"][0]["san"], "e4");
    let home = client.get("/api/home").json();
    assert_eq!((&home["continue"], &home["last"][0]["id"], &home["games"]), (&json!([]), &game["id"], &json!(1)));
}

#[test]
fn what_was_deleted_comes_back() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let import = client.import("club.pgn", FILE.as_bytes(), &[]);
    let deleted = client.good("/api/library/delete", &json!({"q": "ada"}));
    assert_eq!(deleted["deleted"], 2);
    assert_eq!(found(&mut client, ""), ["Carlsen, Magnus"]);
    assert_eq!(client.get("/api/explorer").json()["games"], 1, "the explorer counts what is there");
    assert_eq!(client.good("/api/library/undo", &json!({"undo": deleted["undo"]}))["restored"], 2);
    assert_eq!(client.get("/api/explorer").json()["games"], 3);
    let path = format!("/api/library/{}", import["first"].as_str().expect("an id"));
    assert_eq!(client.delete(&path).status, 204);
    assert_eq!(client.delete(&path).code(), "not_found");
    assert_ne!(client.get(&path).json()["deleted"], Value::Null);
    assert_eq!(client.good(&format!("{path}/restore"), &json!({}))["deleted"], Value::Null);
    let all = client.good("/api/library/delete", &json!({"import": import["id"]}));
    assert_eq!(all["deleted"], 3);
    for (asked, told) in [
        (json!({}), "expected ids, q, fen or import"),
        (json!({"ids": [], "q": "ada"}), "ids and import exclude q and fen"),
    ] {
        assert!(client.post("/api/library/delete", &asked).body.contains(told), "{asked}");
    }
    assert!(client.post("/api/library/undo", &json!({"undo": "x"})).body.contains("undo: "));
}

#[test]
fn a_deleted_game_in_progress_goes_on_when_it_comes_back() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let game = client.good("/api/games", &json!({"white": human("Ada"), "black": human("Bea")}));
    assert_eq!(client.good("/api/library/delete", &json!({"q": "ada"}))["deleted"], 0, "not with others");
    assert_eq!(client.delete(&format!("/api/library/{}", id(&game))).status, 204);
    assert_eq!(client.get(&format!("/api/games/{}", id(&game))).code(), "not_found");
    client.good(&format!("/api/library/{}/restore", id(&game)), &json!({}));
    let moved = client.good(&format!("/api/games/{}/move", id(&game)), &json!({"move": "e4"}));
    assert_eq!(moved["moves"][0]["san"], "e4");
}

#[test]
fn labels_are_added_counted_and_removed() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let import = client.import("club.pgn", FILE.as_bytes(), &[]);
    let first = import["first"].as_str().expect("an id");
    assert_eq!(
        client.good("/api/library/label", &json!({"games": {"q": "ada"}, "add": ["mine", "to review"]}))["changed"],
        2
    );
    client.good("/api/library/label", &json!({"games": {"ids": [first]}, "add": ["mine"]}));
    let labels = client.get("/api/library/labels").json();
    assert_eq!(labels, json!({"labels": [{"label": "mine", "games": 3}, {"label": "to review", "games": 2}]}));
    assert_eq!(found(&mut client, "q=tag:%22to%20review%22").len(), 2);
    assert_eq!(found(&mut client, "q=tag:MINE").len(), 3);
    client.good("/api/library/label", &json!({"games": {"q": "zoe"}, "remove": ["to review"]}));
    assert_eq!(found(&mut client, "q=tag:%22to%20review%22"), ["Ada"]);
    let set = client.put(&format!("/api/library/{first}/labels"), &json!({"labels": ["best"]}));
    assert_eq!(set.json(), json!({"labels": ["best"]}));
    assert_eq!(found(&mut client, "q=tag:mine").len(), 2);
    assert!(client.put(&format!("/api/library/{first}/labels"), &json!({"labels": [""]})).body.contains("labels: "));
}

#[test]
fn any_selection_is_exported_as_a_stream() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let import = client.import("club.pgn", FILE.as_bytes(), &[]);
    let all = client.get("/api/library/export");
    assert_eq!(all.header("content-type"), Some("application/x-chess-pgn"));
    let other = TestServer::new();
    let again = Client::new(other.address).import("again.pgn", all.body.as_bytes(), &[]);
    assert_eq!((&again["games"], &again["broken"]), (&json!(3), &json!(0)));
    assert!(all.body.contains("3. Bb5 a6 {Morphy} (3... Nf6) 4. Ba4 1-0"), "{}", all.body);
    let one = client.post("/api/library/export", &json!({"ids": [import["first"]]})).body;
    assert!(one.contains("van Wely") && !one.contains("Bea"), "{one}");
    assert_eq!(client.get("/api/library/export?q=nothing").body, "");
}

#[test]
fn the_explorer_counts_what_was_played_in_the_library_and_in_a_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.bin");
    let start = Position::initial();
    let mut builder = BookBuilder::new();
    for (san, times) in [("e4", 3), ("c4", 1)] {
        let mv = start.parse_san(san).expect("a move");
        (0..times).for_each(|_| builder.add_game(&start, &[mv], GameResult::WhiteWins).expect("a good game"));
    }
    std::fs::write(&path, builder.to_bytes()).expect("a file");
    let host = TestServer::with_book(ServerLimits::default(), Storage::Memory, None, Some(path));
    let mut client = Client::new(host.address);
    client.import("club.pgn", FILE.as_bytes(), &[]);
    let explored = client.get("/api/explorer").json();
    assert_eq!(explored["sources"], json!(["library", "book"]));
    assert_eq!([&explored["games"], &explored["white"], &explored["draws"], &explored["black"]], [3, 1, 1, 1]);
    let e4 = &explored["moves"][0];
    assert_eq!((&e4["san"], &e4["games"], &e4["white"], &e4["black"]), (&json!("e4"), &json!(2), &json!(1), &json!(1)));
    assert_eq!((&e4["opening"]["name"], &explored["moves"][1]["san"]), (&json!("King's Pawn Game"), &json!("d4")));
    assert_eq!(explored["samples"].as_array().map(Vec::len), Some(3));
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR%20b%20KQkq%20-%200%201";
    let replies = client.get(&format!("/api/explorer?fen={fen}")).json();
    let sans: Vec<&Value> = replies["moves"].as_array().expect("moves").iter().map(|mv| &mv["san"]).collect();
    assert_eq!(sans.len(), 2, "{replies}");
    let book = client.get("/api/explorer?source=book").json();
    assert_eq!((&book["moves"][0]["san"], &book["moves"][0]["weight"]), (&json!("e4"), &json!(75.0)));
    let other = TestServer::new();
    let mut client = Client::new(other.address);
    assert!(client.get("/api/explorer?source=book").body.contains("source: the server was started without --book"));
    assert!(client.get("/api/explorer?fen=x").body.contains("fen: "));
}

#[test]
fn a_game_that_begins_with_moves_is_listed_as_it_stands() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let listed = |client: &mut Client| client.get("/api/home").json()["continue"][0].clone();
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5"];
    let game = client.good("/api/games", &json!({"white": human("Ada"), "black": human("Bea"), "moves": moves}));
    let begun = listed(&mut client);
    assert_eq!(begun["fen"], game["position"]["fen"]);
    assert_eq!((&begun["plies"], &begun["eco"], &begun["opening"]), (&json!(5), &json!("C60"), &json!("Ruy Lopez")));
    assert_eq!(found(&mut client, "q=opening:ruy"), ["Ada"]);
    // The opening follows the game, also back.
    let path = |act: &str| format!("/api/games/{}/{act}", id(&game));
    client.good(&path("move"), &json!({"move": "a6"}));
    let on = listed(&mut client);
    assert_eq!((&on["plies"], &on["opening"]), (&json!(6), &json!("Ruy Lopez: Morphy Defense")));
    assert_eq!(found(&mut client, "q=opening:morphy"), ["Ada"]);
    client.good(&path("takeback"), &json!({}));
    assert_eq!(listed(&mut client)["opening"], "Ruy Lopez");
    assert_eq!(found(&mut client, "q=opening:morphy"), [""; 0]);
}

#[test]
fn the_explorer_looks_at_the_games_of_a_search() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    client.import("club.pgn", FILE.as_bytes(), &["club"]);
    client.import("other.pgn", b"[White \"Cleo\"]\n[Result \"1-0\"]\n\n1. c4 1-0\n", &[]);
    let mut explored = |query: &str| {
        let answer = client.get(&format!("/api/explorer?{query}")).json();
        let moves = answer["moves"].as_array().unwrap_or_else(|| panic!("{query}: {answer}"));
        let moves = moves.iter().map(|mv| mv["san"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>();
        (answer["games"].as_u64(), moves.join(" "))
    };
    assert_eq!(explored(""), (Some(4), "e4 c4 d4".to_owned()));
    assert_eq!(explored("q=tag:club"), (Some(3), "e4 d4".to_owned()));
    assert_eq!(explored("q=cleo"), (Some(1), "c4".to_owned()));
    assert_eq!(explored("q=nobody"), (Some(0), String::new()));
    assert_eq!(explored("q=%20"), (Some(4), "e4 c4 d4".to_owned()));
    assert!(client.get("/api/explorer?q=palyer:ada").body.contains("there is no filter"));
}

#[test]
fn moves_as_text_are_kept_up_to_the_one_that_cannot_be_played() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let game = client.good("/api/library", &json!({"kind": "analysis", "pgn": "e2e4 e7e5 e8e5"}));
    assert_eq!(game["game"]["moves"].as_array().map(Vec::len), Some(2));
    assert_eq!(game["problem"], "2. e8e5 is not a legal move here");
}
