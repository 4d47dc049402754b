//! `saavedra net`: describe, verify, quantise, average and export networks.

mod average;
mod export;
mod info;
mod quantise;
mod verify;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, Subcommand};
use nnue::{Architecture, KingBuckets, Layers, Network};
use records::source::is_standard_input;

use crate::failure::Failure;
use crate::numbers::whole;
use train::parse_layers;

/// Describe, verify, quantise, average or export networks.
#[derive(Args)]
#[command(after_help = "Example: saavedra net info my.nnue")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(info::Arguments),
    Verify(verify::Arguments),
    Export(export::Arguments),
    #[command(alias = "round")]
    Quantise(quantise::Arguments),
    Average(average::Arguments),
    Random(Random),
}

/// Write a network with random weights, for tests of speed.
#[derive(Args)]
#[command(after_help = "Example: saavedra net random --width 128 untrained.nnue")]
struct Random {
    /// The file to write, which must not exist.
    file: PathBuf,
    /// Neurons of each accumulator: a multiple of 32, or of 128 if pairwise.
    #[arg(long, alias = "hidden", value_name = "N", default_value_t = 256, value_parser = whole::<usize>)]
    width: usize,
    /// What follows the accumulators: straight (SCReLU, then the output) or pairwise.
    #[arg(long, default_value_t = Layers::Straight, value_parser = parse_layers)]
    layers: Layers,
    /// King buckets: how many, or the bucket of each square as in `saavedra train`.
    #[arg(long, value_name = "LAYOUT", default_value = "1", value_parser = train::parse_king_buckets)]
    king_buckets: KingBuckets,
    /// Output buckets, chosen by the number of pieces.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<usize>)]
    output_buckets: usize,
    /// Seed: the same seed gives the same network.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Info(arguments) => info::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Quantise(arguments) => quantise::run(arguments),
        Command::Average(arguments) => average::run(arguments),
        Command::Random(arguments) => arguments.write(),
    }
}

impl Random {
    fn write(&self) -> Result<(), Failure> {
        let architecture = Architecture::new(self.width)
            .and_then(|architecture| architecture.with_layers(self.layers))
            .map(|architecture| architecture.with_king_buckets(self.king_buckets))
            .and_then(|architecture| architecture.with_output_buckets(self.output_buckets))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        write_new(&self.file, &Network::random(self.seed, architecture).write())
    }
}

/// Writes a file that must not exist.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = File::create_new(path).and_then(|mut file| file.write_all(bytes));
    Ok(written.with_context(|| format!("cannot write {}", path.display()))?)
}

/// The network in a file or from the standard input, or the one that is compiled in.
pub(crate) fn network(file: Option<&Path>) -> Result<Arc<Network>, Failure> {
    match file {
        Some(file) if is_standard_input(file) => Ok(Arc::new(evolve::input_network(file)?)),
        Some(file) => Ok(Arc::new(engine::load_network(file).map_err(anyhow::Error::from)?)),
        None => Ok(Arc::clone(search::AnyEvaluator::default().network().expect("a network is compiled in"))),
    }
}
