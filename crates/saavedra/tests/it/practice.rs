//! `saavedra practice` over a pipe: the cards of the page, answered in the terminal.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Folder, complaint, printed};
use crate::serve::Running;
use rusqlite::Connection;
use serde_json::{Value, json};

/// Before 3… Nf6, which allows mate.
const BEFORE_MATE: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
/// White has two mates; 1. Qb3 was played.
const TWO_MATES: &str = "7k/8/6K1/8/8/8/8/RQ6 w - - 0 1";

/// A database with a game and two cards that are due.
fn database(folder: &Folder) -> String {
    let file = folder.file("games.sqlite");
    let server = Running::new(Path::new(&file));
    let pgn =
        "[White \"You\"]\n[Black \"Bruno\"]\n[Date \"2026.11.18\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";
    server.ask("POST", "/api/library", Some(&json!({"pgn": pgn})));
    server.kill();
    let connection = Connection::open(&file).expect("a database");
    for (ply, fen, played, best, reason, due) in [
        (5, BEFORE_MATE, "g8f6", "d8e7", "allows mate in 1 (4. Qxf7#)", 1),
        (7, TWO_MATES, "b1b3", "b1b8", "misses mate in 1 (1. Qb8#)", 2),
    ] {
        let text = "INSERT INTO cards (game, ply, fen, played, best, reason, created, due, answers, lapses) \
                    VALUES (1, ?, ?, ?, ?, ?, 0, ?, 0, 0)";
        connection.execute(text, (ply, fen, played, best, reason, due)).expect("a card");
    }
    file
}

/// What it prints while lines are said to it. It must end well.
fn session(file: &str, lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
        .args(["practice", "--data", file])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("there is a pipe");
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("the binary ends");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{complaints}");
    String::from_utf8(output.stdout).expect("output is text")
}

/// What the page is told of practice.
fn practice(file: &str) -> Value {
    Running::new(Path::new(file)).ask("GET", "/api/practice", None)
}

#[test]
fn cards_are_asked_judged_graded_and_the_page_knows() {
    let folder = Folder::new();
    let file = database(&folder);
    // The first is solved after an illegal move, the mistake itself and another one; the second at once, by a move
    // that is as good as the best.
    let said = session(&file, "Ke3\nNf6\na6\nQe7\nRa8\neasy\n");
    for told in [
        "2 mistakes are due.",
        "You – Bruno, 2026.11.18",
        "3... Nf6 was played. Find a better move for Black.",
        "Ke3",
        "This was played in the game.",
        "3... a6 is a blunder: it allows mate in 1 (4. Qxf7#).",
        "Qe7 is right: the best move.",
        "3... Nf6: it allows mate in 1 (4. Qxf7#).",
        "1. Qb3 was played. Find a better move for White.",
        "Ra8# is right: just as good as Qb8#.",
        "How was it?",
        "You found 1 of 2 at the first attempt.",
        "The next card is due at 20",
    ] {
        assert!(said.contains(told), "{told:?} is missing in\n{said}");
    }
    // The board is seen by the player who is to move.
    assert!(said.contains("8  r  n  b  k  q  b  .  r"), "{said}");
    let page = practice(&file);
    assert_eq!((&page["due"], &page["total"], &page["streak"]), (&json!(0), &json!(2), &json!(1)));
    assert!(session(&file, "").contains("Nothing is due."));
}

#[test]
fn what_is_shown_was_not_known_what_is_skipped_stays_and_leaving_loses_nothing() {
    let folder = Folder::new();
    let file = database(&folder);
    let said = session(&file, "help\nshow\nskip\n");
    assert!(said.contains("The solution is 3... Qe7."), "{said}");
    assert!(said.contains("skip     ask this card another time"), "{said}");
    let connection = Connection::open(&file).expect("a database");
    let read = |ply: i64| -> (i64, Option<f64>) {
        let text = "SELECT answers, stability FROM cards WHERE ply = ?";
        connection.query_row(text, [ply], |row| Ok((row.get(0)?, row.get(1)?))).expect("a card")
    };
    assert_eq!(read(5), (1, Some(0.40255)), "what FSRS knows of a card that was not known");
    assert_eq!(read(7), (0, None));
    let said = session(&file, "Qb8\n");
    assert!(said.contains("1 mistake is due.") && said.contains("Qb8# is right: the best move."), "{said}");
    assert_eq!(read(7), (1, Some(3.173)), "the input ended before a grade: it was known");
}

#[test]
fn it_says_what_to_do_where_there_is_nothing_or_a_server_runs() {
    let folder = Folder::new();
    let missing = folder.file("missing.sqlite");
    let told = complaint(&["practice", "--data", &missing], 1);
    assert!(told.contains("does not exist") && told.contains("saavedra serve"), "{told}");
    assert!(!Path::new(&missing).exists(), "it makes no empty file");
    let file = folder.file("games.sqlite");
    let server = Running::new(Path::new(&file));
    let told = complaint(&["practice", "--data", &file], 1);
    assert!(told.contains("in use by a running saavedra serve: practise on its page"), "{told}");
    server.kill();
    assert!(printed(&["practice", "--data", &file]).contains("There are no cards yet"));
}
