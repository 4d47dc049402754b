//! Outside programs as lines in and lines out.
//!
//! An engine, a move generator or a script at the other end of two pipes may hang, crash, babble or leave. Nothing it
//! does blocks us for longer than we said, fills our memory, or leaves a process behind:
//!
//! * every wait has a deadline, and writing to a program that does not read ends as well;
//! * lines are cut at a [longest length](CommandLine::longest_line), and only [`LINES_AHEAD`] of them wait to be read:
//!   a program that floods its output has to wait for us;
//! * a program runs in a process group of its own (on Unix), and the whole group ends with the [`Program`], so that what
//!   a wrapper script has started ends too. Elsewhere only the program itself is ended.
//!
//! ```
//! # #[cfg(unix)] {
//! use saavedra_programs::{CommandLine, Program};
//! use std::time::{Duration, Instant};
//!
//! let mut cat = Program::start(&"cat".parse::<CommandLine>()?)?;
//! cat.send("isready")?;
//! let line = cat.receive(Instant::now() + Duration::from_secs(10))?;
//! assert_eq!(line.text, "isready");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command_line;
mod group;
mod pipes;
mod program;
mod transcript;
mod trouble;

pub use command_line::{BadCommandLine, CommandLine};
pub use group::{end_all, end_with_us};
pub use pipes::LINES_AHEAD;
pub use program::{Line, Program};
pub use transcript::{Entry, Transcript, Voice};
pub use trouble::{CannotStart, Trouble};
