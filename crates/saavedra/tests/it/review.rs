//! `saavedra review`, as a user meets it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::common::{Folder, complaint, printed, saavedra};
use tempfile::{NamedTempFile, TempPath};

const GAMES: &str = "[White \"Fool\"]\n[Black \"Scholar\"]\n\n1. f3 e5 2. g4 {brave} Qh4# 0-1\n\n\
                     [White \"Scholar\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

/// A file of a test's own, gone when the test ends.
struct TestFile(TempPath);

impl TestFile {
    fn new(text: &str) -> TestFile {
        let file = NamedTempFile::with_suffix(".pgn").expect("a temporary file").into_temp_path();
        fs::write(&file, text).expect("it can be written");
        TestFile(file)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).expect("the file is there")
    }
}

#[test]
fn a_review_names_the_bad_moves_and_says_why() {
    let file = TestFile::new(GAMES);
    let text = printed(&["review", file.path(), "--nodes", "3000"]);
    for words in [
        "Game 1: Fool - Scholar, 0-1",
        "A00 Barnes Opening: Fool's Mate",
        "2. g4         blunder: allows mate in 1 (2... Qh4#)",
        "3... Nf6      blunder: allows mate in 1 (4. Qxf7#)",
    ] {
        assert!(text.contains(words), "{words:?} is missing in\n{text}");
    }
    assert_eq!(text, printed(&["review", file.path(), "--nodes", "3000"]), "the same nodes, the same review");
}

#[test]
fn a_reviewed_file_holds_glyphs_and_words_and_is_not_reviewed_twice() {
    let file = TestFile::new(GAMES);
    let out = TestFile::new("");
    printed(&["review", file.path(), "--nodes", "3000", "--out", out.path()]);
    let first = out.text();
    assert_eq!(first.matches("[Annotator \"Saavedra\"]").count(), 2);
    assert_eq!(first.matches("$4").count(), 2, "{first}");
    let words = first.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("{brave} {") || words.contains("brave}"), "{words}");
    assert!(words.contains("Blunder. Allows mate in 1 (2... Qh4#)."), "{words}");
    assert_eq!(printed(&["review", out.path(), "--out", out.path()]), "", "there is nothing left to do");
    assert_eq!(out.text(), first);
    assert!(printed(&["review", out.path(), "--again", "--nodes", "100"]).contains("Game 2"));
    assert!(!PathBuf::from(format!("{}.part", out.path())).exists());
}

#[test]
fn json_is_one_object_a_game() {
    let file = TestFile::new(GAMES);
    let text = printed(&["review", file.path(), "--nodes", "2000", "--json"]);
    let games: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    assert_eq!(games.len(), 2);
    assert_eq!((games[0]["game"].as_u64(), games[0]["players"][0].as_str()), (Some(1), Some("Fool")));
    assert_eq!(games[0]["moves"][2]["judgement"], "blunder");
    assert_eq!(games[0]["moves"][2]["reasons"][0]["kind"], "allows_mate");
    assert_eq!(games[1]["evals"].as_array().map(Vec::len), Some(8));
}

#[test]
fn the_good_part_of_a_spoiled_game_is_reviewed_and_the_bad_move_is_named() {
    let file = TestFile::new(&format!("1. e4 Ke7 *\n\n{GAMES}"));
    let output = saavedra(&["review", file.path(), "--nodes", "500"]);
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaint.contains("game 1, line 1: Ke7 is not a legal move here; the moves before it are reviewed"),
        "{complaint}"
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Game 1: ") && text.contains("Game 2: Fool") && text.contains("Game 3: Scholar"), "{text}");
}

#[test]
fn a_file_that_is_replaced_is_kept_if_not_all_of_it_could_be_read() {
    let text = format!("1. e4 Ke7 2. d4 *\n\n{GAMES}");
    let file = TestFile::new(&text);
    let output = saavedra(&["review", file.path(), "--nodes", "20", "--out", file.path()]);
    assert_eq!(output.status.code(), Some(1));
    let kept = format!("{}.orig", file.path());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains(&format!("as it was is kept in {kept}")), "{told}");
    assert_eq!(fs::read_to_string(&kept).expect("the file as it was"), text);
    assert_eq!(file.text().matches("[Annotator ").count(), 3);
    fs::remove_file(kept).expect("it can be removed");
}

