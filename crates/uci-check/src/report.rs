//! The report: what was found for each behaviour, printed as text or serialised.

use std::io::{self, Write};

use programs::Voice;
use serde::Serialize;

use crate::behaviour::Behaviour;
use crate::engine::{CheckError, Outcome, TranscriptLine};

/// The most lines shown of a conversation that failed, unless whole transcripts are wanted.
const LINES_SHOWN: usize = 12;
/// The most letters shown of a line.
const LONGEST_SHOWN: usize = 160;

/// What a check found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// The engine behaves as expected.
    Passed,
    /// It does not.
    Failed,
    /// It could not be checked, for example because an option is not advertised.
    Skipped,
}

/// What was found for one behaviour.
#[derive(Clone, Debug, Serialize)]
pub struct CheckResult {
    /// The number of the behaviour.
    pub number: u32,
    group: &'static str,
    title: &'static str,
    /// Whether it passed.
    pub verdict: CheckStatus,
    /// Why it failed or was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The lines that were sent and received, each with the seconds since the check began.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    transcript: Vec<String>,
    #[serde(skip)]
    why: &'static str,
}

/// How much of the conversations goes into the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transcripts {
    /// The last lines of those that failed.
    OfFailures,
    /// Every line of every conversation.
    Whole,
}

impl CheckResult {
    pub(crate) fn new(
        behaviour: &Behaviour,
        outcome: Outcome,
        said: &[TranscriptLine],
        transcripts: Transcripts,
    ) -> CheckResult {
        let (verdict, reason) = match outcome {
            Ok(()) => (CheckStatus::Passed, None),
            Err(CheckError::Failed(reason) | CheckError::Late(reason)) => (CheckStatus::Failed, Some(reason)),
            Err(CheckError::Skipped(reason)) => (CheckStatus::Skipped, Some(reason)),
        };
        let transcript = match (transcripts, verdict) {
            (Transcripts::Whole, _) => said.iter().map(line).collect(),
            (Transcripts::OfFailures, CheckStatus::Failed) => trimmed(said),
            (Transcripts::OfFailures, CheckStatus::Passed | CheckStatus::Skipped) => Vec::new(),
        };
        let Behaviour { number, group, title, why, .. } = *behaviour;
        CheckResult { number, group, title, verdict, reason, transcript, why }
    }

    fn print_details(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}. {}", self.number, self.title)?;
        if self.verdict == CheckStatus::Failed {
            writeln!(out, "    why      {}", self.why)?;
        }
        if let Some(reason) = &self.reason {
            let word = if self.verdict == CheckStatus::Failed { "failed" } else { "skipped" };
            writeln!(out, "    {word:<8} {reason}")?;
        }
        for line in &self.transcript {
            writeln!(out, "    {line}")?;
        }
        writeln!(out)
    }
}

/// The last lines of a conversation. Of consecutive `info` or `option` lines only the last two are kept.
fn trimmed(said: &[TranscriptLine]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut repeats = 0;
    for said in said.iter().rev() {
        let is_repeat =
            said.voice == Voice::Program && ["info ", "option "].iter().any(|word| said.text.starts_with(word));
        repeats = if is_repeat { repeats + 1 } else { 0 };
        match repeats {
            0..=2 => lines.push(line(said)),
            3 => lines.push("         < …".to_owned()),
            _ => {}
        }
        if lines.len() == LINES_SHOWN {
            break;
        }
    }
    lines.reverse();
    lines
}

fn line(said: &TranscriptLine) -> String {
    let arrow = match said.voice {
        Voice::Us => ">",
        Voice::Program => "<",
    };
    format!("{:8.3} {arrow} {}", said.seconds, abridged(&said.text))
}

fn abridged(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What was found for an engine.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What the program is called: its file, or the script that an interpreter runs.
    engine: String,
    /// The engine's `id name`.
    name: Option<String>,
    passed: usize,
    failed: usize,
    skipped: usize,
    total: usize,
    seconds: f64,
    #[serde(rename = "behaviours")]
    results: Vec<CheckResult>,
}

impl Report {
    pub(crate) fn new(engine: String, name: Option<String>, results: Vec<CheckResult>, seconds: f64) -> Report {
        let count = |verdict| results.iter().filter(|result| result.verdict == verdict).count();
        Report {
            engine,
            name,
            passed: count(CheckStatus::Passed),
            failed: count(CheckStatus::Failed),
            skipped: count(CheckStatus::Skipped),
            total: results.len(),
            seconds,
            results,
        }
    }

    /// What was found, behaviour by behaviour.
    pub fn results(&self) -> &[CheckResult] {
        &self.results
    }

    /// Whether nothing failed.
    pub fn is_clean(&self) -> bool {
        self.failed == 0
    }

    /// Prints the failures with their transcripts, then a line for each behaviour, then the totals.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for result in &self.results {
            if result.verdict == CheckStatus::Failed || !result.transcript.is_empty() {
                result.print_details(out)?;
            }
        }
        let mut group = "";
        for result in &self.results {
            if result.group != group {
                group = result.group;
                writeln!(out, "{group}")?;
            }
            let (word, reason) = match result.verdict {
                CheckStatus::Passed => ("ok", String::new()),
                CheckStatus::Failed => ("FAILED", String::new()),
                CheckStatus::Skipped => ("skipped", format!(": {}", result.reason.as_deref().unwrap_or_default())),
            };
            writeln!(out, "  {:>2}  {word:<7}  {}{reason}", result.number, result.title)?;
        }
        let name = self.name.as_deref().unwrap_or(&self.engine);
        write!(out, "{name}: {} of {}", self.passed, self.total)?;
        if self.failed > 0 {
            write!(out, ", {} failed", self.failed)?;
        }
        if self.skipped > 0 {
            write!(out, ", {} skipped", self.skipped)?;
        }
        writeln!(out, " ({:.0} s)", self.seconds)
    }
}
