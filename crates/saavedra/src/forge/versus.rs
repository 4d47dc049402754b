//! The search on the GPU against the search on the CPU.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use arena::event::core_count;
use arena::statistics::{Pentanomial, Performance, Trinomial};
use clap::Args;
use forge::versus::{SideStats, Versus, VersusResult};
use forge::{Conditions, GpuSearch, Kernels, prove};
use nnue::Architecture;
use records::openings::{Openings, Order};
use serde::Serialize;

use super::{ParameterValue, open, player};
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{grouped, hms, mebibytes, whole, within};
use crate::progress::Bar;

/// Play a match of the GPU search against the CPU search with the same network and nodes.
///
/// Every opening is played with both colours. Hundreds of games run at once: the GPU searches those in which it is to
/// move while the CPU searches the others. Games end as in `saavedra forge match`.
#[derive(Args)]
#[command(after_help = "Interrupt it once to stop and print the result so far.
Examples: saavedra forge versus --nodes 1000 --pairs 2000
          saavedra forge versus --nodes 1000 --cpu-nodes 500 --openings book.epd")]
pub(super) struct Arguments {
    /// The network of both sides (default: the built-in network).
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = within::<u32>(10..=1_000_000))]
    nodes: u32,
    /// Nodes per move of the CPU (default: as --nodes).
    #[arg(long, value_name = "N", value_parser = within::<u32>(1..))]
    cpu_nodes: Option<u32>,
    /// Openings to play, each with both colours.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = within::<u32>(1..=10_000_000))]
    pairs: u32,
    /// Games that the CPU searches at once (default: one per core).
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Games to run at once. Each takes about six megabytes of main memory, its table included.
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = within::<u16>(1..=8192))]
    at_once: u16,
    /// Size of the CPU's table for each game in MiB; the GPU's holds 16,384 positions.
    #[arg(long, value_name = "MIB", default_value_t = 1, value_parser = mebibytes::<u16>(1..=64))]
    hash: u16,
    /// Opening book: EPD, FEN or PGN, plain or as .gz, .zst or .zip (default: eight random plies).
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// A search parameter of the GPU; may be given several times.
    #[arg(long = "set", value_name = "NAME=NUMBER")]
    settings: Vec<ParameterValue>,
    /// Print one JSON object at the end.
    #[arg(long)]
    json: bool,
}

/// Random plies with which games begin without a book.
const RANDOM_PLIES: usize = 8;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let stop = interrupt::flag();
    let player = player(arguments.net.as_ref(), arguments.nodes, &arguments.settings)?;
    let openings = match &arguments.openings {
        Some(file) => Openings::read(file).map_err(anyhow::Error::from)?.in_order(Order::Random),
        None => Openings::random_plies(RANDOM_PLIES),
    };
    let gpu = open()?;
    prove(&gpu, Kernels::of([player.network.architecture()])).map_err(anyhow::Error::from)?;
    let boards = usize::from(arguments.at_once).min(2 * arguments.pairs as usize);
    let versus = Versus {
        pairs: u64::from(arguments.pairs),
        boards,
        openings,
        seed: arguments.seed,
        network: player.network.clone(),
        nodes: u64::from(arguments.cpu_nodes.unwrap_or(arguments.nodes)),
        hash: usize::from(arguments.hash),
        threads: arguments.threads.map_or_else(core_count, usize::from),
        conditions: Conditions::default(),
    };
    let mut exhibition = GpuSearch::new(&gpu, player, boards).map_err(anyhow::Error::from)?;
    let begun = Instant::now();
    let bar = Bar::new("{bar:24} {pos}/{len} games  {msg}");
    let mut told = 0;
    let standing = versus.play(&mut exhibition, &stop, &mut |standing| {
        let games = standing.games();
        if games != told {
            told = games;
            bar.set(games, 2 * versus.pairs as usize);
            bar.say(elo(&pairs(standing)));
        }
    });
    let standing = standing.map_err(anyhow::Error::from)?;
    drop(bar);
    let report = Report::new(&versus, arguments.nodes, &standing, begun.elapsed().as_secs_f64());
    report.print(versus.network.architecture(), arguments.json)?;
    if stop.load(Ordering::Relaxed) { Err(Failure::Told) } else { Ok(()) }
}

