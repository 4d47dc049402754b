//! `saavedra bench`: a fixed amount of search, counted and timed.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use search::{AnyEvaluator, bench};
use serde::Serialize;

use crate::failure::Failure;
use crate::numbers::within;

/// Search a fixed set of positions, and count the nodes.
///
/// The number of nodes is the signature of the search: the same on every machine, until the search changes.
#[derive(Args)]
#[command(after_help = "Example: saavedra bench 10")]
pub(crate) struct Arguments {
    /// How deep to search.
    #[arg(default_value_t = bench::DEPTH as u32, value_parser = within::<u32>(1..=100))]
    depth: u32,
    /// Evaluate with the network in this file.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let depth = arguments.depth;
    let evaluator = match &arguments.net {
        Some(file) => Arc::new(engine::load_network(file).map_err(anyhow::Error::from)?).into(),
        None => AnyEvaluator::default(),
    };
    let bench = bench::run(evaluator, depth as usize);
    let mut out = io::stdout().lock();
    if arguments.json {
        let (seconds, nodes_per_second) = (bench.time.as_secs_f64(), bench.nodes_per_second());
        serde_json::to_writer(&mut out, &Report { depth, nodes: bench.nodes, seconds, nodes_per_second })?;
        writeln!(out)?;
    } else {
        writeln!(out, "{bench}")?;
    }
    Ok(out.flush()?)
}
