//! `saavedra tune`, as its users meet it: it tunes this very engine.

use crate::common::{Folder, complaint, printed};
use serde_json::Value;

fn engine() -> String {
    format!("uci:'{}'", env!("CARGO_BIN_EXE_saavedra"))
}

fn tune<'a>(engine: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "tune",
        engine,
        "--parameter",
        "skill level=3+-2",
        "--iterations",
        "4",
        "--rate",
        "0.5",
        "--time",
        "nodes=50",
    ];
    arguments.extend(more);
    arguments
}

#[test]
fn a_tuning_is_kept_and_told_in_every_way() {
    let (engine, folder) = (engine(), Folder::new());
    let journal = folder.file("journal");
    let text = printed(&tune(&engine, &["--journal", &journal]));
    assert!(text.starts_with("4 of 4 iterations, 8 games\n"), "{text}");
    let value =
        text.lines().find_map(|line| line.strip_prefix("setoption name Skill Level value ")).expect("an option");
    assert!(text.ends_with(&format!("\nSkill Level = {value}\n")), "{text}");

    // The journal knows everything, and there is nothing left to play.
    assert_eq!(printed(&["tune", "--resume", &journal, "--status"]), text);
    assert_eq!(printed(&["tune", "--resume", &journal]), text);
    assert_eq!(printed(&tune(&engine, &["--journal", &journal, "--concurrency", "1"])), text);
    let json: Value = serde_json::from_str(&printed(&["tune", "--resume", &journal, "--json"])).expect("JSON");
    assert_eq!((&json["finished"], &json["parameters"][0]["name"]), (&4.into(), &"Skill Level".into()));
    assert_eq!((&json["parameters"][0]["min"], &json["parameters"][0]["max"]), (&0.into(), &20.into()));
    let rounded = json["parameters"][0]["rounded"].as_i64().expect("a number");
    assert_eq!(rounded.to_string(), value);

    let other = complaint(&tune(&engine, &["--journal", &journal, "--seed", "7"]), 1);
    assert!(other.contains("the journal is of another event: schedule.seed was 1, not 7"), "{other}");
}

#[test]
fn parameters_come_from_a_file_too() {
    let (engine, folder) = (engine(), Folder::new());
    let file = folder.file("parameters");
    std::fs::write(&file, "# what to tune\nSkill Level = 3..2  # a step of two\n\nUCI_Elo\n").expect("a file");
    let arguments = ["tune", &engine, "--parameters", &file, "--iterations", "1", "--time", "nodes=20", "--no-journal"];
    let text = printed(&arguments);
    assert!(text.contains("\nsetoption name Skill Level value 3\nsetoption name UCI_Elo value 2800\n"), "{text}");
}

#[test]
fn what_cannot_be_tuned_is_told_in_one_line() {
    let engine = engine();
    for (arguments, code, said) in [
        (vec!["tune"], 2, "required"),
        (vec!["tune", "search", "--all"], 2, "search has no options to tune"),
        (vec!["tune", &engine], 2, "expected a --parameter to tune"),
        (vec!["tune", &engine, "--parameter", "Skil Level"], 2, "did you mean \"Skill Level\"?"),
        (vec!["tune", &engine, "--parameter", "Ponder"], 2, "is no number"),
        (vec!["tune", &engine, "--parameter", "Skill Level=30"], 2, "is not from 0 to 20"),
        (vec!["tune", &engine, "--parameter", "Skill Level", "--rate", "0"], 2, "the rate 0 is not"),
        (vec!["tune", &engine, "--parameter", "=3"], 2, "is no parameter"),
        (vec!["tune", &engine, "--all"], 2, "there is no parameter to tune"),
        (vec!["tune", "uci:/no/such/engine", "--all"], 1, "cannot start /no/such/engine"),
        (vec!["tune", "--resume", "/no/such/journal", "--status"], 1, "/no/such/journal cannot be read"),
        (vec!["tune", &engine, "--parameters", "/no/such/file"], 1, "cannot read /no/such/file"),
    ] {
        let line = complaint(&arguments, code);
        assert!(line.contains(said), "{arguments:?}: {line}");
    }
}
