//! Asks tablebases about a position: `cargo run --example probe -- FOLDER "FEN"`.

use std::error::Error;

use saavedra_syzygy::Syzygy;
use saavedra_syzygy::search::Tablebase;

fn main() -> Result<(), Box<dyn Error>> {
    let [folder, fen] = [1, 2].map(|index| std::env::args().nth(index));
    let tables = Syzygy::open(&folder.ok_or("which folder?")?)?;
    let position = fen.ok_or("which position?")?.parse()?;
    match tables.result(&position) {
        Some(result) => println!("{result:?}, {:?} plies", tables.distance(&position)),
        None => println!("not in the tables"),
    }
    for ranked in tables.rank_moves(&position, true).unwrap_or_default() {
        println!("{} {:?} {}", position.san(ranked.mv), ranked.result, ranked.rank);
    }
    Ok(())
}
