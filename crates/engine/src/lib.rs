//! The UCI engine: the protocol on one side, the search on the other.
//!
//! Three threads work together. One reads lines. One obeys them, at once, whatever the search is doing. One owns the
//! search and answers when it is done. All speak through one output, a whole line at a time.
//!
//! [`run`] takes any reader and any writer, so the whole engine can be driven without a process:
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
//! saavedra_engine::run(Cursor::new("isready\nquit\n"), Lines(sender))?;
//! assert_eq!(lines.iter().collect::<String>(), "readyok\n");
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod bench;
mod help;
mod input;
mod limits;
mod memory;
mod network;
mod options;
mod output;
mod perft;
mod session;
mod show;
mod task;
mod teller;
mod thinker;

use std::io::{self, BufRead, BufReader, IsTerminal, Write};

use search::AnyEvaluator;

pub use network::{LoadError, load_network};

/// The search as the engine runs it.
pub type Brain = search::Searcher<AnyEvaluator>;

/// A search as the engine starts with.
pub fn brain() -> Brain {
    Brain::new(AnyEvaluator::default())
}

/// What the engine calls itself.
pub const NAME: &str = concat!("Saavedra ", env!("CARGO_PKG_VERSION"));

/// Runs the engine until `quit` or the end of the input.
///
/// An output that nobody reads any more ends it quietly. The reader may be left waiting for a line that does not come;
/// it ends with the process.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    session::run(input, output)
}

/// Runs the engine on standard input and output, and greets whoever sits at a terminal.
pub fn run_here() -> io::Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        io::stdout().write_all(help::greeting().as_bytes())?;
    }
    run(BufReader::new(io::stdin()), io::stdout())
}
