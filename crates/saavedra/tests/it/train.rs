//! `saavedra train`, as a user meets it: games in, a network out.

use std::fs;
use std::path::Path;

use crate::common::{Folder, complaint, printed, saavedra};
use records::GameResult;
use records::packed::{PackedGame, Ply, Writer};
use rules::{Position, Role};
use testkit::Random;

/// Random games whose scores are the material.
fn write_games(path: impl AsRef<Path>, games: usize) {
    let mut random = Random::new(3);
    let mut writer = Writer::create(path).expect("the file is new");
    for _ in 0..games {
        let start = Position::initial();
        let (mut position, mut plies) = (start, Vec::new());
        while plies.len() < 100 && position.has_legal_moves() {
            let mv = *random.pick(&position.legal_moves());
            plies.push(Ply { mv, score: material(&position) });
            position = position.play_unchecked(mv);
        }
        let result = match material(&position) {
            score if score > 200 => GameResult::WhiteWins,
            score if score < -200 => GameResult::BlackWins,
            _ => GameResult::Draw,
        };
        writer.write(&PackedGame::new(start, plies, result).expect("the moves are legal")).expect("it can be written");
    }
    writer.flush().expect("it can be written");
}

fn material(position: &Position) -> i16 {
    let worth = [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 300), (Role::Rook, 500), (Role::Queen, 900)];
    let count = |role, color| position.pieces(role, color).count() as i16;
    worth
        .iter()
        .map(|&(role, worth)| worth * (count(role, rules::Color::White) - count(role, rules::Color::Black)))
        .sum()
}

