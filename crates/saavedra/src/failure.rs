//! How a command ends when it does not end well: one line, and an exit code that tells whose fault it was.

use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command did not do its job.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line makes no sense: exit code 2.
    Usage(String),
    /// The job could not be done: exit code 1.
    Failed(anyhow::Error),
    /// What was printed says it already: exit code 1.
    Told,
    /// Our output was closed: there is nothing to say.
    OutputClosed,
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Failed(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Failed(error.into()),
        }
    }
}

impl From<evolve::Failure> for Failure {
    fn from(failure: evolve::Failure) -> Failure {
        match failure {
            evolve::Failure::Usage(message) => Failure::Usage(message),
            evolve::Failure::Stopped => Failure::Failed(anyhow::anyhow!("stopped")),
            evolve::Failure::Failed(error) => {
                let io = error.downcast_ref::<io::Error>().map(io::Error::kind);
                if io == Some(io::ErrorKind::BrokenPipe) { Failure::OutputClosed } else { Failure::Failed(error) }
            }
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        io::Error::from(error).into()
    }
}

impl Failure {
    /// Prints help and version as clap does, and turns everything else into one line.
    pub(crate) fn from_clap(error: clap::Error) -> Result<(), Failure> {
        use clap::error::ErrorKind;
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(error.print()?),
            _ => {
                let message = error.render().to_string();
                // The message proper ends where tips or the usage begin.
                let end = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more information"];
                let end = end.iter().filter_map(|mark| message.find(mark)).min().unwrap_or(message.len());
                let words: Vec<&str> = message[..end].split_whitespace().collect();
                let line = words.join(" ");
                Err(Failure::Usage(line.strip_prefix("error: ").unwrap_or(&line).to_owned()))
            }
        }
    }

    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Usage(message) => {
                tell(format_args!("saavedra: {message} (--help shows how)"));
                ExitCode::from(2)
            }
            Failure::Failed(error) => {
                tell(format_args!("saavedra: {error:#}"));
                ExitCode::FAILURE
            }
            Failure::Told => ExitCode::FAILURE,
            Failure::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

/// Prints a line on standard error, if anybody can read it.
fn tell(line: std::fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{line}");
}
