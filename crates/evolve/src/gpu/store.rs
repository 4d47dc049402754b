//! The samples of the last generations on the GPU, those to train on and those for validation.

use std::fs;
use std::path::Path;

use anyhow::anyhow;
use forge::{Gpu, GpuError, GpuGames, GpuSamples, Selection};
use train::{Filter, Recipe, Sample};

use super::sample_file::{self, Head};
use crate::Failure;

/// The share of room for validation, if a hundredth of all games is kept for it: twice what is expected.
const VALIDATION_SHARE: usize = 50;

/// Bytes of the GPU's memory that are left to trainings, matches and others.
const SPARE: usize = 4 << 30;

/// The fewest samples a run makes sense with.
const FEWEST: usize = 1 << 18;

const SAMPLE_BYTES: usize = 32;

/// How many samples there is room for, of those wanted: beside a match, which takes twice the memory of self-play.
pub(super) fn room(wanted: usize, free: usize, gpu_games: usize) -> Result<usize, Failure> {
    let spare = SPARE.min(free / 4);
    let room = free.saturating_sub(2 * gpu_games + spare) / SAMPLE_BYTES / (VALIDATION_SHARE + 1) * VALIDATION_SHARE;
    let room = room.min(wanted.max(FEWEST));
    if room < FEWEST {
        let gibibytes = |bytes: usize| bytes as f64 / f64::from(1 << 30);
        return Err(anyhow!(
            "too little memory on the GPU: {:.1} GiB are free, and games take {:.1} GiB",
            gibibytes(free),
            gibibytes(2 * gpu_games)
        )
        .into());
    }
    Ok(room)
}

/// One of how many games is kept for validation, for a share of all.
fn validation_every(share: f64) -> u32 {
    if share > 0.0 { (1.0 / share).round() as u32 } else { 0 }
}

/// How many samples a generation has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Held {
    samples: usize,
    validation: usize,
}

/// What comes first is the oldest.
pub(super) struct Store {
    gpu: Gpu,
    filter: Filter,
    /// One of so many games is kept for validation; none if it is zero.
    validation_every: u32,
    samples: GpuSamples,
    validation: GpuSamples,
    generations: Vec<Held>,
}

/// What a round added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gathered {
    pub(super) samples: usize,
    pub(super) validation: usize,
}

impl Store {
    pub(super) fn new(gpu: &Gpu, recipe: &Recipe, room: usize) -> Result<Store, Failure> {
        Ok(Store {
            gpu: gpu.clone(),
            filter: recipe.filter,
            validation_every: validation_every(recipe.validation),
            samples: GpuSamples::with_room(gpu, room)?,
            validation: GpuSamples::with_room(gpu, room / VALIDATION_SHARE)?,
            generations: Vec::new(),
        })
    }

    /// How many samples there is room for in all.
    pub(super) fn room(&self) -> usize {
        self.samples.count() + self.samples.room()
    }

    /// How many samples can be learned from, of the last generations.
    pub(super) fn count(&self, keep: usize) -> usize {
        self.generations.iter().rev().take(keep).map(|held| held.samples).sum()
    }

    /// Makes a place for a generation, and forgets all but the last ones before it.
    pub(super) fn begin_generation(&mut self, keep: usize) -> Result<(), Failure> {
        self.generations.push(Held::default());
        while self.generations.len() > keep.max(1) {
            self.forget_oldest()?;
        }
        Ok(())
    }

    fn forget_oldest(&mut self) -> Result<(), Failure> {
        let Held { samples, validation } = self.generations.remove(0);
        tracing::debug!(samples, validation, "the oldest generation is forgotten");
        self.samples.forget_first(&self.gpu, samples)?;
        Ok(self.validation.forget_first(&self.gpu, validation)?)
    }

    /// Makes room for so many samples, if necessary at the cost of the oldest generations. False if that was not
    /// enough.
    fn make_room(&mut self, samples: usize, validation: usize) -> Result<bool, Failure> {
        while self.samples.room() < samples || self.validation.room() < validation {
            if self.generations.len() < 2 {
                return Ok(false);
            }
            self.forget_oldest()?;
        }
        Ok(true)
    }

