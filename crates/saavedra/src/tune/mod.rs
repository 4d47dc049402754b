//! `saavedra tune`: better numbers for an engine, found by games.

mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use arena::event::{
    Chronicle, Entry, Event, EventError, Finish, Kept, Observer, OpeningPlan, Plan, Setting, core_count,
};
use arena::schedule::Format;
use arena::tune::{Parameter, Tuning, Wish, choose_all, choose_by_name};
use arena::{Adjudication, Player, Terms, TimeControl};
use clap::Args;
use minds::{MindSpec, ProgramSpec, Protocol, UciMind};
use records::openings::Openings;

use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Bar;
use report::Report;

/// Find better numbers for a UCI engine by games against itself (SPSA).
///
/// Every iteration is a pair of games: all numbers are moved at once, each up or down by lot, the engine plays against
/// itself moved the other way, and the winner pulls the numbers a little in its direction. Thousands of iterations of
/// fast games are needed to find a few Elo.
#[derive(Args)]
#[command(after_help = "\
A journal makes a tuning resumable: the same command, or the journal alone, goes on where it was broken off.

Example: saavedra tune uci:./engine --parameter futility_margin --parameter razor_margin=220..20 \\
             --iterations 8000 --time nodes=5000 --book openings.epd --journal margins.journal
         saavedra tune --journal margins.journal --status")]
