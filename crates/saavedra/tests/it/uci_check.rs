//! `saavedra uci-check`, as a user meets it: an engine with manners, the same engine with one bad habit at a time, our own
//! engine, and programs that are no engines at all.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The engine that is unruly on request. `cargo test` builds it beside the tests; `cargo test --test it` does not
/// build examples, and meets whatever was built last.
fn unruly_engine() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let profile = test.parent().and_then(Path::parent).expect("tests are in the folder `deps` of the profile");
    let program = profile.join("examples").join(format!("unruly_engine{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is missing: `cargo build --examples` builds it", program.display());
    program
}

fn check(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_saavedra")).arg("uci-check").args(arguments).output().expect("the binary starts")
}

fn check_unruly(options: &[&str], habits: &[&str]) -> Output {
    let program = unruly_engine();
    let program = [program.to_str().expect("a path in Unicode")];
    check(&[options, &program, habits].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// The numbers that did not pass, with the reasons.
fn blemishes(card: &Value) -> Vec<(u64, String)> {
    let behaviours = card["behaviours"].as_array().expect("a list");
    let is_blemish = |mark: &&Value| mark["verdict"] != "passed";
    let numbers = behaviours.iter().filter(is_blemish);
    numbers.map(|mark| (mark["number"].as_u64().unwrap_or_default(), mark["reason"].to_string())).collect()
}

/// Examines an engine in four parts at once: most of a check is waiting.
fn check_in_parts(engine: &str) -> Vec<(u64, String)> {
    let part = |first: u32| (first..=36).step_by(4).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let parts = [1, 2, 3, 4].map(part);
    thread::scope(|scope| {
        let runs = parts.each_ref().map(|only| scope.spawn(move || check(&["--json", "--only", only, engine])));
        runs.into_iter().flat_map(|run| blemishes(&json(&run.join().expect("a check ends")))).collect()
    })
}

#[test]
fn our_own_engine_has_all_manners() {
    assert_eq!(check_in_parts(env!("CARGO_BIN_EXE_saavedra")), []);
}

#[test]
fn an_engine_with_manners_passes() {
    assert_eq!(check_in_parts(unruly_engine().to_str().expect("a path in Unicode")), []);
}

/// Bad habits, and the behaviour by which each is found.
const HABITS: [(&str, u64); 37] = [
    ("answers-before-asked", 1),
    ("hangs-at-uci", 2),
    ("minds-case", 3),
    ("dies-of-bad-value", 4),
    ("elo-alone", 5),
    ("dies-of-huge-hash", 6),
    ("false-chess960", 7),
    ("stumbles-over-junk", 8),
    ("hates-tabs", 9),
    ("loses-moves", 10),
    ("dies-of-bad-fen", 11),
    ("plays-on", 11),
    ("believes-anything", 12),
    ("forgets-history", 13),
    ("castles-oddly", 14),
    ("ignores-searchmoves", 15),
    ("stops-short", 16),
    ("loses-on-time", 17),
    ("answers-infinite", 18),
    ("ignores-ponderhit", 19),
    ("answers-idle-stop", 20),
    ("slow-to-stop", 21),
    ("deaf-while-thinking", 22),
    ("wants-peace", 23),
    ("answers-twice", 24),
    ("silent-at-mate", 25),
    ("illegal-ponder-move", 26),
    ("mate-in-plies", 27),
    ("illegal-line", 28),
    ("double-lines", 29),
    ("nodes-fall", 30),
    ("wrong-chances", 31),
    ("talks-too-much", 32),
    ("debug-output", 33),
    ("ignores-end-of-input", 34),
    ("ignores-quit", 35),
    ("fickle", 36),
];

#[test]
fn every_bad_habit_is_found_by_the_right_behaviour() {
    let habits = Mutex::new(HABITS.into_iter());
    let next = || habits.lock().expect("no thread panics with the lock").next();
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while let Some((habit, number)) = next() {
                    let output = check_unruly(&["--json", "--timeout", "20", "--only", &number.to_string()], &[habit]);
                    let card = json(&output);
                    assert_eq!(card["behaviours"][0]["verdict"], "failed", "{habit}: {card}");
                    assert_eq!(output.status.code(), Some(1), "{habit}");
                }
            });
        }
    });
}

