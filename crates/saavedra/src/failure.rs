//! How a command ends when it does not end well: one line, and an exit code that tells whose fault it was.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::version;

/// Why a command did not do its job.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line makes no sense: exit code 2.
    Usage(String),
    /// The job could not be done: exit code 1.
    Failed(anyhow::Error),
    /// What was printed says it already: exit code 1.
    Told,
    /// A command of several was not complete, and its help was shown: exit code 2.
    HelpShown,
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
            ErrorKind::DisplayHelp => Ok(error.print()?),
            ErrorKind::DisplayVersion => version::print(),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                error.print()?;
                Err(Failure::HelpShown)
            }
            _ => Err(Failure::Usage(one_line(&error))),
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
            Failure::HelpShown => ExitCode::from(2),
            Failure::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

/// What clap complains about, in one line, with what was probably meant.
fn one_line(error: &clap::Error) -> String {
    let message = error.render().to_string();
    // The message proper ends where tips or the usage begin.
    let end = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more information"];
    let end = end.iter().filter_map(|mark| message.find(mark)).min().unwrap_or(message.len());
    let words: Vec<&str> = message[..end].split_whitespace().collect();
    let line = words.join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    if let Some(number) = negative_number(error) {
        return format!("{number} is below zero, which no number here can be");
    }
    match suggestion(error) {
        Some(meant) => format!("{line}: did you mean {meant}?"),
        None => line.to_owned(),
    }
}

/// A number below zero that was taken for an option.
fn negative_number(error: &clap::Error) -> Option<&str> {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(text) if error.kind() == ErrorKind::UnknownArgument => {
            text.parse::<f64>().is_ok().then_some(text)
        }
        _ => None,
    }
}

/// The command, option or value that is spelled most like what was given.
fn suggestion(error: &clap::Error) -> Option<&str> {
    use clap::error::{ContextKind, ContextValue};
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(meant) => Some(meant.as_str()),
        // The likeliest comes last.
        ContextValue::Strings(meant) => meant.last().map(String::as_str),
        _ => None,
    })
}

/// Prints a line on standard error, if anybody can read it.
fn tell(line: std::fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{line}");
}
