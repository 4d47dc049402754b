//! python-chess reads the same games as we do: tags, moves, variations, comments, glyphs, clocks, evaluations and where
//! each game ends.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use crate::support::random_tree;
use saavedra_records::pgn::{self, Evaluation, Flaw, GameTree, Nag, NodeId};

fn is_python_there() -> bool {
    let check = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    let is_there = check.is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("skipped: there is no python3 with the module chess");
    }
    is_there
}

fn as_python_reads(file: &Path) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/witness.py");
    let output = Command::new("python3")
        .args(["-X", "utf8", script])
        .arg(file)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3 is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the script writes UTF-8")
}

fn as_we_read(file: &Path) -> String {
    let mut games = pgn::games(File::open(file).expect("the file is there"));
    let mut told = String::new();
    while let Some((tree, problem)) = games.next_game().expect("the file can be read") {
        let is_expected = problem.as_ref().is_none_or(|problem| matches!(problem.flaw, Flaw::Pass(_)));
        assert!(is_expected, "{}: {problem:?}", file.display());
        tell(&tree, &mut told);
    }
    told
}

/// Tells a game as the script does.
fn tell(tree: &GameTree, told: &mut String) {
    let mut line = |text: String| {
        told.push_str(text.trim_end());
        told.push('\n');
    };
    line("game".to_owned());
    for (name, value) in tree.tags.roster().chain(tree.tags.others()) {
        line(format!("tag {name} {value}"));
    }
    line(format!("root {}", tree.node(NodeId::ROOT).comments().join(" ")));
    // What comes next is last: a line to follow, or a variation to begin.
    let mut tasks = vec![(NodeId::ROOT, 0, false)];
    while let Some((id, depth, is_variation)) = tasks.pop() {
        let mut tell_move = |id: NodeId, depth: usize| {
            let node = tree.node(id);
            let before = tree.position(node.parent().expect("a move is played somewhere"));
            let mut nags: Vec<u8> = node.nags.iter().map(|&Nag(number)| number).collect();
            nags.sort_unstable();
            nags.dedup();
            let eval = node.eval.map(|eval| match eval.score {
                Evaluation::Centipawns(value) => value.to_string(),
                Evaluation::Mate(moves) => format!("#{moves}"),
            });
            let or_none = |value: Option<String>| value.unwrap_or_else(|| "None".to_owned());
            let clock = or_none(node.clock.map(|time| time.as_millis().to_string()));
            let elapsed = or_none(node.elapsed.map(|time| time.as_millis().to_string()));
            let san = before.san(node.mv().expect("a move"));
            line(format!("move {depth} {san} {nags:?} {clock} {elapsed} {}", or_none(eval)));
            line(format!("before {}", node.comments_before().join(" ")));
            line(format!("after {}", node.comments().join(" ")));
        };
        if is_variation {
            tell_move(id, depth);
        }
        let Some((&main, variations)) = tree.node(id).children().split_first() else { continue };
        tell_move(main, depth);
        tasks.push((main, depth, false));
        tasks.extend(variations.iter().rev().map(|&variation| (variation, depth + 1, true)));
    }
    line(format!("end {}", tree.game().position()));
}

fn assert_agreement(file: &Path) {
    let (ours, theirs) = (as_we_read(file), as_python_reads(file));
    let theirs = theirs.lines().map(str::trim_end);
    for (number, (our, their)) in ours.lines().zip(theirs.clone()).enumerate() {
        assert_eq!(our, their, "{}, line {} of what is told", file.display(), number + 1);
    }
    assert_eq!(ours.lines().count(), theirs.count(), "{}", file.display());
    assert!(ours.lines().count() > 10, "{}", file.display());
}

#[test]
fn python_reads_the_same_in_real_files() {
    let Some(folder) = testkit::data_file("pgn") else {
        eprintln!("skipped: there is no folder of PGN files");
        return;
    };
    if !is_python_there() {
        return;
    }
    let files = fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "pgn")) {
        assert_agreement(&file);
    }
}

#[test]
fn python_reads_the_same_in_files_that_we_write() {
    if !is_python_there() {
        return;
    }
    let file = tempfile::NamedTempFile::new().expect("a temporary file").into_temp_path();
    let games: String = (1_000..1_030).map(|seed| format!("{}\n", random_tree(seed))).collect();
    fs::write(&file, games).expect("a temporary file can be written");
    assert_agreement(&file);
}
