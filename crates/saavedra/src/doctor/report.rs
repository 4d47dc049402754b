//! What the doctor found, for a person and for a program.

use std::io::{self, Write};
use std::time::Duration;

use doctor::{Finding, Shallow, Unanswered};
use serde::Serialize;

use super::dialect::{Process, Protocol};

/// The outcome in a word.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Diagnosis {
    /// Every answer was right.
    Healthy,
    /// A rule is broken.
    Faulty,
    /// No rule was found to be broken, but some questions got no answer.
    Troubled,
    /// There was no answer at all.
    NotExamined,
}

#[derive(Serialize)]
pub(super) struct Report {
    program: String,
    verdict: Diagnosis,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<&'static str>,
    positions: usize,
    depth: u32,
    answers: u64,
    leaves: u64,
    restarts: u32,
    seconds: f64,
    faults: Vec<FaultReport>,
    troubles: Vec<UnansweredReport>,
    shallow: Vec<ShallowReport>,
}

#[derive(Serialize)]
struct FaultReport {
    rule: &'static str,
    name: String,
    explanation: String,
    fen: String,
    /// The moves that the program plays itself before the fault shows.
    after: Vec<String>,
    missing: Vec<String>,
    extra: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<CountReport>,
    expected: Vec<String>,
    depth: u32,
    case: String,
    seen_in: String,
    #[serde(skip)]
    drawing: Vec<String>,
}

#[derive(Serialize)]
struct CountReport {
    #[serde(rename = "move")]
    mv: String,
    expected: u64,
    said: u64,
}

#[derive(Serialize)]
struct UnansweredReport {
    what: String,
    fen: String,
    depth: u32,
    case: String,
}

#[derive(Serialize)]
struct ShallowReport {
    case: String,
    reached: u32,
    wanted: u32,
}

impl Report {
    pub(super) fn new(program: String, process: &Process, report: &doctor::Report, elapsed: Duration) -> Report {
        let verdict = if !report.findings().is_empty() {
            Diagnosis::Faulty
        } else if !report.is_healthy() {
            Diagnosis::Troubled
        } else {
            Diagnosis::Healthy
        };
        Report {
            program,
            verdict,
            reason: None,
            protocol: Some(match process.protocol() {
                Protocol::Uci => "uci",
                Protocol::Line => "line",
            }),
            positions: report.positions(),
            depth: report.deepest(),
            answers: report.questions(),
            leaves: report.leaves(),
            restarts: process.restarts(),
            seconds: elapsed.as_secs_f64(),
            faults: report.findings().iter().map(FaultReport::new).collect(),
            troubles: report.unanswered().iter().map(UnansweredReport::new).collect(),
            shallow: report.shallow().iter().map(ShallowReport::new).collect(),
        }
    }

    /// The report on a program that gave no answer.
    pub(super) fn refused(program: String, reason: String, elapsed: Duration) -> Report {
        Report {
            program,
            verdict: Diagnosis::NotExamined,
            reason: Some(reason),
            protocol: None,
            positions: 0,
            depth: 0,
            answers: 0,
            leaves: 0,
            restarts: 0,
            seconds: elapsed.as_secs_f64(),
            faults: Vec::new(),
            troubles: Vec::new(),
            shallow: Vec::new(),
        }
    }

    pub(super) fn verdict(&self) -> Diagnosis {
        self.verdict
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for fault in &self.faults {
            fault.print(out)?;
            writeln!(out)?;
        }
        for trouble in &self.troubles {
            trouble.print(out)?;
            writeln!(out)?;
        }
        let Report { program, positions, depth, answers, leaves, seconds, .. } = self;
        let word = match self.verdict {
            Diagnosis::Healthy => "is healthy",
            Diagnosis::Faulty => "breaks the rules",
            Diagnosis::Troubled => "does not always answer",
            Diagnosis::NotExamined => "cannot be examined",
        };
        let protocol = self.protocol.unwrap_or("no protocol");
        writeln!(
            out,
            "{program} {word}: {positions} positions right to depth {depth} at most, {answers} answers with {leaves} \
             leaves in {seconds:.1} s ({protocol})"
        )?;
        if self.restarts > 0 {
            writeln!(out, "it had to be started again {} times", self.restarts)?;
        }
        self.print_shallow(out)
    }

