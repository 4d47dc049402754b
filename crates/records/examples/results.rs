//! Counts the results in a PGN file: `cargo run --example results -- games.pgn`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;

use saavedra_records::pgn;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let mut results = BTreeMap::new();
    for game in pgn::games(BufReader::new(File::open(path)?)) {
        match game {
            Ok(game) => *results.entry(game.result().to_string()).or_insert(0) += 1,
            Err(error) => eprintln!("{error}"),
        }
    }
    for (result, count) in results {
        println!("{result:<8} {count}");
    }
    Ok(())
}
