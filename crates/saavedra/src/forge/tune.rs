//! Better numbers for the search on the GPU, found by its own games.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use arena::selfplay::fingerprint;
use arena::statistics::{Pentanomial, Performance, Tally};
use arena::tune::{ChoiceError, Parameter, ParameterSpec, Rounds, Tuning, choose_all, choose_by_name};
use clap::Args;
use evolve::tuning::{Course, Length, TuningConditions, TuningState};
use forge::{Capacity, Conditions, GpuGames, GpuPlayer, Kernels, SearchParameters, prove};
use search::AnyEvaluator;
use serde::Serialize;
use uci::OptionKind;

use super::{open, player};
use crate::contest::tune::Report;
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{counted, hms, number, whole, within};
use crate::progress::Bar;
use crate::seconds::parse_minutes;

/// Tune the search on the GPU by SPSA: games against itself.
///
/// Each round is a match of thousands of games. All parameters are perturbed at once, each up or down at random; the
/// search plays against itself perturbed the other way, and the parameters move a little towards the winner. At the end
/// the tuned parameters play a match against the defaults.
#[derive(Args)]
#[command(after_help = "\
Run the same command again to resume. Exit code 0: all rounds are played; 1: it failed or was interrupted; 2: wrong
usage.
Examples: saavedra forge tune all.json --nodes 1000 --minutes 30
          saavedra forge tune margins.json --rounds 200 --parameters futility_margin,see_quiet_per_depth=63+-5")]
pub(super) struct Arguments {
    /// The file that keeps the state of the tuning.
    file: PathBuf,
    /// The network (default: the built-in network).
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = within::<u32>(10..=1_000_000))]
    nodes: u32,
    /// Rounds to play.
    #[arg(long, value_name = "N", required_unless_present = "minutes", value_parser = within::<u64>(1..=1_000_000))]
    rounds: Option<u64>,
    /// Time limit of the command. Without --rounds, the time of the first round decides how many there are. Run the
    /// same command again for rounds that did not fit.
    #[arg(long, value_name = "MINUTES", value_parser = parse_minutes)]
    minutes: Option<f64>,
    /// Parameters to tune, separated by commas, each with an optional start and step as in lmp_base=12+-2
    /// (default: all).
    #[arg(long, alias = "numbers", value_name = "NAME[=START[+-STEP]]", value_delimiter = ',')]
    parameters: Vec<ParameterSpec>,
    /// Final step of the perturbations as a fraction of each range, unless a parameter gives its own.
    #[arg(long, value_name = "PART", default_value_t = 0.05, value_parser = number(..))]
    step: f64,
    /// Final learning rate: how far a round moves the parameters, as a fraction of their steps, if every pair is won by
    /// a point.
    #[arg(long, value_name = "PART", default_value_t = Rounds::USUAL_RATE, value_parser = number(..))]
    rate: f64,
    /// Game pairs per warp in a round.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u16>(1..=1000))]
    pairs: u16,
    /// Game pairs per warp in the match at the end; 0 for no match.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = within::<u16>(0..=1000))]
    confirming_pairs: u16,
    /// Seed of the perturbations and the openings.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// Print one JSON object at the end.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let stop = interrupt::flag();
    let player = player(arguments.net.as_ref(), arguments.nodes, &[])?;
    let course = Course {
        file: &arguments.file,
        setting: TuningConditions {
            network: fingerprint(&AnyEvaluator::from(player.network.clone())),
            nodes: arguments.nodes,
            pairs: usize::from(arguments.pairs),
        },
        tuning: Tuning {
            parameters: parameters(&arguments.parameters, arguments.step)?,
            iterations: arguments.rounds.unwrap_or(1),
            seed: arguments.seed,
            rate: arguments.rate,
            lag: 1,
        },
        length: Length {
            rounds: arguments.rounds,
            end: arguments.minutes.map(|minutes| begun + Duration::from_secs_f64(60.0 * minutes)),
        },
        confirming_pairs: usize::from(arguments.confirming_pairs),
        usual: player.parameters,
        stop: &stop,
    };
    course.tuning.check().map_err(|error| Failure::Usage(error.to_string()))?;
    let kept = TuningState::read(&arguments.file)?;
    if let Some(kept) = &kept {
        let same = kept.require(&course.setting, &course.tuning, arguments.rounds);
        same.map_err(|reason| anyhow!("{}: {reason}", arguments.file.display()))?;
    }
    let is_over = |state: &TuningState| {
        state.rounds.next().is_none() && (state.confirmed.is_some() || course.confirming_pairs == 0)
    };
    let state = match kept {
        Some(state) if is_over(&state) => state,
        kept => play(&course, kept, &player)?,
    };
    tell(&state, is_over(&state), arguments.json)?;
    if is_over(&state) { Ok(()) } else { Err(Failure::Told) }
}

