//! What a game costs besides thinking: `overhead [MIND [GAMES]]`.
//!
//! A mind that does not think plays against itself, and all time that it does not account for is ours. Without a mind,
//! the random one does.
//!
//! ```text
//! cargo run --release --package saavedra-arena --example overhead
//! cargo run --release --package saavedra-arena --example overhead uci:PROGRAM 50
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use minds::MindSpec;
use rules::{ByColor, Color, Game};
use saavedra_arena::{Terms, TimeControl, referee};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let spec: MindSpec = arguments.next().as_deref().unwrap_or("random").parse()?;
    let most_games: u64 = arguments.next().as_deref().unwrap_or("5000").parse()?;
    let times = ByColor::new_with(|_| TimeControl::Nodes(1));
    let (terms, stop) = (Terms::default(), Arc::default());
    let is_outside = matches!(spec, MindSpec::Program(_));
    let mut minds = [spec.build(0)?, spec.build(1)?];
    let (mut plies, mut bytes, mut thinking) = (0, 0, Duration::ZERO);
    let began = Instant::now();
    for game in 0..most_games {
        if !is_outside {
            minds = [spec.build(game)?, spec.build(!game)?];
        }
        let [white, black] = &mut minds;
        let players = ByColor { white: &mut **white, black: &mut **black };
        let record = referee::play(players, times, &Game::default(), &terms, &stop).expect("it is not stopped");
        assert_ne!(record.culprit(), Some(Color::White), "{:?}", record.fault);
        plies += record.moves.len();
        thinking += record.thoughts.iter().map(|thought| thought.time).sum();
        bytes += serde_json::to_string(&record)?.len();
    }
    let seconds = began.elapsed().as_secs_f64();
    let overhead = (seconds - thinking.as_secs_f64()) * 1e6 / plies as f64;
    println!("{:.0} games a second of {} plies", most_games as f64 / seconds, plies as u64 / most_games);
    println!("{overhead:.1} microseconds a move besides thinking, {} bytes a game", bytes as u64 / most_games);
    Ok(())
}