#[test]
fn nothing_an_engine_does_makes_the_check_hang() {
    let begun = Instant::now();
    for habit in ["hangs-at-uci", "floods-at-uci"] {
        let output = check_unruly(&["--json", "--timeout", "1"], &[habit]);
        let card = json(&output);
        assert_eq!((output.status.code(), &card["total"]), (Some(1), &Value::from(36)), "{habit}: {card}");
        assert_eq!(card["passed"], 0, "{habit}: {card}");
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[cfg(unix)]
#[test]
fn what_is_no_engine_is_told_in_few_words() {
    let report = text(&check(&["--timeout", "1", "--only", "1,2,3,4", "true"]).stdout);
    assert!(report.contains("it ended: exit status: 0, after its start"), "{report}");
    assert!(report.contains("true: 0 of 4, 3 failed, 1 skipped"), "{report}");
    let report = text(&check(&["--timeout", "1", "--only", "2", "sh", "-c", "echo moo >&2; kill -9 $$"]).stdout);
    assert!(report.contains("it ended: signal: 9 (SIGKILL), after `uci` (its last error output: moo)"), "{report}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_needs_more_memory_than_the_check_allows_is_not_blamed() {
    let script = format!("[ $(ulimit -v) = unlimited ] || exit 1; exec {}", unruly_engine().display());
    let output = check(&["--json", "--only", "6,33", "sh", "-c", &script]);
    let card = json(&output);
    assert_eq!(output.status.code(), Some(0), "{card}");
    let reason = "\"it does not start within 4 GiB of address space\"".to_owned();
    assert_eq!(blemishes(&card), [(6, reason)], "{card}");
}

#[test]
fn a_failure_is_told_with_why_it_matters_and_the_end_of_the_conversation() {
    let output = check_unruly(&["--only", "8,33"], &["stumbles-over-junk"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(output.stderr.is_empty(), "no progress in a pipe");
    for part in [
        "8. skips unknown commands and tokens, and obeys what follows them\n    why      Protocols grow",
        "\n    failed   junk before a command hides it: `joho isready` is not answered\n",
        " > joho isready\n",
        "\n  33  ok       says nothing but the protocol on its output\n",
        "\nUnruly: 1 of 2, 1 failed (",
    ] {
        assert!(report.contains(part), "{part:?} is not in\n{report}");
    }
    assert!(report.lines().filter(|line| line.contains(" < ") || line.contains(" > ")).count() <= 12, "{report}");
    let whole = text(&check_unruly(&["--only", "33", "--transcript"], &[]).stdout);
    assert!(whole.contains(" > ucinewgame\n") && whole.contains(" < bestmove "), "{whole}");
}

#[test]
fn the_behaviours_can_be_listed_without_an_engine() {
    let output = check(&["--list"]);
    assert_eq!(output.status.code(), Some(0));
    let list = text(&output.stdout);
    assert_eq!(list.lines().count(), 2 * 36, "{list}");
    assert!(list.contains("\n24  answers every `go` with exactly one `bestmove`\n    With one too many"), "{list}");
    assert_eq!(text(&check(&["--list", "--only", "36"]).stdout).lines().count(), 2);
}

#[test]
fn wrong_usage_is_one_line_and_exit_code_two() {
    let cases: [(&[&str], &str); 3] = [
        (&[], "saavedra: the following required arguments were not provided: <ENGINE> (--help shows how)\n"),
        (
            &["--only", "37", "x"],
            "saavedra: invalid value '37' for '--only <NUMBERS>': 37 is not in 1..=36 (--help shows how)\n",
        ),
        (
            &["--timeout", "soon", "x"],
            "saavedra: invalid value 'soon' for '--timeout <SECONDS>': not a number of seconds (--help shows how)\n",
        ),
    ];
    for (arguments, expected) in cases {
        let output = check(arguments);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(2), expected));
    }
    let output = check(&["no-such-engine-anywhere"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("saavedra: cannot start no-such-engine-anywhere: "));
}
