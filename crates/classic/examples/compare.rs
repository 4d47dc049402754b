//! Counts the same tree on every board, in bulk and by kind of move: `cargo run --release --example compare -- 4`.

use std::error::Error;
use std::time::Instant;

use saavedra_classic::BoardKind;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The best of this many rounds counts.
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(3), |text| text.parse())?;
    println!("board                  leaves     seconds  with counters  times as long");
    for kind in BoardKind::ALL {
        let (mut leaves, mut bulk, mut counted) = (0, f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            let start = Instant::now();
            leaves = kind.perft(START, depth)?;
            bulk = start.elapsed().as_secs_f64().min(bulk);
            let start = Instant::now();
            assert_eq!(kind.counters(START, depth)?.nodes, leaves);
            counted = start.elapsed().as_secs_f64().min(counted);
        }
        println!("{:<16} {leaves:>12} {bulk:>11.4} {counted:>14.4} {:>14.1}", kind.to_string(), counted / bulk);
    }
    Ok(())
}
