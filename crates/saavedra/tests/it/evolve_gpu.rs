//! `saavedra evolve --gpu` as far as it goes without a GPU: what is wrong is told in a line, and nothing is harmed.

use std::fs;

use serde_json::Value;

use crate::common::{Folder, complaint, printed, saavedra};

#[test]
fn without_a_gpu_there_is_one_clear_line() {
    if saavedra(&["forge", "check"]).status.success() {
        return;
    }
    let folder = Folder::new();
    let message = complaint(&["evolve", folder.path(), "--gpu", "--minutes", "1"], 1);
    assert!(message.contains("there is no CUDA GPU here"), "{message}");
    assert!(!folder.0.path().join("ledger.jsonl").exists() && !folder.0.path().join("state.json").exists());
}

#[test]
fn slips_are_told_before_the_gpu_is_looked_for() {
    let folder = Folder::new();
    let list = folder.0.path().join("candidates");
    fs::write(&list, "narrow width=128\nwide width=100\n").expect("it can be written");
    let list = list.to_str().expect("text");
    for (options, code, expected) in [
        (&["--candidates", list][..], 2, "candidates, line 2: width: "),
        (&["--width", "100"], 2, "--width: "),
        (&["--layers", "deep"], 2, "--layers: expected straight or pairwise"),
        (&["--layers", "pairwise", "--width", "64"], 2, "a multiple of 128"),
        (&["--init-scale", "0"], 2, "--init-scale: expected a number above 0 and up to 10"),
        (&["--rows", "11"], 2, "--init-scale: expected a number above 0 and up to 10"),
        (&["--generations", "0"], 2, "--generations"),
        (&["--lambda", "0:2"], 2, "--lambda: expected a number from 0 to 1"),
        (&["--first", "none"], 2, "--first none: games on the GPU need a network"),
        (&["--nodes", "5"], 2, "the GPU searches 10 to 1,000,000 positions"),
        (&["--positions", "0"], 2, "without --positions there must be --samples to learn from"),
        (&["--positions", "0", "--samples", "nowhere.bin"], 1, "cannot read nowhere.bin"),
        (&["--positions", "0", "--samples", list], 1, "candidates is damaged"),
        (&["--positions", "many"], 2, "expected a number of positions, such as 5e7"),
        (&["--attempts", "3"], 2, "cannot be used with"),
        (&["--match-nodes", "5"], 2, "--match-nodes 5: the GPU searches 10 to 1,000,000 positions"),
        (&["--test"], 2, "cannot be used with"),
        (&["--penalty", "2"], 2, "--penalty: expected a number from 0 to 1"),
        (&["--from", "nowhere.nnue"], 1, "nowhere.nnue"),
        (&["--player", "nowhere.nnue"], 1, "nowhere.nnue"),
        (&["--candidates", "nowhere"], 1, "cannot read nowhere"),
    ] {
        let arguments = [&["evolve", folder.path(), "--gpu", "--minutes", "1"], options].concat();
        let message = complaint(&arguments, code);
        assert!(message.contains(expected), "{message}");
    }
    complaint(&["evolve", folder.path(), "--gpu"], 2);
    complaint(&["evolve", folder.path(), "--minutes", "5"], 2);
    fs::write(folder.0.path().join("state.json"), "{\"version\": 1, \"seed\"").expect("it can be written");
    let message = complaint(&["evolve", folder.path(), "--gpu", "--minutes", "1"], 1);
    assert!(message.contains("state.json is damaged"), "{message}");
}

