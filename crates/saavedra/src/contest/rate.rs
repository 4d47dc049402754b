//! `saavedra rate`: how strong a mind is, on a scale that begins with the mind that plays any legal move.

mod report;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arena::event::{EventLog, EventPlan, Finish};
use arena::ladder::Ladder;
use arena::schedule::Format;
use clap::Args;

use super::conditions::{Conditions, Keeping};
use super::conduct::Request;
use super::entrant::Entrant;
use super::{PLAYERS, even_pairs};
use crate::failure::Failure;
use crate::numbers::within;
use report::Report;

/// Estimate a player's Elo against a ladder of reference engines, on which the random mover has 0.
///
/// Each pair of games is played against the most informative opponent by what is known so far: first from the middle of
/// the ladder, soon players of about the same strength. It ends when the error of the rating is small enough.
#[derive(Args)]
#[command(after_help = format!("{PLAYERS}

The rungs look at fixed numbers of positions, so that their strengths are the same on every machine. Their ratings
follow from games among them that come with the program; rate --ladder shows them, and

  saavedra rate --calibrate --journal ladder.journal > crates/arena/data/ladder.json

plays them anew, which is due when the search has changed.

Examples:
  saavedra rate search:nodes=500
  saavedra rate uci:./engine --time 2+0.02 --against uci:stockfish --against uci:glaurung --plot ratings.svg
  saavedra rate --resume rate-20261115-093000.journal --error 30"))]
pub(crate) struct Rate {
    /// Who is to be rated.
    #[arg(value_name = "PLAYER", required_unless_present_any = ["resume", "calibrate", "ladder"])]
    #[arg(conflicts_with_all = ["resume", "calibrate", "ladder"])]
    player: Option<Entrant>,
    /// Rate this player too, on the same scale; they may also meet each other.
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["resume", "calibrate", "ladder"])]
    against: Vec<Entrant>,
    /// How far off the rating may be, 95 of 100 times (50, if not given).
    #[arg(long, value_name = "ELO", value_parser = within::<u32>(1..=1000))]
    error: Option<u32>,
    /// The most games that are played, an even number (2,000 for each player, if not given).
    #[arg(long, value_name = "N", value_parser = within::<u64>(1..))]
    games: Option<u64>,
    /// Draw all ratings to this file, as SVG.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Play the games on which the ladder rests, and print it as the program keeps it.
    #[arg(long, conflicts_with_all = ["resume", "json"])]
    calibrate: bool,
    /// Show the ladder, and play nothing.
    #[arg(long, conflicts_with_all = ["resume", "calibrate"])]
    ladder: bool,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    keeping: Keeping,
}

/// How far off a rating may be by default.
const USUAL_ERROR: u32 = 50;

/// The most pairs for each player by default.
const USUAL_PAIRS: u64 = 1_000;

/// How well the rungs are measured, and by how many pairs at most, by default: minutes of one core.
const ERROR_OF_RUNGS: u32 = 40;
const PAIRS_OF_RUNGS: u64 = 1_600;

/// The seed of a calibration by default, so that it repeats.
const SEED_OF_RUNGS: u64 = 1;

pub(crate) fn run(arguments: &Rate) -> Result<(), Failure> {
    let Rate { error, conditions, keeping, .. } = arguments;
    if arguments.ladder {
        let report = Report::of_ladder(&Ladder::ours())?;
        return report.tell(keeping.json, arguments.plot.as_deref());
    }
    let pairs = even_pairs(arguments.games)?;
    let tell = |log: &EventLog, finish: Finish| arguments.tell(log, finish);
    let has_seed = conditions.seed.is_some() || arguments.calibrate;
    let request = Request { command: "rate", keeping, has_seed, tell: &tell };
    if let Some(path) = &keeping.resume {
        return request.resume(path, |schedule| lengthen(schedule, *error, pairs, path));
    }
    if arguments.calibrate {
        let seed = conditions.seed.unwrap_or(SEED_OF_RUNGS);
        let (error, pairs) = (error.unwrap_or(ERROR_OF_RUNGS), pairs.unwrap_or(PAIRS_OF_RUNGS));
        return request.play(Ladder::calibration(seed, error, pairs));
    }
    let climbers: Vec<Entrant> = arguments.player.iter().chain(&arguments.against).cloned().collect();
    let pairs = pairs.unwrap_or(USUAL_PAIRS * climbers.len() as u64);
    let error = error.unwrap_or(USUAL_ERROR);
    let plan = conditions.plan("rating", &climbers, Format::Match { pairs }, None)?;
    let (players, schedule) =
        Ladder::ours().climb(plan.players, error, pairs).map_err(|error| Failure::Failed(error.into()))?;
    request.play(EventPlan { players, schedule, ..plan })
}

impl Rate {
    fn tell(&self, log: &EventLog, finish: Finish) -> Result<(), Failure> {
        let plan = log.plan();
        if is_calibration(plan) {
            return tell_ladder(log);
        }
        Report::new(log, finish)?.tell(self.keeping.json, self.plot.as_deref())
    }
}

/// In a calibration nothing is known beforehand.
fn is_calibration(plan: &EventPlan) -> bool {
    matches!(&plan.schedule, Format::Ladder { known, .. } if known.is_empty())
}

/// Prints a ladder as the program keeps it.
fn tell_ladder(log: &EventLog) -> Result<(), Failure> {
    let plan = log.plan();
    let Format::Ladder { error, .. } = plan.schedule else { return Ok(()) };
    let measured = format!(
        "saavedra rate --calibrate --seed {} --error {error}: {} games, saavedra {}",
        plan.seed,
        log.results().games(),
        env!("CARGO_PKG_VERSION"),
    );
    let ladder = Ladder::measured(plan, log.scores(), measured).map_err(|error| Failure::Failed(error.into()))?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", ladder.to_json())?;
    Ok(out.flush()?)
}

/// Asks for a smaller error, or allows more games. What would make an event shorter is refused when it is taken up.
fn lengthen(schedule: &mut Format, smaller: Option<u32>, more: Option<u64>, path: &Path) -> Result<(), Failure> {
    match schedule {
        Format::Ladder { error, pairs, .. } => {
            *error = smaller.unwrap_or(*error);
            *pairs = more.unwrap_or(*pairs);
            Ok(())
        }
        _ => Err(Failure::Usage(format!("the event of {} rates no player", path.display()))),
    }
}

fn write_plot(path: &Path, svg: &str) -> Result<(), Failure> {
    fs::write(path, svg).map_err(|error| {
        Failure::Failed(anyhow::Error::new(error).context(format!("{} cannot be written", path.display())))
    })
}
