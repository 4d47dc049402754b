//! `saavedra uci-check`, as a user meets it: our own engine, programs that are no engines, and wrong usage. What each
//! check finds is tested in the crate `uci-check`.

use std::process::{Command, Output};
use std::thread;

use serde_json::Value;

use crate::common::Folder;

fn check(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_saavedra")).arg("uci-check").args(arguments).output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// The numbers that did not pass, with the reasons.
fn not_passed(report: &Value) -> Vec<(u64, String)> {
    let results = report["behaviours"].as_array().expect("a list").iter();
    let results = results.filter(|result| result["verdict"] != "passed");
    results.map(|result| (result["number"].as_u64().unwrap_or_default(), result["reason"].to_string())).collect()
}

#[test]
fn our_own_engine_passes() {
    // In four parts at once: most of a check is waiting.
    let part = |first: u32| (first..=36).step_by(4).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let parts = [1, 2, 3, 4].map(part);
    let engine = env!("CARGO_BIN_EXE_saavedra");
    let failures: Vec<(u64, String)> = thread::scope(|scope| {
        let runs = parts.each_ref().map(|only| scope.spawn(move || check(&["--json", "--only", only, engine])));
        runs.into_iter().flat_map(|run| not_passed(&json(&run.join().expect("a check ends")))).collect()
    });
    assert_eq!(failures, []);
}

#[cfg(unix)]
#[test]
fn failures_are_printed_and_exit_with_one() {
    let output = check(&["--timeout", "1", "--only", "1,2", "true"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(output.stderr.is_empty(), "no progress in a pipe");
    assert!(report.contains("true: 0 of 2"), "{report}");
    let report = json(&check(&["--json", "--timeout", "1", "--only", "2", "true"]));
    assert_eq!((&report["engine"], &report["failed"]), (&"true".into(), &1.into()), "{report}");
}

#[cfg(unix)]
#[test]
fn a_script_is_called_by_its_own_name() {
    let folder = Folder::new();
    let script = folder.file("my bot.sh");
    std::fs::write(&script, "exit 0\n").expect("it can be written");
    let quoted = format!("sh '{script}'");
    for engine in [&["sh", &script][..], &[&quoted]] {
        let output = check(&[&["--timeout", "1", "--only", "1"], engine].concat());
        let report = text(&output.stdout);
        assert!(report.contains("my bot: 0 of 1"), "{report}{}", text(&output.stderr));
    }
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
            "saavedra: invalid value '37' for '--only <NUMBERS>': expected a whole number from 1 to 36, found \"37\" (--help shows how)\n",
        ),
        (
            &["--timeout", "soon", "x"],
            "saavedra: invalid value 'soon' for '--timeout <SECONDS>': \"soon\" is not a time like 1.5s, 500ms, 3m or 2h (--help shows how)\n",
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
