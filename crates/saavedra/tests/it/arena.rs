//! `saavedra match`, `sprt` and `tournament` as people meet them: whole events, killed and taken up, and bad input.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::{Folder, complaint, printed, saavedra};
use random::Random;

/// Writes a file into a folder.
fn write(folder: &Folder, name: &str, text: &str) -> String {
    let file = folder.file(name);
    fs::write(&file, text).expect("a file");
    file
}

/// Games without what may differ from run to run: when they were played, and how long moves took.
pub(crate) fn without_times(pgn: &str) -> String {
    let is_timeless = |line: &&str| !line.starts_with("[Date ") && !line.starts_with("[GameStartTime ");
    let text: Vec<&str> = pgn.lines().filter(is_timeless).collect();
    let is_time = |word: &&str| word.trim_matches(['{', '}', 's']).parse::<f64>().is_err() || !word.contains("s}");
    text.join(" ").split_whitespace().filter(is_time).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_event_killed_again_and_again_ends_like_one_that_was_not() {
    let folder = Folder::new();
    let arguments = |journal: &str, pgn: &str| -> Vec<String> {
        let event = "tournament random minimax:depth=1,ties=random search:nodes=300 --time depth=5 --pairs 40 \
                     --seed 5 --concurrency 2";
        let outside = format!("Outside=uci,Hash=1:'{}'@depth=3", env!("CARGO_BIN_EXE_saavedra"));
        let files = ["--journal", journal, "--pgn", pgn].map(str::to_owned);
        event.split_whitespace().map(str::to_owned).chain(files).chain([outside]).collect()
    };
    let (journal, pgn) = (folder.file("whole.journal"), folder.file("whole.pgn"));
    let whole = arguments(&journal, &pgn);
    let table = printed(&whole.iter().map(String::as_str).collect::<Vec<_>>());
    let games = fs::read_to_string(&pgn).expect("games");

    let (journal, pgn) = (folder.file("killed.journal"), folder.file("killed.pgn"));
    let killed = arguments(&journal, &pgn);
    let mut random = Random::new(u64::from(std::process::id()));
    let mut kills = 0;
    for _ in 0..40 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
            .args(&killed)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        thread::sleep(Duration::from_millis(random.below(90) as u64));
        if child.try_wait().expect("a process").is_none() {
            child.kill().expect("it can be killed");
            kills += 1;
        }
        child.wait().expect("it ends");
    }
    assert!(kills > 5, "{kills} kills");
    assert_eq!(printed(&killed.iter().map(String::as_str).collect::<Vec<_>>()), table);
    assert_eq!(without_times(&fs::read_to_string(&pgn).expect("games")), without_times(&games));
    // Every game is in the journal exactly once.
    let text = fs::read_to_string(&journal).expect("a journal");
    let mut ids: Vec<(u64, u64)> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|game| (game["pair"].as_u64().expect("a pair"), game["leg"].as_u64().expect("a leg")))
        .collect();
    ids.sort_unstable();
    let expected: Vec<(u64, u64)> = (0..6 * 40).flat_map(|pair| [(pair, 0), (pair, 1)]).collect();
    assert_eq!(ids, expected);
}

#[test]
fn a_match_is_told_as_match_runners_tell_it() {
    let folder = Folder::new();
    let pgn = folder.file("games.pgn");
    let said = printed(&[
        "match",
        "Deep=minimax:depth=1@depth=2",
        "random",
        "--time",
        "depth=1",
        "--games",
        "10",
        "--seed",
        "1",
        "--no-journal",
        "--pgn",
        &pgn,
        "--event",
        "A test",
    ]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "Results of Deep vs random (depth=2 - depth=1, 8 random plies):");
    for (line, start) in lines[1..].iter().zip(["Elo: ", "LOS: ", "Games: 10, Wins: ", "Ptnml(0-2): ["]) {
        assert!(line.starts_with(start), "{said}");
    }
    let games = fs::read_to_string(pgn).expect("games");
    assert_eq!(games.matches("[Event \"A test\"]").count(), 10);
    assert_eq!(games.matches("[White \"Deep\"]").count(), 5);
    assert_eq!(games.matches("[WhiteTimeControl \"depth=2\"]").count(), 5);
}

