//! `saavedra datagen` and `saavedra data`, as a user meets them.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::common::{Folder, complaint, fed, printed, saavedra};
use serde_json::Value;

/// Some games, in a file.
fn games(folder: &Folder, name: &str, count: &str) -> String {
    let file = folder.file(name);
    printed(&["datagen", &file, "--games", count, "--nodes", "8", "--net", "none"]);
    file
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("one JSON object")
}

#[test]
fn games_that_were_killed_and_resumed_are_those_of_one_run() {
    let folder = Folder::new();
    let whole = games(&folder, "whole", "60");
    let file = folder.file("killed");
    let arguments = ["datagen", &file, "--games", "60", "--nodes", "8", "--net", "none", "--threads", "2"];
    for pause in [150, 400] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra")).args(arguments).spawn().expect("it starts");
        thread::sleep(Duration::from_millis(pause));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    let report = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!((report["games"].as_u64(), report["is_complete"].as_bool()), (Some(60), Some(true)));
    assert!(fs::read(&whole).expect("games") == fs::read(&file).expect("games"), "the files differ");
    let other = ["datagen", &file, "--games", "70", "--nodes", "9", "--hard-nodes", "64", "--net", "none"];
    let refused = complaint(&other, 1);
    assert!(refused.ends_with("was made with other settings: nodes was 8, not 9"), "{refused}");
    let missing = complaint(&["datagen", &folder.file("no"), "--games", "1", "--net", "no.nnue"], 1);
    assert!(missing.contains("no.nnue cannot be read"), "{missing}");
}

#[test]
fn games_are_described_and_checked_and_damage_is_told() {
    let folder = Folder::new();
    let games = games(&folder, "games", "30");
    let info = json(&["data", "info", &games, "--json"]);
    assert_eq!((info["games"].as_u64(), info["damage"].as_u64()), (Some(30), Some(0)));
    let count = |name: &str| info[name].as_u64().expect(name);
    assert_eq!(count("white_wins") + count("draws") + count("black_wins"), 30);
    assert!(count("kept_positions") > 0 && count("kept_positions") < count("positions"));
    let text = printed(&["data", "info", &games]);
    assert!(text.starts_with("games      30, ") && text.contains("left by the default filters"), "{text}");
    assert!(printed(&["data", "check", &games]).contains(": 30 legal games, "));

    let bytes = fs::read(&games).expect("games");
    let torn = folder.file("torn");
    fs::write(&torn, &bytes[..bytes.len() - 5]).expect("it can be written");
    let output = saavedra(&["data", "check", &torn]);
    let listed = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1));
    assert!(listed.contains("not written to its end") && listed.contains("damaged in 1 place"), "{listed}");
    let out = folder.file("out");
    let refused = complaint(&["data", "merge", &games, &torn, "--out", &out], 1);
    assert!(refused.contains("torn: the last ") && !fs::exists(&out).expect("it can be asked"), "{refused}");
    printed(&["data", "merge", &games, &torn, "--out", &out, "--skip-damage"]);
    assert!(fs::read(&out).expect("games") == bytes, "what was left is what was sound");
    assert!(complaint(&["data", "merge", &games, "--out", &out], 2).contains("exists already"));
    assert!(complaint(&["data", "info", "Cargo.toml"], 1).contains("not a file of packed games"));
}

#[test]
fn what_is_left_out_is_told_with_how_much_it_was() {
    let folder = Folder::new();
    let games = games(&folder, "games", "30");
    let bytes = fs::read(&games).expect("games");
    let damaged = folder.file("damaged");
    // The first file is one block; the second is the same, and torn.
    let torn = &bytes[12..bytes.len() - 5];
    fs::write(&damaged, [&bytes, torn].concat()).expect("it can be written");
    let out = folder.file("out");
    let refused = complaint(&["data", "shuffle", &damaged, "--out", &out], 1);
    assert!(refused.ends_with("was not written to its end (--skip-damage leaves it out)"), "{refused}");
    let output = saavedra(&["data", "shuffle", &damaged, "--out", &out, "--skip-damage"]);
    let told = String::from_utf8(output.stderr).expect("text");
    let lost = interface::grouped(torn.len() as u64);
    assert_eq!(told, format!("saavedra: left out 1 damaged place, {lost} bytes in all\n"));
    assert_eq!(json(&["data", "info", &out, "--json"])["games"].as_u64(), Some(30));

    let mut bytes = bytes;
    bytes[100] ^= 1;
    let whole = folder.file("whole");
    printed(&["data", "merge", &games, "--out", &whole]);
    fs::write(&damaged, [&bytes, &fs::read(&whole).expect("games")[12..]].concat()).expect("it can be written");
    let refused = complaint(&["data", "merge", &damaged, "--out", &folder.file("none")], 1);
    let lost = interface::grouped(bytes.len() as u64 - 12);
    assert!(refused.ends_with(&format!(": {lost} bytes at 12 are damaged (--skip-damage leaves it out)")), "{refused}");
}

