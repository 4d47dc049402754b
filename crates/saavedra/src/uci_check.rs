//! `saavedra uci-check`: does an engine behave as GUIs expect? The crate `uci_check` knows; here are its arguments and
//! its output.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use programs::{BadCommandLine, CommandLine};
use uci_check::{Behaviour, Transcripts, UciCheck, behaviours};

use crate::failure::Failure;
use crate::numbers::within;
use crate::progress::Bar;
use crate::seconds::parse_seconds;

const HELP: &str = "\
Every behaviour gets a freshly started engine. Those that fail are shown with the reason and the end of the conversation:
`>` is what was sent, `<` what the engine said, with the seconds since the check began.

Exit code 0: nothing failed; 1: something did, or the engine cannot be started; 2: wrong usage.
Examples: saavedra uci-check stockfish
          saavedra uci-check --only 11,18 --transcript ./my-engine --its-own-option
          saavedra uci-check --list";

/// Check whether a UCI engine behaves as GUIs expect.
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The engine, or its command line in quotes; what follows is handed to it.
    #[arg(required_unless_present = "list")]
    engine: Option<OsString>,
    /// Arguments of the engine. Options of the check come before ENGINE.
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
    /// Check these behaviours only.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = within::<u32>(1..=36))]
    only: Vec<u32>,
    /// How long the check of one behaviour may take.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    timeout: Duration,
    /// Tell what each behaviour is and why it matters, and check nothing.
    #[arg(long)]
    list: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Show whole conversations, also of what passed.
    #[arg(long)]
    transcript: bool,
}

/// A program by its file, whose name may have blanks, or else a command line.
fn command(engine: &OsStr) -> Result<CommandLine, Failure> {
    match engine.to_str().filter(|_| !Path::new(engine).exists()) {
        Some(text) => text.parse().map_err(|error: BadCommandLine| Failure::Usage(error.to_string())),
        None => Ok(CommandLine::new(engine)),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let is_wanted = |behaviour: &Behaviour| arguments.only.is_empty() || arguments.only.contains(&behaviour.number);
    let behaviours: Vec<Behaviour> = behaviours().filter(is_wanted).collect();
    let mut out = io::stdout().lock();
    let Some(engine) = arguments.engine.as_ref().filter(|_| !arguments.list) else {
        for Behaviour { number, title, why, .. } in &behaviours {
            writeln!(out, "{number:>2}  {title}\n    {why}")?;
        }
        return Ok(out.flush()?);
    };
    programs::end_with_us();
    let check = UciCheck {
        command: command(engine)?.with_arguments(&arguments.arguments),
        timeout: arguments.timeout,
        transcripts: if arguments.transcript { Transcripts::Whole } else { Transcripts::OfFailures },
    };
    let bar = Bar::new("{bar:30} {pos}/{len} {wide_msg}");
    let report = check.run(&behaviours, |done, behaviour| {
        bar.set(done, behaviours.len());
        bar.say(format!("{}. {}", behaviour.number, behaviour.title));
    });
    drop(bar);
    let report = report.map_err(|error| Failure::Failed(anyhow!(error)))?;
    if arguments.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        report.print(&mut out)?;
    }
    out.flush()?;
    if report.is_clean() { Ok(()) } else { Err(Failure::Told) }
}