#[test]
fn a_test_says_what_it_decided() {
    let arguments =
        ["sprt", "minimax:depth=1", "random", "--elo0", "0", "--elo1", "50", "--time", "depth=2", "--seed", "2"];
    let said = printed(&[&arguments[..], &["--no-journal"]].concat());
    assert!(
        said.contains("\nLLR: ") && said.ends_with("(-2.94, 2.94) [0.00, 50.00]\nSPRT: H1 was accepted\n"),
        "{said}"
    );
    let json = printed(&[&arguments[..], &["--no-journal", "--json", "--model", "logistic"]].concat());
    let lines: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect();
    let (summary, games) = lines.split_last().expect("lines");
    assert_eq!(summary["sprt"]["decision"], "H1");
    assert_eq!((&summary["finish"], &summary["sprt"]["scale"]), (&"decided".into(), &"logistic".into()));
    assert!(games.iter().all(|game| game["result"].is_string() && game["moves"].is_string()));
}

#[test]
fn every_format_ends_with_a_table() {
    for format in ["round-robin", "gauntlet", "swiss", "knockout"] {
        let said = printed(&[
            "tournament",
            "--format",
            format,
            "--no-journal",
            "--time",
            "depth=1",
            "--seed",
            "1",
            "random",
            "random",
            "capture",
        ]);
        let table = said.split("\n\n").next().unwrap_or_default();
        assert_eq!(table.lines().count(), 4, "{said}");
        assert!(said.contains("random 1") && said.contains("random 2") && said.contains("capture"), "{said}");
    }
}

#[test]
fn a_knockout_shows_its_bracket() {
    let arguments = ["tournament", "--format", "knockout", "--no-journal", "--time", "depth=1", "--seed", "1"];
    let arguments = [&arguments[..], &["random", "random", "capture"]].concat();
    let said = printed(&arguments);
    let (table, bracket) = said.split_once("\n\n").expect("a table and a bracket");
    let best = table.lines().nth(1).and_then(|row| row.trim().strip_prefix("1  ")).expect("the first row");
    let rounds: Vec<&str> = bracket.lines().collect();
    let [first, bye, played, last, decided] = rounds[..] else { panic!("{said}") };
    assert_eq!((first, bye.trim_end(), last), ("Semi-finals", "  random 1  bye", "Final"));
    assert!(played.starts_with("  random 2  ") && played.contains("  capture   -> "), "{said}");
    let winner = decided.split(" -> ").nth(1).expect("a winner").trim_end_matches(", the higher seed");
    assert!(best.starts_with(winner), "{said}");

    let json = printed(&[&arguments[..], &["--json"]].concat());
    let summary: serde_json::Value = serde_json::from_str(json.lines().last().expect("a summary")).expect("JSON");
    let bracket = &summary["bracket"];
    assert_eq!((&bracket[0][0]["players"][0], &bracket[0][0]["winner"]), (&"random 1".into(), &"random 1".into()));
    assert!(bracket[0][0]["players"][1].is_null());
    let points = &bracket[1][0]["points"];
    assert!(points[0].as_f64().zip(points[1].as_f64()).is_some_and(|(one, other)| one + other >= 2.0), "{bracket}");
    assert_eq!(bracket[1][0]["winner"], winner);
}

#[test]
fn in_a_swiss_the_points_of_byes_are_counted_apart() {
    let arguments =
        ["tournament", "--format", "swiss", "--rounds", "1", "--no-journal", "--time", "depth=1", "--seed", "1"];
    let arguments = [&arguments[..], &["random", "random", "capture"]].concat();
    let said = printed(&arguments);
    let header: Vec<&str> = said.lines().next().expect("a header").split_whitespace().collect();
    let byes = header.iter().position(|&title| title == "byes").expect("a column");
    // The last seed is free. It played no game and has no point of one.
    let free = said.lines().find(|row| row.contains("capture")).expect("a row");
    let cells: Vec<&str> = free.split_whitespace().collect();
    assert_eq!(&cells[4..=byes], ["0", "0.0", "-", "+2.0"], "{said}");
    let json = printed(&[&arguments[..], &["--json"]].concat());
    let summary: serde_json::Value = serde_json::from_str(json.lines().last().expect("a summary")).expect("JSON");
    let player = summary["players"].as_array().expect("players").iter().find(|player| player["name"] == "capture");
    let player = player.expect("the player");
    assert_eq!((player["points"].as_f64(), player["bye_points"].as_f64()), (Some(0.0), Some(2.0)));
}

