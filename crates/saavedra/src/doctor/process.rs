//! A conversation with a program: the `programs` crate keeps it from harming us, and here is remembered what it said,
//! for the report.

use std::collections::VecDeque;
use std::time::Instant;

use programs::{CannotStart, CommandLine, LineError, Program};

/// A longer line is no answer to anything we ask.
pub(super) const LONGEST_LINE: usize = 4096;
/// How many last lines are remembered for a report, and how much of each.
const LAST_LINES: usize = 3;
const LONGEST_SHOWN: usize = 80;

/// Why there is no answer.
pub(super) enum Silence {
    /// Time is up.
    Timeout,
    /// The program ended, or closed its output or input.
    Closed(String),
    /// It said something that is not a line of text.
    Garbage(String),
}

/// A running program, and what it said last.
pub(super) struct Running {
    program: Program,
    said: VecDeque<String>,
}

impl Running {
    pub(super) fn start(command: &CommandLine) -> Result<Running, CannotStart> {
        Ok(Running { program: Program::start(command)?, said: VecDeque::new() })
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), Silence> {
        self.program.send(line).map_err(|error| self.silence(error))
    }

    /// The next line, without white space around it.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<String, Silence> {
        let line = self.program.receive(deadline).map_err(|error| self.silence(error))?;
        let line = line.text.trim();
        if !line.is_empty() {
            if self.said.len() == LAST_LINES {
                self.said.pop_front();
            }
            self.said.push_back(shown(line));
        }
        Ok(line.to_owned())
    }

    fn silence(&self, error: LineError) -> Silence {
        match error {
            LineError::TimeOut => Silence::Timeout,
            LineError::LineTooLong { .. } => Silence::Garbage(error.to_string()),
            LineError::Ended(status) => Silence::Closed(self.last_words(&status.to_string())),
            LineError::OutputClosed | LineError::InputClosed | LineError::NotReading => {
                Silence::Closed(self.last_words(&error.to_string()))
            }
        }
    }

    /// How it ended and what it said last.
    fn last_words(&self, end: &str) -> String {
        let mut words = end.to_owned();
        if let Some(said) = self.said() {
            words += &format!(", its last output was {said:?}");
        }
        if let Some(complaint) = self.program.complaints().last() {
            words += &format!(", its last error output {:?}", shown(complaint.trim()));
        }
        words
    }

    /// Forgets what was said: a new question begins.
    pub(super) fn forget(&mut self) {
        self.said.clear();
    }

    /// The last lines that it said.
    pub(super) fn said(&self) -> Option<String> {
        (!self.said.is_empty()).then(|| self.said.iter().map(String::as_str).collect::<Vec<_>>().join(" | "))
    }
}

fn shown(line: &str) -> String {
    line.chars().take(LONGEST_SHOWN).collect()
}
