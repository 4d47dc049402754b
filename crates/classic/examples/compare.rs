//! Counts the same tree on every board: `cargo run --release --example compare -- 4`.

use std::error::Error;
use std::time::Instant;

use saavedra_classic::Kind;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(3), |text| text.parse())?;
    for kind in Kind::ALL {
        let start = Instant::now();
        let leaves = kind.perft(START, depth)?;
        println!("{:<16} {leaves:>12} leaves in {:.3} s", kind.to_string(), start.elapsed().as_secs_f64());
    }
    Ok(())
}
