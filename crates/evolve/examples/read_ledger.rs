//! Lists the attempts of a run of `saavedra evolve`: `cargo run --example read_ledger -- FOLDER`.

use std::path::PathBuf;

use saavedra_evolve::{Failure, Ledger};

fn main() -> Result<(), Failure> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or(".".to_owned()));
    let ledger = Ledger::open(&folder)?;
    for entry in &ledger.entries {
        println!("{:>4}  {:<9}  {}", entry.attempt, entry.verdict.word(), entry.plan.train);
    }
    let champion = ledger.champion().map_or("none".to_owned(), |entry| entry.attempt.to_string());
    println!("champion: {champion}");
    Ok(())
}
