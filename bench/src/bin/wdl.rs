//! Fits the win/draw/loss model to a file of packed games, as `saavedra datagen` writes them. Argument: the file.
//!
//! It prints the two lines of `WdlModel::FITTED`, how many positions and games they were fitted to, and a table.

use std::path::Path;

use anyhow::{Context, Result};
use bench::wdl;

fn main() -> Result<()> {
    let file = std::env::args().nth(1).context("name a file of packed games")?;
    let (samples, games) = wdl::read(Path::new(&file))?;
    let model = wdl::fit(&samples);
    println!("even: {:?},\nslope: {:?},", model.even, model.slope);
    println!("{} positions of {games} games", samples.len());
    print!("{}", wdl::table(&model, &samples));
    Ok(())
}
