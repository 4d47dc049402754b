//! How many complete games a second the referee plays between two minds that do not think: all of it is overhead.
//!
//! `cargo run --release --package saavedra-arena --example games_a_second`

use std::sync::Arc;
use std::time::{Duration, Instant};

use minds::RandomMind;
use rules::{ByColor, Game};
use saavedra_arena::{Terms, TimeControl, referee};

fn main() {
    let times = ByColor::new_with(|_| TimeControl::Nodes(1));
    let (terms, stop) = (Terms::default(), Arc::default());
    let (mut games, mut plies, mut bytes) = (0_u64, 0, 0);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(3) {
        let (mut white, mut black) = (RandomMind::new(games), RandomMind::new(!games));
        let minds = ByColor { white: &mut white as &mut dyn minds::Mind, black: &mut black };
        let record = referee::play(minds, times, &Game::default(), &terms, &stop).expect("nobody stops it");
        plies += record.moves.len();
        bytes += serde_json::to_string(&record).expect("a record can be written").len();
        games += 1;
    }
    let seconds = began.elapsed().as_secs_f64();
    println!("{:.0} games a second, {:.0} plies a second", games as f64 / seconds, plies as f64 / seconds);
    println!("{} plies and {} bytes a game", plies as u64 / games, bytes as u64 / games);
}
