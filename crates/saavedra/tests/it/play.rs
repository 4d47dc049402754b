//! `saavedra play` over a pipe, as a script or a careful person meets it.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Folder, complaint, printed};
use rules::{Game, Position};

/// What the binary prints while lines are said to it. It must end well.
fn conversation(arguments: &[&str], lines: &[u8]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("there is a pipe");
    // The binary may leave before everything is said.
    let _ = input.write_all(lines);
    drop(input);
    let output = child.wait_with_output().expect("the binary ends");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{arguments:?}: {complaints}");
    String::from_utf8(output.stdout).expect("output is text")
}

/// Reads the moves of a game as it was saved.
fn read_back(pgn: &str) -> Game {
    let (tags, moves) = pgn.split_once("\n\n").expect("an empty line ends the tags");
    let fen = tags.lines().find_map(|tag| tag.strip_prefix("[FEN \"")?.strip_suffix("\"]"));
    let mut game = Game::new(fen.map_or_else(Position::initial, |fen| fen.parse().expect("a position")));
    for word in moves.split_whitespace().filter(|word| !word.ends_with('.')) {
        if !["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            let mv = game.position().parse_san(word).expect("a legal move");
            game.play(mv).expect("a legal move");
        }
    }
    game
}

#[test]
fn a_game_against_chance_is_won_and_saved() {
    let folder = Folder::new();
    let file = folder.file("won.pgn");
    let script = format!("e4\nBc4\nQh5\nQxf7\nsave {file}\n");
    // Some of the first players by random walk into the oldest mate of all.
    let text = (0..60).find_map(|seed| {
        let _ = std::fs::remove_file(&file);
        let text =
            conversation(&["--mind", &format!("random:seed={seed}"), "--name", "Léonard \"L\""], script.as_bytes());
        text.contains("1-0 (checkmate)").then_some(text)
    });
    let text = text.expect("one side is mated");
    assert!(text.contains("random plays 1... "), "{text}");
    let pgn = std::fs::read_to_string(&file).expect("the game was saved");
    for tag in ["[White \"Léonard \\\"L\\\"\"]", "[Black \"random", "[Result \"1-0\"]"] {
        assert!(pgn.contains(tag), "{tag} is missing in\n{pgn}");
    }
    assert!(pgn.ends_with(" 1-0\n"), "{pgn}");
    let game = read_back(&pgn);
    assert!(game.position().is_checkmate() && game.moves().len() == 7, "{pgn}");
}

#[test]
fn moves_are_taken_back_and_hints_are_legal() {
    let lines = "Kc7\nundo\nhint\nfen\nKc7\nRa1\nundo\nRb1\n";
    let text = conversation(&["--fen", "k7/8/2K5/8/8/8/8/7R w - - 0 1", "--mind", "random"], lines.as_bytes());
    assert!(text.contains("plays 1... Ka7"), "{text}");
    assert!(text.contains("k7/8/2K5/8/8/8/8/7R w - - 0 1"), "the position is the first one again:\n{text}");
    let position: Position = "k7/8/2K5/8/8/8/8/7R w - - 0 1".parse().expect("a position");
    let hint = text.lines().find_map(|line| line.strip_prefix("the search would play ")).expect("a hint");
    assert!(position.parse_san(hint).is_ok(), "{hint}");
    assert!(text.contains("1-0 (checkmate)"), "{text}");
    let last = text.lines().last().expect("the state is told");
    assert!(last.starts_with("white to move"), "the mate was taken back, and the game goes on: {last}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let lines = "e5\nNd2\nxyzzy\nO-O\nundo\nmind no-such-mind\nsave /no/such/folder/game.pgn\nnew green\nnow\nmoves\n";
    let text = conversation(&["--mind", "random"], lines.as_bytes());
    for line in [
        "e5 is not a legal move here",
        "Nd2 is not a legal move here",
        "\"xyzzy\" is not a move: expected something like Nf3, exd5 or O-O",
        "O-O is not a legal move here",
        "there is nothing to take back",
        "new takes white, black or random, not \"green\"",
        "random is not thinking",
        "Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line:?} is missing in\n{text}");
    }
    assert!(text.contains("no-such-mind") && text.contains("cannot write /no/such/folder/game.pgn"), "{text}");
}

