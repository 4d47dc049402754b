//! Engines that other people wrote, where they are installed.

use std::path::Path;
use std::time::Duration;

use rules::{Game, Position};
use saavedra_minds::{Allowance, Clock, Control, GameEnd, Mind, MindSpec};

/// Engines of Debian, none of which needs to be there.
const ENGINES: [(&str, &str); 4] = [
    ("/usr/games/stockfish", "uci,Hash=16:/usr/games/stockfish"),
    ("/usr/games/glaurung", "uci:/usr/games/glaurung"),
    ("/usr/games/gnuchess", "uci:/usr/games/gnuchess --uci"),
    ("/usr/games/phalanx", "cecp:/usr/games/phalanx"),
];

fn play(mind: &mut dyn Mind, start: &str, allowance: &Allowance) -> Game {
    let mut game = Game::new(start.parse().expect("a position"));
    mind.new_game(game.start()).expect("an engine that starts");
    for _ in 0..8 {
        let choice = mind.choose(&game, allowance, &Control::new(), &mut ()).expect("a choice");
        game.play(choice.mv().expect("a move")).expect("a legal move");
    }
    mind.end_game(GameEnd::Drawn);
    game
}

#[test]
fn installed_engines_play_by_depth_and_by_clock_from_anywhere() {
    for (program, spec) in ENGINES {
        if !Path::new(program).exists() {
            println!("{program} is not installed: nothing was tested with it");
            continue;
        }
        let mut mind = spec.parse::<MindSpec>().expect("a mind").build(0).expect("a mind");
        let clock = Clock { remaining: Duration::from_secs(2), increment: Duration::ZERO, moves_to_go: None };
        let clocks = Allowance { grace: Duration::from_secs(20), ..Allowance::clocks(clock, clock) };
        // The xboard engines here do not know a limit of depth.
        let limits = if spec.starts_with("uci") { vec![Allowance::depth(3), clocks] } else { vec![clocks] };
        for start in [Position::initial().to_string(), "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1".to_owned()] {
            for allowance in &limits {
                assert_eq!(play(&mut *mind, &start, allowance).moves().len(), 8, "{spec}");
            }
        }
        println!("{} played", mind.name());
    }
}
