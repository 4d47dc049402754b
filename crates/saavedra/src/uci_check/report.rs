//! The report card.

use std::io::{self, Write};

use programs::Voice;
use serde::Serialize;

use super::behaviour::Behaviour;
use super::session::{Fault, Outcome, Said};

/// What is shown of a conversation that went wrong, unless all of it is asked for.
const LINES_SHOWN: usize = 12;
/// What is shown of a line.
const LONGEST_SHOWN: usize = 160;

/// How an engine did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Passed,
    Failed,
    Skipped,
}

/// One behaviour of one engine.
#[derive(Debug, Serialize)]
pub(super) struct Mark {
    number: u32,
    group: &'static str,
    title: &'static str,
    pub(super) verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The conversation: who spoke after how many seconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    transcript: Vec<String>,
    #[serde(skip)]
    why: &'static str,
}

/// How much of the conversations is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Transcripts {
    /// The ends of those that went wrong.
    OfFailures,
    /// All.
    Whole,
}

impl Mark {
    pub(super) fn new(behaviour: &Behaviour, outcome: Outcome, said: &[Said], transcripts: Transcripts) -> Mark {
        let (verdict, reason) = match outcome {
            Ok(()) => (Verdict::Passed, None),
            Err(Fault::Failed(reason) | Fault::Late(reason)) => (Verdict::Failed, Some(reason)),
            Err(Fault::Skipped(reason)) => (Verdict::Skipped, Some(reason)),
        };
        let transcript = match (transcripts, verdict) {
            (Transcripts::Whole, _) => said.iter().map(line).collect(),
            (Transcripts::OfFailures, Verdict::Failed) => trimmed(said),
            (Transcripts::OfFailures, Verdict::Passed | Verdict::Skipped) => Vec::new(),
        };
        let Behaviour { number, group, title, why, .. } = *behaviour;
        Mark { number, group, title, verdict, reason, transcript, why }
    }
}

/// The end of a conversation. Of what an engine tells while it thinks, or about its options, the last lines will do.
fn trimmed(said: &[Said]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut babble = 0;
    for said in said.iter().rev() {
        let is_babble =
            said.voice == Voice::Program && ["info ", "option "].iter().any(|word| said.text.starts_with(word));
        babble = if is_babble { babble + 1 } else { 0 };
        match babble {
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

fn line(said: &Said) -> String {
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

/// The whole card.
#[derive(Debug, Serialize)]
pub(super) struct Card {
    pub(super) engine: String,
    /// What it calls itself.
    pub(super) name: Option<String>,
    passed: usize,
    failed: usize,
    skipped: usize,
    total: usize,
    seconds: f64,
    behaviours: Vec<Mark>,
}

impl Card {
    pub(super) fn new(engine: String, name: Option<String>, behaviours: Vec<Mark>, seconds: f64) -> Card {
        let count = |verdict| behaviours.iter().filter(|mark| mark.verdict == verdict).count();
        Card {
            engine,
            name,
            passed: count(Verdict::Passed),
            failed: count(Verdict::Failed),
            skipped: count(Verdict::Skipped),
            total: behaviours.len(),
            seconds,
            behaviours,
        }
    }

    pub(super) fn is_clean(&self) -> bool {
        self.failed == 0
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for mark in self.behaviours.iter().filter(|mark| mark.verdict == Verdict::Failed || !mark.transcript.is_empty())
        {
            writeln!(out, "{}. {}", mark.number, mark.title)?;
            if mark.verdict == Verdict::Failed {
                writeln!(out, "    why      {}", mark.why)?;
            }
            if let Some(reason) = &mark.reason {
                writeln!(
                    out,
                    "    {:<8} {}",
                    if mark.verdict == Verdict::Failed { "failed" } else { "skipped" },
                    reason
                )?;
            }
            for line in &mark.transcript {
                writeln!(out, "    {line}")?;
            }
            writeln!(out)?;
        }
        let mut group = "";
        for mark in &self.behaviours {
            if mark.group != group {
                group = mark.group;
                writeln!(out, "{group}")?;
            }
            let (word, reason) = match mark.verdict {
                Verdict::Passed => ("ok", String::new()),
                Verdict::Failed => ("FAILED", String::new()),
                Verdict::Skipped => ("skipped", format!(": {}", mark.reason.as_deref().unwrap_or_default())),
            };
            writeln!(out, "  {:>2}  {word:<7}  {}{reason}", mark.number, mark.title)?;
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
