//! Samples in the GPU's memory, from the host or from games that were played there.
//!
//! Those of several generations lie behind each other in one buffer, and a training takes the parts of it that it is
//! told to, so that no sample is ever copied.

use std::iter;
use std::ops::Range;

use cudarc::driver::CudaSlice;
use train::Sample;

use crate::{Gpu, GpuError};

/// How many samples are copied at once.
const COPIED: usize = 1 << 20;

/// Samples in the GPU's memory: four words each, as [`Sample`] describes them, and room for more.
pub struct GpuSamples {
    words: CudaSlice<u64>,
    count: usize,
}

impl GpuSamples {
    /// Capacity for so many samples, and none yet.
    pub fn with_room(gpu: &Gpu, most: usize) -> Result<GpuSamples, GpuError> {
        let reserving = GpuError::during("find memory for the samples");
        // A buffer of nothing is refused by some drivers.
        let words = gpu.stream().alloc_zeros((most * Sample::WORDS).max(1)).map_err(reserving)?;
        Ok(GpuSamples { words, count: 0 })
    }

    /// Samples of the host.
    pub fn upload(gpu: &Gpu, samples: &[Sample]) -> Result<GpuSamples, GpuError> {
        let mut uploaded = GpuSamples::with_room(gpu, samples.len())?;
        uploaded.append(gpu, samples)?;
        Ok(uploaded)
    }

    /// Puts samples of the host behind those that are there.
    pub fn append(&mut self, gpu: &Gpu, samples: &[Sample]) -> Result<(), GpuError> {
        assert!(samples.len() <= self.room(), "there is room for all samples");
        let copying = GpuError::during("take the samples");
        let mut part = Vec::with_capacity(COPIED.min(samples.len()) * Sample::WORDS);
        for samples in samples.chunks(COPIED) {
            part.clear();
            part.extend(samples.iter().flat_map(|sample| sample.words()));
            let first = self.count * Sample::WORDS;
            gpu.stream().memcpy_htod(&part, &mut self.words.slice_mut(first..first + part.len())).map_err(&copying)?;
            gpu.stream().synchronize().map_err(&copying)?;
            self.count += samples.len();
        }
        Ok(())
    }

    /// Puts samples behind those that are there, given as their words.
    pub fn append_words(&mut self, gpu: &Gpu, words: &[u64]) -> Result<(), GpuError> {
        let count = words.len() / Sample::WORDS;
        if count > self.room() {
            return Err(GpuError::NoRoom { samples: count, room: self.room() });
        }
        if count > 0 {
            let copying = GpuError::during("take the samples");
            let first = self.count * Sample::WORDS;
            let end = first + count * Sample::WORDS;
            let words = &words[..count * Sample::WORDS];
            gpu.stream().memcpy_htod(words, &mut self.words.slice_mut(first..end)).map_err(&copying)?;
            gpu.stream().synchronize().map_err(&copying)?;
            self.count += count;
        }
        Ok(())
    }

    /// Brings samples to the host as their words, all at once.
    pub fn read_words(&self, gpu: &Gpu, range: Range<usize>) -> Result<Vec<u64>, GpuError> {
        assert!(range.end <= self.count, "only samples that are there can be read");
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let reading = GpuError::during("give samples back");
        let part = self.words.slice(range.start * Sample::WORDS..range.end * Sample::WORDS);
        let words = gpu.stream().clone_dtoh(&part).map_err(&reading)?;
        gpu.stream().synchronize().map_err(&reading)?;
        Ok(words)
    }

    /// Forgets so many of the first samples; all others move up, within the GPU.
    pub fn forget_first(&mut self, gpu: &Gpu, count: usize) -> Result<(), GpuError> {
        let count = count.min(self.count);
        let left = self.count - count;
        if count > 0 && left > 0 {
            let moving = GpuError::during("move its samples");
            let stream = gpu.stream();
            let most = left.min(COPIED) * Sample::WORDS;
            let mut between = stream.alloc_zeros::<u64>(most).map_err(&moving)?;
            // By way of another buffer, because a copy must not overlap with itself.
            let (offset, end) = (count * Sample::WORDS, left * Sample::WORDS);
            for first in (0..end).step_by(most) {
                let length = most.min(end - first);
                let from = self.words.slice(offset + first..offset + first + length);
                stream.memcpy_dtod(&from, &mut between.slice_mut(..length)).map_err(&moving)?;
                let mut to = self.words.slice_mut(first..first + length);
                stream.memcpy_dtod(&between.slice(..length), &mut to).map_err(&moving)?;
            }
            stream.synchronize().map_err(&moving)?;
        }
        self.count = left;
        Ok(())
    }

    /// How many samples there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many more there is room for.
    pub fn room(&self) -> usize {
        self.words.len() / Sample::WORDS - self.count
    }

    /// The whole buffer, to be written by kernels behind the samples that are there; [`GpuSamples::add`] then counts
    /// them.
    pub fn words_mut(&mut self) -> &mut CudaSlice<u64> {
        &mut self.words
    }

    /// Counts samples that kernels wrote behind those that were there.
    pub fn add(&mut self, count: usize) {
        assert!(count <= self.room(), "there is room for all samples");
        self.count += count;
    }

    /// Forgets the samples from a number on.
    pub fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    /// Brings samples to the host.
    pub fn read(&self, gpu: &Gpu, range: Range<usize>) -> Result<Vec<Sample>, GpuError> {
        assert!(range.end <= self.count, "only samples that are there can be read");
        let reading = GpuError::during("give samples back");
        let mut samples = Vec::with_capacity(range.len());
        for first in range.clone().step_by(COPIED) {
            let end = range.end.min(first + COPIED);
            let part = self.words.slice(first * Sample::WORDS..end * Sample::WORDS);
            let words = gpu.stream().clone_dtoh(&part).map_err(&reading)?;
            gpu.stream().synchronize().map_err(&reading)?;
            samples.extend(words.as_chunks().0.iter().map(|&words| Sample::from_words(words)));
        }
        Ok(samples)
    }

    /// All samples that are there.
    pub fn all(&self) -> Selection<'_> {
        self.part(0..self.count)
    }

    /// None of them.
    pub fn none(&self) -> Selection<'_> {
        self.part(0..0)
    }

    /// One part of the samples.
    pub fn part(&self, part: Range<usize>) -> Selection<'_> {
        self.parts(iter::once(part))
    }

    /// Parts of the samples, in any order.
    pub fn parts(&self, parts: impl IntoIterator<Item = Range<usize>>) -> Selection<'_> {
        let parts: Vec<Range<usize>> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        assert!(parts.iter().all(|part| part.end <= self.count), "only samples that are there can be chosen");
        Selection { samples: self, parts }
    }
}

/// Parts of the samples on a GPU.
#[derive(Clone)]
pub struct Selection<'a> {
    samples: &'a GpuSamples,
    parts: Vec<Range<usize>>,
}

impl Selection<'_> {
    /// How many samples were chosen.
    pub fn count(&self) -> usize {
        self.parts.iter().map(Range::len).sum()
    }

    /// The buffer that all samples lie in.
    pub(crate) fn words(&self) -> &CudaSlice<u64> {
        &self.samples.words
    }

    /// Which samples were chosen, by their place in the buffer.
    pub(crate) fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }
}