/// Pairs by the points of the GPU; those of which a game is missing do not count.
fn pairs(standing: &VersusResult) -> Pentanomial {
    let whole = standing.outcomes.iter().filter_map(|pair| Some(vec![pair[0]?, pair[1]?]));
    evolve::outcome_pairs(&whole.collect::<Vec<_>>())
}

fn elo(pairs: &Pentanomial) -> String {
    Performance::of(pairs)
        .map_or_else(|| "no pair of games was finished".to_owned(), |performance| format!("Elo: {}", performance.elo))
}

/// What came of a match, from the view of the GPU.
#[derive(Serialize)]
struct Report {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Pairs by their points.
    pentanomial: Pentanomial,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    gpu: Work,
    cpu: Work,
    threads: usize,
    seconds: f64,
    is_complete: bool,
}

/// What a side has done.
#[derive(Serialize)]
struct Work {
    /// Positions that each search was to look at.
    nodes: u64,
    moves: u64,
    nodes_per_move: Option<f64>,
    mean_depth: Option<f64>,
    nodes_per_second: Option<f64>,
}

impl Work {
    fn new(nodes: u64, stats: SideStats) -> Work {
        let part = |whole: f64, of: f64| (of > 0.0).then(|| whole / of);
        Work {
            nodes,
            moves: stats.moves,
            nodes_per_move: part(stats.nodes as f64, stats.moves as f64),
            mean_depth: part(stats.depths as f64, stats.moves as f64),
            nodes_per_second: part(stats.nodes as f64, stats.time.as_secs_f64()),
        }
    }

    /// The work in a line.
    fn line(&self) -> String {
        let number = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.1}"));
        format!(
            "{} of {} nodes a move, mean depth {}, {} moves, {} nodes/s while it thought",
            number(self.nodes_per_move),
            grouped(self.nodes),
            number(self.mean_depth),
            grouped(self.moves),
            self.nodes_per_second.map_or("-".to_owned(), |speed| grouped(speed as u64)),
        )
    }
}

impl Report {
    fn new(versus: &Versus, gpu_nodes: u32, standing: &VersusResult, seconds: f64) -> Report {
        let games = standing.outcomes.iter().flatten().flatten().map(|&half_points| u32::from(half_points));
        let Trinomial { wins, draws, losses } = Trinomial::of_games(games);
        let pentanomial = pairs(standing);
        let estimate = Performance::of(&pentanomial).map(|performance| performance.elo);
        Report {
            games: wins + draws + losses,
            wins,
            draws,
            losses,
            pentanomial,
            elo: estimate.map(|elo| elo.value),
            elo_low: estimate.map(|elo| elo.low),
            elo_high: estimate.map(|elo| elo.high),
            gpu: Work::new(u64::from(gpu_nodes), standing.gpu),
            cpu: Work::new(versus.nodes, standing.cpu),
            threads: versus.threads,
            seconds,
            is_complete: standing.games() as u64 == 2 * versus.pairs,
        }
    }

    fn print(&self, architecture: &Architecture, is_json: bool) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if is_json {
            serde_json::to_writer(&mut out, self)?;
            writeln!(out)?;
        } else {
            writeln!(out, "Results of the GPU's search against the CPU's, both with {architecture}:")?;
            writeln!(out, "{}", elo(&self.pentanomial))?;
            let Report { games, wins, draws, losses, .. } = self;
            writeln!(out, "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, {}", hms(self.seconds))?;
            writeln!(out, "Ptnml(0-2): {}", self.pentanomial)?;
            writeln!(out, "GPU: {}", self.gpu.line())?;
            let plural = if self.threads == 1 { "" } else { "s" };
            writeln!(out, "CPU: {}, {} thread{plural}", self.cpu.line(), self.threads)?;
        }
        Ok(out.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_pairs_count_for_elo() {
        let outcomes = vec![[Some(2), Some(1)], [Some(0), None], [None; 2], [Some(1), Some(1)]];
        let standing = VersusResult { outcomes, ..VersusResult::default() };
        assert_eq!(pairs(&standing), Pentanomial([0, 0, 1, 1, 0]));
        assert_eq!(standing.games(), 5);
        assert_eq!(elo(&Pentanomial::default()), "no pair of games was finished");
    }
}