pub(crate) struct Arguments {
    /// The engine, like uci:./engine or uci,Hash=16:./engine; a journal that is there knows it already.
    #[arg(value_name = "MIND", required_unless_present = "journal")]
    mind: Option<MindSpec>,
    /// An option to tune: its name, its name and a start as in margin=100, or also a step as in margin=100..8.
    #[arg(long, value_name = "NAME[=START[..STEP]]")]
    parameter: Vec<Wish>,
    /// A file with such parameters, one a line; what follows a # is for people.
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// Tune every number of the engine that is not about memory, time or strength.
    #[arg(long, conflicts_with_all = ["parameter", "parameters"])]
    all: bool,
    /// How many pairs of games to play.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// How the engine is timed: 2+0.02, 40/60, move=0.1, nodes=5000 or depth=8.
    #[arg(long, value_name = "CONTROL", default_value = "nodes=5000")]
    time: TimeControl,
    /// How far numbers are moved at the end, as a part of their range, unless a parameter says otherwise.
    #[arg(long, value_name = "PART", default_value_t = 0.05)]
    step: f64,
    /// How far a pair that is won pulls numbers at the end, as a part of their steps.
    #[arg(long, value_name = "PART", default_value_t = Tuning::USUAL_RATE)]
    rate: f64,
    /// How many iterations an iteration does not wait for: no more pairs are played at once.
    #[arg(long, value_name = "N", default_value_t = Tuning::USUAL_LAG, value_parser = clap::value_parser!(u64).range(1..))]
    lag: u64,
    /// Positions or games to start from; without it, games start with eight random moves.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// What every lot is drawn by.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// How many games to play at once, if not one on each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Where games are kept, so that a tuning can go on.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Print how far the tuning of the journal has come, and play nothing.
    #[arg(long, requires = "journal", conflicts_with = "mind")]
    status: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Random moves with which games start if there is no book.
const RANDOM_PLIES: usize = 8;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let stop = interrupt::flag();
    let kept = match arguments.journal.as_deref().filter(|path| path.exists()) {
        Some(path) => Some(Kept::open(path).map_err(failed)?),
        None => None,
    };
    let plan = match (&arguments.mind, &kept) {
        (Some(mind), _) => plan(arguments, mind)?,
        (None, Some(kept)) => kept.plan.clone(),
        (None, None) => return Err(Failure::Usage("there is no such journal, and no engine to tune".to_owned())),
    };
    if !matches!(plan.schedule, Format::Tune(_)) {
        return Err(Failure::Usage("the journal is of another kind of event".to_owned()));
    }
    let setting = setting(&plan)?;
    let mut event = match kept {
        Some(kept) => Event::resume(kept, plan, setting),
        None => Event::begin(plan, setting, arguments.journal.as_deref()),
    }
    .map_err(failed)?;
    if arguments.status {
        return Ok(Report::new(event.chronicle())?.print(arguments.json)?);
    }
    let finish = play(&mut event, arguments.concurrency, &stop)?;
    Report::new(event.chronicle())?.print(arguments.json)?;
    match finish {
        Finish::Stopped => {
            let advice = if arguments.journal.is_some() { "; the same command goes on" } else { "" };
            Err(Failure::Failed(anyhow::anyhow!("the tuning was broken off{advice}")))
        }
        Finish::Over | Finish::Decided => Ok(()),
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::Failed(error.into())
}

/// Plays until the tuning is over or somebody interrupts it.
fn play(event: &mut Event, concurrency: Option<u16>, stop: &Arc<AtomicBool>) -> Result<Finish, Failure> {
    let concurrency = concurrency.map_or_else(core_count, usize::from);
    let mut progress = Progress(Bar::new("{bar:40} {pos}/{len} iterations, {eta} left {msg}"));
    event.run(concurrency, stop, &mut progress).map_err(failed)
}

/// Shows how far a tuning has come.
struct Progress(Bar);

impl Observer for Progress {
    fn finished(&mut self, chronicle: &mut Chronicle, _entry: &Entry) -> Result<(), EventError> {
        let total = chronicle.plan().schedule.total_pairs(2).unwrap_or(0);
        self.0.set(chronicle.results().unbroken().len(), total as usize);
        if let Some((&(_, reason), faults)) = chronicle.faults().last_key_value() {
            self.0.say(format!("({} times {reason}: {})", faults.count, faults.text));
        }
        Ok(())
    }
}

/// What the command line asks for.
fn plan(arguments: &Arguments, mind: &MindSpec) -> Result<Plan, Failure> {
    let MindSpec::Program(program @ ProgramSpec { protocol: Protocol::Uci, .. }) = mind else {
        return Err(Failure::Usage(format!("{mind} has no options to tune: expected an engine like uci:./engine")));
    };
    let tuning = Tuning {
        parameters: parameters(arguments, program)?,
        iterations: arguments.iterations,
        seed: arguments.seed,
        rate: arguments.rate,
        lag: arguments.lag,
    };
    tuning.check().map_err(|error| Failure::Usage(error.to_string()))?;
    let player = |name: &str| Player { name: name.to_owned(), mind: mind.clone(), time: arguments.time };
    let openings = match &arguments.book {
        Some(book) => OpeningPlan { file: Some(absolute(book)?), ..OpeningPlan::default() },
        None => OpeningPlan { plies: Some(RANDOM_PLIES), ..OpeningPlan::default() },
    };
    Ok(Plan {
        name: "a tuning".to_owned(),
        seed: arguments.seed,
        schedule: Format::Tune(tuning),
        players: ["one way", "the other way"].map(player).to_vec(),
        openings,
        adjudication: Adjudication::default(),
        tablebase: None,
        time_margin: 0,
        sprt: None,
    })
}

/// A path that means the same from everywhere.
fn absolute(path: &Path) -> Result<String, Failure> {
    let path = std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?;
    Ok(path.display().to_string())
}

/// What is to be tuned, as the engine knows it.
fn parameters(arguments: &Arguments, program: &ProgramSpec) -> Result<Vec<Parameter>, Failure> {
    let mut wishes = arguments.parameter.clone();
    if let Some(path) = &arguments.parameters {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
            if !line.is_empty() {
                let wish = line.parse().map_err(|error| anyhow::anyhow!("in {}: {error}", path.display()))?;
                wishes.push(wish);
            }
        }
    }
    if wishes.is_empty() && !arguments.all {
        return Err(Failure::Usage("expected a --parameter to tune, or --parameters FILE, or --all".to_owned()));
    }
    let command = program.command.parse().map_err(failed)?;
    let mut engine = UciMind::new(command);
    let settings = engine.settings().map_err(failed)?;
    if arguments.all {
        return Ok(choose_all(settings, &program.options, arguments.step));
    }
    choose_by_name(&wishes, settings, &program.options, arguments.step)
        .map_err(|error| Failure::Usage(error.to_string()))
}

/// What the plan names, read from files.
fn setting(plan: &Plan) -> Result<Setting, Failure> {
    let openings = match &plan.openings.file {
        Some(file) => Openings::read(file).map_err(failed)?.in_order(plan.openings.order.into()),
        None => Openings::random_plies(plan.openings.plies.unwrap_or(0)),
    };
    let terms = Terms { adjudication: plan.adjudication.clone(), ..Terms::default() };
    Ok(Setting { openings, terms })
}
