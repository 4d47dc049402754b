//! `saavedra net`, and a network at work, as a user meets them.

use std::fs;

use crate::common::{Folder, complaint, fed, printed};

fn random_network(folder: &Folder, name: &str, options: &[&str]) -> String {
    let network = folder.file(name);
    assert_eq!(printed(&[&["net", "random", &network], options].concat()), "");
    network
}

#[test]
fn a_network_is_explained_and_verified() {
    let folder = Folder::new();
    let network = random_network(&folder, "explained", &["--width", "64", "--output-buckets", "4", "--seed", "7"]);
    let text = printed(&["net", "info", &network]);
    for line in [
        "Description:    random, seed 7",
        "Architecture:   (768 -> 64)x2 -> 1x4",
        "King buckets:   1",
        "Accumulators:   64 neurons for each side, SCReLU",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line:?} is missing in\n{text}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&printed(&["net", "info", &network, "--json"])).expect("one JSON object");
    assert_eq!((json["hidden"].as_u64(), json["parts"][0]["count"].as_u64()), (Some(64), Some(768 * 64)));
    let verified = printed(&["net", "verify", &network, "--positions", "300"]);
    assert!(verified.contains("agree with plain arithmetic in 300 positions."), "{verified}");
}

#[test]
fn a_pairwise_network_is_explained_verified_and_exported() {
    let folder = Folder::new();
    let network =
        random_network(&folder, "pairwise", &["--width", "256", "--layers", "pairwise", "--output-buckets", "2"]);
    let text = printed(&["net", "info", &network]);
    assert!(text.contains("Architecture:   (768 -> 256)x2 -> pairwise -> 16 -> 32 -> 1x2\n"), "{text}");
    for (part, count) in [("second weights", 2 * 16 * 256), ("third biases", 2 * 32), ("output weights", 2 * 32)] {
        let line = text.lines().find(|line| line.starts_with(part)).unwrap_or_else(|| panic!("no {part} in\n{text}"));
        assert_eq!(line[part.len()..].split_whitespace().next(), Some(count.to_string().as_str()));
    }
    let verified = printed(&["net", "verify", &network, "--positions", "300"]);
    assert!(verified.contains("agree with plain arithmetic in 300 positions."), "{verified}");
    let export = |part: &str| printed(&["net", "export", &network, "--part", part, "--real"]);
    let second = export("second-weights");
    let last = second.lines().last().expect("64 lines");
    assert!(second.lines().count() == 64 && last.starts_with("1,15,their,"), "{last}");
    assert_eq!(last.split(',').count(), 3 + 128);
    let (third, biases) = (export("third-weights"), export("third-biases"));
    assert!(third.lines().count() == 64 && third.starts_with("0,0,") && biases.lines().count() == 2);
    assert_eq!(export("output-biases"), "0,0.000000\n1,0.000000\n");
    let straight = random_network(&folder, "no-layers", &["--width", "32"]);
    let complaint = complaint(&["net", "export", &straight, "--part", "third-biases"], 2);
    assert!(complaint.starts_with("saavedra: a straight network has no such layer"), "{complaint}");
}

#[test]
fn several_networks_are_described_and_one_may_come_from_the_standard_input() {
    let folder = Folder::new();
    let [one, other] = ["one", "other"].map(|name| random_network(&folder, name, &["--width", "32", "--seed", "3"]));
    let text = printed(&["net", "info", &one, &other]);
    let alone = printed(&["net", "info", &one]);
    assert_eq!(text, format!("{one}:\n{alone}\n{other}:\n{alone}"));
    assert_eq!(printed(&["net", "info", &one, &other, "--json"]).lines().count(), 2);
    let bytes = fs::read(&one).expect("a network");
    let [quantised, mean] = ["quantised", "mean"].map(|name| folder.file(name));
    for (arguments, expected) in [
        (&["net", "info", "-"][..], Some(alone)),
        (
            &["net", "export", "-", "--part", "output-weights"],
            Some(printed(&["net", "export", &one, "--part", "output-weights"])),
        ),
        (&["net", "verify", "-", "--positions", "50"], Some(printed(&["net", "verify", &one, "--positions", "50"]))),
        (&["net", "quantise", "-", &quantised], None),
        (&["net", "average", &mean, "-", &other], None),
    ] {
        let output = fed(arguments, &bytes);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(expected.is_none_or(|text| text.as_bytes() == output.stdout), "{arguments:?}");
    }
    let nothing = fed(&["net", "info", "-"], b"");
    let told = String::from_utf8_lossy(&nothing.stderr);
    assert!(told.starts_with("saavedra: standard input: ") && told.lines().count() == 1, "{told}");
}

