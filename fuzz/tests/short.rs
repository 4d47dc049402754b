//! The plain driver, for as long as fits into every run of the tests.

use std::process::Command;

#[test]
fn every_promise_holds_for_twenty_seconds_of_random_input() {
    let output = Command::new(env!("CARGO_BIN_EXE_fuzz")).args(["all", "20"]).output().expect("the driver starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let counts: Vec<u64> =
        text.lines().filter_map(|line| line.strip_suffix(" inputs")?.rsplit(' ').next()?.parse().ok()).collect();
    assert_eq!(counts.len(), fuzz::TARGETS.len(), "{text}");
    assert!(counts.iter().all(|&count| count > 0), "{text}");
}