#[test]
fn games_become_a_network_that_the_engine_reads() {
    let folder = Folder::new();
    let [games, net, plot] = ["games.svd", "net.nnue", "loss.svg"].map(|name| folder.file(name));
    write_games(&games, 300);
    let small = [
        "--width",
        "32",
        "--batch",
        "128",
        "--device",
        "cpu",
        "--lambda",
        "0",
        "--rate",
        "5e-3",
        "--validation",
        "0.1",
    ];
    let mut command = vec!["train", &games, "--out", &net, "--epochs", "3", "--plot", &plot];
    command.extend(small);
    let text = printed(&command);
    for part in
        ["games     300, ", " positions\nskipped   ", "epoch   3 of 3: loss 0.", "written   ", "million samples"]
    {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(fs::read_to_string(&plot).expect("the plot is there").contains("validation"));
    let info = printed(&["net", "info", &net]);
    assert!(info.contains("32") && info.contains("trained on"), "{info}");
    printed(&["net", "verify", &net]);

    // Again, as a finer touch on the first: another file, and what happened as JSON.
    let tuned = folder.file("tuned.nnue");
    let mut command = vec!["train", &games, "--out", &tuned, "--from", &net, "--epochs", "1", "--json"];
    command.extend(&small[2..]);
    let json: serde_json::Value = serde_json::from_str(&printed(&command)).expect("one JSON object");
    assert_eq!((json["games"].as_u64(), json["epochs"].as_array().map(Vec::len)), (Some(300), Some(1)));
    assert!(json["held_out_loss"].as_f64().is_some_and(|loss| loss < 0.05), "{json}");
    assert!(complaint(&command, 2).contains("tuned.nnue exists already"));
}

#[test]
fn buckets_are_learned_from_random_weights_or_cut_from_those_of_another_network() {
    let folder = Folder::new();
    let [games, one, many, alone] = ["games.svd", "one.nnue", "many.nnue", "alone.nnue"].map(|name| folder.file(name));
    write_games(&games, 40);
    let small = ["--batch", "256", "--device", "cpu", "--epochs", "2"];
    let train = |out: &str, more: &[&str]| {
        printed(&[&["train", &games, "--out", out][..], &small, more].concat());
        printed(&["net", "verify", out, "--positions", "200"]);
        printed(&["net", "info", out])
    };
    let layout = "0011/2222/3333/3333/3333/3333/3333/3333";
    let info = train(&one, &["--hidden", "32", "--king-buckets", layout, "--epoch-size", "500", "--final-epochs", "1"]);
    assert!(info.contains("(768x4 -> 32)x2 -> 1\n") && info.contains("  0  0  1  1\n"), "{info}");
    let info = train(&many, &["--from", &one, "--king-buckets", "8", "--output-buckets", "4", "--average", "2"]);
    assert!(info.contains("(768x8 -> 32)x2 -> 1x4\n"), "{info}");
    // What the buckets share shows in the result.
    train(&alone, &["--from", &one, "--king-buckets", "8", "--output-buckets", "4", "--no-factoriser"]);
    assert_ne!(fs::read(&many).expect("it is there"), fs::read(&alone).expect("it is there"));
}

#[test]
fn pairwise_networks_are_trained_verified_and_gone_on_from() {
    let folder = Folder::new();
    let [games, net, tuned] = ["games.svd", "net.nnue", "tuned.nnue"].map(|name| folder.file(name));
    write_games(&games, 40);
    let small = ["--batch", "256", "--device", "cpu", "--epochs", "1"];
    let pairwise = ["--layers", "pairwise", "--width", "128", "--output-buckets", "2"];
    let text = printed(&[&["train", &games, "--out", &net][..], &small, &pairwise].concat());
    assert!(text.contains(" % of pairs active, ") && text.contains("-> pairwise -> 16 -> 32 -> 1x2\n"), "{text}");
    printed(&["net", "verify", &net, "--positions", "200"]);
    let json = printed(&[&["train", &games, "--out", &tuned, "--from", &net, "--json"][..], &small].concat());
    let json: serde_json::Value = serde_json::from_str(&json).expect("one JSON object");
    let share = json["epochs"][0]["active_pairs"].as_f64();
    assert!(share.is_some_and(|share| share > 0.0 && share < 1.0), "{json}");
    let message =
        complaint(&["train", &games, "--out", &folder.file("narrow"), "--layers", "pairwise", "--width", "64"], 2);
    assert!(message.contains("a multiple of 128"), "{message}");
}

#[test]
fn float_weights_lie_beside_the_network_and_can_be_trained_on_from() {
    let folder = Folder::new();
    let [games, net, trunk, again] = ["games.svd", "net.nnue", "net.trunk", "again.nnue"].map(|name| folder.file(name));
    write_games(&games, 40);
    let small = ["--batch", "256", "--device", "cpu", "--epochs", "1", "--json"];
    let pairwise = ["--layers", "pairwise", "--width", "128", "--penalty", "1e-4"];
    let json = printed(&[&["train", &games, "--out", &net][..], &small, &pairwise].concat());
    let json: serde_json::Value = serde_json::from_str(&json).expect("one JSON object");
    assert_eq!((&json["trunk"], &json["scale"]), (&trunk.as_str().into(), &1.0.into()));
    assert!(json["active_groups"].as_f64().is_some_and(|share| share > 0.0 && share <= 1.0), "{json}");
    let told = printed(&["net", "quantise", &trunk, &again]);
    // An earlier version called it so.
    complaint(&["net", "round", &trunk, &again], 1);
    assert!(told.contains("evaluation scale 1.0000, ") && told.contains(" % of groups active"), "{told}");
    assert_eq!(fs::read(&again).expect("a network"), fs::read(&net).expect("a network"));

    // The mean of a network with itself evaluates as it does; a network counts as its quantised weights.
    let [mean, mean_net] = ["mean.trunk", "mean.nnue"].map(|name| folder.file(name));
    printed(&["net", "average", &mean, &format!("{net}=0.25"), &format!("{net}=0.75")]);
    printed(&["net", "quantise", &mean, &mean_net]);
    let text = printed(&["net", "info", &mean_net]);
    assert!(text.contains("mean: 0.25 of net.nnue, 0.75 of net.nnue"), "{text}");
    assert!(complaint(&["net", "average", &folder.file("none.trunk"), &format!("{net}=0")], 2).contains("above 0"));

    let grown = folder.file("grown.nnue");
    let more = ["--from", &trunk, "--width", "256", "--king-buckets", "2", "--reference", &net];
    let json = printed(&[&["train", &games, "--out", &grown][..], &small, &more].concat());
    assert!(json.contains("(768x2 -> 256)x2 -> pairwise"), "{json}");
    for (more, expected) in [
        (&["--from", &grown, "--width", "128"][..], "width 128: the network it starts from has 256 neurons"),
        (&["--reference", &games], "games.svd"),
    ] {
        let message = saavedra(&[&["train", &games, "--out", &folder.file("none.nnue")][..], &small, more].concat());
        let message = String::from_utf8_lossy(&message.stderr).into_owned();
        assert!(message.contains(expected), "{message}");
    }
    let message = complaint(&["train", &games, "--out", &folder.file("net2.trunk")], 2);
    assert!(message.contains("this is where its float weights would be written"), "{message}");
}

#[test]
fn a_training_resumes_from_its_checkpoint_and_ends_the_same() {
    let folder = Folder::new();
    let games = folder.file("games.svd");
    write_games(&games, 60);
    let train = |net: &str, checkpoint: &str, epochs: &str, more: &[&str]| {
        let (net, checkpoint) = (folder.file(net), folder.file(checkpoint));
        let mut command = vec!["train", &games, "--out", &net, "--width", "32", "--batch", "256", "--device", "cpu"];
        command.extend(["--checkpoint", &checkpoint, "--epochs", epochs]);
        command.extend(more);
        (saavedra(&command), fs::read(net).ok())
    };
    let (_, whole) = train("whole.nnue", "whole.checkpoint", "2", &[]);
    // What a finished training has left can be resumed as well: there is nothing to do but to choose.
    let (_, resumed) = train("resumed.nnue", "whole.checkpoint", "2", &["--resume"]);
    assert!(whole.is_some() && whole == resumed);
    let (output, none) = train("other.nnue", "whole.checkpoint", "2", &[]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(none.is_none() && message.contains("exists already; use --resume to continue it"), "{message}");
    let (output, none) = train("other.nnue", "whole.checkpoint", "2", &["--resume", "--king-buckets", "2"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(none.is_none() && message.contains("was made with other sizes of the network"), "{message}");
    let (output, none) = train("other.nnue", "whole.checkpoint", "3", &["--resume"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(none.is_none() && message.contains("was made with other settings"), "{message}");
    let checkpoint = folder.file("whole.checkpoint");
    let mut bytes = fs::read(&checkpoint).expect("the checkpoint is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    fs::write(&checkpoint, bytes).expect("it can be written");
    let (output, none) = train("other.nnue", "whole.checkpoint", "2", &["--resume"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(none.is_none() && message.contains("the checkpoint is damaged"), "{message}");
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let folder = Folder::new();
    let [games, net, text] = ["games.svd", "net.nnue", "notes.txt"].map(|name| folder.file(name));
    write_games(&games, 2);
    fs::write(&text, "not games").expect("it can be written");
    let missing = folder.file("missing.svd");
    assert!(complaint(&["train", &missing, "--out", &net], 1).contains("cannot read"));
    assert!(complaint(&["train", &text, "--out", &net], 1).contains("not a file of packed games"));
    assert!(complaint(&["train", &games, "--out", &net, "--width", "100"], 2).contains("100"));
    assert!(complaint(&["train", &games, "--out", &net, "--king-buckets", "3"], 2).contains("3 king buckets"));
    let gap = "02".repeat(16);
    let unused = complaint(&["train", &games, "--out", &net, "--king-buckets", &gap], 2);
    assert!(unused.contains("no square has king bucket 1"), "{unused}");
    assert!(complaint(&["train", &games, "--out", &net, "--lambda", "2"], 2).contains("from 0 to 1"));
    assert!(complaint(&["train", &games, "--out", &net, "--resume"], 2).contains("--checkpoint"));
    assert!(complaint(&["train", &games, "--out", &net, "--skip", "1000"], 1).contains("the filter keeps none of"));
    assert!(complaint(&["train", &games, "--out", "/nowhere/at/all/net"], 2).contains("no folder"));
    assert!(complaint(&["train", "--out", &net], 2).contains("DATA"));
    assert!(!Path::new(&net).exists());
}

#[test]
fn a_machine_without_a_gpu_says_so() {
    let folder = Folder::new();
    let [games, net] = ["games.svd", "net.nnue"].map(|name| folder.file(name));
    write_games(&games, 2);
    let output = saavedra(&["train", &games, "--out", &net, "--device", "gpu", "--width", "32", "--epochs", "1"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() || message.starts_with("saavedra: there is no CUDA GPU here: "), "{message}");
}
