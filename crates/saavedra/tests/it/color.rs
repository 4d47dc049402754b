//! Colors: on a terminal, and wherever they are asked for.

use std::process::Command;

use crate::common::printed;

const EXCHANGE: [&str; 3] = ["see", "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5"];

#[test]
fn a_pipe_gets_colors_only_if_it_asks() {
    let plain = printed(&EXCHANGE);
    assert!(!plain.contains('\x1b'));
    for command in [&EXCHANGE[..], &["tree", "--depth", "2"], &["perft", "3", "--divide"]] {
        let colored = printed(&[command, &["--color", "always"]].concat());
        assert!(colored.contains("\x1b["), "{colored}");
        let never = printed(&[command, &["--color", "never"]].concat());
        assert!(!never.contains('\x1b'), "{never}");
    }
    let colored = printed(&[&EXCHANGE[..], &["--color=always"]].concat());
    // The number is in its column, and what is lost is red.
    assert!(colored.contains("\x1b[31m  -200\x1b[0m"), "{colored}");
}

#[test]
fn what_was_asked_for_comes_before_the_environment() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saavedra"));
        let output = command.args(EXCHANGE).args(arguments).env("NO_COLOR", "1").output().expect("it starts");
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(!run(&[]).contains('\x1b'));
    assert!(run(&["--color", "always"]).contains('\x1b'));
}
