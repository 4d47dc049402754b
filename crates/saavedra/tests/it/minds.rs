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
fn a_mind_that_does_not_exist_is_told_in_one_line() {
    assert_eq!(
        complaint(&["uci", "--mind", "randm"], 2),
        "saavedra: invalid value 'randm' for '--mind <MIND>': there is no mind \"randm\" (did you mean \"random\"?) \
         (--help shows how)"
    );
    assert!(complaint(&["world", "--mind", "search:nodes=0"], 2).contains("expected a whole number from 1 on"));
}