    /// Takes over what a round has played. Nothing if there is no room for it.
    pub(super) fn gather(&mut self, gpu_games: &mut GpuGames) -> Result<Option<Gathered>, Failure> {
        loop {
            let before = self.samples.count();
            let (filter, every) = (&self.filter, self.validation_every);
            let gathered = gpu_games.gather(filter, every, false, &mut self.samples).and_then(|samples| {
                let validation = gpu_games.gather(filter, every, true, &mut self.validation)?;
                Ok(Gathered { samples, validation })
            });
            match gathered {
                Ok(gathered) => {
                    self.add(gathered);
                    return Ok(Some(gathered));
                }
                Err(GpuError::NoRoom { .. }) => {
                    self.samples.truncate(before);
                    if self.generations.len() < 2 {
                        return Ok(None);
                    }
                    self.forget_oldest()?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn add(&mut self, gathered: Gathered) {
        if self.generations.is_empty() {
            self.generations.push(Held::default());
        }
        if let Some(last) = self.generations.last_mut() {
            last.samples += gathered.samples;
            last.validation += gathered.validation;
        }
    }

    /// The samples of the last generations: those to train on, and those for validation.
    pub(super) fn last(&self, keep: usize) -> (Selection<'_>, Selection<'_>) {
        let held = self.generations.iter().rev().take(keep);
        let (samples, validation) = held.fold((0, 0), |(a, b), held| (a + held.samples, b + held.validation));
        let (all, all_held_out) = (self.samples.count(), self.validation.count());
        (self.samples.part(all - samples..all), self.validation.part(all_held_out - validation..all_held_out))
    }

    /// Some of the samples for validation, or fewer if there are not so many.
    pub(super) fn some_held_out(&self, most: usize) -> Result<Vec<Sample>, Failure> {
        let count = self.validation.count();
        Ok(self.validation.read(&self.gpu, count.saturating_sub(most)..count)?)
    }

    /// Writes what was gathered last.
    pub(super) fn write(&self, path: &Path, generation: u32, gathered: Gathered) -> Result<(), Failure> {
        let Gathered { samples, validation } = gathered;
        let head = Head { generation: u64::from(generation), samples, validation };
        sample_file::write(path, head, |is_validation, range| {
            let (from, count) = if is_validation { (&self.validation, validation) } else { (&self.samples, samples) };
            let first = from.count() - count;
            let words = from.read_words(&self.gpu, first + range.start..first + range.end);
            Ok(words?)
        })
    }

    /// Reads samples into the last generation.
    pub(super) fn load(&mut self, path: &Path) -> Result<Gathered, Failure> {
        let head = sample_file::head(path)?;
        if !self.make_room(head.samples, head.validation)? {
            return Err(anyhow!("{}: there is no room on the GPU for {} samples", path.display(), head.samples).into());
        }
        let before = (self.samples.count(), self.validation.count());
        let (gpu, samples, validation) = (&self.gpu, &mut self.samples, &mut self.validation);
        let read = sample_file::read(path, |is_validation, words| {
            let into = if is_validation { &mut *validation } else { &mut *samples };
            Ok(into.append_words(gpu, words)?)
        });
        if let Err(failure) = read {
            self.samples.truncate(before.0);
            self.validation.truncate(before.1);
            return Err(failure);
        }
        let gathered = Gathered { samples: head.samples, validation: head.validation };
        self.add(gathered);
        Ok(gathered)
    }

    /// Reads the rounds of earlier generations that a run has kept, and those of this one that it knows of.
    pub(super) fn resume(
        &mut self,
        folder: &Path,
        generation: u32,
        rounds: u32,
        keep: usize,
    ) -> Result<usize, Failure> {
        let first = generation.saturating_sub(keep.max(1) as u32 - 1).max(1);
        for number in first..=generation {
            let paths: Vec<_> = (1..)
                .map(|round| sample_file::path(folder, number, round))
                .take(if number == generation { rounds as usize } else { usize::MAX })
                .take_while(|path| fs::exists(path).unwrap_or(false))
                .collect();
            if !paths.is_empty() {
                self.begin_generation(keep)?;
            }
            for path in &paths {
                self.load(path)?;
            }
        }
        Ok(self.samples.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_games_is_held_out() {
        assert_eq!([0.01, 0.1, 1.0, 0.0].map(validation_every), [100, 10, 1, 0]);
    }

    #[test]
    fn as_many_samples_as_wanted_or_as_fit() {
        let gibibyte = 1 << 30;
        assert_eq!(room(100_000_000, 139 * gibibyte, 8 * gibibyte).expect("a large GPU"), 100_000_000);
        let small = room(1_000_000_000, 12 * gibibyte, 2 * gibibyte).expect("a small GPU");
        assert!((150_000_000..180_000_000).contains(&small), "{small}");
        let message = room(1_000_000, 4 * gibibyte, 2 * gibibyte).expect_err("no room").message();
        assert_eq!(message, "too little memory on the GPU: 4.0 GiB are free, and games take 4.0 GiB");
    }
}