#[test]
fn without_a_file_the_built_in_network_is_exported() {
    let rows = printed(&["net", "export", "--part", "output-biases"]);
    let info: serde_json::Value = serde_json::from_str(&printed(&["net", "info", "--json"])).expect("one JSON object");
    assert_eq!(Some(rows.lines().count() as u64), info["output_buckets"].as_u64());
}

#[test]
fn networks_of_all_shapes_say_the_same_with_all_instructions() {
    for (number, hidden, kings, outputs) in [("1", "512", "4", "8"), ("2", "1024", "1", "8"), ("3", "768", "32", "1")] {
        let shape = ["--width", hidden, "--king-buckets", kings, "--output-buckets", outputs];
        let folder = Folder::new();
        let network = random_network(&folder, &format!("shape-{number}"), &shape);
        printed(&["net", "verify", &network, "--positions", "400"]);
    }
}

#[test]
fn numbers_are_exported_with_what_they_belong_to() {
    let folder = Folder::new();
    // An earlier version called the width so.
    let network = random_network(&folder, "exported", &["--hidden", "32"]);
    let weights = printed(&["net", "export", &network]);
    assert_eq!(weights.lines().count(), 768);
    let last = weights.lines().last().expect("768 lines");
    assert!(last.starts_with("0,their,king,h8,") && last.split(',').count() == 4 + 32, "{last}");
    let output = printed(&["net", "export", &network, "--part", "output-weights", "--real"]);
    let starts: Vec<&str> = output.lines().map(|line| &line[..6]).collect();
    assert_eq!(starts, ["0,own,", "0,thei"]);
}

#[test]
fn what_is_no_network_is_refused_in_one_line() {
    let folder = Folder::new();
    let network = random_network(&folder, "damaged", &["--width", "32"]);
    let path = &network;
    let bytes = fs::read(path).expect("just written");
    fs::write(path, &bytes[..1_000]).expect("writable");
    let message = complaint(&["net", "info", path], 1);
    assert_eq!(message, format!("saavedra: {path}: the network is cut short: 1000 of {} bytes", bytes.len()));
    let mut damaged = bytes;
    damaged[2_000] ^= 1;
    fs::write(path, &damaged).expect("writable");
    assert!(complaint(&["net", "verify", path], 1).contains("damaged"));
    assert!(complaint(&["bench", "3", "--net", path], 1).contains("damaged"));
    assert!(complaint(&["net", "export", "/nowhere/to/be.found"], 1).contains("cannot be read"));
    assert!(complaint(&["net", "info", "."], 1).contains("not a file"));
    assert!(complaint(&["net", "random", path], 1).contains("cannot write"));
    assert!(complaint(&["net", "random", "--width", "33", "never-written"], 2).contains("multiple of 32"));
    let pairwise = ["net", "random", "--width", "64", "--layers", "pairwise", "never-written"];
    assert!(complaint(&pairwise, 2).contains("multiple of 128"));
}

#[test]
fn the_bench_runs_with_a_network() {
    let folder = Folder::new();
    let network = random_network(&folder, "bench", &["--width", "32"]);
    let nodes = |arguments: &[&str]| {
        let said = printed(arguments);
        said.lines().find(|line| line.starts_with("Bench: ")).map(str::to_owned)
    };
    let judged = nodes(&["bench", "4", "--net", &network]);
    assert_eq!(judged, nodes(&["bench", "4", "--net", &network]));
    assert_ne!(judged, nodes(&["bench", "4"]));
}