#[test]
fn an_event_is_resumed_by_its_journal_alone_and_made_longer() {
    let folder = Folder::new();
    let journal = folder.file("journal");
    let book = write(&folder, "book.epd", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n");
    let common = ["match", "random", "capture", "--time", "depth=1", "--openings", &book, "--journal", &journal];
    let short = printed(&[&common[..], &["--pairs", "4"]].concat());
    assert!(short.contains("Games: 8,") && short.contains("book.epd"), "{short}");
    assert_eq!(printed(&["match", "--resume", &journal]), short, "what is over is only told again");
    let long = printed(&["match", "--resume", &journal, "--games", "20"]);
    assert!(long.contains("Games: 20,"), "{long}");
    assert_eq!(printed(&["match", "--resume", &journal]), long, "the journal knows that it is longer now");
    assert!(complaint(&["tournament", "--resume", &journal], 2).contains("not a tournament"));
    let other = complaint(&[&common[..], &["--pairs", "10", "--plies", "2"]].concat(), 1);
    assert!(other.ends_with("the journal is of another event: openings.plies was nothing, not 2"), "{other}");
    let shorter = [&common[..], &["--pairs", "4"]].concat();
    let told = complaint(&shorter, 1);
    assert!(told.ends_with("the journal is of another event: schedule.pairs was 10, not 4"), "{told}");
    write(&folder, "book.epd", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n");
    let told = complaint(&["match", "--resume", &journal, "--games", "22"], 1);
    assert!(told.contains("openings.content was 1 openings"), "{told}");
}

#[test]
fn bad_input_is_one_clear_line_and_nothing_is_written() {
    let folder = Folder::new();
    let journal = folder.file("journal");
    let book =
        write(&folder, "book.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nthis is no position\n");
    let empty = write(&folder, "empty.pgn", "");
    let missing = folder.file("missing.epd");
    let nowhere = folder.file("no/such/folder/journal");
    let with = |more: &[&'static str]| -> Vec<&str> {
        [&["match", "random", "random", "--journal", &journal][..], more].concat()
    };
    for (arguments, code, told) in [
        (with(&["--openings"]).into_iter().chain([&*book]).collect::<Vec<_>>(), 1, "book.epd, line 2: "),
        (with(&["--openings"]).into_iter().chain([&*empty]).collect(), 1, "empty.pgn holds no openings"),
        (with(&["--openings"]).into_iter().chain([&*missing]).collect(), 1, "missing.epd"),
        (with(&["--games", "3"]), 2, "--games 3: games come in pairs"),
        (with(&["--time", "soon"]), 2, "\"soon\" is no time control"),
        (with(&["--draw", "never"]), 2, "expected usual, or settings from from=, moves=, within="),
        (with(&["--tablebase", "/no/such/tables"]), 1, "/no/such/tables"),
        (with(&["--resume", "x"]), 2, "cannot be used with"),
        (vec!["match", "random", "--no-journal"], 2, "expected two players, found 1"),
        (vec!["match", "random", "ranom", "--no-journal"], 2, "did you mean \"random\"?"),
        (vec!["match", "random", "uci:/no/such/engine", "--journal", &journal], 1, "the player engine cannot play: "),
        (vec!["match", "random", "random", "--journal", &nowhere], 1, "cannot be written: No such file"),
        (vec!["match", "--resume", &missing], 1, "cannot be read: No such file"),
        (vec!["match", "--resume", &book], 1, "book.epd is not a journal of an event"),
        (vec!["match", "random", "random", "--journal", &book], 1, "book.epd is there already"),
        (vec!["sprt", "random", "random", "--elo0", "5", "--elo1", "0"], 2, "5 is not less than 0"),
        (vec!["match", "random", "random", "--openings", "-"], 2, "a book of openings must be a file"),
        (vec!["tournament", "random"], 2, "at least two players, found 1"),
        (vec!["tournament", "random", "random", "--rounds", "3"], 2, "--rounds is for --format swiss"),
    ] {
        let message = complaint(&arguments, code);
        assert!(message.contains(told), "{arguments:?}: {message}");
    }
    assert!(!PathBuf::from(&journal).exists(), "nothing is written before everything is in order");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::process::Output;

    fn shell(script: &str) -> Output {
        Command::new("sh").args(["-c", script]).output().expect("a shell")
    }

    fn told(output: &Output) -> String {
        String::from_utf8_lossy(&output.stderr).trim_end().to_owned()
    }

    #[test]
    fn an_engine_that_is_none_is_told_before_the_first_game() {
        let folder = Folder::new();
        let journal = folder.file("journal");
        let message = complaint(&["match", "random", "uci:true", "--journal", &journal], 1);
        assert!(message.contains("the player true cannot play: ") && !PathBuf::from(&journal).exists(), "{message}");
    }

    #[test]
    fn a_full_disk_ends_an_event_with_one_line_and_keeps_what_was_played() {
        let folder = Folder::new();
        let journal = folder.file("journal");
        let play = format!(
            "exec '{}' match random capture --seed 1 --time depth=1 --pairs 100",
            env!("CARGO_BIN_EXE_saavedra")
        );
        // Files may grow to 64 blocks of 512 bytes and no further, as on a disk that is full then.
        let full = shell(&format!("trap '' XFSZ; ulimit -f 64; {play} --journal '{journal}'"));
        assert_eq!(full.status.code(), Some(1), "{}", told(&full));
        let message = told(&full);
        assert!(message.lines().count() == 1 && message.contains("cannot be written: "), "{message}");
        assert!(message.ends_with("(what was played before is kept)"), "{message}");
        let text = fs::read_to_string(&journal).expect("a journal");
        assert!(text.ends_with('\n') && text.lines().count() > 3, "the torn line was cut off");
        let resumed = shell(&format!("{play} --journal '{journal}'"));
        let whole = shell(&format!("{play} --no-journal"));
        assert!(resumed.status.success() && told(&resumed).is_empty(), "{}", told(&resumed));
        assert_eq!(resumed.stdout, whole.stdout);
    }

    #[test]
    fn games_that_cannot_be_written_are_told_and_stay_in_the_journal() {
        if !PathBuf::from("/dev/full").exists() {
            return;
        }
        let folder = Folder::new();
        let journal = folder.file("journal");
        let arguments = ["match", "random", "random", "--time", "depth=1", "--pairs", "3", "--journal", &journal];
        let message = complaint(&[&arguments[..], &["--pgn", "/dev/full"]].concat(), 1);
        assert!(message.contains("/dev/full cannot be written: No space left on device"), "{message}");
        assert!(printed(&["match", "--resume", &journal]).contains("Games: 6,"));
    }

    #[test]
    fn an_event_whose_listener_has_gone_ends_quietly() {
        let program = env!("CARGO_BIN_EXE_saavedra");
        let output = shell(&format!(
            "'{program}' match random random --time depth=1 --pairs 500 --no-journal --json | head -n 1"
        ));
        assert_eq!((told(&output), output.stdout.iter().filter(|&&byte| byte == b'\n').count()), (String::new(), 1));
    }

    fn games_in(journal: &str) -> usize {
        fs::read_to_string(journal).unwrap_or_default().matches("\"game\":").count()
    }

    /// An event that is interrupted so often, once its journal is there with so many games.
    fn interrupted(folder: &Folder, arguments: &[&str], games: usize, times: usize) -> (String, Output) {
        let journal = folder.file("journal");
        let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
            .arg("match")
            .args(arguments)
            .args(["--pairs", "1000", "--concurrency", "2", "--journal", &journal])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        while !PathBuf::from(&journal).exists() || games_in(&journal) < games {
            thread::sleep(Duration::from_millis(5));
        }
        let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut advice = String::new();
        for time in 0..times {
            shell(&format!("kill -INT {}", child.id()));
            // The first is heard when it is answered, and two at once could be taken for one.
            while time == 0 && !advice.contains("finishing the games") {
                assert_ne!(errors.read_line(&mut advice).expect("text"), 0, "{advice}");
            }
        }
        let mut output = child.wait_with_output().expect("it ends");
        errors.read_to_end(&mut output.stderr).expect("text");
        (journal, output)
    }

    #[test]
    fn an_interrupt_lets_games_end_and_says_how_to_go_on() {
        let folder = Folder::new();
        let (journal, output) = interrupted(&folder, &["search", "search", "--time", "nodes=200"], 1, 1);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        assert_eq!(told(&output), format!("saavedra: interrupted; continue with: saavedra match --resume {journal}"));
        // The other one began when the first did.
        let played = games_in(&journal);
        assert!(played >= 2, "the game that had begun was played to its end, {played} in all");
    }

    #[test]
    fn a_second_interrupt_stops_an_event_at_once() {
        let folder = Folder::new();
        // No game of this ends while anybody waits.
        let (journal, output) = interrupted(&folder, &["search", "search", "--time", "move=600"], 0, 2);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        assert_eq!(told(&output), format!("saavedra: interrupted; continue with: saavedra match --resume {journal}"));
        let busy = saavedra(&["match", "--resume", &journal, "--json", "--pairs", "1"]);
        assert_eq!(busy.status.code(), Some(1), "an event cannot be made shorter");
    }

    #[test]
    fn programs_that_fail_lose_and_are_listed_with_what_they_said() {
        let dying = "Dying=line:sh -c 'read -r line; echo out of ideas; exit 3'";
        let said = printed(&["match", "random", dying, "--time", "2+0", "--pairs", "2", "--no-journal"]);
        assert!(said.contains("Games: 4, Wins: 4,"), "{said}");
        assert!(said.contains("Dying lost 4 times by ") && said.contains("out of ideas"), "{said}");
    }
}
