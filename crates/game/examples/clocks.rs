//! Plays moves that take three seconds each and prints the clocks: `cargo run --example clocks -- 1m+2s e4 e5 Nf3`.

use std::error::Error;
use std::time::{Duration, Instant};

use saavedra_game::rules::{ByColor, Color, Game};
use saavedra_game::{GameSession, GameSetup, Player, TimeControl, clock_text};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let time: TimeControl = arguments.next().unwrap_or("1m+2s".to_owned()).parse()?;
    let players = ByColor { white: Player::human("Ada"), black: Player::human("Bea") };
    let mut now = Instant::now();
    let setup = GameSetup { time: Some(time), ..GameSetup::new(Game::default(), players) };
    let mut session = GameSession::new(setup, now);
    for san in arguments {
        now += Duration::from_secs(3);
        let mv = session.position().parse_san(&san)?;
        session.play(mv, now)?;
        let left = Color::ALL.map(|color| session.remaining(color, now).map_or("no clock".to_owned(), clock_text));
        println!("{san:<6} white {}, black {}", left[0], left[1]);
    }
    Ok(())
}
