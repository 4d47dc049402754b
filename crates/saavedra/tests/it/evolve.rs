//! `saavedra evolve` in miniature: killed, resumed, failed, abandoned, and a ledger that knows it all.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::{Folder, complaint, printed};
use serde_json::Value;

fn read_ledger(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("ledger.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

const OPTIONS: [&str; 17] = [
    "--positions",
    "8000",
    "--nodes",
    "8",
    "--first",
    "none",
    "--threads",
    "2",
    "--games",
    "8",
    "--sprt-games",
    "8",
    "--match-nodes",
    "60",
    "--seed",
    "5",
    "--train=--width 32 --epochs 2 --batch 256 --rate 5e-3 --held-out 0.1 --device cpu",
];

/// Starts a run and kills it as soon as a file is there.
fn kill_at(arguments: &[&str], file: &Path) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary starts");
    while !file.exists() && child.try_wait().expect("it can be asked").is_none() {
        thread::sleep(Duration::from_millis(5));
    }
    // It may have come to its end; then there is nothing to kill.
    let _ = child.kill();
    child.wait().expect("it ends");
}

#[test]
fn a_run_that_is_killed_goes_on_and_everything_is_in_the_ledger() {
    let place = Folder::new();
    // The command makes this folder.
    let path = &place.file("run");
    let folder = Path::new(path);
    let first = folder.join("001");
    let arguments = [&["evolve", path], &OPTIONS[..]].concat();
    for file in ["games.svd", "steps.json", "match.journal"] {
        kill_at(&arguments, &first.join(file));
    }
    let done = [&arguments[..], &["--attempts", "1"]].concat();
    let told = printed(&[&done[..], &["--json"]].concat());
    let ledger = read_ledger(folder);
    assert_eq!(ledger.len(), 1, "one attempt, one line");
    assert_eq!(told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect::<Vec<Value>>(), ledger);
    assert_eq!(printed(&["evolve", path, "--report", "--json"]), told);
    let [attempt] = &ledger[..] else { panic!("{ledger:?}") };
    let verdict = attempt["verdict"].as_str().expect("a verdict");
    assert!(["promoted", "rejected"].contains(&verdict), "{verdict}");
    let steps = &attempt["steps"];
    assert!(steps["generated"]["positions"].as_u64() >= Some(8_000));
    assert_eq!(steps["trained"]["architecture"], "(768 -> 32)x2 -> 1");
    assert!(steps["trained"]["report"]["held_out_loss"].as_f64().is_some_and(|loss| loss > 0.0));
    assert_eq!(steps["matched"]["games"].as_u64(), Some(8));
    assert!(steps["tested"]["llr"].is_f64() && attempt["command"].as_str().is_some_and(|line| line.contains("evolve")));
    assert_eq!(folder.join("champion.nnue").exists(), verdict == "promoted");
    printed(&["net", "verify", first.join("net.nnue").to_str().expect("text"), "--positions", "100"]);

    // The games are those that datagen makes.
    let alone = folder.join("alone.svd");
    let settings = ["--positions", "8000", "--nodes", "8", "--net", "none", "--seed", "5"];
    printed(&[&["datagen", alone.to_str().expect("text")], &settings[..]].concat());
    assert!(fs::read(alone).expect("games") == fs::read(first.join("games.svd")).expect("games"));

    assert_eq!(printed(&done), "", "there is nothing left to do");
    let table = printed(&["evolve", path, "--report"]);
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(table.contains("| (768 -> 32)x2 -> 1 |") && table.contains(verdict), "{table}");
    assert!(fs::read_to_string(folder.join("ledger.svg")).expect("a picture").starts_with("<svg"));
}

#[test]
fn what_goes_wrong_is_written_down_and_the_champion_stays() {
    let folder = Folder::new();
    let data = folder.0.path().join("letter");
    fs::write(&data, "Dear reader").expect("it can be written");
    let wrong =
        ["evolve", folder.path(), "--positions", "0", "--data", data.to_str().expect("text"), "--first", "none"];
    let message = complaint(&wrong, 1);
    assert!(message.contains("letter: not a file of packed games"), "{message}");
    let ledger = read_ledger(folder.0.path());
    assert_eq!((ledger.len(), ledger[0]["verdict"].as_str()), (1, Some("failed")));
    assert!(ledger[0]["reason"].as_str().is_some_and(|reason| reason.contains("not a file of packed games")));
    assert!(!folder.0.path().join("champion.nnue").exists());
    let other = complaint(&[&wrong[..], &["--games", "10"]].concat(), 2);
    assert!(other.contains("was begun with other settings: contest.games was 400, not 10"), "{other}");
    printed(&["evolve", folder.path(), "--abandon"]);
    assert_eq!(read_ledger(folder.0.path())[1]["verdict"], "abandoned");
    let table = printed(&["evolve", folder.path(), "--report"]);
    assert!(table.contains("failed: ") && table.contains("abandoned"), "{table}");

    for (option, expected) in [
        ("--train=--width", "--train: width: a value is required"),
        ("--train=--out x", "--train: --out is set by evolve"),
        ("--sprt=5", "expected two numbers of Elo"),
        ("--sprt=5,0", "must be less than"),
    ] {
        let message = complaint(&["evolve", folder.path(), option], 2);
        assert!(message.contains(expected), "{message}");
    }
    assert!(complaint(&["evolve", &format!("{},x", folder.path())], 2).contains("cannot hold a comma"));
}
