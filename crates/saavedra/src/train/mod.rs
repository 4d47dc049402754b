//! `saavedra train`: from games to a network, on the CPU or on a GPU.

mod reporter;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use evolve::Training;
use serde::Serialize;
use train::{Key, Recipe};

use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::within;
use crate::recipe::{Keys, RecipeOptions};
pub(crate) use reporter::Printer;

const HELP: &str = "\
The network with the lowest validation loss is exported: that of one epoch, or the mean of the last ones (--average).
To resume an interrupted training that had --checkpoint, run the same command with --resume.
Recipes of evolve have the same words: width=512 lambda=0:0.3 is --width 512 --lambda 0:0.3.
Exit code 0: a network was written; 1: it failed or was interrupted; 2: wrong usage.
Examples: saavedra train games.svd --out first.nnue --width 128 --epochs 6
          saavedra train games.svd --out deep.nnue --width 512 --layers pairwise --output-buckets 8
          saavedra train new/*.svd --out tuned.nnue --from first.trunk --reference first.nnue --epochs 3 --rate 1e-4
          saavedra train --check";

/// Train a network on packed games.
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Files of packed games, plain or compressed; - is the standard input.
    #[arg(required_unless_present = "check", conflicts_with = "check")]
    data: Vec<PathBuf>,
    /// The network to write, which must not exist; its float weights are written beside it, as .trunk.
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    out: Option<PathBuf>,
    /// A network whose evaluation scale the new one gets, so that the margins of the search fit.
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    recipe: RecipeOptions<FromFiles>,
    /// Where to compute; auto is a GPU if there is one.
    #[arg(long, value_enum, default_value_t = Device::Auto)]
    device: Device,
    /// Threads on the CPU (default: one per core, at most 8).
    #[arg(long, value_name = "N", value_parser = within::<u8>(1..=8))]
    threads: Option<u8>,
    /// Write a checkpoint after every epoch.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Resume from the checkpoint.
    #[arg(long, requires = "checkpoint", conflicts_with = "from")]
    resume: bool,
    /// Plot the losses to an SVG file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print one JSON object at the end.
    #[arg(long)]
    json: bool,
    /// Compare the GPU trainer with the CPU trainer, measure its speed, and train nothing.
    #[arg(long)]
    check: bool,
}

/// The keys of a training from files: files know no generations.
#[derive(Clone)]
struct FromFiles;

impl Keys for FromFiles {
    fn has(key: &Key) -> bool {
        key.name != "keep"
    }

    const REQUIRED: Option<&'static str> = None;
    const HEADING: Option<&'static str> = None;
}

/// What a training is computed by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Device {
    Auto,
    Cpu,
    Gpu,
}

impl From<Device> for evolve::Device {
    fn from(device: Device) -> evolve::Device {
        match device {
            Device::Auto => evolve::Device::Auto,
            Device::Cpu => evolve::Device::Cpu,
            Device::Gpu => evolve::Device::Gpu,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Some(out) = arguments.out.as_ref().filter(|_| !arguments.check) else { return check() };
    let mut recipe = Recipe::default();
    arguments.recipe.apply(&mut recipe).map_err(Failure::Usage)?;
    if let Some(plot) = &arguments.plot {
        evolve::check_folder(plot)?;
    }
    let reference = arguments.reference.as_deref().map(|file| evolve::network(Some(file))).transpose()?;
    let stop = interrupt::flag();
    let training = Training {
        recipe: &recipe,
        champion: None,
        reference: reference.as_deref(),
        data: &arguments.data,
        out,
        checkpoint: arguments.checkpoint.as_deref(),
        resumes: arguments.resume,
        device: arguments.device.into(),
        threads: arguments.threads.map(usize::from),
        stop: &stop,
    };
    let report = training.run(&mut Printer::new(arguments.json, arguments.plot.clone()))?;
    if arguments.json { print_json(&report) } else { Ok(()) }
}

/// Prints something as a line of JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// Every line is printed at once, because a GPU that hangs leaves no time for the rest.
fn check() -> Result<(), Failure> {
    let mut tell = |line: String| {
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    };
    match forge::check(&mut tell) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Told),
        Err(error @ (forge::GpuError::NoLibrary(_) | forge::GpuError::NoGpu(_))) => {
            tell(format!("skipped     {error}"));
            Ok(())
        }
        Err(error) => Err(Failure::Failed(error.into())),
    }
}
