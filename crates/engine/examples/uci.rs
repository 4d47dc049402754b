//! A UCI engine on standard input and output: Saavedra, or any mind that is named, as in `cargo run --example uci
//! minimax`.

use minds::MindSpec;
use saavedra_engine::{MindEngine, SearchEngine, run_here};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match std::env::args().nth(1) {
        None => run_here(SearchEngine::new())?,
        Some(mind) => run_here(MindEngine::new(mind.parse::<MindSpec>()?.build(1)?))?,
    }
    Ok(())
}
