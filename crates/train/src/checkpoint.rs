//! A training at rest, so that it can go on later as if nothing had happened.
//!
//! All numbers are little-endian: `SvdTrn`, a carriage return and a line feed; a version; the fields of
//! [`TrainingProgress`] in their order, lists with their length before them; the [`checksum`](nnue::checksum) of it
//! all.

use std::fs;
use std::io;
use std::path::Path;

use nnue::Layers;
use records::write_atomically;
use thiserror::Error;

use crate::session::{Chosen, Origin, TrainingProgress};
use crate::{Hyperparameters, LossCurve, LossPoint, Moments, Shape, TrainerState, Weights};

const MAGIC: &[u8; 8] = b"SvdTrn\r\n";
const VERSION: u32 = 4;
const CHECKSUM: usize = size_of::<u64>();

/// What is wrong with a checkpoint.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file holds something else.
    #[error("not a checkpoint of a training")]
    NotACheckpoint,
    /// The file was written by another version of this program.
    #[error("a checkpoint of version {0}, expected {VERSION}")]
    Version(u32),
    /// The file was changed or cut off.
    #[error("the checkpoint is damaged")]
    Damaged,
}

impl TrainingProgress {
    /// Writes the checkpoint.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, self.to_bytes())
    }

    /// Reads a checkpoint.
    pub fn load(path: &Path) -> Result<TrainingProgress, CheckpointError> {
        TrainingProgress::from_bytes(&fs::read(path)?)
    }

    /// The checkpoint as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Out(MAGIC.to_vec());
        out.0.extend_from_slice(&VERSION.to_le_bytes());
        out.settings(&self.settings);
        out.whole(self.samples);
        out.whole(self.inputs);
        out.whole(u64::from(self.epochs_done));
        let Shape { inputs, hidden, output_buckets, layers } = self.state.shape();
        [inputs, hidden, output_buckets].into_iter().for_each(|size| out.whole(size as u64));
        out.whole(u64::from(layers == Layers::Pairwise));
        out.list(self.state.weights.values());
        out.moments(&self.state.moments);
        out.whole(u64::from(self.state.shared.is_some()));
        if let Some(shared) = &self.state.shared {
            out.moments(shared);
        }
        out.whole(u64::from(self.best.is_some()));
        if let Some(best) = &self.best {
            out.list(best.weights.values());
            out.option(best.validation);
            match best.origin {
                Origin::Epoch(epoch) => [0, u64::from(epoch)],
                Origin::MeanOfLast(count) => [1, count as u64],
            }
            .into_iter()
            .for_each(|number| out.whole(number));
        }
        out.whole(self.recent.len() as u64);
        self.recent.iter().for_each(|weights| out.list(weights.values()));
        out.whole(self.curve.points.len() as u64);
        for point in &self.curve.points {
            out.whole(point.samples);
            out.real(point.training);
            out.option(point.validation);
        }
        let checksum = nnue::checksum(&out.0);
        out.whole(checksum);
        out.0
    }

    /// Reads the bytes of a checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Result<TrainingProgress, CheckpointError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CheckpointError::NotACheckpoint)?;
        let (version, _) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(CheckpointError::Version(version));
        }
        let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(CheckpointError::Damaged)?;
        if nnue::checksum(body) != u64::from_le_bytes(*checksum) {
            return Err(CheckpointError::Damaged);
        }
        In(&body[MAGIC.len() + size_of::<u32>()..]).progress().ok_or(CheckpointError::Damaged)
    }
}

/// Bytes to be written.
struct Out(Vec<u8>);

