//! A training from files of packed games to a network, on the CPU or on a GPU.

use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow};
use forge::{Batches, Gpu, GpuSamples, GpuTrainer};
use nnue::Network;
use records::packed::PackedError;
use records::source::input_name;
use train::{
    DataSet, Exported, FeatureTable, FloatNetwork, Pulse, ReadWatcher, Recipe, Reference, TrainError, Trainer,
    TrainerState, TrainingProgress, TrainingWatcher,
};

use crate::candidates::start;
use crate::folder::write_file;
use crate::{Failure, TrainingReport, TrainingReporter, float_path};

/// What a training is computed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Device {
    /// A GPU if there is one.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// A GPU.
    Gpu,
}

impl FromStr for Device {
    type Err = String;

    fn from_str(text: &str) -> Result<Device, String> {
        match text {
            "auto" => Ok(Device::Auto),
            "cpu" => Ok(Device::Cpu),
            "gpu" => Ok(Device::Gpu),
            _ => Err("device: expected auto, cpu or gpu".to_owned()),
        }
    }
}

/// A training from files of packed games.
pub struct Training<'a> {
    /// How it is done.
    pub recipe: &'a Recipe,
    /// The float weights of the champion, for recipes that start from it.
    pub champion: Option<&'a FloatNetwork>,
    /// The network whose evaluation scale the new one gets.
    pub reference: Option<&'a Network>,
    /// Files of packed games.
    pub data: &'a [PathBuf],
    /// The network to write, which must not exist. Its float weights are written beside it.
    pub out: &'a Path,
    /// Where to keep what is needed to go on, after every epoch.
    pub checkpoint: Option<&'a Path>,
    /// Whether it goes on from the checkpoint.
    pub resumes: bool,
    /// What computes.
    pub device: Device,
    /// How many threads a training on the CPU uses; all cores if none are given.
    pub threads: Option<usize>,
    /// Set to stop the training.
    pub stop: &'a AtomicBool,
}

/// What a GPU learns from: the samples, and behind them those for validation.
struct GpuData {
    gpu: Gpu,
    samples: GpuSamples,
}

impl GpuData {
    fn new(gpu: Gpu, data: &DataSet) -> Result<GpuData, forge::GpuError> {
        let mut samples = GpuSamples::with_room(&gpu, data.samples().len() + data.validation().len())?;
        samples.append(&gpu, data.samples())?;
        samples.append(&gpu, data.validation())?;
        Ok(GpuData { gpu, samples })
    }
}

impl Training<'_> {
    /// Trains a network, and checks that the engine reads it as the trainer does before it is written.
    pub fn run(&self, reporter: &mut dyn TrainingReporter) -> Result<TrainingReport, Failure> {
        self.check_files()?;
        let (architecture, weights) = start(self.recipe, self.champion)?;
        // A GPU that is missing is better reported before hours of games are read.
        let gpu = match self.device {
            Device::Cpu => None,
            Device::Auto => {
                Gpu::open().inspect_err(|error| tracing::info!(%error, "the CPU trains, for want of a GPU")).ok()
            }
            Device::Gpu => Some(Gpu::open()?),
        };
        let data = self.read(reporter)?;
        let state = TrainerState::new(weights);
        let state = if self.recipe.has_factoriser { state } else { state.without_factoriser() };
        let table = FeatureTable::new(&architecture);
        let progress = self.progress(&data, &table, state)?;
        let gpu_data = gpu.map(|gpu| GpuData::new(gpu, &data)).transpose()?;
        let mut trainer = self.trainer(gpu_data.as_ref(), &data, table, &progress.state)?;
        let report = TrainingReport::new(&data, architecture, trainer.device());
        self.finish(trainer.as_mut(), progress, report, reporter)
    }

    /// The command that does the same.
    pub fn command(&self) -> String {
        let mut words = vec!["saavedra train".to_owned()];
        words.extend(self.data.iter().map(|path| path.display().to_string()));
        // Files know no generations.
        let recipe = self.recipe.to_string();
        words.extend(recipe.split(' ').filter(|word| !word.starts_with("keep=")).map(|word| format!("--{word}")));
        words.extend(["--out".to_owned(), self.out.display().to_string()]);
        words.extend(self.checkpoint.map(|path| format!("--checkpoint {}", path.display())));
        words.join(" ")
    }

    fn check_files(&self) -> Result<(), Failure> {
        for written in [Some(self.out), self.checkpoint].into_iter().flatten() {
            check_folder(written)?;
        }
        if self.out == float_path(self.out) {
            return Err(Failure::Usage(format!(
                "{}: this is where its float weights would be written",
                self.out.display()
            )));
        }
        if self.out.exists() {
            return Err(Failure::Usage(format!("{} exists already", self.out.display())));
        }
        match self.checkpoint.filter(|path| !self.resumes && path.exists()) {
            Some(path) => {
                Err(Failure::Usage(format!("{} exists already; use --resume to continue it", path.display())))
            }
            None => Ok(()),
        }
    }

    fn read(&self, reporter: &dyn TrainingReporter) -> Result<DataSet, Failure> {
        let Recipe { filter, validation, settings, .. } = self.recipe;
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        let reading = Reading { files: self.data, reporter };
        let data = DataSet::read(self.data, *filter, *validation, settings.seed, threads, &reading)
            .map_err(|(file, error)| anyhow!("cannot read {}: {error}", input_name(&self.data[file])))?;
        if data.samples().is_empty() {
            let (positions, games) = (data.counts().positions, data.counts().games);
            return Err(anyhow!("the filter keeps none of {positions} positions in {games} games").into());
        }
        Ok(data)
    }

    /// Where the training stands: at its beginning, or at the checkpoint.
    fn progress(&self, data: &DataSet, table: &FeatureTable, state: TrainerState) -> Result<TrainingProgress, Failure> {
        let fresh = TrainingProgress::new(self.recipe.settings(), data.samples().len(), table, state);
        let Some(path) = self.checkpoint.filter(|_| self.resumes) else { return Ok(fresh) };
        let resumed = TrainingProgress::load(path).with_context(|| format!("cannot resume from {}", path.display()))?;
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
        gpu_data: Option<&'a GpuData>,
        data: &'a DataSet,
        table: FeatureTable,
        state: &TrainerState,
    ) -> Result<Box<dyn Trainer + 'a>, Failure> {
        let (samples, validation) = (data.samples(), data.validation());
        Ok(match gpu_data {
            Some(GpuData { gpu, samples: gpu_data }) => {
                let (samples, validation) = (0..samples.len(), samples.len()..gpu_data.count());
                let (samples, validation) = (gpu_data.part(samples), gpu_data.part(validation));
                let batches = Batches { most: self.recipe.settings.batch, precision: self.recipe.precision };
                Box::new(GpuTrainer::new(gpu, samples, validation, &table, state, batches)?)
            }
            None => {
                let reference = Reference::new(samples, validation, table, state.clone());
                Box::new(match self.threads {
                    Some(threads) => reference.with_threads(threads),
                    None => reference,
                })
            }
        })
    }

    /// Trains, and turns what comes of it into a network.
    fn finish(
        &self,
        trainer: &mut dyn Trainer,
        mut progress: TrainingProgress,
        mut report: TrainingReport,
        reporter: &mut dyn TrainingReporter,
    ) -> Result<TrainingReport, Failure> {
        reporter.begin(&report, &progress)?;
        let begun = Instant::now();
        let mut watch = Watch::new(self, &progress, &mut report, reporter);
        let chosen = train::train(trainer, &mut progress, &mut watch);
        reporter.trained(&progress)?;
        let chosen = match (chosen, self.checkpoint) {
            (Err(TrainError::Stopped(epoch)), Some(_)) => {
                return Err(
                    anyhow!("stopped in epoch {epoch}; use --resume to continue from the last checkpoint").into()
                );
            }
            (chosen, _) => chosen?,
        };
        let description = report.description(&progress, &chosen);
        let floats = FloatNetwork::new(report.architecture(), description, chosen.weights.clone());
        let floats = floats.expect("they were learned for it");
        let Exported { network, scale, active_groups } = train::export(&floats, self.reference)?;
        write_file(&float_path(self.out), &floats.write())?;
        write_file(self.out, &network.write())?;
        (report.scale, report.active_groups) = (scale, active_groups);
        report.end(&progress, &chosen, self.out, begun.elapsed());
        reporter.end(&report, &progress)?;
        Ok(report)
    }
}

