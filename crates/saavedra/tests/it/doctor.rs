//! `saavedra doctor`, as a user meets it: real programs at the other end of real pipes, most of them broken.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::broken::Bug;

/// The program that is broken on request. `cargo test` builds it beside the tests; `cargo test --test it` does not
/// build examples, and meets whatever was built last.
fn broken_generator() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let profile = test.parent().and_then(Path::parent).expect("tests are in the folder `deps` of the profile");
    let name = format!("broken_generator{}", std::env::consts::EXE_SUFFIX);
    let program = profile.join("examples").join(name);
    assert!(program.exists(), "{} is missing: `cargo build --examples` builds it", program.display());
    program
}

fn doctor(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_saavedra")).arg("doctor").args(arguments).output().expect("the binary starts")
}

/// Examines the broken generator.
fn examine(options: &[&str], behaviour: &[&str]) -> Output {
    let program = broken_generator();
    let program = [program.to_str().expect("a path in Unicode")];
    doctor(&[options, &program, behaviour].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

/// The one line that says why a program cannot be examined.
fn complaint(output: &Output) -> String {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(output.stdout.is_empty());
    message
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn a_healthy_program_is_found_healthy_in_either_language() {
    for behaviour in [&["uci"][..], &["chatty"]] {
        let output = examine(&["--depth", "3"], behaviour);
        let report = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{report}{}", text(&output.stderr));
        assert!(report.contains("is healthy"), "{report}");
        assert!(output.stderr.is_empty(), "no progress in a pipe");
    }
}

#[test]
fn stockfish_is_healthy_where_it_is_installed() {
    let found = ["stockfish", "/usr/games/stockfish"]
        .into_iter()
        .find(|program| Command::new(program).arg("quit").output().is_ok());
    let Some(stockfish) = found else {
        println!("stockfish is not installed: nothing was tested");
        return;
    };
    let output = doctor(&["--json", "--timeout", "60", stockfish]);
    let report = json(&output);
    assert_eq!((output.status.code(), &report["verdict"]), (Some(0), &Value::from("healthy")), "{report}");
    assert_eq!((&report["protocol"], &report["depth"]), (&Value::from("uci"), &Value::from(5)), "{report}");
}

#[test]
fn a_broken_rule_is_named_with_the_position_the_move_and_what_was_expected() {
    let output = examine(&["--protocol", "line"], &["CastlesThroughCheck"]);
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    for line in [
        "Broken rule: castling through check",
        "  position      4kr2/8/8/8/8/8/8/4K2R w K - 0 1",
        "  wrong moves   e1g1",
        "  legal moves   e1d1 e1d2 e1e2 h1f1 h1g1 h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8",
    ] {
        assert!(report.lines().any(|other| other == line), "{line} is not in\n{report}");
    }
}

#[test]
fn what_a_program_spoils_by_its_own_moves_is_seen_through_both_languages() {
    let report = json(&examine(&["--json", "--protocol", "uci"], &["uci", "RookCaptureKeepsRight"]));
    let fault = &report["faults"][0];
    assert_eq!(fault["rule"], "right-kept-after-rook-capture", "{report}");
    assert_eq!((&fault["after"][0], &fault["extra"][0]), (&Value::from("b2a1"), &Value::from("e1c1")), "{report}");

    let report = json(&examine(&["--json", "--protocol", "line"], &["RookCaptureKeepsRight"]));
    let fault = &report["faults"][0];
    assert_eq!(fault["rule"], "right-kept-after-rook-capture", "{report}");
    assert_eq!((&fault["count"]["said"], &fault["count"]["expected"]), (&Value::from(3310), &Value::from(3305)));
}

#[test]
fn every_mistake_is_found_through_a_pipe() {
    for &bug in Bug::ALL {
        let output = examine(&["--json", "--protocol", "uci", "--timeout", "60"], &["uci", &format!("{bug:?}")]);
        let report = json(&output);
        assert_eq!(output.status.code(), Some(1), "{bug:?}");
        assert_eq!(report["faults"].as_array().map(Vec::len), Some(1), "{bug:?}: {report}");
        assert_eq!(report["restarts"], 0, "{bug:?}: {report}");
    }
}

#[test]
fn a_crash_is_survived_and_reported_with_the_last_words() {
    let output = examine(&["--protocol", "line"], &["crash-on-en-passant"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("it ended: exit status: 101"), "{report}");
    assert!(report.contains("its last error output \"index out of bounds\""), "{report}");
    assert!(report.contains("position      4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1"), "{report}");
    assert!(report.contains("it had to be started again"), "{report}");
}

#[test]
fn a_hang_is_ended_and_reported() {
    let output = examine(&["--protocol", "line", "--timeout", "2"], &["hang-on-castling"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("No answer: it gave no answer in time"), "{report}");
    assert!(report.contains("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), "{report}");
}

#[test]
fn nonsense_is_quoted() {
    let output = examine(&["--protocol", "line"], &["nonsense"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("its answer makes no sense") && report.contains("e2e4 twenty"), "{report}");
}

#[test]
fn a_program_that_cannot_be_examined_gets_one_clear_line() {
    let cases = [
        ("crash-at-once", "exit status: 3, its last error output \"out of order\""),
        ("hang-at-once", "it gave no answer in time"),
        ("half-line", "it gave no answer in time"),
        ("nonsense-at-once", "its last output was \"I would rather play draughts\""),
        ("flood", "more than 5000 lines"),
        ("flood-one-line", "a line of more than 4096 bytes"),
        ("wrong-total", "it says that there are 21 leaves, but its lines add up to 20"),
    ];
    for (behaviour, expected) in cases {
        let message = complaint(&examine(&["--timeout", "2"], &[behaviour]));
        assert!(message.starts_with("saavedra: cannot examine "), "{message}");
        assert!(message.contains(expected), "{behaviour}: {message}");
    }
    let message = complaint(&examine(&[], &["uci", "search"]));
    assert!(message.contains("it speaks UCI, but does not answer `go perft 1`"), "{message}");
    assert!(message.contains("it searches for a move instead of counting"), "{message}");
    let message = complaint(&doctor(&["no-such-program-anywhere"]));
    assert!(message.contains("cannot examine no-such-program-anywhere: it cannot be started"), "{message}");
    let report = json(&doctor(&["--json", "no-such-program-anywhere"]));
    assert_eq!(report["verdict"], "not-examined");
}

#[cfg(unix)]
#[test]
fn a_program_that_closes_its_output_and_stays_is_ended() {
    let message = complaint(&examine(&["--protocol", "line"], &["close-output"]));
    assert!(message.contains("its output is closed although it still runs"), "{message}");
}

#[cfg(unix)]
#[test]
fn what_a_wrapper_has_started_does_not_stay_behind() {
    let folder = crate::common::Folder::new();
    let mark = folder.file("process");
    let script = format!("sleep 300 & echo $! > {mark}; wait");
    let message = complaint(&doctor(&["--protocol", "line", "--timeout", "0.5", "sh", "-c", &script]));
    assert!(message.contains("it gave no answer in time"), "{message}");
    let child = std::fs::read_to_string(&mark).expect("the wrapper wrote down its child");
    wait_for(|| (!is_alive(&child)).then_some(()));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_program_too() {
    let folder = crate::common::Folder::new();
    let mark = folder.file("process");
    let script = format!("echo $$ > {mark}.new; mv {mark}.new {mark}; exec sleep 300");
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_saavedra"))
        .args(["doctor", "--protocol", "line", "--timeout", "300", "sh", "-c", &script])
        .spawn()
        .expect("the binary starts");
    let child = wait_for(|| std::fs::read_to_string(&mark).ok());
    let sent = Command::new("kill").args(["-INT", &doctor.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the interrupt is sent");
    assert_eq!(doctor.wait().expect("it can be waited for").code(), Some(130));
    wait_for(|| (!is_alive(&child)).then_some(()));
}

#[cfg(unix)]
fn is_alive(process: &str) -> bool {
    Command::new("kill").args(["-0", process.trim()]).output().is_ok_and(|output| output.status.success())
}

/// Waits for what must happen sooner or later.
#[cfg(unix)]
fn wait_for<T>(happened: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(result) = happened() {
            return result;
        }
        assert!(Instant::now() < deadline, "it did not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_slow_program_is_examined_as_deep_as_time_allows() {
    let output = examine(&["--json", "--protocol", "line", "--timeout", "2", "--depth", "2"], &["slow"]);
    let report = json(&output);
    assert_eq!((output.status.code(), &report["verdict"]), (Some(0), &Value::from("healthy")), "{report}");
    let shallow = report["shallow"].as_array().expect("a list");
    assert!(shallow.iter().any(|case| case["reached"] == 1 && case["wanted"] == 2), "{report}");
    assert!(shallow.len() < 100, "small positions are examined at full depth: {report}");
}

#[test]
fn an_engine_that_does_not_end_its_answers_is_understood() {
    let report = json(&examine(&["--json", "--protocol", "uci", "--depth", "1"], &["uci", "no-total"]));
    assert_eq!(report["verdict"], "healthy", "{report}");
}

#[test]
fn wrong_usage_is_one_line_and_exit_code_two() {
    let cases: [(&[&str], &str); 3] = [
        (&[], "saavedra: the following required arguments were not provided: <PROGRAM> (--help shows how)\n"),
        (
            &["--timeout", "0", "x"],
            "saavedra: invalid value '0' for '--timeout <SECONDS>': seconds must be above 0 and at most 86400 (--help shows how)\n",
        ),
        (
            &["--protocol", "xboard", "x"],
            "saavedra: invalid value 'xboard' for '--protocol <PROTOCOL>' [possible values: uci, line] (--help shows how)\n",
        ),
    ];
    for (arguments, expected) in cases {
        let output = doctor(arguments);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(2), expected));
    }
}
