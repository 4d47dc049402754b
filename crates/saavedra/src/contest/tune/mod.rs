//! `saavedra tune`: better numbers for an engine, found by games.

mod report;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use arena::event::{EventLog, Finish, SavedEvent};
use arena::schedule::Format;
use arena::tune::{Parameter, ParameterSpec, Tuning, choose_all, choose_by_name};
use clap::Args;
use minds::{MindSpec, ProgramSpec, Protocol, UciMind};

use super::conditions::{Conditions, Keeping};
use super::conduct::{Request, failed};
use super::entrant::Entrant;
use crate::failure::Failure;
use crate::numbers::{number, within};
pub(crate) use report::Report;

/// Tune options of a UCI engine by SPSA: games of the engine against itself.
///
/// Each iteration is a pair of games. All parameters are perturbed at once, each up or down at random; the engine plays
/// against itself perturbed the other way, and the parameters move a little towards the winner. It takes thousands of
/// iterations of fast games to gain a few Elo.
#[derive(Args)]
#[command(after_help = "\
Examples:
  saavedra tune uci,Hash=8:./engine --parameter futility_margin --parameter probcut_margin=200..20 --iterations 8000 \\
      --time nodes=5000 --openings book.epd --journal margins.journal
  saavedra tune --resume margins.journal --status
  saavedra tune --resume margins.journal")]
pub(crate) struct Tune {
    /// The engine, like uci:./engine or uci,Hash=8:./engine.
    #[arg(value_name = "ENGINE", required_unless_present = "resume", conflicts_with = "resume")]
    engine: Option<MindSpec>,
    /// An option to tune: its name, its name and a start as in margin=100, or also a step as in margin=100..8.
    #[arg(long, value_name = "NAME[=START[+-STEP]]", conflicts_with = "resume")]
    parameter: Vec<ParameterSpec>,
    /// A file of such parameters, one per line; # starts a comment.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    parameters: Option<PathBuf>,
    /// Tune every spin option of the engine, except those for memory, time and strength.
    #[arg(long, conflicts_with_all = ["parameter", "parameters", "resume"])]
    all: bool,
    /// How many pairs of games to play.
    #[arg(long, value_name = "N", default_value_t = 5000, conflicts_with = "resume")]
    #[arg(value_parser = within::<u64>(1..))]
    iterations: u64,
    /// Final step of the perturbations as a fraction of each range, unless a parameter gives its own.
    #[arg(long, value_name = "PART", default_value_t = 0.05, conflicts_with = "resume", value_parser = number(..))]
    step: f64,
    /// Final learning rate: how far a won game moves the parameters, as a fraction of their steps.
    #[arg(long, value_name = "PART", default_value_t = Tuning::USUAL_RATE, conflicts_with = "resume", value_parser = number(..))]
    rate: f64,
    /// Lag: how many earlier iterations may be unfinished when one starts; it limits the pairs played at once.
    #[arg(long, value_name = "N", default_value_t = Tuning::USUAL_LAG, conflicts_with = "resume")]
    #[arg(value_parser = within::<u64>(1..))]
    lag: u64,
    /// Print the state of the tuning and play nothing.
    #[arg(long, requires = "resume")]
    status: bool,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    keeping: Keeping,
}

pub(crate) fn run(arguments: &Tune) -> Result<(), Failure> {
    let Tune { conditions, keeping, .. } = arguments;
    let tell = |log: &EventLog, _: Finish| {
        let report = Report::new(log).ok_or_else(|| anyhow!(NOT_A_TUNING))?;
        Ok(report.print(keeping.json)?)
    };
    let request = Request { command: "tune", keeping, has_seed: conditions.seed.is_some(), tell: &tell };
    if let Some(path) = &keeping.resume {
        if arguments.status {
            return tell(&SavedEvent::open(path).map_err(failed)?.log(), Finish::Stopped);
        }
        return request.resume(path, |schedule| match schedule {
            Format::Tune(_) => Ok(()),
            _ => Err(Failure::Failed(anyhow!(NOT_A_TUNING))),
        });
    }
    let engine = arguments.engine.as_ref().ok_or_else(|| Failure::Usage("expected an engine to tune".to_owned()))?;
    let MindSpec::Program(program @ ProgramSpec { protocol: Protocol::Uci, .. }) = engine else {
        return Err(Failure::Usage(format!("{engine} has no options to tune: expected an engine like uci:./engine")));
    };
    let tuning = Tuning {
        parameters: parameters(arguments, program)?,
        iterations: arguments.iterations,
        seed: conditions.seed.unwrap_or(USUAL_SEED),
        rate: arguments.rate,
        lag: arguments.lag,
    };
    tuning.check().map_err(|error| Failure::Usage(error.to_string()))?;
    let players = ["one way", "the other way"].map(|name| Entrant::named(name, engine.clone()));
    request.play(conditions.plan("a tuning", &players, Format::Tune(tuning), None)?)
}

const NOT_A_TUNING: &str = "the event of this journal is not a tuning";

/// Openings differ from one tuning to the next; which way numbers are moved first need not.
const USUAL_SEED: u64 = 1;

/// What is to be tuned, as the engine knows it.
fn parameters(arguments: &Tune, program: &ProgramSpec) -> Result<Vec<Parameter>, Failure> {
    let mut specs = arguments.parameter.clone();
    if let Some(path) = &arguments.parameters {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
            if !line.is_empty() {
                let spec = line.parse().map_err(|error| anyhow!("in {}: {error}", path.display()))?;
                specs.push(spec);
            }
        }
    }
    if specs.is_empty() && !arguments.all {
        return Err(Failure::Usage("expected a --parameter to tune, or --parameters FILE, or --all".to_owned()));
    }
    let command = program.command.parse().map_err(failed)?;
    let mut engine = UciMind::new(command);
    let settings = engine.options().map_err(failed)?;
    if arguments.all {
        return Ok(choose_all(settings, &program.options, arguments.step));
    }
    choose_by_name(&specs, settings, &program.options, arguments.step)
        .map_err(|error| Failure::Usage(error.to_string()))
}
