//! The example minds that users start from, run as they would run them.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rules::{Game, MoveKind};
use saavedra_minds::{Allowance, Control, Mind, MindSpec};

/// An example mind, if its interpreter is installed.
fn example(interpreter: &str, script: &str, argument: &str) -> Option<Box<dyn Mind>> {
    if Command::new(interpreter).arg("--version").output().is_err() {
        println!("{interpreter} is not installed: nothing was tested");
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/minds");
    let spec = format!("line:{interpreter} '{}/{script}' {argument}", folder.display());
    Some(spec.parse::<MindSpec>().expect("a mind").build(0).expect("a mind"))
}

/// The game of a mind against itself, checked move by move.
fn play(mind: &mut dyn Mind, mut check: impl FnMut(&Game, rules::Move)) {
    let mut game = Game::default();
    let allowance = Allowance { grace: Duration::from_secs(60), ..Allowance::time(Duration::from_secs(1)) };
    mind.new_game(game.start()).expect("the script starts");
    for _ in 0..100 {
        if game.outcome().is_some() {
            break;
        }
        let mv = mind.choose(&game, &allowance, &Control::new(), &mut ()).expect("a move").mv().expect("a move");
        check(&game, mv);
        game.play(mv).expect("a legal move");
    }
}

#[test]
fn the_python_example_takes_the_most_valuable_piece() {
    let Some(mut mind) = example("python3", "grabber.py", "") else { return };
    let values = [1, 3, 3, 5, 9, 0];
    play(&mut *mind, |game, mv| {
        // What is taken en passant does not stand where the pawn goes.
        let value = |mv: rules::Move| match mv.kind() {
            MoveKind::EnPassant => 0,
            _ => game.position().captured(mv).map_or(0, |(role, _)| values[role as usize]),
        };
        assert_eq!(Some(value(mv)), game.position().legal_moves().iter().map(|&mv| value(mv)).max());
    });
}

#[test]
fn the_javascript_example_goes_to_the_middle() {
    let Some(mut mind) = example("node", "centrist.js", "") else { return };
    play(&mut *mind, |game, mv| {
        let distance = |mv: rules::Move| {
            let target: rules::Square = game.position().uci(mv)[2..4].parse().expect("a square");
            let from_middle = |coordinate: usize| (2 * coordinate).abs_diff(7);
            from_middle(target.file().index()).max(from_middle(target.rank().index()))
        };
        assert_eq!(Some(distance(mv)), game.position().legal_moves().iter().map(|&mv| distance(mv)).min());
    });
}

#[test]
fn the_shell_example_plays_the_first_move_or_the_last() {
    let Some(mut mind) = example("sh", "first.sh", "first") else { return };
    play(&mut *mind, |game, mv| assert_eq!(Some(&mv), game.position().legal_moves().first()));
    let Some(mut mind) = example("sh", "first.sh", "last") else { return };
    play(&mut *mind, |game, mv| assert_eq!(Some(&mv), game.position().legal_moves().last()));
}
