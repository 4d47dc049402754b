//! `saavedra forge` as far as it goes without a GPU: what is wrong is told in a line, and nothing is harmed.

use std::fs;

use crate::common::{Folder, complaint, printed, saavedra};
use nnue::{Architecture, Network};

#[test]
fn without_a_gpu_there_is_one_clear_line() {
    if saavedra(&["forge", "check"]).status.success() {
        return;
    }
    let folder = Folder::new();
    let file = folder.file("none.json");
    for arguments in [&["forge", "versus"][..], &["forge", "tune", &file, "--minutes", "1"]] {
        let message = complaint(arguments, 1);
        assert!(message.contains("there is no CUDA GPU here"), "{message}");
    }
    assert!(!fs::exists(&file).expect("it can be asked"), "nothing was tuned");
}

#[test]
fn slips_are_told_before_the_gpu_is_looked_for() {
    let folder = Folder::new();
    let file = folder.file("slips.json");
    let tune = |options: &[&'static str]| [&["forge", "tune", &file], options].concat();
    for (arguments, code, said) in [
        (vec!["forge", "versus", "--nodes", "5"], 2, "expected a whole number from 10 to 1000000"),
        (vec!["forge", "versus", "--pairs", "0"], 2, "expected a whole number from 1 to 10000000"),
        (vec!["forge", "versus", "--net", "/no/such/net"], 1, "/no/such/net"),
        (vec!["forge", "versus", "--openings", "/no/such/book.epd"], 1, "/no/such/book.epd"),
        (vec!["forge", "versus", "--set", "margin=3"], 2, "there is no margin"),
        (tune(&[]), 2, "required"),
        (tune(&["--minutes", "0"]), 2, "expected a number of minutes"),
        (tune(&["--rounds", "3", "--parameters", "lmp_bas"]), 2, "did you mean \"lmp_base\"?"),
        (vec!["forge", "versus", "--set", "exchange_quiet=60"], 2, "is now called see_quiet_per_depth"),
        (tune(&["--rounds", "3", "--parameters", "exchange_quiet=60..5"]), 2, "is now called see_quiet_per_depth"),
        (tune(&["--rounds", "3", "--parameters", "nodes"]), 2, "has no parameter \"nodes\" to tune"),
        (tune(&["--rounds", "3", "--parameters", "aspiration_window=90"]), 2, "is not from 5 to 60"),
        (tune(&["--rounds", "3", "--parameters", "aspiration_window,aspiration_window"]), 2, "is there twice"),
        (tune(&["--rounds", "3", "--rate", "0"]), 2, "the rate 0 is not"),
    ] {
        let line = complaint(&arguments, code);
        assert!(line.contains(said), "{arguments:?}: {line}");
    }
    fs::write(&file, "{\"setting\": 3").expect("it can be written");
    let line = complaint(&tune(&["--rounds", "3"]), 1);
    assert!(line.contains("slips.json is no tuning, or damaged"), "{line}");
}

#[test]
fn a_network_that_the_kernels_are_not_made_for_is_refused() {
    let folder = Folder::new();
    let file = folder.file("wide.nnue");
    let network = Network::random(1, Architecture::new(2048).expect("a width that is allowed"));
    fs::write(&file, network.write()).expect("it can be written");
    let message = complaint(&["forge", "versus", "--net", &file], 1);
    assert!(message.contains("a network of 2048 neurons is too wide for games on the GPU"), "{message}");
}

#[test]
fn a_tuning_that_is_over_is_told_without_a_gpu() {
    let folder = Folder::new();
    let file = folder.file("over.json");
    // Its parameter has the name that earlier versions gave it.
    let text = r#"{"setting": {"network": "NETWORK", "nodes": 500, "pairs": 1},
        "rounds": {"tuning": {"parameters": [{"name": "aspiration", "start": 18.0, "min": 5, "max": 60, "step": 2.75}],
            "iterations": 1, "seed": 1, "rate": 0.3, "lag": 1}, "results": [[10, 20, 40, 20, 10]]},
        "seconds": 3.5, "confirmed": [100, 800, 2000, 900, 200]}"#;
    fs::write(&file, text).expect("it can be written");
    let arguments = ["forge", "tune", &file, "--nodes", "500", "--rounds", "1", "--numbers", "aspiration_window"];
    let line = complaint(&arguments, 1);
    let network = line.split(" was NETWORK, not ").nth(1).expect("another network").to_owned();
    fs::write(&file, text.replace("NETWORK", &network)).expect("it can be written");
    let told = printed(&arguments);
    assert!(told.starts_with("1 of 1 rounds, 200 games, 0:03\n"), "{told}");
    assert!(told.contains("\naspiration_window = 18\n"), "{told}");
    assert!(told.contains("against the defaults: 13.03 +/- 4.57 Elo, pairs [100, 800, 2000, 900, 200]"), "{told}");
    let json: serde_json::Value =
        serde_json::from_str(&printed(&[&arguments[..], &["--json"]].concat())).expect("JSON");
    assert_eq!((&json["finished"], &json["confirmed"]["pentanomial"][4]), (&1.into(), &200.into()));
}
