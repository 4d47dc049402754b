//! Whatever a program does wrong, it loses, the record says why, and the next game can be played.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use minds::{GameEnd, Mind, MindSpec, RandomMind};
use rules::{ByColor, Color, Game};
use saavedra_arena::{EndReason, GameRecord, Terms, referee};

/// The program that misbehaves on request. `cargo test` builds it beside the tests; `cargo test --test it` does
/// not build examples, and meets whatever was built last.
fn unruly_player() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let profile = test.parent().and_then(Path::parent).expect("tests are in the folder `deps` of the profile");
    let program = profile.join("examples").join(format!("unruly_player{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is missing: `cargo build --examples` builds it", program.display());
    program
}

fn unruly(behaviour: &str) -> Box<dyn Mind> {
    let spec: MindSpec = format!("uci:'{}' {behaviour}", unruly_player().display()).parse().expect("a mind");
    spec.build(0).expect("a mind")
}

/// The program has Black, and a time that it keeps if it behaves, on any machine.
fn game_against(player: &mut dyn Mind, time: &str, grace: Duration) -> GameRecord {
    let terms = Terms { grace: Some(grace), ..Terms::default() };
    let times = ByColor { white: "nodes=1".parse().expect("nodes"), black: time.parse().expect("a time control") };
    let mut opponent = RandomMind::new(3);
    let minds = ByColor { white: &mut opponent as &mut dyn Mind, black: player };
    referee::play(minds, times, &Game::default(), &terms, &Arc::default()).expect("it is not stopped")
}

fn ample() -> Duration {
    Duration::from_secs(60)
}

#[test]
fn a_program_that_behaves_plays_to_the_end_and_is_timed_at_the_pipe() {
    let record = game_against(&mut *unruly("fine"), "600", ample());
    assert!(!record.reason.is_fault(), "{:?}", record.fault);
    assert_eq!(record.thoughts.len(), record.moves.len());
    let own = record.thoughts.iter().skip(1).step_by(2);
    assert!(own.clone().all(|thought| thought.depth == 5 && thought.nodes == 99 && !thought.time.is_zero()));
    assert!(own.clone().all(|thought| thought.score.map(minds::Score::value) == Some(12)));
}

#[test]
fn every_misdeed_loses_with_its_reason_and_the_last_output() {
    let short = Duration::from_millis(100);
    for (behaviour, time, grace, reason, said) in [
        ("exit", "600", ample(), EndReason::DidNotStart, "exit status: 1"),
        ("crash", "600", ample(), EndReason::Crashed, "out of cheese"),
        ("illegal", "600", ample(), EndReason::IllegalMove, "\"e2e5\""),
        ("hang", "move=0.1", short, EndReason::OutOfTime, "I am thinking"),
        ("flood", "move=0.1", short, EndReason::OutOfTime, "there is no end to this"),
        ("late", "move=0.1", ample(), EndReason::OutOfTime, "Unruly answered 0."),
    ] {
        let mut player = unruly(behaviour);
        for _ in 0..2 {
            let record = game_against(&mut *player, time, grace);
            assert_eq!((record.ending, record.reason), (GameEnd::Won(Color::White), reason), "{behaviour}");
            assert_eq!(record.culprit(), Some(Color::Black));
            let fault = record.fault.expect("a fault is told");
            assert!(fault.contains(said) && !fault.contains('\n'), "{behaviour}: {fault}");
            assert_eq!(record.thoughts.len(), record.moves.len());
        }
    }
}

#[test]
fn a_program_that_is_not_there_loses_without_a_move() {
    let mut player = "uci:/no/such/program".parse::<MindSpec>().expect("a mind").build(0).expect("a mind");
    let record = game_against(&mut *player, "1+0.1", ample());
    assert_eq!((record.reason, record.moves.len()), (EndReason::DidNotStart, 0));
    assert!(record.fault.is_some_and(|fault| fault.contains("cannot start /no/such/program")));
}

#[test]
fn a_margin_forgives_what_is_late() {
    let terms = Terms { time_margin: ample(), ..Terms::default() };
    let times = ByColor { white: "nodes=1".parse().expect("nodes"), black: "move=0.1".parse().expect("a time") };
    let (mut late, mut opponent) = (unruly("late"), RandomMind::new(1));
    let minds = ByColor { white: &mut opponent as &mut dyn Mind, black: &mut *late };
    // The fifty-move rule ends the game after two plies.
    let opening = "8/8/8/3k4/8/8/3QK3/8 b - - 98 100".parse().expect("a position");
    let record = referee::play(minds, times, &Game::new(opening), &terms, &Arc::default()).expect("it is not stopped");
    assert!(!record.reason.is_fault(), "{:?}", record.fault);
    assert!(record.thoughts[0].time >= Duration::from_millis(400));
}