impl Out {
    fn whole(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn settings(&mut self, settings: &Hyperparameters) {
        let &Hyperparameters { epochs, epoch_size, batch, final_epochs, warm_up, averaged, seed, .. } = settings;
        let [epochs, final_epochs] = [epochs, final_epochs].map(u64::from);
        // An epoch of nothing stands for one of all samples.
        let [epoch_size, batch, averaged] = [epoch_size.unwrap_or(0), batch, averaged].map(|size| size as u64);
        let numbers = [epochs, epoch_size, batch, final_epochs, warm_up, averaged, seed];
        numbers.into_iter().for_each(|number| self.whole(number));
        let &Hyperparameters { rate, last_rate, lambda, last_lambda, penalty, decay, clip, .. } = settings;
        let numbers = [rate, last_rate, lambda, last_lambda, penalty, decay, f64::from(clip)];
        numbers.into_iter().for_each(|number| self.real(number));
    }

    fn real(&mut self, number: f64) {
        self.whole(number.to_bits());
    }

    fn option(&mut self, number: Option<f64>) {
        self.whole(u64::from(number.is_some()));
        self.real(number.unwrap_or_default());
    }

    fn list(&mut self, numbers: &[f32]) {
        self.whole(numbers.len() as u64);
        numbers.iter().for_each(|number| self.0.extend_from_slice(&number.to_le_bytes()));
    }

    fn moments(&mut self, moments: &Moments) {
        self.list(&moments.means);
        self.list(&moments.squares);
    }
}

/// Bytes that are left to read; nothing comes of what is too short or makes no sense.
struct In<'a>(&'a [u8]);

impl In<'_> {
    fn whole(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn size<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.whole()?).ok()
    }

    fn real(&mut self) -> Option<f64> {
        self.whole().map(f64::from_bits)
    }

    fn option(&mut self) -> Option<Option<f64>> {
        let is_some = self.whole()? == 1;
        self.real().map(|number| is_some.then_some(number))
    }

    fn list(&mut self) -> Option<Vec<f32>> {
        const SIZE: usize = size_of::<f32>();
        let bytes = self.size::<usize>()?.checked_mul(SIZE)?;
        let (numbers, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(numbers.as_chunks::<SIZE>().0.iter().map(|number| f32::from_le_bytes(*number)).collect())
    }

    fn weights(&mut self, shape: Shape) -> Option<Weights> {
        Weights::from_values(shape, self.list()?)
    }

    fn moments(&mut self, count: usize) -> Option<Moments> {
        let moments = Moments { means: self.list()?, squares: self.list()? };
        (moments.means.len() == count && moments.squares.len() == count).then_some(moments)
    }

    fn progress(mut self) -> Option<TrainingProgress> {
        let settings = self.settings()?;
        let (samples, inputs, epochs_done) = (self.whole()?, self.whole()?, self.size()?);
        let shape = self.shape()?;
        let (weights, moments) = (self.weights(shape)?, self.moments(shape.weight_count())?);
        let has_factoriser = self.whole()? == 1;
        let shared = if has_factoriser { Some(self.moments(shape.shared().len())?) } else { None };
        let state = TrainerState { weights, moments, shared };
        let has_best = self.whole()? == 1;
        let best = if has_best { Some(self.candidate(shape)?) } else { None };
        let recent = (0..self.whole()?).map(|_| self.weights(shape)).collect::<Option<_>>()?;
        let point = |input: &mut Self| {
            Some(LossPoint { samples: input.whole()?, training: input.real()?, validation: input.option()? })
        };
        let points = (0..self.whole()?).map(|_| point(&mut self)).collect::<Option<_>>()?;
        let is_over = self.0.is_empty();
        let progress = TrainingProgress {
            settings,
            samples,
            inputs,
            epochs_done,
            state,
            best,
            recent,
            curve: LossCurve { points },
        };
        is_over.then_some(progress)
    }

    fn shape(&mut self) -> Option<Shape> {
        let [inputs, hidden, output_buckets] = [self.size()?, self.size()?, self.size()?];
        let layers = if self.whole()? == 1 { Layers::Pairwise } else { Layers::Straight };
        Some(Shape { inputs, hidden, output_buckets, layers })
    }

    fn settings(&mut self) -> Option<Hyperparameters> {
        Some(Hyperparameters {
            epochs: self.size()?,
            epoch_size: Some(self.size()?).filter(|&size| size > 0),
            batch: self.size()?,
            final_epochs: self.size()?,
            warm_up: self.whole()?,
            averaged: self.size()?,
            seed: self.whole()?,
            rate: self.real()?,
            last_rate: self.real()?,
            lambda: self.real()?,
            last_lambda: self.real()?,
            penalty: self.real()?,
            decay: self.real()?,
            clip: self.real()? as f32,
        })
    }

    fn candidate(&mut self, shape: Shape) -> Option<Chosen> {
        let (weights, validation) = (self.weights(shape)?, self.option()?);
        let origin = match self.whole()? {
            0 => Origin::Epoch(self.size()?),
            _ => Origin::MeanOfLast(self.size()?),
        };
        Some(Chosen { weights, validation, origin })
    }
}
