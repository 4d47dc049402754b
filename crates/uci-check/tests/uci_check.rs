//! The check, with real programs: an engine that behaves, the same engine with one bad habit at a time, and programs
//! that are no engines at all.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use programs::CommandLine;
use saavedra_uci_check::{Behaviour, CheckStatus, Report, Transcripts, UciCheck, behaviours};

/// The engine that misbehaves on request. `cargo test` builds it beside the tests; `cargo test --test uci_check` does
/// not build examples, and finds the one that was built last.
fn unruly_engine() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let profile = test.parent().and_then(Path::parent).expect("tests are in the folder `deps` of the profile");
    let program = profile.join("examples").join(format!("unruly_engine{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is missing: `cargo build --examples` builds it", program.display());
    program
}

/// A check of the engine with one bad habit, or of the one that has none.
fn unruly(habit: Option<&str>) -> UciCheck {
    UciCheck::new(CommandLine::new(unruly_engine()).with_arguments(habit))
}

fn run(check: &UciCheck, is_wanted: impl Fn(u32) -> bool) -> Report {
    let chosen: Vec<Behaviour> = behaviours().filter(|behaviour| is_wanted(behaviour.number)).collect();
    check.run(&chosen, |_, _| {}).expect("the engine starts")
}

fn text(report: &Report) -> String {
    let mut text = Vec::new();
    report.print(&mut text).expect("memory can be written");
    String::from_utf8(text).expect("a report is text")
}

/// The numbers that did not pass, with the reasons.
fn not_passed(report: &Report) -> Vec<(u32, String)> {
    let results = report.results().iter().filter(|result| result.verdict != CheckStatus::Passed);
    results.map(|result| (result.number, result.reason.clone().unwrap_or_default())).collect()
}

#[test]
fn an_engine_that_behaves_passes() {
    // In four parts at once: most of a check is waiting.
    let failures: Vec<(u32, String)> = thread::scope(|scope| {
        let runs = [0, 1, 2, 3].map(|part| scope.spawn(move || run(&unruly(None), |number| number % 4 == part)));
        runs.into_iter().flat_map(|run| not_passed(&run.join().expect("a check ends"))).collect()
    });
    assert_eq!(failures, []);
}

/// Bad habits, and the behaviour by which each is found.
const HABITS: [(&str, u32); 37] = [
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
                while let Some((habit, wanted)) = next() {
                    let check = UciCheck { timeout: Duration::from_secs(20), ..unruly(Some(habit)) };
                    let report = run(&check, |number| number == wanted);
                    assert_eq!(report.results()[0].verdict, CheckStatus::Failed, "{habit}: {}", text(&report));
                    assert!(!report.is_clean(), "{habit}");
                }
            });
        }
    });
}

#[test]
fn nothing_an_engine_does_makes_the_check_hang() {
    let begun = Instant::now();
    for habit in ["hangs-at-uci", "floods-at-uci"] {
        let check = UciCheck { timeout: Duration::from_secs(1), ..unruly(Some(habit)) };
        let report = run(&check, |_| true);
        assert_eq!((report.results().len(), not_passed(&report).len()), (36, 36), "{habit}: {}", text(&report));
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[cfg(unix)]
#[test]
fn what_is_no_engine_is_told_in_few_words() {
    let check = |command: CommandLine| UciCheck { timeout: Duration::from_secs(1), ..UciCheck::new(command) };
    let report = text(&run(&check(CommandLine::new("true")), |number| number <= 4));
    assert!(report.contains("it ended: exit status: 0, after its start"), "{report}");
    assert!(report.contains("true: 0 of 4, 3 failed, 1 skipped"), "{report}");
    let killed = CommandLine::new("sh").with_arguments(["-c", "echo moo >&2; kill -9 $$"]);
    let report = text(&run(&check(killed), |number| number == 2));
    assert!(report.contains("it ended: signal: 9 (SIGKILL), after `uci` (its last error output: moo)"), "{report}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_needs_more_memory_than_the_check_allows_is_not_blamed() {
    let script = format!("[ $(ulimit -v) = unlimited ] || exit 1; exec {}", unruly_engine().display());
    let check = UciCheck::new(CommandLine::new("sh").with_arguments(["-c", &script]));
    let report = run(&check, |number| [6, 33].contains(&number));
    assert!(report.is_clean(), "{}", text(&report));
    assert_eq!(not_passed(&report), [(6, "it does not start within 4 GiB of address space".to_owned())]);
}

#[test]
fn a_failure_is_told_with_why_it_matters_and_the_end_of_the_conversation() {
    let report = text(&run(&unruly(Some("stumbles-over-junk")), |number| [8, 33].contains(&number)));
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
    let check = UciCheck { transcripts: Transcripts::Whole, ..unruly(None) };
    let whole = text(&run(&check, |number| number == 33));
    assert!(whole.contains(" > ucinewgame\n") && whole.contains(" < bestmove "), "{whole}");
}

#[test]
fn a_report_is_one_json_object() {
    let report = run(&unruly(Some("elo-alone")), |number| [5, 33].contains(&number));
    let json = serde_json::to_value(&report).expect("a report can be serialised");
    assert_eq!((&json["name"], &json["passed"], &json["total"]), (&"Unruly".into(), &1.into(), &2.into()), "{json}");
    let [first, second] = &json["behaviours"].as_array().expect("a list")[..] else { panic!("two results: {json}") };
    assert_eq!((&first["number"], &first["verdict"]), (&5.into(), &"failed".into()), "{json}");
    assert_eq!((&second["verdict"], second.get("reason")), (&"passed".into(), None), "{json}");
}

#[test]
fn behaviours_are_numbered_in_order() {
    assert!(behaviours().map(|behaviour| behaviour.number).eq(1..=36));
}
