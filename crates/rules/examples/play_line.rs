//! Plays moves from the starting position and tells how it ended: `cargo run --example play_line -- f3 e5 g4 Qh4`.

use std::error::Error;

use saavedra_rules::Game;

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::default();
    for san in std::env::args().skip(1) {
        let mv = game.position().parse_san(&san)?;
        game.play(mv)?;
    }
    println!("{:?}", game.position());
    match (game.outcome(), game.claimable_draw()) {
        (Some(outcome), _) => println!("{outcome}"),
        (None, Some(reason)) => println!("a draw may be claimed: {reason}"),
        (None, None) => println!("{} to move", game.position().turn()),
    }
    Ok(())
}
