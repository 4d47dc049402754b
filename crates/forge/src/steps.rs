//! The launches of a training, described once for every device.

use std::ops::Range;

use nnue::{Head, Layers};
use rules::Color;
use train::{DeviceError, FeatureTable, Objective, SampleOrder, Shape, Step, Trainer, TrainerState};

use crate::GpuError;
use crate::arguments::{OrderArgument, UpdateArgument};
use crate::batch::{Batch, Batches, MOST_QUEUED, parts, words};
use crate::device::{Argument, Device, Kernel, NOWHERE};
use crate::learned::Learned;
use crate::precision::gradient_unit;

/// Samples in the memory of a device, which may lie in several parts.
pub(crate) struct SampleParts<D: Device> {
    /// Where the words of the first sample lie.
    words: Argument,
    /// Where each part begins, and how many samples it has.
    parts: D::Buffer<u64>,
    count: usize,
}

impl<D: Device> SampleParts<D> {
    pub(crate) fn new(device: &D, words: Argument, parts: &[Range<usize>]) -> Result<SampleParts<D>, GpuError> {
        let mut table: Vec<u64> = parts.iter().flat_map(|part| [part.start as u64, part.len() as u64]).collect();
        // The search for a sample that is not there must come to an end.
        table.extend([0, u64::MAX]);
        Ok(SampleParts { words, parts: device.upload(&table)?, count: parts.iter().map(Range::len).sum() })
    }
}

/// A trainer on a device: all samples lie in its memory, and the host only says which step comes next.
pub(crate) struct Steps<D: Device> {
    pub(crate) device: D,
    shape: Shape,
    batches: Batches,
    samples: SampleParts<D>,
    validation: SampleParts<D>,
    table: D::Buffer<u16>,
    bucket_table: D::Buffer<u8>,
    learned: Learned<D>,
    batch: Batch<D>,
}

/// Samples of a batch: in which order, which is the first, how many there are.
#[derive(Clone, Copy)]
struct Portion {
    order: OrderArgument,
    first: usize,
    count: usize,
    objective: Objective,
}

impl<D: Device> Steps<D> {
    pub(crate) fn new(
        device: D,
        samples: SampleParts<D>,
        validation: SampleParts<D>,
        table: &FeatureTable,
        state: &TrainerState,
        batches: Batches,
    ) -> Result<Steps<D>, GpuError> {
        let shape = state.shape();
        if samples.count == 0 || batches.most == 0 {
            return Err(GpuError::NoSamples);
        }
        let both = [table.inputs(Color::White), table.inputs(Color::Black)].concat();
        Ok(Steps {
            shape,
            batches,
            samples,
            validation,
            table: device.upload(&both)?,
            bucket_table: device.upload(table.buckets())?,
            learned: Learned::new(&device, state)?,
            batch: Batch::new(&device, shape, batches)?,
            device,
        })
    }

    /// The mean loss of some samples as they lie, up to a batch of them, and the gradient of the objective.
    pub(crate) fn gradient(
        &mut self,
        samples: Range<usize>,
        objective: Objective,
    ) -> Result<(f64, Vec<f32>), GpuError> {
        let count = samples.len().min(self.batches.most).min(self.samples.count - samples.start);
        let order = OrderArgument::unchanged(self.samples.count);
        self.queue_gradient(Portion { order, first: samples.start, count, objective }, 0)?;
        let weights = self.shape.weight_count();
        let gradient = self.device.scratch::<f32>(weights)?;
        let mut arguments = self.gradient_parts(count).to_vec();
        arguments.push(self.device.address(&gradient));
        self.launch(Kernel::Gradient, (weights.div_ceil(256), 1), 256, &arguments)?;
        let gradient = self.device.download(&gradient, weights)?;
        Ok((self.totals(1)? / count as f64, gradient))
    }

    /// One step, queued: its loss is added up in a slot.
    fn step(&mut self, order: OrderArgument, step: &Step, slot: u32) -> Result<(), GpuError> {
        let Step { first, count, objective, update } = *step;
        self.queue_gradient(Portion { order, first, count, objective }, slot)?;
        // One thread for a weight and those that share with it.
        let alone = self.shape.weight_count() - self.shape.features().len();
        let threads = self.shape.shared().len() + alone;
        let mut arguments = self.learned.arguments(&self.device).to_vec();
        arguments.extend(self.gradient_parts(count));
        arguments.push(Argument::Update(UpdateArgument::from(update)));
        self.launch(Kernel::Update, (threads.div_ceil(256), 1), 256, &arguments)
    }

