//! `saavedra net verify`: whether a network is whole, and all ways to ask it agree.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use nnue::Kernel;
use serde::Serialize;

use crate::failure::Failure;
use crate::numbers::{whole, within};

/// Check that a network is intact, and that all instruction sets of this CPU compute the same.
///
/// In every position of random games, incremental inference with each instruction set must equal plain arithmetic from
/// scratch.
#[derive(Args)]
#[command(after_help = "Example: saavedra net verify my.nnue --positions 10000")]
pub(crate) struct Arguments {
    /// The network; - is the standard input (default: the built-in network).
    file: Option<PathBuf>,
    /// Positions to compare.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = within::<u32>(1..))]
    positions: u32,
    /// Seed of the random games.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What was compared.
#[derive(Serialize)]
struct Report {
    positions: u32,
    kernels: Vec<&'static str>,
    least: i32,
    greatest: i32,
    /// A fingerprint of all evaluations: networks that evaluate these positions alike have the same.
    signature: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let network = super::network(arguments.file.as_deref())?;
    let mut values = Vec::new();
    nnue::verify(&network, arguments.seed, arguments.positions as usize, |_, value| values.push(value))
        .map_err(anyhow::Error::from)?;
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let report = Report {
        positions: arguments.positions,
        kernels: Kernel::available().into_iter().map(Kernel::name).collect(),
        least: values.iter().copied().min().unwrap_or_default(),
        greatest: values.iter().copied().max().unwrap_or_default(),
        signature: format!("{:016x}", nnue::checksum(&bytes)),
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        let Report { positions, kernels, least, greatest, signature } = report;
        writeln!(out, "The checksum is right.")?;
        writeln!(out, "{} agree with plain arithmetic in {positions} positions.", kernels.join(", "))?;
        writeln!(out, "Values from {least:+} to {greatest:+} centipawns, signature {signature}.")?;
    }
    Ok(out.flush()?)
}
