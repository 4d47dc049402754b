#![doc = include_str!("../README.md")]

mod command_line;
mod group;
mod interrupt;
mod pipes;
mod program;
mod starter;
mod strays;
mod transcript;
mod trouble;
#[cfg(target_os = "linux")]
mod watchdog;

pub use command_line::{BadCommandLine, CommandLine};
pub use group::{end_with_us, exit_interrupted};
pub use interrupt::{Interrupt, on_interrupt};
pub use pipes::{LINES_AHEAD, TooLong, read_line};
pub use program::{OutputLine, Program};
pub use transcript::{Transcript, TranscriptEntry, Voice};
pub use trouble::{CannotStart, LineError};
