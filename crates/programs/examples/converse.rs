//! Sends lines to a program and prints what it answers within a second:
//! `cargo run --example converse -- stockfish uci isready`.

use std::error::Error;
use std::time::{Duration, Instant};

use saavedra_programs::{CommandLine, Program};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let command: CommandLine = arguments.next().unwrap_or("cat".to_owned()).parse()?;
    let mut program = Program::start(&command)?;
    for line in arguments {
        program.send(&line)?;
    }
    let deadline = Instant::now() + Duration::from_secs(1);
    // It ends with an error: the program has ended, or a second has passed.
    while let Ok(line) = program.receive(deadline) {
        println!("{}", line.text);
    }
    Ok(())
}
