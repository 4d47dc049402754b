//! Makes the table of openings from the files of lichess-org/chess-openings:
//! `cargo run -p saavedra-records --example eco -- a.tsv b.tsv c.tsv d.tsv e.tsv > crates/records/data/eco.tsv`

use std::error::Error;
use std::fs;

use saavedra_records::eco::{self, OpeningLine};

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = Vec::new();
    for path in std::env::args().skip(1) {
        for row in fs::read_to_string(&path)?.lines().skip(1) {
            let fields: Vec<&str> = row.split('\t').collect();
            let [eco, name, pgn] = fields[..] else { return Err(format!("{path}: {row:?}").into()) };
            let moves: Vec<&str> = pgn.split(' ').filter(|word| !word.ends_with('.')).collect();
            lines.push(OpeningLine::new(&moves, eco, name)?);
        }
    }
    print!("{}", eco::write(lines));
    Ok(())
}