/// Plays what is left, on the GPU.
fn play(course: &Course, kept: Option<TuningState>, player: &GpuPlayer) -> Result<TuningState, Failure> {
    let gpu = open()?;
    prove(&gpu, Kernels::of([player.network.architecture()])).map_err(anyhow::Error::from)?;
    let room = Capacity { games: 2 * course.setting.pairs.max(course.confirming_pairs), ..Capacity::default() };
    let players = [player.clone(), player.clone()];
    let mut gpu_games = GpuGames::new(&gpu, &players, Conditions::default(), room).map_err(anyhow::Error::from)?;
    let mut play = |players: [SearchParameters; 2], pairs: usize, seed: u64| {
        for (place, parameters) in players.into_iter().enumerate() {
            gpu_games.set_parameters(place, parameters);
        }
        gpu_games.begin(seed)?;
        gpu_games.play(usize::MAX >> 32, 2 * pairs)?;
        Ok(evolve::outcome_pairs(&gpu_games.outcomes()?))
    };
    let bar = Bar::new("{bar:24} {pos}/{len} rounds  {msg}");
    Ok(course.run(kept, &mut play, &mut |state| {
        let (done, total) = (state.rounds.results().len(), state.rounds.tuning().iterations);
        bar.set(done, total as usize);
        bar.say(format!("{}, {}", counted(games(&state.rounds), "game"), hms(state.seconds)));
    })?)
}

/// How many games were played in all rounds.
fn games(rounds: &Rounds) -> u64 {
    rounds.results().iter().map(Pentanomial::games).sum()
}

/// What is to be tuned, as the search on the GPU knows it.
fn parameters(specs: &[ParameterSpec], part: f64) -> Result<Vec<Parameter>, Failure> {
    let setting = |one: &search::Tunable| {
        let kind = OptionKind::Spin { default: one.default.into(), min: one.min.into(), max: one.max.into() };
        uci::EngineOption { name: one.name.to_owned(), kind }
    };
    let settings: Vec<uci::EngineOption> = SearchParameters::TUNABLES.iter().map(setting).collect();
    if specs.is_empty() {
        return Ok(choose_all(&settings, &[], part));
    }
    choose_by_name(specs, &settings, &[], part).map_err(|error| {
        Failure::Usage(match error {
            ChoiceError::Unknown { name, .. } if SearchParameters::renamed(&name).is_some() => {
                format!("{name} is now called {}", SearchParameters::renamed(&name).unwrap_or_default())
            }
            ChoiceError::Unknown { name, hint } => {
                let hint = hint.map_or(String::new(), |hint| format!(" (did you mean {hint:?}?)"));
                format!("the search on the GPU has no parameter {name:?} to tune{hint}")
            }
            error => error.to_string(),
        })
    })
}

/// What came of a tuning, for programs.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    report: Report,
    seconds: f64,
    setting: &'a TuningConditions,
    /// The match of the numbers found against those before.
    confirmed: Option<Confirmed>,
}

#[derive(Serialize)]
struct Confirmed {
    pentanomial: Pentanomial,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
}

fn tell(state: &TuningState, is_over: bool, is_json: bool) -> Result<(), Failure> {
    let TuningState { setting, rounds, seconds, confirmed } = state;
    let mut report = Report::of(rounds.tuning(), &rounds.values(), rounds.results().len() as u64);
    report.games = games(rounds);
    let mut out = io::stdout().lock();
    if is_json {
        let confirmed = confirmed.map(|pentanomial| {
            let elo = Performance::of(&pentanomial).map(|performance| performance.elo);
            Confirmed {
                pentanomial,
                elo: elo.map(|elo| elo.value),
                elo_low: elo.map(|elo| elo.low),
                elo_high: elo.map(|elo| elo.high),
            }
        });
        serde_json::to_writer(&mut out, &Told { report, seconds: *seconds, setting, confirmed })?;
        writeln!(out)?;
        return Ok(out.flush()?);
    }
    let (finished, total) = (rounds.results().len(), rounds.tuning().iterations);
    writeln!(out, "{finished} of {total} rounds, {}, {}\n", counted(report.games, "game"), hms(*seconds))?;
    report.write_table(&mut out)?;
    writeln!(out)?;
    report.write_assignments(&mut out)?;
    if let Some((pairs, performance)) = confirmed.as_ref().and_then(|pairs| Some((pairs, Performance::of(pairs)?))) {
        let (elo, games) = (performance.elo, counted(pairs.games(), "game"));
        writeln!(out, "\nagainst the defaults: {elo} Elo, pairs {pairs}, {games}")?;
    }
    if !is_over {
        writeln!(out, "\nrun the same command to resume")?;
    }
    Ok(out.flush()?)
}
