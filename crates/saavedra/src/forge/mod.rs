//! `saavedra forge`: self-play on the GPU, proved, measured, tuned, and as a match.

mod contest;
mod speed;
mod tune;
mod versus;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use forge::{Gpu, GpuPlayer, Kernels, SearchParameters};

use crate::failure::Failure;

/// Self-play on the GPU: verify it, measure it, tune it, and play matches.
///
/// Each warp of the GPU plays one game; thousands run at once. The driver of an NVIDIA GPU and the library NVRTC are
/// loaded when the command runs.
#[derive(Args)]
#[command(after_help = "Example: saavedra forge check")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(Check),
    Speed(speed::Arguments),
    Match(contest::Arguments),
    Tune(tune::Arguments),
    Versus(versus::Arguments),
}

/// Verify that this GPU searches exactly as the emulation on the CPU, node by node.
#[derive(Args)]
#[command(after_help = "Example: saavedra forge check")]
struct Check {}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Check(Check {}) => {
            let gpu = open()?;
            for kernels in Kernels::all() {
                forge::prove(&gpu, kernels).map_err(anyhow::Error::from)?;
            }
            println!("{}", gpu.description().map_err(anyhow::Error::from)?);
            println!("searches as the emulation does, node by node");
            Ok(())
        }
        Command::Speed(arguments) => speed::run(arguments),
        Command::Match(arguments) => contest::run(arguments),
        Command::Tune(arguments) => tune::run(arguments),
        Command::Versus(arguments) => versus::run(arguments),
    }
}

fn open() -> Result<Gpu, Failure> {
    Ok(Gpu::open().map_err(anyhow::Error::from)?)
}

/// `NAME=NUMBER`, a search parameter.
#[derive(Clone, Debug)]
pub(crate) struct ParameterValue {
    name: String,
    value: i32,
}

impl std::str::FromStr for ParameterValue {
    type Err = String;

    fn from_str(text: &str) -> Result<ParameterValue, String> {
        let (name, value) = text.split_once('=').ok_or("not of the form NAME=NUMBER")?;
        if !SearchParameters::NAMES.contains(&name) {
            if let Some(new) = SearchParameters::renamed(name) {
                return Err(format!("{name} is now called {new}"));
            }
            return Err(format!("there is no {name}; there are {}", SearchParameters::NAMES.join(", ")));
        }
        let value = value.parse().map_err(|_| format!("{value} is not a whole number"))?;
        Ok(ParameterValue { name: name.to_owned(), value })
    }
}

fn player(file: Option<&PathBuf>, nodes: u32, settings: &[ParameterValue]) -> Result<GpuPlayer, Failure> {
    let mut parameters = SearchParameters { nodes: nodes as i32, ..SearchParameters::default() };
    for setting in settings {
        parameters.set(&setting.name, setting.value);
    }
    let player = GpuPlayer { network: evolve::network(file.map(PathBuf::as_path))?, parameters };
    player.check().map_err(anyhow::Error::from)?;
    Ok(player)
}
