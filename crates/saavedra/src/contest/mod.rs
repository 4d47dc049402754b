//! `saavedra match`, `sprt`, `tournament`, `rate` and `tune`: players meet, and everything is kept.

mod conditions;
mod conduct;
mod entrant;
mod progress;
mod rate;
mod summary;
pub(crate) mod tune;

use arena::schedule::Format;
use arena::statistics::{EloScale, Sprt};
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::numbers::{number, whole, within};
use conditions::{Conditions, Keeping};
use conduct::Request;
use entrant::Entrant;
pub(crate) use rate::{Rate, run as run_rate};

/// What is said about players in each help.
const PLAYERS: &str = "\
A player is an engine as listed by `saavedra minds`, optionally with NAME= before it and @TIME behind it:
  search:nodes=5000    uci:stockfish    Fish=uci,Hash=64:stockfish@2+0.02";

/// Play a match of game pairs, each opening with both colors, and estimate the Elo difference.
#[derive(Args)]
#[command(after_help = format!("{PLAYERS}

Examples:
  saavedra match uci:./new uci:./old --time 2+0.02 --openings book.epd --games 1000 --pgn games.pgn
  saavedra match minimax alphabeta --time depth=4 --pairs 20
  saavedra match --resume match-20261115-093000.journal --games 2000"))]
pub(crate) struct Match {
    /// The two players.
    #[arg(value_name = "PLAYER", required_unless_present = "resume", conflicts_with = "resume")]
    players: Vec<Entrant>,
    #[command(flatten)]
    length: Length,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    keeping: Keeping,
}

/// Test whether the first player is stronger than the second, with as few games as that takes.
///
/// After every pair of games the sequential probability ratio test looks at all pairs so far, in order, and ends the
/// match when one hypothesis is sure enough: H0, the first player is not stronger by more than elo0, or H1, it is by
/// elo1.
#[derive(Args)]
#[command(after_help = format!("{PLAYERS}

Examples:
  saavedra sprt uci:./new uci:./old --elo0 0 --elo1 5 --time 8+0.08 --openings book.epd
  saavedra sprt uci:./simpler uci:./old --elo0 -3 --elo1 1 --journal simpler.journal"))]
pub(crate) struct SequentialTest {
    /// The two players.
    #[arg(value_name = "PLAYER", required_unless_present = "resume", conflicts_with = "resume")]
    players: Vec<Entrant>,
    /// The first hypothesis, in Elo.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, required_unless_present = "resume", value_parser = number(..))]
    #[arg(conflicts_with = "resume")]
    elo0: Option<f64>,
    /// The second hypothesis, in Elo.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, required_unless_present = "resume", value_parser = number(..))]
    #[arg(conflicts_with = "resume")]
    elo1: Option<f64>,
    /// How often H1 may be accepted although H0 is true.
    #[arg(long, value_name = "FRACTION", default_value_t = 0.05, conflicts_with = "resume", value_parser = number(..))]
    alpha: f64,
    /// How often H0 may be accepted although H1 is true.
    #[arg(long, value_name = "FRACTION", default_value_t = 0.05, conflicts_with = "resume", value_parser = number(..))]
    beta: f64,
    /// Which Elo is meant: normalised (in units of a game's deviation, so that draws do not matter) or logistic.
    #[arg(long, value_name = "SCALE", default_value = "normalised", conflicts_with = "resume")]
    model: EloScale,
    #[command(flatten)]
    length: Length,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    keeping: Keeping,
}

/// Play a tournament: round robin, gauntlet, Swiss or knockout.
#[derive(Args)]
#[command(after_help = format!("{PLAYERS}
The order of the players is their seeding.

Examples:
  saavedra tournament random capture minimax alphabeta --time depth=3 --pairs 5
  saavedra tournament --format gauntlet uci:./new uci:stockfish uci:ethereal --openings book.pgn.zst
  saavedra tournament --format swiss --rounds 5 A=search:nodes=100 B=search:nodes=200 C=search:nodes=400 D=minimax"))]
pub(crate) struct Tournament {
    /// The players.
    #[arg(value_name = "PLAYER", required_unless_present = "resume", conflicts_with = "resume")]
    players: Vec<Entrant>,
    /// Who meets whom.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Kind::RoundRobin, conflicts_with = "resume")]
    format: Kind,
    /// How many pairs of games two players play when they meet (one, if not given).
    #[arg(long, value_name = "N", value_parser = within::<u64>(1..))]
    pairs: Option<u64>,
    /// Swiss: how many rounds (if not given, as many as a knockout would take).
    #[arg(long, value_name = "N", value_parser = within::<u32>(1..))]
    rounds: Option<u32>,
    /// Gauntlet: how many of the first players meet all others.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume", value_parser = whole::<usize>)]
    leaders: usize,
    /// Knockout: how many more pairs may break a tie, before the higher seed goes on.
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with = "resume", value_parser = whole::<u64>)]
    tie_breaks: u64,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    /// Each player against each other.
    RoundRobin,
    /// The first players against all others.
    Gauntlet,
    /// Players of equal score against each other.
    Swiss,
    /// A player who loses is out.
    Knockout,
}

