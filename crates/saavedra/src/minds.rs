//! `saavedra minds`, and minds as engines of others: `saavedra uci --mind`, `saavedra world`.

use std::io::{self, BufRead, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use classic::services::ServicesSession;
use engine::{MindEngine, SearchEngine};
use minds::{Allowance, Fault, Limits, Mind, MindKind, MindSpec};
use programs::{TooLong, read_line};
use serde::Serialize;

use crate::failure::Failure;
use crate::numbers::whole;

/// List the engines and bots that can play (minds), and how to name them.
#[derive(Args)]
#[command(after_help = "Example: saavedra uci --mind \"line:python3 examples/minds/grabber.py\"")]
pub(crate) struct Arguments {
    /// Print one JSON array.
    #[arg(long)]
    json: bool,
}

/// The mind that answers over UCI.
#[derive(Args, Default)]
pub(crate) struct Player {
    /// The engine or bot that plays instead of the search; `saavedra minds` lists them.
    #[arg(long, value_name = "MIND")]
    mind: Option<MindSpec>,
    /// The seed of its random moves.
    #[arg(long, value_name = "NUMBER", requires = "mind", value_parser = whole::<u64>)]
    seed: Option<u64>,
}

/// Answer positions with square numbers: a FEN a line in, `from,to` out, a1 is 0, h8 is 63.
#[derive(Args)]
#[command(after_help = "Examples:
  echo \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\" | saavedra world --mind alphabeta
  echo legal | saavedra world --services")]
pub(crate) struct World {
    /// The engine or bot that answers; `saavedra minds` lists them.
    #[arg(long, value_name = "MIND", required_unless_present = "services")]
    mind: Option<MindSpec>,
    /// Offer position services instead, for a mind of your own: a question a line in, an answer a line out; `help`
    /// lists the questions.
    #[arg(long, conflicts_with_all = ["mind", "time", "seed"])]
    services: bool,
    /// The most milliseconds an answer may take.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = whole::<u64>)]
    time: u64,
    /// The seed of its random moves.
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u64>)]
    seed: Option<u64>,
}

/// A mind in the list.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    about: &'static str,
    outside: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if arguments.json {
        let entry = |kind: MindKind| Entry { name: kind.form, about: kind.about, outside: kind.is_outside };
        serde_json::to_writer(&mut out, &MindKind::ALL.map(entry))?;
        writeln!(out)?;
        return Ok(out.flush()?);
    }
    let width = MindKind::ALL.iter().map(|kind| kind.form.len()).max().unwrap_or(0);
    for kind in MindKind::ALL {
        writeln!(out, "{:width$}  {}", kind.form, kind.about)?;
    }
    writeln!(out, "\nSettings follow a colon, as in search:nodes=5000,hash=64.")?;
    writeln!(out, "PROGRAM is a command line; quote paths with spaces, as in uci:\"/my engines/engine\" --fast.")?;
    Ok(out.flush()?)
}

fn build(spec: &MindSpec, seed: Option<u64>) -> Result<Box<dyn Mind>, Failure> {
    // Programs that a mind starts must not outlive us.
    programs::end_with_us();
    // Without a seed no two games are alike, and the clock is enough for that.
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    spec.build(seed.unwrap_or_else(now)).map_err(|fault| Failure::Failed(fault.into()))
}

pub(crate) fn speak_uci(player: &Player) -> Result<(), Failure> {
    match &player.mind {
        None => Ok(engine::run_here(SearchEngine::new())?),
        Some(spec) => Ok(engine::run_here(MindEngine::new(build(spec, player.seed)?))?),
    }
}

pub(crate) fn speak_world(world: &World) -> Result<(), Failure> {
    let Some(spec) = &world.mind else {
        return Ok(offer_services(io::stdin().lock(), io::stdout().lock())?);
    };
    let mind = build(spec, world.seed)?;
    let limits = Limits { move_time: Some(Duration::from_millis(world.time)), ..Limits::default() };
    // The answer has no room for a reason, and without one a missing program would look like a bad player.
    let tell = |fault: &Fault| _ = writeln!(io::stderr(), "saavedra: {fault}");
    Ok(minds::speak_world(mind, &Allowance::new(limits), io::stdin().lock(), io::stdout(), tell)?)
}

/// Answers questions about a position until the input ends.
fn offer_services(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut session = ServicesSession::new();
    while let Some(line) = read_line(&mut input, ServicesSession::LONGEST_LINE)? {
        let answer = match line {
            Ok(line) => session.answer(&line),
            Err(TooLong) => Some(format!("error a line has at most {} bytes", ServicesSession::LONGEST_LINE)),
        };
        let Some(answer) = answer else { break };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}
