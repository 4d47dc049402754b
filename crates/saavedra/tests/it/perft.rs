//! `saavedra perft`, as a user meets it.

use crate::common::{complaint, printed};

#[test]
fn the_start_position_is_counted() {
    let text = printed(&["perft", "5"]);
    assert!(text.starts_with("nodes                     4,865,609\n"), "{text}");
    assert!(text.contains("million nodes/s"), "{text}");
}

#[test]
fn division_shows_every_move_and_counters_show_every_kind() {
    let text = printed(&["perft", "3", "--divide"]);
    assert!(text.contains("a2a3: 380\n") && text.contains("g1f3: 440\n"), "{text}");
    let text = printed(&["perft", "4", "--counters", "--threads", "2"]);
    for line in [
        "captures                      1,576",
        "checks                          469",
        "checkmates                        8",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn json_can_be_read_by_a_program() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let text = printed(&["perft", "2", "--json", "--divide", "--counters", "--fen", fen]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("one JSON object");
    assert_eq!((json["fen"].as_str(), json["depth"].as_u64(), json["nodes"].as_u64()), (Some(fen), Some(2), Some(568)));
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(26));
    let castle = json["moves"].as_array().and_then(|moves| moves.iter().find(|mv| mv["move"] == "e1g1"));
    assert!(castle.is_some_and(|mv| mv["castles"].is_u64()));
    let json: serde_json::Value = serde_json::from_str(&printed(&["perft", "1", "--json"])).expect("one JSON object");
    assert!(json.get("captures").is_none() && json.get("moves").is_none(), "only what was asked for");
}

#[test]
fn a_table_and_threads_give_the_same_count() {
    let text = printed(&["perft", "6", "--hash", "16", "--threads", "2"]);
    assert!(text.starts_with("nodes                   119,060,324\n"), "{text}");
    let text = printed(&["perft", "6", "--hash", "64", "--threads", "2", "--counters"]);
    assert!(text.starts_with("nodes                   119,060,324\n"), "{text}");
    for line in [
        "captures                  2,812,008",
        "checks                      809,099",
        "checkmates                   10,828",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn every_board_gives_the_same_answer() {
    let answer = |board: &str, threads: &str| {
        let text = printed(&["perft", "3", "--divide", "--counters", "--board", board, "--threads", threads]);
        let mut lines: Vec<String> = text
            .lines()
            .filter(|line| !line.contains("s/s") && !line.starts_with("seconds"))
            .map(str::to_owned)
            .collect();
        lines.sort_unstable();
        lines
    };
    for board in ["mailbox", "packed", "movemap", "movemap-rights", "movemap-lines", "movemap-both"] {
        assert_eq!(answer(board, "1"), answer("bitboard", "1"), "{board}");
        assert_eq!(answer(board, "3"), answer("bitboard", "2"), "{board}");
    }
}

#[test]
fn a_comparison_shows_all_boards() {
    let text = printed(&["perft", "3", "--compare"]);
    assert_eq!(text.lines().filter(|line| line.contains(" 8,902 ")).count(), 7, "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&printed(&["perft", "2", "--compare", "--json"])).expect("one JSON object");
    let boards = json["boards"].as_array().expect("a list");
    assert!(boards.len() == 7 && boards.iter().all(|board| board["nodes"] == 400), "{json}");
}

#[test]
fn classic_boards_say_what_they_cannot_do() {
    assert_eq!(
        complaint(&["perft", "3", "--board", "packed", "--hash", "2"], 2),
        "saavedra: --hash needs the bitboard: the packed board has no table of counts (--help shows how)"
    );
    let message = complaint(&["perft", "3", "--board", "mailbox", "--fen", "4k3/8/8/8/8/8/8/4K1RR w G -"], 2);
    assert!(message.contains("g1 belongs to Chess960"), "{message}");
    assert!(complaint(&["perft", "3", "--board", "abacus"], 2).contains("choose among bitboard, mailbox"));
}

#[test]
fn depth_zero_counts_the_position_itself() {
    assert!(printed(&["perft", "0"]).starts_with("nodes                             1\n"));
    assert!(printed(&["perft", "0", "--counters"]).starts_with("nodes                             1\n"));
}

#[test]
fn wrong_usage_is_one_line_and_exit_code_two() {
    let cases: [(&[&str], &str); 7] = [
        (&["prft"], "saavedra: unrecognized subcommand 'prft': did you mean perft? (--help shows how)"),
        (&["perft"], "saavedra: the following required arguments were not provided: <DEPTH> (--help shows how)"),
        (
            &["perft", "x"],
            "saavedra: invalid value 'x' for '<DEPTH>': expected a whole number from 0 to 100, found \"x\" (--help shows how)",
        ),
        (&["perft", "-1"], "saavedra: -1 is below zero, which no number here can be (--help shows how)"),
        (
            &["perft", "101"],
            "saavedra: invalid value '101' for '<DEPTH>': expected a whole number from 0 to 100, found \"101\" (--help shows how)",
        ),
        (
            &["perft", "3", "--threads", "0"],
            "saavedra: invalid value '0' for '--threads <N>': expected a whole number from 1 to 1024, found \"0\" (--help shows how)",
        ),
        (
            &["perft", "3", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"],
            "saavedra: invalid value '8/8/8/8/8/8/8/K7 w - - 0 1' for '--fen <FEN>': illegal position: black has no king (--help shows how)",
        ),
    ];
    for (arguments, message) in cases {
        assert_eq!(complaint(arguments, 2), message);
    }
}

#[test]
fn a_table_that_cannot_be_had_is_a_failure() {
    let message = complaint(&["perft", "3", "--hash", "4294967295"], 1);
    assert_eq!(message, "saavedra: no count: cannot get 4294967295 MiB of memory for the hash table");
}

#[test]
fn help_has_an_example() {
    assert!(printed(&["perft", "--help"]).contains("saavedra perft 5 --divide"));
    assert!(printed(&["--version"]).starts_with("saavedra "));
}
