#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod answer;
mod behaviour;
mod end;
mod engine;
mod go;
mod info;
mod position;
mod report;
mod search;
mod startup;

use std::time::{Duration, Instant};

use programs::CommandLine;
use uci::Message;

use engine::{CheckError, EngineUnderTest};

// How an engine is started.
pub use programs;

pub use behaviour::{Behaviour, behaviours};
pub use report::{CheckResult, CheckStatus, Report, Transcripts};

/// The engine cannot be started.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct StartError(String);

/// What is checked, and how.
#[derive(Clone, Debug)]
pub struct UciCheck {
    /// How the engine is started.
    pub command: CommandLine,
    /// The longest time that the check of one behaviour may take.
    pub timeout: Duration,
    /// How much of the conversations goes into the report.
    pub transcripts: Transcripts,
}

impl UciCheck {
    /// A check of this engine with the usual limits: a minute for each behaviour, transcripts of failures only.
    pub fn new(command: CommandLine) -> UciCheck {
        UciCheck { command, timeout: Duration::from_secs(60), transcripts: Transcripts::OfFailures }
    }

    /// Checks the behaviours one after another. Before each one, `progress` is told how many are done and which is
    /// next.
    pub fn run(
        &self,
        behaviours: &[Behaviour],
        mut progress: impl FnMut(usize, &Behaviour),
    ) -> Result<Report, StartError> {
        let started = Instant::now();
        let name = self.name()?;
        let mut cannot_greet = false;
        let mut results = Vec::with_capacity(behaviours.len());
        for behaviour in behaviours {
            progress(results.len(), behaviour);
            // An engine that does not answer `uci` would make every other check wait for its time limit.
            if cannot_greet {
                let outcome = engine::skip("it could not be greeted before");
                results.push(CheckResult::new(behaviour, outcome, &[], self.transcripts));
                continue;
            }
            let mut engine = EngineUnderTest::new(self.command.clone(), self.timeout);
            let outcome = (behaviour.check)(&mut engine);
            let (transcript, could_not_greet) = engine.finish();
            cannot_greet = could_not_greet && outcome.is_err();
            results.push(CheckResult::new(behaviour, outcome, &transcript, self.transcripts));
        }
        Ok(Report::new(self.command.name(), name, results, started.elapsed().as_secs_f64()))
    }

    /// The engine's `id name`, if it has one.
    fn name(&self) -> Result<Option<String>, StartError> {
        let mut engine = EngineUnderTest::new(self.command.clone(), self.timeout.min(engine::PROMPT));
        if let Err(CheckError::Failed(reason) | CheckError::Late(reason) | CheckError::Skipped(reason)) = engine.start()
        {
            return Err(StartError(reason));
        }
        let name = |received: &engine::ReceivedLine| match received.message() {
            Message::Name(name) => Some(name.clone()),
            _ => None,
        };
        Ok(engine.greet().ok().and_then(|received| received.iter().find_map(name)))
    }
}