#[test]
fn black_sees_the_board_from_the_other_side_and_waits_for_white() {
    let text = conversation(&["--side", "black", "--mind", "random", "--time", "5m+3s"], b"flip\nresign\nquit\n");
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].starts_with("You have black."), "{text}");
    assert_eq!((rows[2], rows[10]), ("1  R  N  B  K  Q  B  N  R", "   h  g  f  e  d  c  b  a"));
    assert!(text.contains("plays 1. ") && text.contains("black to move: You"), "{text}");
    assert!(text.contains("   a  b  c  d  e  f  g  h"), "flipped:\n{text}");
    assert!(text.contains("1-0 (black resigned)"), "{text}");
}

#[test]
fn a_game_may_begin_anywhere() {
    let text = conversation(&["--moves", "1.e4 e5 2. Nf3 Nc6", "--mind", "random"], b"pgn\nundo\nquit\n");
    assert!(text.contains("1. e4 e5 2. Nf3 Nc6 *") && text.contains("there is nothing to take back"), "{text}");
    let stalemate = conversation(&["--fen", "k7/8/1Q6/8/8/8/8/K7 b - - 0 1"], b"e4\n");
    assert!(stalemate.contains("1/2-1/2 (stalemate)") && stalemate.contains("the game is over"), "{stalemate}");
}

#[test]
fn the_opponent_may_be_changed_in_the_middle_of_a_game() {
    let text = conversation(&["--elo", "600", "--nodes", "2000"], b"e4\nmind random\nd4\nelo 900\nnew black\n");
    for shown in ["Saavedra (600) plays 1... ", "random plays on", "random plays 2... ", "Saavedra (900) plays 1. "] {
        assert!(text.contains(shown), "{shown:?} is missing in\n{text}");
    }
}

#[test]
fn strange_input_ends_cleanly() {
    assert!(conversation(&["--mind", "random"], b"").contains("white to move"));
    let text = conversation(&["--mind", "random"], b"\xff\xfe\x00\n\r\n   \n\t\ne4");
    assert!(text.contains("plays 1... "), "the last line counts without its end:\n{text}");
    let long = conversation(&["--mind", "random"], &[b'e'; 300_000]);
    assert!(long.len() < 10_000, "a long line is not repeated in full");
}

/// What is printed on a terminal of some kind, until the player leaves.
#[cfg(unix)]
fn on_terminal(kind: &str) -> String {
    use std::io::Read;

    let terminal = nix::pty::openpty(None, None).expect("a terminal");
    let mut command = Command::new(env!("CARGO_BIN_EXE_saavedra"));
    command.args(["play", "--engine", "random"]).env("TERM", kind).env("SAAVEDRA_CONFIG", "");
    let side = || Stdio::from(terminal.slave.try_clone().expect("a descriptor"));
    let mut child = command.stdin(side()).stdout(side()).stderr(side()).spawn().expect("the binary starts");
    // The program alone holds the other end now, so that reading ends when it does.
    drop((command, terminal.slave));
    let mut ours = std::fs::File::from(terminal.master);
    ours.write_all(b"quit\n").expect("it can be written");
    let (mut text, mut piece) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = ours.read(&mut piece) {
        text.extend(&piece[..length]);
    }
    assert!(child.wait().expect("it ends").success());
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(unix)]
#[test]
fn a_dumb_terminal_is_played_on_line_by_line() {
    let text = on_terminal("dumb");
    assert!(!text.contains('\x1b') && text.contains("You have white.") && text.contains("   a  b  c  d"), "{text}");
}

#[test]
fn wrong_usage_is_one_line() {
    for (arguments, expected) in [
        (&["play", "--time", "fast"][..], "is no time control: expected a clock like 5m+3s"),
        (&["play", "--time", "5+3"], "write 5m+3s for minutes, or 5s+3s for seconds"),
        (&["play", "--moves", "e4 e4"], "in --moves: e4 is not a legal move here"),
        (&["play", "--mind", "no-such-mind"], "no-such-mind"),
        (&["play", "--think", "soon"], "--think"),
        (&["play", "--elo", "9000"], "expected a rating from"),
        (&["play", "--elo", "1000", "--mind", "random"], "--elo"),
        (&["play", "--fen", "8/8 w"], "--fen"),
    ] {
        let message = complaint(arguments, 2);
        assert!(message.contains(expected), "{message}");
    }
    assert!(printed(&["play", "--help"]).contains("Example: saavedra play --side black --time 5m+3s"));
}
