//! Shuffles words in an order that follows from a seed: `cargo run --example shuffle -- 7 a b c`.

use std::error::Error;

use saavedra_random::Random;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seed = arguments.next().map_or(Ok(1), |word| word.parse())?;
    let mut words: Vec<String> = arguments.collect();
    Random::new(seed).shuffle(&mut words);
    println!("{}", words.join(" "));
    Ok(())
}
