//! The founding document's four minds, written with nothing but the position services.
//!
//! It speaks the document's world protocol: a FEN a line in, two square numbers out, and `0,0` for what cannot be read.
//! So it can play: `saavedra match minimax "world:target/release/examples/minds minimax"`, or by hand:
//!
//! ```text
//! echo "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1" | cargo run --release --example minds -- alphabeta
//! ```

mod minds;

use std::error::Error;
use std::io::{self, Write};

use minds::Mind;
use saavedra_classic::services::Services;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let mut mind = Mind::named(&name).ok_or("expected random, capture, minimax or alphabeta")?;
    for line in io::stdin().lines() {
        let chosen = Services::read_fen(line?.trim()).ok().and_then(|mut world| mind.choose(&mut world));
        let answer = chosen.map_or("0,0".to_owned(), |mv| format!("{},{}", mv.from, mv.to));
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}
