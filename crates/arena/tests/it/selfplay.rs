//! Self-play: the same games whatever the number of threads and interruptions, and nothing but legal games.
//!
//! No test of this program starts others: between fork and exec they would hold our locks.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use records::GameResult;
use records::packed::{PackedGame, Reader};
use saavedra_arena::selfplay::{Goal, SelfPlay, SelfPlayError, SelfPlayProgress, SelfPlaySettings, recipe_path};
use search::{AnyEvaluator, PieceSquare};

fn quick() -> SelfPlaySettings {
    SelfPlaySettings { nodes: 10, hard_nodes: 200, hash: 1, ..SelfPlaySettings::default() }
}

fn make(
    path: &Path,
    settings: &SelfPlaySettings,
    goal: Goal,
    threads: usize,
) -> Result<SelfPlayProgress, SelfPlayError> {
    let evaluator = &AnyEvaluator::PieceSquare(PieceSquare::new());
    SelfPlay { path, settings, evaluator, goal, threads }.run(&AtomicBool::new(false), &mut |_| ())
}

fn games(path: &Path) -> Vec<PackedGame> {
    Reader::open(path).expect("a file of games").collect::<Result<_, _>>().expect("all games are legal")
}

#[test]
fn a_file_does_not_depend_on_threads_and_interruptions() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, threaded, pieces) =
        (folder.path().join("whole"), folder.path().join("threaded"), folder.path().join("pieces"));
    // More than one block of games.
    let goal = Goal::Positions(17_500);
    let progress = make(&whole, &quick(), goal, 1).expect("games");
    assert!(progress.is_complete && progress.done.positions >= 17_500);
    make(&threaded, &quick(), goal, 3).expect("games");
    let expected = fs::read(&whole).expect("a file");
    assert!(expected == fs::read(&threaded).expect("a file"), "three threads make another file");

    // Stopped early, cut as a crash cuts, stopped again, and finished with another number of threads.
    make(&pieces, &quick(), Goal::Games(5), 2).expect("games");
    let bytes = fs::read(&pieces).expect("a file");
    fs::write(&pieces, &bytes[..bytes.len() - 7]).expect("it can be written");
    let evaluator = &AnyEvaluator::PieceSquare(PieceSquare::new());
    let stop = AtomicBool::new(false);
    let stopped = SelfPlay { path: &pieces, settings: &quick(), evaluator, goal, threads: 2 }
        .run(&stop, &mut |progress| stop.store(progress.done.games > 20, Ordering::Relaxed))
        .expect("games");
    assert_eq!(stopped.before.games, 0, "the only block was torn");
    let resumed = make(&pieces, &quick(), goal, 1).expect("games");
    assert_eq!(resumed.before, stopped.done);
    assert!(expected == fs::read(&pieces).expect("a file"), "interruptions make another file");
    assert_eq!(make(&pieces, &quick(), goal, 1).expect("enough games").done, resumed.done);
}

#[test]
fn games_are_legal_differ_and_end_in_all_ways() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    make(&path, &SelfPlaySettings { seed: 5, ..quick() }, Goal::Games(60), 2).expect("games");
    let mut games = games(&path);
    assert_eq!(games.len(), 60);
    for result in GameResult::ALL {
        assert!(games.iter().any(|game| game.result() == result), "no game ended {result}");
    }
    // The first move that is not random is the ninth or the tenth.
    let is_open = |game: &PackedGame| game.plies()[8..10].iter().any(|ply| ply.score.abs() <= 1_000);
    assert!(games.iter().all(|game| game.plies().len() > 9 && is_open(game)));
    games.sort_by_key(|game| game.plies().iter().map(|ply| ply.mv.bits()).collect::<Vec<_>>());
    games.dedup();
    assert_eq!(games.len(), 60, "every number has a game of its own");
}

#[test]
fn other_settings_and_damage_are_refused_in_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    make(&path, &quick(), Goal::Games(3), 1).expect("games");
    let before = fs::read(&path).expect("a file");
    let complaint =
        |settings: &SelfPlaySettings| make(&path, settings, Goal::Games(4), 1).expect_err("refused").to_string();
    let message = complaint(&SelfPlaySettings { nodes: 40, ..quick() });
    assert!(message.ends_with("was made with other settings: nodes was 10, not 40"), "{message}");
    let message = complaint(&SelfPlaySettings { seed: 2, ..quick() });
    assert!(message.ends_with("seed was 1, not 2"), "{message}");
    fs::remove_file(recipe_path(&path)).expect("it can be removed");
    assert!(complaint(&quick()).contains("is missing, which says how the games were made"));
    assert!(before == fs::read(&path).expect("a file"), "nothing is lost");
    fs::write(&path, "a letter").expect("it can be written");
    fs::write(recipe_path(&path), "{}").expect("it can be written");
    let refused = make(&path, &quick(), Goal::Games(4), 1).expect_err("refused");
    let cause = std::error::Error::source(&refused).expect("a cause").to_string();
    assert!(refused.to_string().contains(".json") && cause.contains("missing field"), "{refused}: {cause}");
}
