//! `saavedra doctor`: points at the rule that a move generator breaks.
//!
//! What to ask and what the answers mean is the business of the `doctor` crate; here are the conversation with a
//! program, its two languages, and the report.

mod answer;
mod dialect;
mod process;
mod report;

use std::ffi::OsString;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use doctor::{Examination, ExaminationProgress, Thoroughness};
use programs::CommandLine;

use crate::failure::Failure;
use crate::numbers::within;
use crate::progress::Bar;
use crate::seconds::parse_seconds;
use dialect::{Process, Protocol};
use process::LONGEST_LINE;
use report::{Diagnosis, Report};

const HELP: &str = "\
The program is a UCI engine that knows `go perft N`, or it speaks this protocol, which takes ten lines to write:

  in    perft <fen> <depth>     one line, the depth is the last word
  out   <move> <count>          one line per legal move: e2e4 20, e7e8q 1, e1g1 1
        an empty line           the end of the answer; `done` or `total <sum>` will do too

It is asked again and again until its input closes. Remember to flush the output.

Exit code 0: healthy; 1: a rule is broken, or the program cannot be examined; 2: wrong usage.
Example: saavedra doctor --timeout 30 ./my-generator --its-own-option";

/// Find the rule that a move generator breaks.
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The program to examine; what follows is handed to it.
    program: OsString,
    /// Arguments of the program. Options of the doctor come before PROGRAM.
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
    /// How the program is asked; found out if not given.
    #[arg(long, value_enum)]
    protocol: Option<Protocol>,
    /// How long an answer may take. A slow program is examined as deep as this allows.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    timeout: Duration,
    /// Go no deeper than this.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = within::<u32>(1..=5))]
    depth: u32,
    /// Go on after the first broken rule, and report each once.
    #[arg(long)]
    all: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    programs::end_with_us();
    let command = CommandLine::new(&arguments.program).with_arguments(&arguments.arguments).longest_line(LONGEST_LINE);
    let name = command.name();
    let started = Instant::now();
    let report = match Process::admit(command, arguments.protocol, arguments.timeout) {
        Ok(mut process) => {
            let findings = examine(arguments, &mut process);
            Report::new(name, &process, &findings, started.elapsed())
        }
        Err(error) if arguments.json => Report::refused(name, format!("{error:#}"), started.elapsed()),
        Err(error) => return Err(Failure::Failed(error.context(format!("cannot examine {name}")))),
    };

    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        report.print(&mut out)?;
    }
    out.flush()?;
    if report.verdict() == Diagnosis::Healthy { Ok(()) } else { Err(Failure::Told) }
}

fn examine(arguments: &Arguments, process: &mut Process) -> doctor::Report {
    let thoroughness = if arguments.all { Thoroughness::AllFaults } else { Thoroughness::FirstFault };
    let bar = Bar::new("{bar:30} {percent:>3} % {wide_msg}");
    let mut show = |progress: ExaminationProgress| {
        bar.set(progress.done, progress.total);
        bar.say(format!("depth {}: {}", progress.depth, progress.case));
    };
    Examination::default().depth(arguments.depth).thoroughness(thoroughness).examine_watched(process, &mut show)
}
