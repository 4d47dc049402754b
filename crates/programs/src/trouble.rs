//! What can go wrong between us and a program.

use std::io;
use std::process::ExitStatus;

use thiserror::Error;

/// Why a program cannot be started.
#[derive(Debug, Error)]
#[error("cannot start {program}: {error}")]
pub struct CannotStart {
    /// What was to be started.
    pub program: String,
    /// What the system says.
    pub error: io::Error,
}

/// Why a line cannot be sent or received.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum LineError {
    /// Nothing came before the deadline. The program still runs, and may answer later.
    #[error("it gave no answer in time")]
    TimeOut,
    /// The program is gone.
    #[error("it ended: {0}")]
    Ended(ExitStatus),
    /// It closed its output, but still runs.
    #[error("its output is closed although it still runs")]
    OutputClosed,
    /// It closed its input (or we did), but still runs.
    #[error("its input is closed although it still runs")]
    InputClosed,
    /// Its input is full because it does not read.
    #[error("it does not read what it is told")]
    NotReading,
    /// A line was longer than the [limit](crate::CommandLine::longest_line), and was passed over. The next line can be
    /// received.
    #[error("a line of more than {limit} bytes")]
    LineTooLong {
        /// The longest length of a line.
        limit: usize,
    },
}
