//! `saavedra evolve --gpu` as far as it goes without a GPU: what is wrong is told in a line, and nothing is harmed.

use std::fs;

use crate::common::{Scratch, complaint, printed, saavedra};

#[test]
fn without_a_gpu_there_is_one_clear_line() {
    if saavedra(&["forge", "check"]).status.success() {
        return;
    }
    let folder = Scratch::folder("none");
    let message = complaint(&["evolve", folder.path(), "--gpu", "--minutes", "1"], 1);
    assert!(message.contains("there is no CUDA GPU here"), "{message}");
    assert!(!folder.0.join("ledger.jsonl").exists() && !folder.0.join("state.json").exists());
}

#[test]
fn slips_are_told_before_the_gpu_is_looked_for() {
    let folder = Scratch::folder("slips");
    let list = folder.0.join("candidates");
    fs::write(&list, "narrow width=128\nwide width=100\n").expect("it can be written");
    let list = list.to_str().expect("text");
    for (options, code, expected) in [
        (&["--candidates", list][..], 2, "candidates, line 2: width: "),
        (&["--width", "100"], 2, "--width: "),
        (&["--layers", "deep"], 2, "--layers: expected straight or pairwise"),
        (&["--layers", "pairwise", "--width", "64"], 2, "a multiple of 128"),
        (&["--rows", "0"], 2, "--rows: rows begin more than 0"),
        (&["--generations", "0"], 2, "--generations"),
        (&["--lambda", "0:2"], 2, "--lambda: expected a number from 0 to 1"),
        (&["--first", "none"], 2, "--first none: games on the GPU need a network"),
        (&["--nodes", "5"], 2, "the GPU searches 10 to 1,000,000 positions"),
        (&["--positions", "0"], 2, "without --positions there must be --samples to learn from"),
        (&["--positions", "0", "--samples", "nowhere.bin"], 1, "cannot read nowhere.bin"),
        (&["--positions", "0", "--samples", list], 1, "candidates is damaged"),
        (&["--positions", "many"], 2, "expected a number of positions, such as 5e7"),
        (&["--attempts", "3"], 2, "cannot be used with"),
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
    fs::write(folder.0.join("state.json"), "{\"version\": 1, \"seed\"").expect("it can be written");
    let message = complaint(&["evolve", folder.path(), "--gpu", "--minutes", "1"], 1);
    assert!(message.contains("state.json is damaged"), "{message}");
}

#[test]
fn the_report_shows_what_a_gpu_did() {
    let folder = Scratch::folder("report");
    let entry = |attempt: u32, verdict: &str, elo: f64, positions: u64| {
        format!(
            r#"{{"attempt":{attempt},"verdict":"{verdict}","plan":{{"champion":"0","positions":50000000,"play":{{"seed":1,"nodes":1000,"hard_nodes":8000,"hash":2,"random_plies":8,"random_loss":1000,"most_lead":1000,"win_score":1500,"win_plies":4,"draw_score":8,"draw_plies":10,"draw_from":70}},"data":[],"train":"width=256","contest":{{"games":33792,"sprt_games":0,"nodes":1000,"elo0":0.0,"elo1":0.0,"seed":1,"book":null}}}},"steps":{{"trained":{{"architecture":"(768 -> 256)x2 -> 1","checksum":"0","command":"usual","report":{{"samples":{positions},"held_out_loss":0.01}},"seconds":9.0}},"matched":{{"games":33792,"pairs":[1,2,3,4,5],"elo":{elo},"error":3.0,"seconds":8.0}}}},"gpu":{{"device":"a card","generation":{attempt},"candidate":"usual","nodes":1000,"new_positions":50000000,"all_positions":{positions},"seconds":{{"playing":100.0,"training":9.0,"matching":8.0}},"all_minutes":2.5}},"time":1,"command":"saavedra evolve"}}"#
        )
    };
    let lines = [entry(1, "promoted", 60.0, 50_000_000), entry(2, "rejected", -3.0, 100_000_000)];
    fs::write(folder.0.join("ledger.jsonl"), lines.join("\n") + "\n").expect("it can be written");
    let table = printed(&["evolve", folder.path(), "--report"]);
    assert!(table.contains("| generation | all positions | GPU minutes |"), "{table}");
    assert!(table.contains("| 2, usual | 100,000,000 | 2.5 |") && table.contains("+57"), "{table}");
    for picture in ["ledger.svg", "ledger-positions.svg", "ledger-minutes.svg"] {
        assert!(fs::read_to_string(folder.0.join(picture)).expect("a picture").starts_with("<svg"), "{picture}");
    }
}
