//! UCI engines: one session that speaks the protocol, and the engines it drives.
//!
//! An [`Engine`] is anything that answers `go`: [`SearchEngine`] is Saavedra itself, [`MindEngine`] is any
//! [`Mind`](minds::Mind). [`run`] drives it with three threads. One reads lines and notes when each arrived. One handles
//! them at once, whatever the search is doing. One owns the engine and answers when it is done. All write through one
//! output, a whole line at a time.
//!
//! [`run`] takes any reader and any writer, so that a whole engine can be driven without a process:
//!
//! ```
//! use std::io::Cursor;
//! use std::sync::mpsc;
//!
//! struct Lines(mpsc::Sender<String>);
//!
//! impl std::io::Write for Lines {
//!     fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
//!         self.0.send(String::from_utf8_lossy(bytes).into_owned()).map_err(std::io::Error::other)?;
//!         Ok(bytes.len())
//!     }
//!     fn flush(&mut self) -> std::io::Result<()> {
//!         Ok(())
//!     }
//! }
//!
//! let (sender, lines) = mpsc::channel();
//! let engine = saavedra_engine::SearchEngine::new();
//! saavedra_engine::run(engine, Cursor::new("isready\nquit\n"), Lines(sender))?;
//! assert_eq!(lines.iter().collect::<String>(), "readyok\n");
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod bench;
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
