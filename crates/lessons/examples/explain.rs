//! Explains the exchange that a move opens: `cargo run --example explain -- "FEN" Nxe5`.

use std::error::Error;

use saavedra_lessons::Explanation;
use saavedra_lessons::rules::Position;
use saavedra_lessons::rules::see::Values;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let fen = arguments.next().unwrap_or("4k3/8/2n5/4p3/6N1/8/8/4K3 w - - 0 1".to_owned());
    let position: Position = fen.parse()?;
    let mv = position.parse_san(&arguments.next().unwrap_or("Nxe5".to_owned()))?;
    let told = Explanation::new(&position, mv, &Values::default());
    for step in &told.best_line {
        println!("{:<6} balance {:>5}", step.mv, step.balance);
    }
    println!("exhaustive {}, swap {}, table {:?}, look-up {:?}", told.exhaustive, told.swap, told.table, told.lookup);
    Ok(())
}