#[test]
fn a_dash_is_the_standard_input() {
    let folder = Folder::new();
    let games = games(&folder, "games", "20");
    let bytes = fs::read(&games).expect("games");
    let said = |arguments: &[&str], input: &[u8]| {
        let output = fed(arguments, input);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(said(&["data", "info", "-", "--json"], &bytes), printed(&["data", "info", &games, "--json"]));
    assert!(said(&["data", "check", "-"], &bytes).starts_with("standard input: 20 legal games, "));
    let [merged, shuffled, viriformat, back] = ["m", "s", "v", "b"].map(|name| folder.file(name));
    said(&["data", "merge", "-", "--out", &merged], &bytes);
    assert!(fs::read(&merged).expect("games") == bytes);
    said(&["data", "shuffle", "-", "--out", &shuffled], &bytes);
    assert_eq!(json(&["data", "info", &shuffled, "--json"])["games"].as_u64(), Some(20));
    said(&["data", "export", "-", "--format", "viriformat", "--out", &viriformat], &bytes);
    let exported = fs::read(&viriformat).expect("games");
    said(&["data", "import", "-", "--format", "viriformat", "--out", &back], &exported);
    assert!(fs::read(&back).expect("games") == bytes);
    let twice = fed(&["data", "sample", "-", "--games", "3", "--out", &folder.file("x")], &bytes);
    assert_eq!(twice.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&twice.stderr).contains("--games reads the games twice"));
    let other = fed(&["data", "info", "-"], b"1. e4 e5 *\n");
    let told = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(told.starts_with("saavedra: cannot read standard input: not a file of packed games"), "{told}");
}

#[test]
fn games_are_shuffled_sampled_and_merged() {
    let folder = Folder::new();
    let games = games(&folder, "games", "30");
    let many = folder.file("many");
    let copies = vec![games.as_str(); 50];
    printed(&[&["data", "merge", "--out", &many], &copies[..]].concat());
    let all = json(&["data", "info", &many, "--json"]);
    assert_eq!(all["games"].as_u64(), Some(1_500));
    let [shuffled, again, other] = ["shuffled", "again", "other"].map(|name| folder.file(name));
    // So little memory that games go through several files.
    for (file, seed) in [(&shuffled, "1"), (&again, "1"), (&other, "2")] {
        printed(&["data", "shuffle", &many, "--out", file, "--memory", "1", "--seed", seed]);
    }
    let after = json(&["data", "info", &shuffled, "--json"]);
    for what in ["games", "positions", "draws", "lengths", "mean_absolute_score"] {
        assert_eq!(after[what], all[what], "{what}");
    }
    let read = |file: &str| fs::read(file).expect("games");
    assert!(read(&shuffled) == read(&again) && read(&shuffled) != read(&other) && read(&shuffled) != read(&many));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 6, "nothing is left behind");

    let [some, tenth] = ["some", "tenth"].map(|name| folder.file(name));
    printed(&["data", "sample", &many, "--games", "77", "--out", &some]);
    printed(&["data", "sample", &many, "--every", "10", "--out", &tenth]);
    for (file, games) in [(some, 77), (tenth, 150)] {
        assert_eq!(json(&["data", "info", &file, "--json"])["games"].as_u64(), Some(games));
    }
}