    /// The parts of a batch's gradient, as the kernels take them that join them.
    fn gradient_parts(&self, count: usize) -> [Argument; 5] {
        let (chunks, tails) = parts(self.shape, count);
        let address = |buffer| self.device.address(buffer);
        let Batch { partials, filled, tails: tail_sums, .. } = &self.batch;
        let filled = self.device.address(filled);
        [address(partials), filled, Argument::U32(chunks), address(tail_sums), Argument::U32(tails)]
    }

    /// From samples to the parts of the gradient.
    fn queue_gradient(&mut self, portion: Portion, slot: u32) -> Result<(), GpuError> {
        let Portion { first, count, objective, .. } = portion;
        assert!(count <= self.batches.most && first + count <= self.samples.count, "a batch lies within the samples");
        self.device.mark("between batches")?;
        self.device.clear(&mut self.batch.presence)?;
        self.close_rows()?;
        let unit = gradient_unit(self.batches.precision, self.shape.layers, count);
        let words = words(self.shape, self.batches.most) as u32;
        let presence = self.device.address(&self.batch.presence);
        self.unpack(self.samples.words, self.device.address(&self.samples.parts), portion, presence, words)?;
        let Batch { activated, deltas, .. } = &self.batch;
        let kept = [self.device.address(activated), self.device.address(deltas)];
        self.forward(count, [1.0 / count as f32, unit, objective.penalty], kept)?;
        self.tail_gradient(count)?;
        let (chunks, _) = parts(self.shape, count);
        let arguments = [
            self.device.address(&self.batch.deltas),
            presence,
            Argument::U32(words),
            Argument::U32(2 * count as u32),
            Argument::F32(unit),
            self.device.address(&self.batch.partials),
            self.device.address(&self.batch.filled),
        ];
        self.launch(Kernel::FeatureGradient, (self.shape.inputs + 1, chunks as usize), 256, &arguments)?;
        self.tally(count, slot)
    }

    /// Brings the rows up to date that are gathered, if they are not the weights themselves.
    fn close_rows(&mut self) -> Result<(), GpuError> {
        let Some(rows) = &self.batch.rows else { return Ok(()) };
        let arguments = [self.device.address(&self.learned.weights), self.device.address(rows)];
        self.launch(Kernel::CloseRows, (self.shape.features().len().div_ceil(256), 1), 256, &arguments)
    }

    /// Lists the inputs of samples.
    fn unpack(
        &mut self,
        samples: Argument,
        sample_parts: Argument,
        portion: Portion,
        presence: Argument,
        words: u32,
    ) -> Result<(), GpuError> {
        let Portion { order, first, count, objective } = portion;
        let Batch { features, piece_counts, buckets, targets, .. } = &self.batch;
        let arguments = [
            samples,
            sample_parts,
            Argument::Order(order),
            Argument::U64(first as u64),
            Argument::U32(count as u32),
            Argument::F32(objective.lambda),
            self.device.address(&self.table),
            self.device.address(&self.bucket_table),
            self.device.address(features),
            self.device.address(piece_counts),
            self.device.address(buckets),
            self.device.address(targets),
            presence,
            Argument::U32(words),
        ];
        self.launch(Kernel::Unpack, (count.div_ceil(8), 1), 256, &arguments)
    }

    /// From inputs to losses, and to what the gradient is made of if there is a place for it.
    fn forward(&mut self, count: usize, [scale, unit, penalty]: [f32; 3], kept: [Argument; 2]) -> Result<(), GpuError> {
        let Batch { rows, features, piece_counts, buckets, targets, notes, losses, .. } = &self.batch;
        let mut arguments = vec![
            self.device.address(&self.learned.weights),
            self.device.address(rows.as_ref().unwrap_or(&self.learned.weights)),
            self.device.address(features),
            self.device.address(piece_counts),
            self.device.address(buckets),
            self.device.address(targets),
            Argument::U32(count as u32),
            Argument::F32(scale),
            Argument::F32(unit),
            kept[0],
            kept[1],
            self.device.address(notes),
            self.device.address(losses),
        ];
        arguments.extend((self.shape.layers == Layers::Pairwise).then_some(Argument::F32(penalty)));
        self.launch(Kernel::Forward, (count.div_ceil(4), 1), 128, &arguments)
    }

