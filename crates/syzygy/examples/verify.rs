//! Compares all tablebases of some folders with their checksums: `cargo run --release --example verify -- FOLDERS`.

use std::error::Error;

use saavedra_syzygy::Syzygy;

fn main() -> Result<(), Box<dyn Error>> {
    let tables = Syzygy::open(&std::env::args().nth(1).ok_or("which folders?")?)?;
    let damaged = tables.verify();
    for table in &damaged {
        println!("{table}");
    }
    println!("{} endings, {} damaged files", tables.tables(), damaged.len());
    if damaged.is_empty() { Ok(()) } else { Err("tables are damaged".into()) }
}
