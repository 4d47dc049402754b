//! What is logged, and the licences.

use crate::common::{Folder, complaint, printed, saavedra};

#[test]
fn nothing_is_logged_unless_asked_for() {
    let folder = Folder::new();
    let journal = folder.file("match.journal");
    let arguments =
        ["match", "random", "random", "--time", "nodes=1", "--pairs", "1", "--seed", "1", "--journal", &journal];
    let quiet = saavedra(&arguments);
    assert!(quiet.status.success());
    assert!(!String::from_utf8_lossy(&quiet.stderr).contains("DEBUG"));
    // An unfinished line at the end of a journal is what a power cut leaves.
    let mut text = std::fs::read(&journal).expect("the journal is there");
    text.extend(b"{\"half");
    std::fs::write(&journal, text).expect("the journal can be written");
    let loud = saavedra(&[&["--log", "info"], &arguments[..]].concat());
    let log = String::from_utf8_lossy(&loud.stderr).into_owned();
    assert!(log.contains("WARN") && log.contains("an unfinished line was cut off the journal"), "{log}");
}

#[test]
fn a_log_that_means_nothing_is_refused() {
    let message = complaint(&["--log", "arena=loud", "minds"], 2);
    assert!(message.starts_with("saavedra: --log: "), "{message}");
}

#[test]
fn the_licences_of_all_that_is_inside_are_shown() {
    let text = printed(&["licenses"]);
    for part in ["MIT OR Apache-2.0", "\nclap 4", "\nrusqlite 0", "Permission is hereby granted"] {
        assert!(text.contains(part), "{part}");
    }
}