/// The line of a candidate.
fn entry(attempt: u32, verdict: &str, elo: f64, positions: u64) -> String {
    format!(
        r#"{{"attempt":{attempt},"verdict":"{verdict}","plan":{{"champion":"0","positions":50000000,"play":{{"seed":1,"nodes":1000,"hard_nodes":8000,"hash":2,"random_plies":8,"random_loss":1000,"most_lead":1000,"win_score":1500,"win_plies":4,"draw_score":8,"draw_plies":10,"draw_from":70}},"data":[],"train":"width=256","contest":{{"games":33792,"sprt_games":0,"nodes":1000,"elo0":0.0,"elo1":0.0,"seed":1,"book":null}}}},"steps":{{"trained":{{"architecture":"(768 -> 256)x2 -> 1","checksum":"0","command":"usual","report":{{"samples":{positions},"held_out_loss":0.01}},"seconds":9.0}},"matched":{{"games":33792,"pairs":[1,2,3,4,5],"elo":{elo},"error":3.0,"seconds":8.0}}}},"gpu":{{"device":"a GPU","generation":{attempt},"candidate":"usual","nodes":1000,"new_positions":50000000,"all_positions":{positions},"seconds":{{"playing":100.0,"training":9.0,"matching":8.0}},"all_minutes":2.5}},"time":1,"command":"saavedra evolve"}}"#
    )
}

#[test]
fn the_report_shows_what_a_gpu_did() {
    let folder = Folder::new();
    let lines = [entry(1, "promoted", 60.0, 50_000_000), entry(2, "rejected", -3.0, 100_000_000)];
    fs::write(folder.0.path().join("ledger.jsonl"), lines.join("\n") + "\n").expect("it can be written");
    let table = printed(&["evolve", folder.path(), "--report"]);
    assert!(table.contains("| generation | all positions | GPU minutes | scale |"), "{table}");
    assert!(table.contains("| 2, usual | 100,000,000 | 2.5 |") && table.contains("+57"), "{table}");
    for picture in ["ledger.svg", "ledger-positions.svg", "ledger-minutes.svg"] {
        assert!(fs::read_to_string(folder.0.path().join(picture)).expect("a picture").starts_with("<svg"), "{picture}");
    }
}

#[test]
fn what_passed_the_gate_is_tested_with_clocks_and_resumed() {
    let folder = Folder::new();
    // The first of them is of the same kind as the champion, the second was rejected, the third was tested before.
    let lines = [entry(1, "passed", 3.0, 1_000), entry(2, "rejected", -30.0, 1_000), entry(3, "passed", 9.0, 1_000)];
    let tested = entry(3, "rejected", 9.0, 1_000);
    fs::write(folder.0.path().join("ledger.jsonl"), [&lines[..], &[tested]].concat().join("\n") + "\n")
        .expect("it can be written");
    for attempt in ["001", "002", "003"] {
        let file = folder.0.path().join(format!("{attempt}.nnue"));
        printed(&["net", "random", file.to_str().expect("text"), "--hidden", "32"]);
    }
    let options = ["--first", "none", "--test-time", "nodes=40", "--sprt-games", "12", "--threads", "2"];
    let arguments = [&["evolve", folder.path(), "--test"], &options[..]].concat();
    let told = printed(&arguments);
    assert!(told.starts_with("attempt 1, Elo") && told.lines().count() == 1, "{told}");
    let ledger = fs::read_to_string(folder.0.path().join("ledger.jsonl")).expect("the ledger");
    let last: Value = serde_json::from_str(ledger.lines().last().expect("a line")).expect("JSON");
    assert_eq!((ledger.lines().count(), &last["attempt"]), (5, &Value::from(1)));
    let (verdict, test) = (&last["verdict"], &last["steps"]["tested"]);
    assert!(["promoted", "rejected"].contains(&verdict.as_str().expect("a word")), "{verdict}");
    assert!(test["games"].as_u64().is_some_and(|games| games > 0 && games <= 12) && test["llr"].is_f64(), "{test}");
    assert_eq!(last["plan"]["contest"]["time"], "nodes=40");
    assert!(folder.0.path().join("001-none.journal").exists());
    assert_eq!(printed(&arguments), "", "nothing is left to test");
    let table = printed(&["evolve", folder.path(), "--report"]);
    assert_eq!(table.lines().count(), 2 + 3, "a row for each attempt: {table}");
}