/// How long a match is.
#[derive(Args)]
struct Length {
    /// How many pairs of games are played.
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = within::<u64>(1..))]
    pairs: Option<u64>,
    /// How many games are played, an even number.
    #[arg(long, value_name = "N", value_parser = within::<u64>(1..))]
    games: Option<u64>,
}

impl Length {
    fn pairs(&self) -> Result<Option<u64>, Failure> {
        Ok(even_pairs(self.games)?.or(self.pairs))
    }
}

/// A number of games as pairs.
fn even_pairs(games: Option<u64>) -> Result<Option<u64>, Failure> {
    match games {
        Some(games) if games % 2 == 1 => {
            Err(Failure::Usage(format!("--games {games}: games come in pairs, one with each color")))
        }
        games => Ok(games.map(|games| games / 2)),
    }
}

/// Pairs of a match by default.
const USUAL_PAIRS: u64 = 50;

/// A test ends by itself; this is for those that never would.
const MOST_PAIRS_OF_A_TEST: u64 = 10_000_000;

pub(crate) fn run_match(arguments: &Match) -> Result<(), Failure> {
    let pairs = arguments.length.pairs()?;
    two_players("match", &arguments.players, &arguments.keeping, &arguments.conditions, pairs, USUAL_PAIRS, None)
}

pub(crate) fn run_sprt(arguments: &SequentialTest) -> Result<(), Failure> {
    let sprt = match (arguments.elo0, arguments.elo1) {
        (Some(elo0), Some(elo1)) => {
            let sprt = Sprt::new(arguments.model, elo0, elo1, arguments.alpha, arguments.beta);
            Some(sprt.map_err(|error| Failure::Usage(error.to_string()))?)
        }
        _ => None,
    };
    let pairs = arguments.length.pairs()?;
    let most = MOST_PAIRS_OF_A_TEST;
    two_players("sprt", &arguments.players, &arguments.keeping, &arguments.conditions, pairs, most, sprt)
}

fn two_players(
    command: &'static str,
    players: &[Entrant],
    keeping: &Keeping,
    conditions: &Conditions,
    pairs: Option<u64>,
    usual_pairs: u64,
    sprt: Option<Sprt>,
) -> Result<(), Failure> {
    let tell = summary::teller(keeping.json);
    let request = Request { command, keeping, has_seed: conditions.seed.is_some(), tell: &tell };
    if let Some(path) = &keeping.resume {
        return request.resume(path, |schedule| match schedule {
            Format::Match { pairs: agreed } => {
                *agreed = pairs.unwrap_or(*agreed);
                Ok(())
            }
            _ => Err(Failure::Usage(format!("the event of {} is not between two players", path.display()))),
        });
    }
    if players.len() != 2 {
        return Err(Failure::Usage(format!("expected two players, found {}", players.len())));
    }
    let schedule = Format::Match { pairs: pairs.unwrap_or(usual_pairs) };
    let mut plan = conditions.plan("", players, schedule, sprt)?;
    if plan.name.is_empty() {
        plan.name = format!("{} vs {}", plan.players[0].name, plan.players[1].name);
    }
    request.play(plan)
}

pub(crate) fn run_tournament(arguments: &Tournament) -> Result<(), Failure> {
    let Tournament { players, format, pairs, rounds, leaders, tie_breaks, conditions, keeping } = arguments;
    let tell = summary::teller(keeping.json);
    let request = Request { command: "tournament", keeping, has_seed: conditions.seed.is_some(), tell: &tell };
    if let Some(path) = &keeping.resume {
        return request.resume(path, |schedule| lengthen(schedule, *pairs, *rounds));
    }
    if rounds.is_some() && *format != Kind::Swiss {
        return Err(Failure::Usage("--rounds is for --format swiss".to_owned()));
    }
    let each = pairs.unwrap_or(1);
    let schedule = match format {
        Kind::RoundRobin => Format::RoundRobin { pairs: each },
        Kind::Gauntlet => Format::Gauntlet { pairs: each, leaders: *leaders },
        Kind::Swiss => {
            let usual = players.len().max(2).next_power_of_two().ilog2();
            Format::Swiss { rounds: rounds.unwrap_or(usual), pairs: each }
        }
        Kind::Knockout => Format::Knockout { pairs: each, tie_breaks: *tie_breaks },
    };
    schedule.schedule(players.len()).map_err(|error| Failure::Usage(error.to_string()))?;
    let name = format.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    request.play(conditions.plan(&name, players, schedule, None)?)
}

/// Makes a tournament longer. What cannot be made longer is refused when the event is taken up.
fn lengthen(schedule: &mut Format, more_pairs: Option<u64>, more_rounds: Option<u32>) -> Result<(), Failure> {
    match schedule {
        Format::RoundRobin { pairs } | Format::Gauntlet { pairs, .. } | Format::Knockout { pairs, .. } => {
            *pairs = more_pairs.unwrap_or(*pairs);
            match more_rounds {
                Some(_) => Err(Failure::Usage("the event has no rounds to make more of".to_owned())),
                None => Ok(()),
            }
        }
        Format::Swiss { rounds, pairs } => {
            *rounds = more_rounds.unwrap_or(*rounds);
            *pairs = more_pairs.unwrap_or(*pairs);
            Ok(())
        }
        _ => Err(Failure::Usage("the event of this journal is not a tournament".to_owned())),
    }
}
