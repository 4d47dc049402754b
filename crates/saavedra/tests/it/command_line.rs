//! What all commands have in common: help, completions, manual pages, and what is said of a slip.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Folder, complaint, printed, saavedra};

#[test]
fn a_slip_is_answered_with_what_was_meant() {
    for (arguments, meant) in [
        (&["mtach"][..], "unrecognized subcommand 'mtach': did you mean match?"),
        (&["match", "--tme", "3"], "unexpected argument '--tme' found: did you mean --time?"),
        (&["completions", "bsh"], "did you mean bash?"),
        (&["perft", "-1"], "-1 is below zero, which no number here can be"),
    ] {
        let said = complaint(arguments, 2);
        assert!(said.contains(meant), "{arguments:?}: {said}");
    }
}

#[test]
fn a_command_of_several_shows_them() {
    for command in ["data", "net", "forge"] {
        let output = saavedra(&[command]);
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(said.contains(&format!("Usage: saavedra {command}")) && said.contains("Commands:"), "{said}");
    }
}

#[test]
fn help_fits_a_terminal() {
    for command in ["match", "review", "serve", "evolve", "train"] {
        let help = printed(&[command, "--help"]);
        // Examples are not wrapped: a command that is cut in two is none.
        let options = help.split("Example").next().expect("a first part");
        let longest = options.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(120), "{command}: {longest:?}");
    }
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&["completions", shell]);
        for word in ["tournament", "uci-check", "concurrency"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    let pages = folder.file("man1");
    printed(&["man", &pages]);
    for (page, words) in [
        ("saavedra.1", "Example: saavedra play"),
        ("saavedra-match.1", "both colors"),
        ("saavedra-net-info.1", "architecture"),
    ] {
        let text = std::fs::read_to_string(format!("{pages}/{page}")).expect(page);
        assert!(text.contains(".TH saavedra") && text.contains(words), "{page}: {text}");
    }
    assert!(printed(&["man"]).contains(".TH saavedra"));
}

#[test]
fn the_version_tells_the_network_and_the_instructions() {
    let version = printed(&["--version"]);
    let lines: Vec<&str> = version.lines().collect();
    let [first, network, cpu] = lines[..] else { panic!("{version}") };
    assert!(first.starts_with(concat!("saavedra ", env!("CARGO_PKG_VERSION"))), "{first}");
    assert!(network.starts_with("network  ") && network.contains("(768"), "{network}");
    let kernels = nnue::Kernel::available();
    assert_eq!(cpu, format!("CPU      {}", kernels[0]));
}

#[test]
fn blanks_too_many_in_a_fen_do_not_matter() {
    let counted = printed(&["perft", "2", "--fen", "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq   - 0 1 "]);
    assert!(counted.contains("400"), "{counted}");
}

#[test]
fn a_count_that_was_asked_for_through_a_pipe_is_finished() {
    for ending in ["", "quit\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"));
        let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
        let mut input = child.stdin.take().expect("a pipe");
        write!(input, "position startpos\ngo perft 5\n{ending}").expect("it is read");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8(output.stdout).expect("text");
        assert!(said.contains("Nodes searched: 4865609"), "{said}");
    }
}

#[test]
fn what_cannot_be_used_is_found_before_the_work() {
    let folder = Folder::new();
    let said = complaint(&["evolve", &folder.file("nets"), "--book", "/missing.epd"], 1);
    assert!(said.contains("cannot read /missing.epd"), "{said}");
    let said = complaint(&["review", &folder.file("missing.pgn"), "--book", folder.path()], 1);
    assert!(said.contains("not a Polyglot book: it is not a file"), "{said}");
}

#[test]
fn the_bench_ends_with_the_line_that_test_frameworks_read() {
    let said = printed(&["bench", "2"]);
    let last: Vec<&str> = said.lines().last().expect("a line").split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = last[..] else { panic!("{said}") };
    assert!(nodes.parse::<u64>().is_ok_and(|nodes| nodes > 0) && speed.parse::<u64>().is_ok(), "{said}");
    assert!(said.contains(&format!("Bench: {nodes}\n")), "{said}");
}

#[test]
fn a_number_that_is_too_large_is_answered_with_the_largest() {
    let told = complaint(&["serve", "--port", "99999"], 2);
    assert!(told.contains("expected a whole number from 0 to 65535, found \"99999\""), "{told}");
}