#[test]
fn games_go_to_other_formats_and_come_back_the_same() {
    let folder = Folder::new();
    let games = games(&folder, "games", "20");
    for format in ["pgn", "viriformat"] {
        let (file, back) = (folder.file(format), folder.file(&format!("{format}.svd")));
        printed(&["data", "export", &games, "--format", format, "--out", &file]);
        printed(&["data", "import", &file, "--format", format, "--out", &back]);
        assert!(fs::read(&games).expect("games") == fs::read(&back).expect("games"), "{format}");
    }
    let reviewed = folder.file("reviewed.pgn");
    fs::write(
        &reviewed,
        "1. e4 {[%eval 0.3]} 1... e5 {[%eval 0.25]} 2. Qh5 {[%eval #-3]} 2... Ke7 {[%eval 9]} 3. Qxe5# 1-0\n",
    )
    .expect("it can be written");
    let back = folder.file("reviewed.svd");
    printed(&["data", "import", &reviewed, "--format", "pgn", "--out", &back]);
    let scores = folder.file("scores");
    printed(&["data", "export", &back, "--format", "text", "--out", &scores]);
    let scores: Vec<String> = fs::read_to_string(scores)
        .expect("positions")
        .lines()
        .map(|line| line.split(" | ").nth(1).unwrap_or_default().to_owned())
        .collect();
    assert_eq!(scores, ["0", "30", "25", "-31997", "900"], "an evaluation is of the position after its move");
    let export = |format: &str, name: &str, more: &[&str]| {
        let file = folder.file(name);
        printed(&[&["data", "export", &games, "--format", format, "--out", &file], more].concat());
        fs::read(file).expect("positions")
    };
    let info = json(&["data", "info", &games, "--json"]);
    let count = |name: &str| info[name].as_u64().expect(name) as usize;
    assert_eq!(export("bullet", "all", &[]).len(), 32 * count("positions"));
    assert_eq!(export("bullet", "kept", &["--filter"]).len(), 32 * count("kept_positions"));
    let text = String::from_utf8(export("text", "text", &[])).expect("text");
    let epd = String::from_utf8(export("epd", "epd", &[])).expect("text");
    assert_eq!([text.lines().count(), epd.lines().count()], [count("positions"); 2]);
    for (line, epd) in text.lines().zip(epd.lines()) {
        let [fen, score, points] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let fields: Vec<&str> = fen.split(' ').collect();
        let sign = if fields[1] == "w" { 1 } else { -1 };
        let ce = sign * score.parse::<i64>().expect("a score");
        let result = ["0-1", "1/2-1/2", "1-0"][(2.0 * points.parse::<f64>().expect("points")) as usize];
        assert!(epd.starts_with(&format!("{} sm ", fields[..4].join(" "))), "{epd}");
        assert!(epd.ends_with(&format!(" ce {ce}; c9 \"{result}\";")), "{epd}");
    }
}

#[test]
fn what_cannot_be_imported_is_named() {
    let folder = Folder::new();
    let games = games(&folder, "games", "3");
    let (whole, cut, out) = (folder.file("whole"), folder.file("cut"), folder.file("out"));
    printed(&["data", "export", &games, "--format", "viriformat", "--out", &whole]);
    let bytes = fs::read(&whole).expect("games");
    fs::write(&cut, &bytes[..bytes.len() - 3]).expect("it can be written");
    let told = complaint(&["data", "import", &cut, "--format", "viriformat", "--out", &out], 1);
    assert!(told.ends_with("cut: game 3: the game has no end (--skip-damage leaves it out)"), "{told}");
    let output = saavedra(&["data", "import", &cut, "--format", "viriformat", "--out", &out, "--skip-damage"]);
    assert!(output.status.success());
    assert_eq!(json(&["data", "info", &out, "--json"])["games"], 2);
    fs::write(&cut, "1. e4 e5 1-0\n").expect("it can be written");
    let told = complaint(&["data", "import", &cut, "--format", "pgn", "--out", &folder.file("none")], 1);
    assert!(told.ends_with("there is no game with a result and an evaluation of every position"), "{told}");
    assert!(!fs::exists(folder.file("none")).expect("the folder can be read"));
    let told = complaint(&["data", "export", &games, "--format", "pgn", "--filter", "--out", &folder.file("no")], 2);
    assert!(told.contains("--filter is for formats of positions"), "{told}");
}
