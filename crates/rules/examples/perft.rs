//! Counts the leaves below each move: `cargo run --release --example perft -- 6 "FEN"`.

use std::error::Error;

use saavedra_rules::{Perft, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(4), |text| text.parse())?;
    let position = arguments.next().map_or(Ok(Position::initial()), |fen| fen.parse())?;
    let mut total = 0;
    for (mv, count) in Perft::new().divide(&position, depth)? {
        println!("{}: {count}", position.uci(mv));
        total += count;
    }
    println!("{total}");
    Ok(())
}
