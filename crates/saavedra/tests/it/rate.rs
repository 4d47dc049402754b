//! `saavedra rate` finds out how strong a mind is, and says so.

use crate::common::{Folder, complaint, printed};
use serde_json::Value;

/// The last line of a command that prints JSON.
fn summary(arguments: &[&str]) -> Value {
    let text = printed(arguments);
    serde_json::from_str(text.lines().last().expect("a line")).expect("JSON")
}

/// The players who were rated, as they are told.
fn climbers(summary: &Value) -> Vec<&Value> {
    let players = summary["players"].as_array().expect("players");
    players.iter().filter(|player| player["is_rung"] == false).collect()
}

#[test]
fn the_random_mover_is_rated_about_zero() {
    let summary = summary(&["rate", "random", "--error", "100", "--seed", "1", "--no-journal", "--json"]);
    let climbers = climbers(&summary);
    let [random] = climbers[..] else { panic!("one player is rated: {summary}") };
    let (rating, error) = (random["rating"].as_f64().expect("a rating"), random["error"].as_f64().expect("an error"));
    assert!(error <= 110.0 && rating.abs() <= error, "{random}");
    assert_eq!(summary["finish"], "over");
}

#[test]
fn two_minds_are_rated_on_one_scale_and_told_in_words_and_drawn() {
    let folder = Folder::new();
    let plot = folder.file("ratings.svg");
    let text = printed(&[
        "rate",
        "weak=search:nodes=20,random=50",
        "--against",
        "strong=search:nodes=100",
        "--error",
        "150",
        "--seed",
        "2",
        "--no-journal",
        "--plot",
        &plot,
    ]);
    let place = |name: &str| text.find(&format!("\n> {name}")).unwrap_or_else(|| panic!("{name} in {text}"));
    assert!(place("strong") < place("weak"), "the strongest comes first: {text}");
    assert!(text.contains("weak: ") && text.contains(" ± "), "{text}");
    let svg = std::fs::read_to_string(&plot).expect("a plot");
    assert!(svg.starts_with("<svg") && svg.contains(">strong<") && svg.contains(">search:nodes=3000,net=none<"));
}

#[test]
fn a_rating_that_was_broken_off_goes_on_as_if_it_had_not_been() {
    let folder = Folder::new();
    let [whole, parts] = ["whole", "parts"].map(|name| folder.file(name));
    let rate = ["rate", "capture", "--seed", "3", "--error", "60", "--json"];
    let at_once = summary(&[&rate[..], &["--games", "40", "--journal", &whole]].concat());
    let first = summary(&[&rate[..], &["--games", "14", "--journal", &parts]].concat());
    assert_eq!(first["games"], 14);
    let resumed = summary(&["rate", "--resume", &parts, "--games", "40", "--json"]);
    assert_eq!(resumed, at_once);
}

#[test]
fn the_ladder_is_shown_without_playing() {
    let ladder = summary(&["rate", "--ladder", "--json"]);
    let players = ladder["players"].as_array().expect("rungs");
    assert_eq!(players.last().map(|rung| rung["mind"] == "random" && rung["rating"] == 0.0), Some(true));
    assert!(players.len() > 10 && climbers(&ladder).is_empty());
    assert!(printed(&["rate", "--ladder"]).contains("search:nodes=1000"));
}

#[test]
fn what_cannot_be_rated_is_told_in_a_line() {
    assert!(complaint(&["rate", "uci:/no/such/engine", "--no-journal"], 1).contains("cannot start /no/such/engine"));
    assert!(complaint(&["rate", "minimaks"], 2).contains("did you mean \"minimax\"?"));
    assert!(complaint(&["rate"], 2).contains("PLAYER"));
    assert!(complaint(&["rate", "random", "--games", "7", "--no-journal"], 2).contains("games come in pairs"));
    assert!(complaint(&["rate", "--ladder", "--plot", "/no/such/folder/plot.svg"], 1).contains("cannot be written"));
    assert!(complaint(&["rate", "--resume", "/no/such.journal"], 1).contains("/no/such.journal"));
}