    /// The parts of the gradient behind the rows.
    fn tail_gradient(&mut self, count: usize) -> Result<(), GpuError> {
        let Shape { hidden, output_buckets, layers, .. } = self.shape;
        let (_, parts) = parts(self.shape, count);
        // Tiles of 128 columns, for each output bucket where the kernels take one at a time.
        let tiles = |columns: usize, buckets: usize| (parts as usize, columns.div_ceil(128) * buckets);
        let Batch { activated, notes, buckets, tails, .. } = &self.batch;
        let arguments = [
            self.device.address(activated),
            self.device.address(notes),
            self.device.address(buckets),
            Argument::U32(count as u32),
            self.device.address(tails),
        ];
        match layers {
            Layers::Straight => self.launch(Kernel::OutputGradient, tiles(2 * hidden + 1, 1), 128, &arguments),
            Layers::Pairwise => {
                self.launch(Kernel::PairGradient, tiles(hidden, output_buckets), 128, &arguments)?;
                let later = tiles(Head::parameters(0), output_buckets);
                self.launch(Kernel::LaterGradient, later, 128, &arguments[1..])
            }
        }
    }

    /// Adds the losses of a batch up in a slot.
    fn tally(&mut self, count: usize, slot: u32) -> Result<(), GpuError> {
        let losses = self.device.address(&self.batch.losses);
        let totals = self.device.address(&self.batch.totals);
        self.launch(Kernel::Tally, (1, 1), 1024, &[losses, Argument::U32(count as u32), totals, Argument::U32(slot)])
    }

    /// The losses of the samples for validation, added up.
    fn validation_sum(&mut self, lambda: f32) -> Result<f64, GpuError> {
        self.close_rows()?;
        let order = OrderArgument::unchanged(self.validation.count);
        let mut sum = 0.0;
        for first in (0..self.validation.count).step_by(self.batches.most) {
            let count = self.batches.most.min(self.validation.count - first);
            let portion = Portion { order, first, count, objective: Objective { lambda, penalty: 0.0 } };
            self.unpack(self.validation.words, self.device.address(&self.validation.parts), portion, NOWHERE, 0)?;
            self.forward(count, [1.0, 1.0, 0.0], [NOWHERE; 2])?;
            self.tally(count, 0)?;
            sum += self.totals(1)?;
        }
        Ok(sum)
    }

    /// The losses in the first slots, added up; waits for them.
    fn totals(&self, slots: usize) -> Result<f64, GpuError> {
        Ok(self.device.download(&self.batch.totals, slots)?.iter().sum())
    }

    fn launch(
        &mut self,
        kernel: Kernel,
        blocks: (usize, usize),
        threads: u32,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        // SAFETY: every launch above hands over the arguments of its kernel in the kernel's order, and all buffers were
        // made for the largest batch, which is never exceeded.
        unsafe { self.device.launch(kernel, blocks, threads, arguments) }
    }
}

impl<D: Device> Trainer for Steps<D> {
    fn device(&self) -> String {
        self.device.name()
    }

    fn sample_count(&self) -> usize {
        self.samples.count
    }

    fn take(&mut self, order: &SampleOrder, steps: &[Step]) -> Result<f64, DeviceError> {
        let order = OrderArgument::new(order, self.samples.count);
        let mut sum = 0.0;
        for steps in steps.chunks(MOST_QUEUED) {
            for (slot, step) in steps.iter().enumerate() {
                self.step(order, step, slot as u32)?;
            }
            sum += self.totals(steps.len())?;
        }
        Ok(sum / steps.iter().map(|step| step.count).sum::<usize>().max(1) as f64)
    }

    fn validation_loss(&mut self, lambda: f32) -> Result<Option<f64>, DeviceError> {
        let count = self.validation.count;
        Ok(if count == 0 { None } else { Some(self.validation_sum(lambda)? / count as f64) })
    }

    fn state(&mut self) -> Result<TrainerState, DeviceError> {
        Ok(self.learned.read(&self.device, self.shape)?)
    }

    fn restore(&mut self, state: &TrainerState) -> Result<(), DeviceError> {
        assert_eq!(state.shape(), self.shape, "a trainer keeps its shape");
        self.learned = Learned::new(&self.device, state)?;
        Ok(())
    }
}