#[test]
fn folders_are_searched_to_their_ends_and_nothing_to_do_is_told() {
    let folder = Folder::new();
    fs::create_dir_all(folder.file("below/deep")).expect("a folder");
    assert!(complaint(&["review", folder.path()], 1).ends_with("holds no PGN file"));
    fs::write(folder.file("below/deep/games.pgn"), GAMES).expect("it can be written");
    let out = folder.file("reviewed.txt");
    assert_eq!(printed(&["review", folder.path(), "--nodes", "20", "--out", &out]).matches("Game ").count(), 2);
    let output = saavedra(&["review", &out, "--nodes", "20"]);
    assert!(output.status.success() && output.stdout.is_empty());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("all games were reviewed before, or without moves: nothing was done (--again"), "{told}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_is_done_and_the_same_command_goes_on() {
    let file = TestFile::new(&format!("{GAMES}\n").repeat(30));
    let out = TestFile::new("");
    let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
        .args(["review", file.path(), "--nodes", "8000", "--out", out.path()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut first = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut first).expect("the first game is told");
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.expect("there is a kill").success());
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("run the same command again to continue"), "{told}");
    let partial = format!("{}.partial", out.path());
    let done = fs::read_to_string(&partial).expect("what was done is kept").matches("[Annotator ").count();
    assert!((1..60).contains(&done), "{done}");
    assert_eq!(out.text(), "", "the file itself is not touched before it is complete");
    let other = complaint(&["review", file.path(), "--nodes", "20", "--out", out.path()], 1);
    assert!(other.contains("reviewed with another effort, hash, book or tablebase: go on with those"), "{other}");
    let rest = printed(&["review", file.path(), "--nodes", "8000", "--out", out.path()]);
    assert_eq!(rest.matches("Game ").count(), 60 - done, "what was done is not done again");
    assert_eq!(out.text().matches("[Annotator ").count(), 60);
    assert!(!PathBuf::from(partial).exists());
}

