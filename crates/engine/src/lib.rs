#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod engine;
mod go;
mod help;
mod info_writer;
mod input;
mod memory;
mod mind_engine;
mod option_value;
mod options;
mod output;
mod perft;
mod search_engine;
mod search_thread;
mod session;
mod show;

use std::io::{self, BufReader, IsTerminal, Write};

pub use engine::{Engine, OptionValue};
pub use mind_engine::MindEngine;
pub use minds::{LoadError, load_network};
pub use search_engine::SearchEngine;
pub use session::run;

/// What the engine calls itself.
pub const NAME: &str = concat!("Saavedra ", env!("CARGO_PKG_VERSION"));

/// Runs an engine on standard input and output, with a greeting if both are a terminal.
pub fn run_here(engine: impl Engine + 'static) -> io::Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        io::stdout().write_all(help::greeting(&engine.name()).as_bytes())?;
    }
    run(engine, BufReader::new(io::stdin()), io::stdout())
}
