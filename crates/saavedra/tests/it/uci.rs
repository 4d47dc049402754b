//! The binary as a chess program starts it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use crate::common::{complaint, printed};

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saavedra"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary starts")
}

/// What the engine says to a script, which ends with the end of input.
fn said(arguments: &[&str], script: &str) -> Vec<String> {
    let mut child = start(arguments);
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn without_arguments_it_is_an_engine() {
    for arguments in [&[][..], &["uci"]] {
        assert_eq!(said(arguments, ""), [""; 0]);
        let lines = said(arguments, "uci\nisready\n");
        assert!(lines[0].starts_with("id name Saavedra"), "{lines:?}");
        assert_eq!(lines[lines.len() - 2..], ["uciok", "readyok"]);
    }
}

#[test]
fn the_end_of_input_ends_it_during_a_search() {
    let lines = said(&[], "position startpos\ngo infinite\n");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
}

#[test]
fn quit_ends_it_although_the_input_stays_open() {
    let mut child = start(&[]);
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"go infinite\nquit\n").expect("it listens");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_reader_who_leaves_ends_it_quietly() {
    let mut child = start(&[]);
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"isready\n").expect("it listens");
    output.read_line(&mut String::new()).expect("it answers");
    drop(output);
    // It may be gone before it has read all of this.
    let _ = input.write_all(b"uci\ngo depth 2\n");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_bench_has_a_signature() {
    let signature = |text: &str| text.lines().find_map(|line| line.strip_prefix("Bench: ").map(str::to_owned));
    let first = printed(&["bench", "2"]);
    assert!(signature(&first).is_some(), "{first}");
    assert_eq!(signature(&first), signature(&printed(&["bench", "2"])));
    let json: serde_json::Value = serde_json::from_str(&printed(&["bench", "2", "--json"])).expect("one JSON object");
    assert_eq!(Some(json["nodes"].to_string()), signature(&first));
    assert!(complaint(&["bench", "0"], 2).contains("expected a whole number from 1 to 100, found \"0\""));
}
