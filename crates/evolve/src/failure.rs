//! Why a run did not do what was asked.

use std::error::Error;
use std::fmt;
use std::io;

/// Why a run did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for makes no sense.
    Usage(String),
    /// It was told to stop. What it has is kept.
    Stopped,
    /// It could not be done.
    Failed(anyhow::Error),
}

impl Failure {
    /// What went wrong, in a line.
    pub fn message(&self) -> String {
        match self {
            Failure::Usage(message) => message.clone(),
            Failure::Stopped => "stopped".to_owned(),
            Failure::Failed(error) => format!("{error:#}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

/// The text tells the whole chain of causes.
impl Error for Failure {}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Failed(error)
    }
}

/// Errors that end a run, with nothing to add.
macro_rules! ends_a_run {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Failed(error.into())
            }
        })+
    };
}

ends_a_run! {
    io::Error,
    serde_json::Error,
    forge::GpuError,
    train::TrainError,
    train::ExportError,
    nnue::Disagreement,
    minds::LoadError,
    arena::event::EventError,
    arena::journal::JournalError,
    arena::selfplay::SelfPlayError,
    records::openings::OpeningsError,
}