/// Complains if there is no folder for a file.
pub fn check_folder(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Failure::Usage(format!("there is no folder for {}", file.display())));
    }
    Ok(())
}

/// Looks on while games are read.
struct Reading<'a> {
    files: &'a [PathBuf],
    reporter: &'a dyn TrainingReporter,
}

impl ReadWatcher for Reading<'_> {
    fn progress(&self, file: usize, positions: u64) {
        self.reporter.reading(&self.files[file], file, self.files.len(), positions);
    }

    fn damage(&self, file: usize, error: &PackedError) {
        tracing::warn!(file = %self.files[file].display(), %error, "games were left out");
        self.reporter.damage(&self.files[file], error);
    }
}

/// Watches a training: speeds, checkpoints, and the stop flag.
struct Watch<'a> {
    stop: &'a AtomicBool,
    checkpoint: Option<&'a Path>,
    report: &'a mut TrainingReport,
    reporter: &'a mut dyn TrainingReporter,
    begun: Instant,
    /// How many samples had been seen when this run began.
    seen_before: u64,
    epoch_begun: Instant,
    /// How many had been seen when the epoch began.
    epoch_seen: u64,
}

impl<'a> Watch<'a> {
    fn new(
        training: &'a Training<'a>,
        progress: &TrainingProgress,
        report: &'a mut TrainingReport,
        reporter: &'a mut dyn TrainingReporter,
    ) -> Watch<'a> {
        let (now, seen) = (Instant::now(), progress.seen());
        Watch {
            stop: training.stop,
            checkpoint: training.checkpoint,
            report,
            reporter,
            begun: now,
            seen_before: seen,
            epoch_begun: now,
            epoch_seen: seen,
        }
    }
}

impl TrainingWatcher for Watch<'_> {
    fn pulse(&mut self, pulse: &Pulse) -> ControlFlow<()> {
        let seconds = self.begun.elapsed().as_secs_f64();
        let speed = (pulse.seen - self.seen_before) as f64 / seconds.max(1e-9);
        let left = (pulse.total - pulse.seen) as f64 / speed.max(1e-9);
        self.reporter.pulse(pulse, speed, left);
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn epoch(&mut self, progress: &TrainingProgress) -> io::Result<()> {
        if let Some(path) = self.checkpoint {
            progress.save(path)?;
        }
        let seconds = self.epoch_begun.elapsed().as_secs_f64();
        self.epoch_begun = Instant::now();
        let speed = (progress.seen() - self.epoch_seen) as f64 / seconds.max(1e-9);
        self.epoch_seen = progress.seen();
        self.report.epoch(progress, speed);
        self.reporter.epoch(self.report, progress)
    }
}
