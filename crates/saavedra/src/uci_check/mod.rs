//! `saavedra uci-check`: does an engine behave as GUIs expect?
//!
//! Thirty-six behaviours, each a value with a check of its own and an engine started afresh for it. Whatever the engine
//! does, no check outlasts its time, and nothing of the engine stays behind.

mod answer;
mod behaviour;
mod end;
mod go;
mod info;
mod position;
mod report;
mod search;
mod session;
mod startup;

use std::ffi::OsString;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use programs::CommandLine;
use uci::Message;

use crate::failure::Failure;
use crate::progress::Bar;
use crate::seconds::parse_seconds;
use behaviour::Behaviour;
use report::{Card, Mark, Transcripts};
use session::{Fault, Session};

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
    /// The engine; what follows is handed to it.
    #[arg(required_unless_present = "list")]
    engine: Option<OsString>,
    /// Arguments of the engine. Options of the check come before ENGINE.
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
    /// Examine these behaviours only.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=36))]
    only: Vec<u32>,
    /// How long one behaviour may take.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    timeout: Duration,
    /// Tell what each behaviour is and why it matters, and examine nothing.
    #[arg(long)]
    list: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Show the whole conversations, also of what went well.
    #[arg(long)]
    transcript: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let is_wanted = |behaviour: &Behaviour| arguments.only.is_empty() || arguments.only.contains(&behaviour.number);
    let behaviours: Vec<Behaviour> = behaviour::all().filter(is_wanted).collect();
    let mut out = io::stdout().lock();
    let Some(engine) = arguments.engine.as_ref().filter(|_| !arguments.list) else {
        for Behaviour { number, title, why, .. } in &behaviours {
            writeln!(out, "{number:>2}  {title}\n    {why}")?;
        }
        return Ok(out.flush()?);
    };
    programs::end_with_us();
    let command = CommandLine::new(engine).with_arguments(&arguments.arguments);
    let started = Instant::now();
    let name = name(&command, arguments.timeout)?;
    let marks = examine(arguments, &command, &behaviours);
    let card = Card::new(engine.to_string_lossy().into_owned(), name, marks, started.elapsed().as_secs_f64());
    if arguments.json {
        serde_json::to_writer(&mut out, &card)?;
        writeln!(out)?;
    } else {
        card.print(&mut out)?;
    }
    out.flush()?;
    if card.is_clean() { Ok(()) } else { Err(Failure::Told) }
}

/// What the engine calls itself, if it says so. It is an error only if it cannot be started.
fn name(command: &CommandLine, timeout: Duration) -> Result<Option<String>, Failure> {
    let mut session = Session::new(command.clone(), timeout.min(session::PROMPT));
    if let Err(Fault::Failed(reason) | Fault::Late(reason) | Fault::Skipped(reason)) = session.start() {
        return Err(Failure::Failed(anyhow::anyhow!(reason)));
    }
    Ok(session.greet().ok().and_then(|heard| {
        heard.iter().find_map(|line| match line.message() {
            Message::Name(name) => Some(name.clone()),
            _ => None,
        })
    }))
}

fn examine(arguments: &Arguments, command: &CommandLine, behaviours: &[Behaviour]) -> Vec<Mark> {
    let transcripts = if arguments.transcript { Transcripts::Whole } else { Transcripts::OfFailures };
    let bar = Bar::new("{bar:30} {pos}/{len} {wide_msg}");
    let mut is_hopeless = false;
    let mut marks = Vec::new();
    for behaviour in behaviours {
        bar.set(marks.len(), behaviours.len());
        bar.say(format!("{}. {}", behaviour.number, behaviour.title));
        // An engine that does not greet would only waste the time of all the others.
        if is_hopeless {
            let outcome = session::skip("it could not be greeted before");
            marks.push(Mark::new(behaviour, outcome, &[], transcripts));
            continue;
        }
        let mut session = Session::new(command.clone(), arguments.timeout);
        let outcome = (behaviour.check)(&mut session);
        let (said, was_hopeless) = session.finish();
        is_hopeless = was_hopeless && outcome.is_err();
        marks.push(Mark::new(behaviour, outcome, &said, transcripts));
    }
    marks
}
