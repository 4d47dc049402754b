//! Reads UCI commands line by line and prints what each means:
//! `echo "go depht 5 depth 7" | cargo run --example read_commands`.

use std::io;

use saavedra_uci::Command;

fn main() -> io::Result<()> {
    for line in io::stdin().lines() {
        let Some(reading) = Command::read(&line?) else { continue };
        println!("{}", reading.value);
        for complaint in reading.complaints {
            println!("  {complaint}");
        }
    }
    Ok(())
}