#[cfg(unix)]
#[test]
fn a_killed_run_ends_with_the_same_files_as_one_that_was_not() {
    let games = TestFile::new(&format!("{GAMES}\n").repeat(20));
    let folder = tempfile::tempdir().expect("a folder");
    let review = |run: &str, threads: &str| {
        let file = |name: &str| folder.path().join(format!("{run}.{name}")).into_os_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_saavedra"));
        command.args(["review", games.path(), "--nodes", "3000", "--threads", threads, "--player", "Scholar"]);
        command.arg("--out").arg(file("pgn")).arg("--puzzles").arg(file("csv")).arg("--summary").arg(file("json"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let whole = review("whole", "1").output().expect("it runs");
    assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));
    for _ in 0..3 {
        let mut child = review("killed", "3").spawn().expect("the binary starts");
        let mut told = BufReader::new(child.stdout.take().expect("a pipe"));
        told.read_line(&mut String::new()).expect("a game is told, or the end");
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    let rest = review("killed", "3").output().expect("it runs");
    assert!(rest.status.success(), "{}", String::from_utf8_lossy(&rest.stderr));
    assert!(rest.stdout.len() < whole.stdout.len(), "what was done is not done again");
    for name in ["pgn", "csv", "json"] {
        let text = |run: &str| fs::read_to_string(folder.path().join(format!("{run}.{name}"))).expect("it was written");
        assert_eq!(text("whole"), text("killed"), "{name}");
    }
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("the folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 6, "{left:?}");
}

#[test]
fn folders_several_files_and_the_standard_input_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["b.pgn", "a.PGN", "notes.txt"] {
        fs::write(folder.path().join(name), GAMES).expect("it can be written");
    }
    let path = folder.path().to_str().expect("the path is text");
    let file = TestFile::new(GAMES);
    let text = printed(&["review", path, file.path(), "--nodes", "20"]);
    assert!(text.contains("Game 6: ") && !text.contains("Game 7: "), "{text}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
        .args(["review", "-", "--nodes", "20"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(GAMES.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Game 2: "));
    let nothing = tempfile::tempdir().expect("a folder");
    let path = nothing.path().to_str().expect("the path is text");
    assert!(complaint(&["review", path], 1).ends_with("holds no PGN file"));
}

#[test]
fn a_missed_mate_becomes_a_puzzle() {
    let file = TestFile::new("[Site \"here, there\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qg5 h6 *\n");
    let folder = tempfile::tempdir().expect("a folder");
    let csv = folder.path().join("puzzles.csv");
    let path = csv.to_str().expect("the path is text");
    printed(&["review", file.path(), "--nodes", "2000", "--puzzles", path]);
    let text = fs::read_to_string(&csv).expect("it was written");
    let row = text.lines().find(|line| line.contains("h5f7")).expect("the mate on f7 is a puzzle");
    assert!(row.contains("g8f6 h5f7,,,,,mate mateIn1"), "{row}");
    assert!(row.contains("\"here, there\""), "{row}");
    let pgn = folder.path().join("puzzles.pgn");
    printed(&["review", file.path(), "--nodes", "2000", "--puzzles", pgn.to_str().expect("the path is text")]);
    assert!(fs::read_to_string(&pgn).expect("it was written").contains("4. Qxf7#"));
    assert!(complaint(&["review", file.path(), "--puzzles", "puzzles.txt"], 1).contains(".csv or .pgn"));
}

#[test]
fn a_player_is_summed_up_over_many_games() {
    let clocks = "[White \"Scholar\"]\n[Black \"Fool\"]\n\n1. e4 {[%clk 0:05:00]} e5 2. Bc4 {[%clk 0:04:50]} Nc6 \
                  3. Qh5 {[%clk 0:00:20]} Nf6 4. Qg5 {[%clk 0:00:10]} 1-0\n";
    let file = TestFile::new(&format!("{GAMES}\n{clocks}"));
    let text = printed(&["review", file.path(), "--nodes", "2000", "--player", "scholar"]);
    for words in ["3 games: 3 won, 0 drawn, 0 lost", "| opening | ", "| misses mate | 1 |", "in the last half minute"] {
        assert!(text.contains(words), "{words:?} is missing in\n{text}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let json = folder.path().join("summary.json");
    let path = json.to_str().expect("the path is text");
    printed(&["review", file.path(), "--nodes", "200", "--player", "Fool", "--summary", path]);
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&json).expect("it was written")).expect("JSON");
    assert_eq!((summary["score"]["games"].as_u64(), summary["score"]["lost"].as_u64()), (Some(2), Some(2)));
    let page = folder.path().join("summary.html");
    let path = page.to_str().expect("the path is text");
    printed(&["review", file.path(), "--nodes", "200", "--player", "Fool", "--summary", path]);
    let page = fs::read_to_string(&page).expect("it was written");
    assert!(page.starts_with("<!doctype html>") && page.contains("<h1>Fool</h1>"), "{page}");
    assert!(page.contains("2 games: 0 won, 0 drawn, 2 lost."), "{page}");
    assert!(!page.contains("http"), "the page needs nothing else");
    let stranger = saavedra(&["review", file.path(), "--nodes", "20", "--player", "Nemo"]);
    assert!(String::from_utf8_lossy(&stranger.stderr).contains("there is no game of Nemo"));
}

#[test]
fn what_cannot_be_done_is_said_in_a_line() {
    let missing = complaint(&["review", "/nowhere/games.pgn"], 1);
    assert!(missing.starts_with("saavedra: cannot read /nowhere/games.pgn"), "{missing}");
    let empty = TestFile::new("");
    assert!(complaint(&["review", empty.path()], 1).ends_with("holds no game"));
    let file = TestFile::new(GAMES);
    let unwritable = complaint(&["review", file.path(), "--nodes", "10", "--out", "/nowhere/out.pgn"], 1);
    assert!(unwritable.contains("cannot write /nowhere/out.pgn"), "{unwritable}");
    let folder = Folder::new();
    // Nothing is printed, so nothing was reviewed before.
    let no_file = complaint(&["review", file.path(), "--nodes", "10", "--out", folder.path()], 1);
    assert!(no_file.ends_with(": it is a folder"), "{no_file}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    assert!(complaint(&["review", file.path(), "--nodes", "0"], 2).contains("--nodes"));
    assert!(complaint(&["review", file.path(), "--nodes", "5", "--time", "1"], 2).contains("cannot be used with"));
    assert!(complaint(&["review", file.path(), "--book", file.path()], 1).contains("not a Polyglot book"));
    let no_tables = complaint(&["review", file.path(), "--tablebase", "/nowhere/tables"], 1);
    assert!(no_tables.contains("/nowhere/tables"), "{no_tables}");
}

#[test]
fn games_that_are_made_to_break_readers_are_given_up_with_a_line() {
    let tags: String = (0..78_000).map(|number| format!("[Tag{number} \"?\"]\n")).collect();
    let tags = TestFile::new(&format!("{tags}\n1. e4 e5 *\n"));
    assert!(complaint(&["review", tags.path(), "--nodes", "10"], 1).contains("more than 1000 tags"));
    let nested = format!("1. e4{}{} e5 *\n", " (1. d4".repeat(10_000), ")".repeat(10_000));
    let nested = TestFile::new(&nested);
    let output = saavedra(&["review", nested.path(), "--nodes", "10"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.lines().count() == 1 && told.contains("the moves before it are reviewed"), "{told}");
}
