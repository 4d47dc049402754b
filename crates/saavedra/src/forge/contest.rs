//! Two players on the GPU.

use std::path::PathBuf;
use std::time::Instant;

use arena::statistics::Performance;
use clap::Args;
use forge::{Capacity, Conditions, GpuGames};

use super::{ParameterValue, open, player};
use crate::failure::Failure;
use crate::numbers::{whole, within};

/// Play a match on the GPU between two networks or two settings of the search.
///
/// Every random opening is played with both colours. Tens of thousands of games take seconds: a first test, before the
/// engine itself plays.
#[derive(Args)]
#[command(after_help = "Example: saavedra forge match --net new.nnue --nodes 1000\n         \
                        saavedra forge match --set singular_depth=99")]
pub(super) struct Arguments {
    /// Network of the first player (default: the built-in network).
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Network of the second player (default: the built-in network).
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = within::<u32>(10..=1_000_000))]
    nodes: u32,
    /// A search parameter of the first player; may be given several times.
    #[arg(long = "set", value_name = "NAME=NUMBER")]
    settings: Vec<ParameterValue>,
    /// Game pairs per warp.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<usize>)]
    pairs: usize,
    /// Seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let gpu = open()?;
    let one = player(arguments.net.as_ref(), arguments.nodes, &arguments.settings)?;
    let other = player(arguments.against.as_ref(), arguments.nodes, &[])?;
    let begun = Instant::now();
    let games = 2 * arguments.pairs;
    let room = Capacity { games, ..Capacity::default() };
    let mut gpu_games = GpuGames::new(&gpu, &[one, other], Conditions::default(), room).map_err(anyhow::Error::from)?;
    gpu_games.begin(arguments.seed).map_err(anyhow::Error::from)?;
    let played = gpu_games.play(usize::MAX >> 32, games).map_err(anyhow::Error::from)?;
    let outcomes = gpu_games.outcomes().map_err(anyhow::Error::from)?;
    let pairs = evolve::outcome_pairs(&outcomes);
    let [losses, draws, wins] = played.results;
    let elo = Performance::of(&pairs).map_or_else(|| "-".to_owned(), |performance| performance.elo.to_string());
    println!(
        "{elo} Elo, {wins} won, {draws} drawn, {losses} lost, pairs {:?}, {:.1} s",
        pairs.0,
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}
