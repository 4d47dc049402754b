//! Evaluates a position and each move in it: `cargo run --release --example evaluate -- net.nnue "FEN"`.
//! Without a file the network has random weights.

use std::error::Error;
use std::fs;
use std::sync::Arc;

use saavedra_nnue::rules::Position;
use saavedra_nnue::{Accumulators, Architecture, Network};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let network = match arguments.next() {
        Some(file) => Network::read(&fs::read(file)?)?,
        None => Network::random(1, Architecture::new(64)?),
    };
    let position: Position = arguments.next().map_or(Ok(Position::initial()), |fen| fen.parse())?;
    let mut accumulators = Accumulators::new(Arc::new(network));
    accumulators.reset(&position);
    println!("{:+} centipawns for the player to move", accumulators.evaluate(&position));
    for &mv in &position.legal_moves() {
        let next = position.play_unchecked_observed(mv, accumulators.push());
        println!("{:<7} {:+}", position.san(mv), -accumulators.evaluate(&next));
        accumulators.pop();
    }
    Ok(())
}
