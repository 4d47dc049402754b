//! `saavedra minds`, `saavedra uci --mind` and `saavedra world`, as users and GUIs meet them.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{complaint, printed};

/// What a command prints when it is told something.
fn answered(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("output is text")
}

#[test]
fn every_mind_is_listed_for_people_and_for_programs() {
    let list = printed(&["minds"]);
    let json: serde_json::Value = serde_json::from_str(&printed(&["minds", "--json"])).expect("JSON");
    let entries = json.as_array().expect("an array");
    assert_eq!(entries.len(), 9);
    for entry in entries {
        let name = entry["name"].as_str().expect("a name");
        assert!(list.lines().any(|line| line.starts_with(name)), "{name} in {list}");
    }
}

#[test]
fn any_mind_is_a_uci_engine() {
    let mate = "uci\nposition fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\ngo depth 2\n";
    let said = answered(&["uci", "--mind", "minimax"], mate);
    assert!(said.contains("uciok\n") && said.ends_with("bestmove a1a8\n"), "{said}");
    let moves = |seed: &str| answered(&["uci", "--mind", "random", "--seed", seed], "go depth 1\n");
    assert_eq!(moves("1"), moves("1"));
}

#[test]
fn a_mind_can_be_an_engine_that_is_a_mind_of_ours() {
    let inner = format!("uci:'{}' uci --mind minimax", env!("CARGO_BIN_EXE_saavedra"));
    let said =
        answered(&["uci", "--mind", &inner], "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\ngo depth 2\nquit\n");
    assert!(said.ends_with("bestmove a1a8\n"), "{said}");
}

#[test]
fn a_world_is_answered_with_square_numbers() {
    let said = answered(&["world", "--mind", "minimax"], "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\nnothing\n");
    assert_eq!(said, "0,56\n0,0\n");
}

#[test]
fn position_services_answer_a_line_for_each_line() {
    let long = "x".repeat(20_000);
    let said = answered(&["world", "--services"], &format!("mask\nlegal\n{long}\nmake 12,28\nnonsense\nquit\nmask\n"));
    let [mask, legal, too_long, made, unknown] = said.lines().collect::<Vec<_>>()[..] else { panic!("{said}") };
    assert_eq!((mask, made), ("ok 15", "ok captured 0 mask 15 passed - clock 0"));
    assert_eq!(legal.split(' ').count(), 21);
    assert_eq!(too_long, "error a line has at most 16384 bytes");
    assert!(unknown.starts_with("error there is no question \"nonsense\""), "{unknown}");
    assert!(complaint(&["world"], 2).contains("--mind <MIND>"));
    assert!(complaint(&["world", "--services", "--mind", "random"], 2).contains("cannot be used with"));
}

#[test]
fn the_python_minds_on_services_choose_the_moves_of_the_built_in_minds() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("python3 is not installed: nothing was tested");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/world/minds.py");
    let python = |arguments: &[&str], input: &str| {
        let mut child = Command::new("python3")
            .arg(script)
            .args(arguments)
            .env("SAAVEDRA", env!("CARGO_BIN_EXE_saavedra"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("output is text")
    };
    let positions = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
        r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1\n\
        n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1\n\
        8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\n\
        6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\n\
        nothing\n";
    for (name, depth) in [("minimax", "2"), ("alphabeta", "2")] {
        let mind = format!("{name}:depth={depth}");
        let ours = answered(&["world", "--mind", &mind, "--time", "600000"], positions);
        assert_eq!(python(&[name, depth], positions), ours, "{name}");
    }
    for name in ["random", "capture"] {
        let said = python(&[name], "4k3/8/8/3p4/4P3/8/8/K7 w - - 0 1\nnothing\n");
        let mut lines = said.lines();
        let squares = lines.next().and_then(|answer| answer.split_once(',')).expect("two squares");
        assert!(squares.0.parse::<u8>().is_ok() && squares.1.parse::<u8>().is_ok(), "{said}");
        assert!(name == "random" || squares == ("28", "35"), "{said}");
        assert_eq!(lines.next(), Some("0,0"));
    }
}

#[test]
fn a_mind_that_does_not_exist_is_told_in_one_line() {
    assert_eq!(
        complaint(&["uci", "--mind", "randm"], 2),
        "saavedra: invalid value 'randm' for '--mind <MIND>': there is no mind \"randm\" (did you mean \"random\"?) \
         (--help shows how)"
    );
    assert!(complaint(&["world", "--mind", "search:nodes=0"], 2).contains("expected a whole number from 1 on"));
}
