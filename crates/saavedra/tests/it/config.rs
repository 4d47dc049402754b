//! The configuration file.

use std::fs;
use std::process::{Command, Output};

use crate::common::Folder;

/// Runs the binary with a configuration file.
fn with_config(text: &str, arguments: &[&str]) -> Output {
    let folder = Folder::new();
    let file = folder.0.path().join("saavedra.toml");
    fs::write(&file, text).expect("it can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_saavedra"));
    command.env("SAAVEDRA_CONFIG", file).args(arguments).output().expect("the binary starts")
}

fn printed(text: &str, arguments: &[&str]) -> String {
    let output = with_config(text, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

#[test]
fn a_file_sets_what_is_not_given() {
    let file = "[perft]\nhash = 64\n[serve]\nengine = [\"One=a\", \"Two=b\"]\n[data.shuffle]\nseed = 5\n";
    assert!(printed(file, &["perft", "--help"]).contains("[default: 64]"));
    assert!(printed(file, &["data", "shuffle", "--help"]).contains("[default: 5]"));
    assert!(printed(file, &["serve", "--help"]).contains("[default: One=a Two=b]"));
    let file = "[perft]\nfen = \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"\n";
    assert!(printed(file, &["perft", "1"]).contains("nodes                             5\n"));
    let given = ["perft", "1", "--fen", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"];
    assert!(printed(file, &given).contains("nodes                            16\n"), "what is given counts more");
}

#[test]
fn config_shows_the_file() {
    assert!(printed("[data.shuffle]\nseed = 5\n", &["config"]).contains("[data.shuffle]\nseed = 5\n"));
    assert!(printed("", &["config", "--path"]).ends_with("saavedra.toml\n"));
    assert_eq!(crate::common::printed(&["config"]), "No file is read, because SAAVEDRA_CONFIG is empty.\n");
}

#[test]
fn a_wrong_file_is_named_with_what_is_wrong_in_it() {
    for (text, expected) in [
        ("[reviw]\nhash = 1", "there is no command \"reviw\": did you mean review?"),
        ("[review]\nhsah = 1", "review has no option --hsah with a value: did you mean hash?"),
        ("hash = 1", "\"hash\" stands above all commands: expected it below one, such as [review]"),
        ("[perft]\nhash = -1", "invalid value '-1' for '--hash"),
        ("[perft]\nhash = [", ", line 2: "),
        ("[perft]\nhash = 2024-12-31", "expected a text, a number or a list of them"),
        (&" ".repeat(2 << 20), "it is longer than 1 MiB"),
    ] {
        let output = with_config(text, &["perft", "1"]);
        let told = String::from_utf8(output.stderr).expect("text");
        assert!(told.contains(expected) && told.lines().count() == 1, "{text}: {told}");
        assert_eq!(output.status.code(), Some(1), "{text}");
    }
}

#[test]
fn an_engine_starts_whatever_the_file_says() {
    assert!(with_config("[", &["uci", "--help"]).status.success());
}
