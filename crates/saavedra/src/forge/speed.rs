//! How fast the GPU plays.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use forge::{Capacity, Conditions, GpuGames};

use super::{ParameterValue, open, player};
use crate::failure::Failure;
use crate::numbers::{whole, within};

/// Measure the speed of self-play: nodes and positions per second.
#[derive(Args)]
#[command(after_help = "Example: saavedra forge speed --nodes 1000")]
pub(super) struct Arguments {
    /// The network (default: the built-in network).
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = within::<u32>(10..=1_000_000))]
    nodes: u32,
    /// Positions per warp.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole::<usize>)]
    positions: usize,
    /// A search parameter; may be given several times.
    #[arg(long = "set", value_name = "NAME=NUMBER")]
    settings: Vec<ParameterValue>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let gpu = open()?;
    let player = player(arguments.net.as_ref(), arguments.nodes, &arguments.settings)?;
    let room = Capacity { records: arguments.positions, ..Capacity::default() };
    let begun = Instant::now();
    let mut gpu_games = GpuGames::new(&gpu, &[player], Conditions::default(), room).map_err(anyhow::Error::from)?;
    println!("{}", gpu.description().map_err(anyhow::Error::from)?);
    println!("{} games at once, ready after {:.1} s", gpu_games.warps(), begun.elapsed().as_secs_f64());
    gpu_games.begin(1).map_err(anyhow::Error::from)?;
    let begun = Instant::now();
    let played = gpu_games.play(arguments.positions, usize::MAX >> 32).map_err(anyhow::Error::from)?;
    let seconds = begun.elapsed().as_secs_f64();
    let [losses, draws, wins] = played.results;
    println!(
        "{:.1} million nodes/s, {:.0} positions/s, mean depth {:.2}, {} games ({wins} won by White, {draws} drawn, {losses} lost), {seconds:.1} s",
        played.nodes as f64 / seconds / 1e6,
        played.positions as f64 / seconds,
        played.depths as f64 / played.searches as f64,
        played.games,
    );
    Ok(())
}
