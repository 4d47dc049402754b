//! Work on several machines, as processes of this one: whatever is killed, and however often, events end as on one
//! machine, and nothing counts twice.

mod harness;

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::arena::without_times;
use crate::common::{complaint, printed, saavedra};
use harness::{Hub, Process, Road, wait_until};

/// The games of a journal: each as it was played, without when and how fast.
fn games(journal: &str) -> Vec<Value> {
    let text = fs::read_to_string(journal).unwrap_or_default();
    let entries = text.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut games: Vec<Value> = entries.filter(|entry| entry["game"].is_object()).collect();
    for entry in &mut games {
        let entry = entry.as_object_mut().expect("an object");
        entry.remove("crc");
        entry.remove("started");
        entry["game"].as_object_mut().expect("an object").remove("times");
    }
    games.sort_by_key(|entry| (entry["pair"].as_u64(), entry["leg"].as_u64()));
    games
}

/// Fails if a game stands twice in a journal.
fn assert_nothing_counts_twice(games: &[Value]) {
    let ids: BTreeSet<_> = games.iter().map(|entry| (entry["pair"].as_u64(), entry["leg"].as_u64())).collect();
    assert_eq!(ids.len(), games.len(), "a game counts twice");
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn printed_here(arguments: &[String]) -> String {
    printed(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Starts a command over a hub.
fn coordinator(hub: &Hub, arguments: &[String], port: u16) -> Process {
    let via = hub.via(port);
    let arguments: Vec<&str> = arguments.iter().chain(&via).map(String::as_str).collect();
    hub.process(&arguments, &[], COORDINATOR)
}

/// What coordinators say.
const COORDINATOR: &str = "coordinator";

const MATCH: &str = "match search:nodes=400 search:nodes=300 --time depth=9 --pairs 40 --seed 5";

#[test]
fn a_match_survives_kills_of_every_part_and_a_road_that_stalls() {
    let Some(mut hub) = Hub::start() else { return };
    let here = [
        words(MATCH),
        vec!["--journal".to_owned(), hub.folder.file("here"), "--pgn".to_owned(), hub.folder.file("here.pgn")],
    ]
    .concat();
    printed_here(&here);
    let (journal, pgn) = (hub.folder.file("there"), hub.folder.file("there.pgn"));
    let there = [words(MATCH), vec!["--journal".to_owned(), journal.clone(), "--pgn".to_owned(), pgn.clone()]].concat();

    let road = Road::to(hub.port());
    let mut workers: Vec<Process> =
        vec![hub.worker("w0", hub.port()), hub.worker("w1", hub.port()), hub.worker("w2", road.port)];
    let mut match_of_two = coordinator(&hub, &there, road.port);
    for round in 0..5 {
        let before = games(&journal).len();
        let waits_for_games = |count: usize, hub: &Hub, coordinator: &mut Process| {
            wait_until("more games", || {
                let is_over = coordinator.has_ended();
                assert!(!is_over || games(&journal).len() == 80, "{}", hub.log(COORDINATOR));
                games(&journal).len() >= (before + count).min(80)
            });
        };
        waits_for_games(3, &hub, &mut match_of_two);
        hub.kill_server();
        waits_for_games(7, &hub, &mut match_of_two);
        let victim = round % workers.len();
        workers[victim].kill();
        workers[victim] = hub.worker(&format!("w{victim}-{round}"), if victim == 2 { road.port } else { hub.port() });
        if round == 1 {
            match_of_two.kill();
            match_of_two = coordinator(&hub, &there, road.port);
        }
        if round == 2 {
            let (began, cut) = (std::time::Instant::now(), std::time::Duration::from_secs(6));
            road.stall_until("the road is cut for six times the acknowledgement wait", || began.elapsed() >= cut);
        }
    }
    match_of_two.finish(&format!("the match ends well: {}", hub.log(COORDINATOR)));
    let played = games(&journal);
    assert_nothing_counts_twice(&played);
    assert_eq!(played, games(&hub.folder.file("here")));
    let read = |path: &str| without_times(&fs::read_to_string(path).expect("games"));
    assert_eq!(read(&pgn), read(&hub.folder.file("here.pgn")));
}

/// The last line that a command prints, as JSON.
fn last_line(text: &str) -> Value {
    serde_json::from_str(text.lines().last().unwrap_or_default()).expect("JSON")
}

fn with_journal(words: &[String], journal: String) -> Vec<String> {
    [words, &["--journal".to_owned(), journal]].concat()
}

#[test]
fn a_sequential_test_is_decided_by_the_same_pairs() {
    let Some(mut hub) = Hub::start() else { return };
    let test = words("sprt search:nodes=600 search:nodes=40 --elo0 0 --elo1 100 --time depth=9 --seed 3 --json");
    let summary = |text: &str| -> Value {
        let mut summary = last_line(text);
        // What was finished beyond the decision is kept, and depends on who was faster.
        summary.as_object_mut().expect("an object").remove("games");
        summary
    };
    let here = summary(&printed_here(&with_journal(&test, hub.folder.file("here"))));
    assert_eq!(here["finish"], "decided");
    let _workers = ["w0", "w1", "w2"].map(|name| hub.worker(name, hub.port()));
    let journal = hub.folder.file("there");
    let test = coordinator(&hub, &with_journal(&test, journal.clone()), hub.port());
    wait_until("the test has begun", || !games(&journal).is_empty());
    hub.kill_server();
    test.finish(&format!("the test ends well: {}", hub.log(COORDINATOR)));
    assert_nothing_counts_twice(&games(&journal));
    assert_eq!(summary(&hub.printed_by(COORDINATOR)), here);
}

#[test]
fn a_tuning_of_a_program_that_workers_know_by_name_comes_to_the_same_numbers() {
    let Some(hub) = Hub::start() else { return };
    // The coordinator asks the engine for its options.
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_saavedra"), hub.folder.file("ours")).expect("a link");
    let tune = |engine: &str| {
        let text = "--iterations 24 --rate 0.5 --time nodes=60 --lag 4 --json --parameter";
        let engine = ["tune".to_owned(), format!("uci,Hash=1:{engine}")];
        [&engine[..], &words(text), &["Move Overhead=100+-20".to_owned()]].concat()
    };
    let here = with_journal(&tune(&format!("'{}'", env!("CARGO_BIN_EXE_saavedra"))), hub.folder.file("here"));
    let here = last_line(&printed_here(&here));
    let mut workers = ["w0", "w1", "w2"].map(|name| hub.worker(name, hub.port()));
    let journal = hub.folder.file("there");
    let tuning = coordinator(&hub, &with_journal(&tune("ours"), journal.clone()), hub.port());
    wait_until("the tuning has begun", || games(&journal).len() > 8);
    workers[0].kill();
    tuning.finish(&format!("the tuning ends well: {}", hub.log(COORDINATOR)));
    assert_eq!(last_line(&hub.printed_by(COORDINATOR)), here);
}

#[test]
fn a_file_of_self_play_with_a_network_that_travels_is_the_same_byte_for_byte() {
    let Some(mut hub) = Hub::start() else { return };
    let net = hub.folder.file("small.nnue");
    printed(&["net", "random", &net, "--width", "32"]);
    let (here, there) = (hub.folder.file("here.svd"), hub.folder.file("there.svd"));
    let datagen = |file: &str| words(&format!("datagen {file} --games 300 --nodes 4 --hash 1 --net {net}"));
    printed_here(&datagen(&here));
    let mut workers = ["w0", "w1"].map(|name| hub.worker(name, hub.port()));
    let making = coordinator(&hub, &datagen(&there), hub.port());
    wait_until("self-play has begun", || fs::metadata(&there).is_ok());
    let _third = hub.worker("w2", hub.port());
    hub.kill_server();
    workers[0].kill();
    making.finish(&format!("self-play ends well: {}", hub.log(COORDINATOR)));
    let read = |path: &str| fs::read(path).expect("games");
    assert!(read(&here) == read(&there), "the files differ");
}

#[test]
fn a_viewer_sees_workers_and_events() {
    let Some(hub) = Hub::start() else { return };
    let _worker = hub.worker("watched", hub.port());
    let key = hub.folder.file("hub/viewer.key");
    let mut seen = Value::Null;
    wait_until("the worker tells of itself", || {
        let text = printed(&["hub", "status", &hub.address(), "--creds", &key, "--seconds", "3", "--json"]);
        seen = serde_json::from_str(&text).expect("JSON");
        seen["workers"]["watched"].is_object()
    });
    assert_eq!(seen["workers"]["watched"]["engines"], serde_json::json!(["ours"]));
    assert_eq!(seen["events"], serde_json::json!({}));
}

#[test]
fn what_cannot_be_done_over_a_hub_is_told_in_a_line() {
    let Some(hub) = Hub::start() else { return };
    let key = hub.folder.file("hub/coordinator.key");
    let address = hub.address();
    let refused = |more: &[&str]| {
        let common = ["match", "random", "--no-journal", "--pairs", "1", "--via", &address, "--creds"];
        complaint(&[&common[..], more].concat(), 1)
    };
    let line = refused(&[&key, "uci:./new"]);
    assert!(line.contains("uci:./new: with --via an engine is called by the name that workers gave it"), "{line}");
    let line = refused(&[&hub.folder.file("hub/nats.conf"), "random"]);
    assert!(line.contains("holds no key of a hub"), "{line}");
    // What the server says comes first.
    let viewer = hub.folder.file("hub/viewer.key");
    let words = ["match", "random", "random", "--no-journal", "--via", &address, "--creds", &viewer];
    let output = saavedra(&words);
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("Permissions Violation") && said.contains("the hub refuses to keep a queue"), "{said}");
    let line = complaint(&["worker", "http://hub", "--creds", &key], 2);
    assert!(line.contains("is no address of a hub"), "{line}");
    let line = complaint(&["hub", "init", &hub.folder.file("hub")], 1);
    assert!(line.contains("is there already"), "{line}");
}
