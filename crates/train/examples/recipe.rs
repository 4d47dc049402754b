//! Reads a recipe and prints what it trains: `cargo run --example recipe -- width=512 layers=pairwise epochs=10`.

use std::error::Error;

use saavedra_train::Recipe;

fn main() -> Result<(), Box<dyn Error>> {
    let mut recipe = Recipe::default();
    recipe.read(&std::env::args().skip(1).collect::<Vec<_>>().join(" "))?;
    let (architecture, _) = recipe.start(None)?;
    println!("{architecture}");
    println!("{recipe}");
    Ok(())
}
