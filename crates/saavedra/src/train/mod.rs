//! `saavedra train`: from games to a network, on the CPU or on a GPU.

pub(crate) mod options;
pub(crate) mod report;
mod watch;

use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use forge::{Batches, Card, CardSamples, GpuTrainer, Precision};
use nnue::{Architecture, KingBuckets, Layers};
use serde::Serialize;
use train::{
    DataSet, FeatureTable, Filter, Progress, Reference, Settings, Shape, State, TrainError, Trainer, VERIFIED, Weights,
};

use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Bar;
use options::{parse_lambda, parse_layers, parse_positions, parse_rate, parse_rows, parse_share};
pub(crate) use report::Report;
use watch::{Reading, Watch};

const HELP: &str = "\
Positions in check, those from which a capture or a promotion was played, and the first plies of a game are left out; the search
looks after them. Of all games a hundredth is held out, and the epoch that knows those best is kept, or the mean of the last ones.

With --checkpoint, a training that was interrupted goes on from its last epoch by the same command and --resume.
Exit code 0: a network was written; 1: it failed, or was stopped; 2: wrong usage.
Examples: saavedra train games.svd --out first.nnue --width 128 --epochs 6
          saavedra train games.svd --out deep.nnue --width 512 --layers pairwise --output-buckets 8
          saavedra train new/*.svd --out tuned.nnue --from first.nnue --epochs 3 --rate 1e-4
          saavedra train --check";

/// Train a network on packed games.
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Files of packed games.
    #[arg(required_unless_present = "check", conflicts_with = "check")]
    data: Vec<PathBuf>,
    /// The network to write, which must not exist.
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    out: Option<PathBuf>,
    /// The width of the hidden layer: a multiple of 32, or of 128 for pairs.
    #[arg(long, alias = "hidden", value_name = "N", default_value_t = 256, conflicts_with = "from")]
    width: usize,
    /// What follows the hidden layer: straight to the output, or pairwise, products of its neurons and two small layers.
    #[arg(long, default_value_t = Layers::Straight, value_parser = parse_layers, conflicts_with = "from")]
    layers: Layers,
    /// How many sets of weights, chosen by the place of the own king: 1, 2, 4, 8, 16 or 32; or the set of each of 32 squares, e1 to
    /// h1 first, as in 0123/4444/5555/5555/6666/6666/6666/6666.
    #[arg(long, value_name = "LAYOUT", value_parser = train::parse_king_buckets)]
    king_buckets: Option<KingBuckets>,
    /// How many sets of output weights, chosen by the number of pieces.
    #[arg(long, value_name = "N")]
    output_buckets: Option<usize>,
    /// Let king buckets share nothing, instead of learning what they have in common from all positions.
    #[arg(long)]
    no_factoriser: bool,
    /// Start from this network instead of from chance; other buckets than it has begin as those that they are cut from.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Start with rows so many times as large as usual: 0.25 for a quarter.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = parse_rows)]
    rows: f32,
    /// How many epochs there are; in each, all positions are seen once, or as many as --epoch-size says.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// How many positions make an epoch, instead of all.
    #[arg(long, value_name = "N", value_parser = parse_positions)]
    epoch_size: Option<usize>,
    /// How many of the last epochs are averaged, to be chosen if their mean does better than any epoch.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=100))]
    average: u8,
    /// The weight of the result against the score in the first epoch and in the last, or one for all.
    #[arg(long, value_name = "FIRST,LAST", default_value = "0.2,0.5", value_parser = parse_lambda)]
    lambda: (f64, f64),
    /// The learning rate, which falls along a cosine.
    #[arg(long, value_name = "RATE", default_value_t = 1e-3, value_parser = parse_rate)]
    rate: f64,
    /// What the learning rate falls to; a four-hundredth if it is left out.
    #[arg(long, value_name = "RATE", value_parser = parse_rate)]
    last_rate: Option<f64>,
    /// How many epochs at the end keep the last rate.
    #[arg(long, value_name = "N", default_value_t = 0)]
    final_epochs: u32,
    /// How many steps the rate takes to rise, at most a tenth of all.
    #[arg(long, value_name = "STEPS", default_value_t = 200)]
    warm_up: u64,
    /// How many positions make a step.
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    batch: u32,
    /// The same seed, the same network: on the CPU everywhere, on a GPU on cards of the same kind.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// What computes; left alone, a GPU if there is one.
    #[arg(long, value_enum, default_value_t = Device::Auto)]
    device: Device,
    /// On a GPU, gather weights and gradients in 16 bits, which takes less time; they are learned and added up in 32.
    #[arg(long)]
    half: bool,
    /// How many threads a training on the CPU uses, up to 8; all cores if it is left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    threads: Option<u8>,
    /// The share of games held out.
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = parse_share)]
    held_out: f64,
    /// How many plies at the beginning of a game are left out.
    #[arg(long, value_name = "PLIES", default_value_t = 16)]
    skip: usize,
    /// The largest score that is learned from.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 10_000)]
    max_score: u16,
    /// Learn from positions in check, too.
    #[arg(long)]
    keep_checks: bool,
    /// Learn from positions from which a capture or a promotion was played, too.
    #[arg(long)]
    keep_captures: bool,
    /// Where to keep what is needed to go on, after every epoch.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint.
    #[arg(long, requires = "checkpoint", conflicts_with = "from")]
    resume: bool,
    /// Draw the losses into an SVG file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print one JSON object at the end.
    #[arg(long)]
    pub(crate) json: bool,
    /// Compare the trainer on the GPU with the one on the CPU, measure it, and train nothing.
    #[arg(long)]
    check: bool,
}

/// What a training is computed by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Device {
    Auto,
    Cpu,
    Gpu,
}

/// What a GPU learns from: the samples, and behind them those held out.
struct OnCard {
    card: Card,
    samples: CardSamples,
}

impl OnCard {
    fn new(card: Card, data: &DataSet) -> Result<OnCard, forge::Trouble> {
        let mut samples = CardSamples::with_room(&card, data.samples().len() + data.held_out().len())?;
        samples.append(&card, data.samples())?;
        samples.append(&card, data.held_out())?;
        Ok(OnCard { card, samples })
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.out {
        Some(out) if !arguments.check => {
            let report = arguments.train(out)?;
            if arguments.json { print_json(&report) } else { Ok(()) }
        }
        _ => check(),
    }
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
        Err(trouble @ (forge::Trouble::NoLibrary(_) | forge::Trouble::NoGpu(_))) => {
            tell(format!("skipped     {trouble}"));
            Ok(())
        }
        Err(trouble) => Err(Failure::Failed(trouble.into())),
    }
}

impl Arguments {
    /// Trains a network, and tells how it goes, unless that is left to a program to read.
    pub(crate) fn train(&self, out: &Path) -> Result<Report, Failure> {
        for written in [Some(out), self.checkpoint.as_deref(), self.plot.as_deref()].into_iter().flatten() {
            let folder = written.parent().filter(|folder| !folder.as_os_str().is_empty());
            if folder.is_some_and(|folder| !folder.is_dir()) {
                return Err(Failure::Usage(format!("there is no folder for {}", written.display())));
            }
        }
        if out.exists() {
            return Err(Failure::Usage(format!("{} exists already", out.display())));
        }
        if let Some(path) = self.checkpoint.as_deref().filter(|path| !self.resume && path.exists()) {
            return Err(Failure::Usage(format!("{} exists already; --resume goes on from it", path.display())));
        }
        let (architecture, weights) = self.start()?;
        // A GPU that is missing is better reported before hours of games are read.
        let card = match self.device {
            Device::Cpu => None,
            Device::Auto => Card::open().ok(),
            Device::Gpu => Some(Card::open().map_err(anyhow::Error::from)?),
        };
        let data = self.read()?;
        let mut report = Report::new(&data, architecture);
        let state = State::new(weights);
        let state = if self.no_factoriser { state.without_factoriser() } else { state };
        let table = FeatureTable::new(&architecture);
        let progress = self.progress(&data, &table, state)?;
        let on_card = card.map(|card| OnCard::new(card, &data)).transpose().map_err(anyhow::Error::from)?;
        let mut trainer = self.trainer(on_card.as_ref(), &data, table, &progress.state)?;
        report.begin(trainer.device(), self.json)?;
        self.finish(out, trainer.as_mut(), progress, report)
    }

    fn settings(&self) -> Settings {
        Settings {
            epochs: self.epochs,
            batch: self.batch as usize,
            epoch_size: self.epoch_size,
            averaged: usize::from(self.average),
            rate: self.rate,
            last_rate: self.last_rate.unwrap_or(self.rate * 2.4e-3),
            final_epochs: self.final_epochs,
            warm_up: self.warm_up,
            lambda: self.lambda.0,
            last_lambda: self.lambda.1,
            seed: self.seed,
            ..Settings::default()
        }
    }

    /// What the training starts from.
    fn start(&self) -> Result<(Architecture, Weights), Failure> {
        let usage = |error: nnue::ArchitectureError| Failure::Usage(error.to_string());
        let with_buckets = |architecture: Architecture| {
            let king_buckets = self.king_buckets.unwrap_or(*architecture.king_buckets());
            let output_buckets = self.output_buckets.unwrap_or(architecture.output_buckets());
            architecture.with_king_buckets(king_buckets).with_output_buckets(output_buckets).map_err(usage)
        };
        let Some(path) = &self.from else {
            let architecture = Architecture::new(self.width).and_then(|straight| straight.with_layers(self.layers));
            let architecture = with_buckets(architecture.map_err(usage)?)?;
            let weights = Weights::random(Shape::of(&architecture), self.seed).with_rows_times(self.rows);
            return Ok((architecture, weights.with_equal_buckets()));
        };
        let network = engine::load_network(path).map_err(anyhow::Error::from)?;
        let (old, architecture) = (network.architecture(), with_buckets(*network.architecture())?);
        let weights = train::in_other_buckets(&train::dequantise(&network), old, &architecture);
        Ok((architecture, weights.expect("both have the same width and layers")))
    }

    fn read(&self) -> Result<DataSet, Failure> {
        let filter = Filter {
            opening: self.skip,
            keeps_checks: self.keep_checks,
            keeps_tactics: self.keep_captures,
            most_score: self.max_score,
        };
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        let reading = Reading { files: &self.data, bar: Bar::new("{spinner} {wide_msg}") };
        let data = DataSet::read(&self.data, filter, self.held_out, self.seed, threads, &reading)
            .map_err(|(file, error)| anyhow!("cannot read {}: {error}", self.data[file].display()))?;
        drop(reading);
        if data.samples().is_empty() {
            return Err(Failure::Failed(anyhow!(
                "nothing is left to train on, of {} positions in {} games",
                data.counts().positions,
                data.counts().games
            )));
        }
        Ok(data)
    }

    /// Where the training stands: at its beginning, or at the checkpoint.
    fn progress(&self, data: &DataSet, table: &FeatureTable, state: State) -> Result<Progress, Failure> {
        let fresh = Progress::new(self.settings(), data.samples().len(), table, state);
        let Some(path) = self.checkpoint.as_deref().filter(|_| self.resume) else { return Ok(fresh) };
        let resumed = Progress::load(path).with_context(|| format!("cannot resume from {}", path.display()))?;
        let differs = [
            ("settings", resumed.settings != fresh.settings),
            ("games", resumed.samples != fresh.samples),
            ("sizes of the network", resumed.state.shape() != fresh.state.shape()),
            ("buckets", resumed.inputs != fresh.inputs),
            ("use of a factoriser", resumed.state.shared.is_some() != fresh.state.shared.is_some()),
        ];
        match differs.iter().find(|(_, differs)| *differs) {
            Some((what, _)) => Err(Failure::Usage(format!("{} was made with other {what}", path.display()))),
            None => Ok(resumed),
        }
    }

    fn trainer<'a>(
        &self,
        on_card: Option<&'a OnCard>,
        data: &'a DataSet,
        table: FeatureTable,
        state: &State,
    ) -> Result<Box<dyn Trainer + 'a>, Failure> {
        let (samples, held_out) = (data.samples(), data.held_out());
        Ok(match on_card {
            Some(OnCard { card, samples: on_card }) => {
                let (samples, held_out) = (0..samples.len(), samples.len()..on_card.count());
                let (samples, held_out) = (on_card.part(samples), on_card.part(held_out));
                let precision = if self.half { Precision::Half } else { Precision::Single };
                let batches = Batches { most: self.batch as usize, precision };
                let gpu = GpuTrainer::new(card, samples, held_out, &table, state, batches);
                Box::new(gpu.map_err(anyhow::Error::from)?)
            }
            None => {
                let reference = Reference::new(samples, held_out, table, state.clone());
                Box::new(match self.threads {
                    Some(threads) => reference.with_threads(usize::from(threads)),
                    None => reference,
                })
            }
        })
    }

    /// Trains, and turns what comes of it into a network.
    fn finish(
        &self,
        out: &Path,
        trainer: &mut dyn Trainer,
        mut progress: Progress,
        mut report: Report,
    ) -> Result<Report, Failure> {
        let begun = Instant::now();
        let stop = interrupt::flag();
        let mut watch = Watch::new(&stop, &mut report, self.checkpoint.as_deref(), self.json, &progress);
        let chosen = train::train(trainer, &mut progress, &mut watch);
        drop(watch);
        self.plot(&progress)?;
        let chosen = match (chosen, &self.checkpoint) {
            (Err(TrainError::Stopped(epoch)), Some(_)) => {
                return Err(Failure::Failed(anyhow!(
                    "stopped in epoch {epoch}; --resume goes on from the last checkpoint"
                )));
            }
            (chosen, _) => chosen.map_err(anyhow::Error::from)?,
        };
        let description = report.description(&progress, &chosen);
        let network =
            train::quantise(&chosen.weights, report.architecture(), &description).map_err(anyhow::Error::from)?;
        train::verify(&network, VERIFIED).map_err(anyhow::Error::from)?;
        train::write_whole(out, &network.write()).with_context(|| format!("cannot write {}", out.display()))?;
        report.end(&progress, &chosen, out, begun.elapsed(), self.json)?;
        Ok(report)
    }

    fn plot(&self, progress: &Progress) -> Result<(), Failure> {
        let Some(path) = &self.plot else { return Ok(()) };
        let svg = report::plot(progress);
        Ok(train::write_whole(path, svg.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?)
    }
}