    fn print_shallow(&self, out: &mut impl Write) -> io::Result<()> {
        const MOST_SHOWN: usize = 8;
        if self.shallow.is_empty() {
            return Ok(());
        }
        writeln!(out, "it is too slow to examine these as deep as wanted (--timeout gives it more time):")?;
        for ShallowReport { case, reached, wanted } in self.shallow.iter().take(MOST_SHOWN) {
            writeln!(out, "  depth {reached} instead of {wanted}: {case}")?;
        }
        if self.shallow.len() > MOST_SHOWN {
            writeln!(out, "  and {} more", self.shallow.len() - MOST_SHOWN)?;
        }
        Ok(())
    }
}

impl FaultReport {
    fn new(finding: &Finding) -> FaultReport {
        let drawing = format!("{:?}", finding.diagram().position());
        FaultReport {
            rule: finding.rule().id(),
            name: finding.rule().to_string(),
            explanation: finding.rule().explanation(),
            fen: finding.diagram().to_string(),
            after: finding.path(),
            missing: finding.missing().to_vec(),
            extra: finding.extra().to_vec(),
            count: finding.wrong_count().map(|(mv, expected, said)| CountReport { mv, expected, said }),
            expected: finding.expected().to_vec(),
            depth: finding.depth(),
            case: finding.case().to_owned(),
            seen_in: finding.seen_in().to_string(),
            // The last line of the drawing is the FEN as the rules see it; ours keeps the en-passant square.
            drawing: drawing.lines().take(8).map(str::to_owned).collect(),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "Broken rule: {}", self.name)?;
        writeln!(out, "{}\n", self.explanation)?;
        for row in &self.drawing {
            writeln!(out, "    {}", row.trim_end())?;
        }
        writeln!(out, "\n  position      {}", self.fen)?;
        if !self.after.is_empty() {
            writeln!(out, "  it plays      {}  (from the FEN after that, its list is right)", self.after.join(" "))?;
        }
        for (label, moves) in [("wrong moves", &self.extra), ("missing moves", &self.missing)] {
            if !moves.is_empty() {
                writeln!(out, "  {label:<13} {}", moves.join(" "))?;
            }
        }
        if let Some(CountReport { mv, expected, said }) = &self.count {
            let depth = self.depth;
            writeln!(out, "  wrong count   {mv} at depth {depth}: it says {said}, expected {expected}")?;
        }
        let legal = if self.expected.is_empty() { "none".to_owned() } else { self.expected.join(" ") };
        writeln!(out, "  legal moves   {}{legal}", if self.after.is_empty() { "" } else { "then " })?;
        writeln!(out, "  try           saavedra perft {} --divide --fen \"{}\"", self.depth, self.fen)?;
        write!(out, "  found in      {}", self.case)?;
        if self.seen_in == self.fen { writeln!(out) } else { writeln!(out, ": {}", self.seen_in) }
    }
}

impl UnansweredReport {
    fn new(question: &Unanswered) -> UnansweredReport {
        UnansweredReport {
            what: question.refusal().to_string(),
            fen: question.diagram().to_string(),
            depth: question.depth(),
            case: question.case().to_owned(),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "No answer: {}", self.what)?;
        writeln!(out, "  position      {}", self.fen)?;
        writeln!(out, "  depth         {}", self.depth)?;
        writeln!(out, "  asked as      {}", self.case)
    }
}

impl ShallowReport {
    fn new(shallow: &Shallow) -> ShallowReport {
        let Shallow { case, reached, wanted } = shallow.clone();
        ShallowReport { case, reached, wanted }
    }
}
