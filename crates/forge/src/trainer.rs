//! The trainer on the GPU: all samples lie in its memory, and the host only says which step comes next.

use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};
use nnue::Head;
use rules::Color;
use train::{DeviceTrouble, FeatureTable, Order, Shape, State, Step, Trainer};

use crate::Trouble;
use crate::arguments::{NOWHERE, OrderArgument, UpdateArgument};
use crate::batch::{Batch, Batches, MOST_QUEUED, parts, words};
use crate::card::{Card, Kernels, TailKernels};
use crate::laps::Laps;
use crate::learned::{Learned, LearnedMoments};
use crate::precision::gradient_unit;
use crate::samples::{CardParts, Selection};

/// A trainer on a GPU.
pub struct GpuTrainer<'a> {
    card: Card,
    kernels: Kernels,
    shape: Shape,
    batches: Batches,
    samples: CardParts<'a>,
    held_out: CardParts<'a>,
    table: CudaSlice<u16>,
    bucket_table: CudaSlice<u8>,
    learned: Learned,
    batch: Batch,
    pub(crate) laps: Laps,
}

/// Starts a kernel. Everything behind the configuration is an argument, in the kernel's order.
macro_rules! launch {
    ($self:ident, $kernel:ident, $config:expr, $($argument:expr),+ $(,)?) => {
        launch!($self, $kernel = &$self.kernels.$kernel, $config, $($argument),+)
    };
    ($self:ident, $kernel:ident = $function:expr, $config:expr, $($argument:expr),+ $(,)?) => {{
        let mut launch = $self.card.stream().launch_builder($function);
        $(launch.arg($argument);)+
        // SAFETY: the arguments have the types of the kernel's parameters, and its buffers were made for the largest batch,
        // which `blame` and `held_out_sum` never exceed.
        unsafe { launch.launch($config) }.map_err(Trouble::while_it(concat!("run ", stringify!($kernel))))?;
        $self.laps.note($self.card.stream(), stringify!($kernel))?;
    }};
}

fn grid(blocks: (usize, usize), threads: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (blocks.0 as u32, blocks.1 as u32, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 }
}

impl<'a> GpuTrainer<'a> {
    /// A trainer of samples, and samples held out.
    pub fn new(
        card: &Card,
        samples: Selection<'a>,
        held_out: Selection<'a>,
        table: &FeatureTable,
        state: &State,
        batches: Batches,
    ) -> Result<GpuTrainer<'a>, Trouble> {
        let shape = state.shape();
        if samples.count() == 0 || batches.most == 0 {
            return Err(Trouble::NoSamples);
        }
        let kernels = card.kernels(shape, batches.precision)?;
        let stream = card.stream();
        let copying = Trouble::while_it("take the network");
        let both = [table.inputs(Color::White), table.inputs(Color::Black)].concat();
        let trainer = GpuTrainer {
            shape,
            batches,
            samples: CardParts::new(card, samples)?,
            held_out: CardParts::new(card, held_out)?,
            table: stream.clone_htod(&both).map_err(&copying)?,
            bucket_table: stream.clone_htod(table.buckets()).map_err(&copying)?,
            learned: Learned::new(card, state)?,
            batch: Batch::new(card, shape, batches)?,
            laps: Laps::default(),
            kernels,
            card: card.clone(),
        };
        trainer.card.stream().synchronize().map_err(&copying)?;
        Ok(trainer)
    }

    /// The card.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// The mean loss of the first samples, up to a batch of them, and its gradient.
    pub fn gradient(&mut self, count: usize, lambda: f32) -> Result<(f64, Vec<f32>), Trouble> {
        let count = count.min(self.batches.most).min(self.samples.count());
        self.blame(OrderArgument::unchanged(self.samples.count()), 0, count, lambda, 0)?;
        let weights = self.shape.weight_count();
        let reading = Trouble::while_it("read a gradient");
        let mut gradient = self.card.stream().alloc_zeros::<f32>(weights).map_err(&reading)?;
        let (chunks, parts) = parts(self.shape, count);
        launch!(
            self,
            gradient,
            grid((weights.div_ceil(256), 1), 256),
            &self.batch.partials,
            &self.batch.filled,
            &chunks,
            &self.batch.tails,
            &parts,
            &mut gradient,
        );
        let gradient = self.card.stream().clone_dtoh(&gradient).map_err(&reading)?;
        Ok((self.totals(1)? / count as f64, gradient))
    }

    /// One step, queued: its loss is added up in a slot.
    fn step(&mut self, order: OrderArgument, step: &Step, slot: u32) -> Result<(), Trouble> {
        self.blame(order, step.first, step.count, step.lambda, slot)?;
        let (chunks, parts) = parts(self.shape, step.count);
        let update = UpdateArgument::from(step.update);
        // One thread for a weight and those that share with it.
        let alone = self.shape.weight_count() - self.shape.features().len();
        let threads = grid(((self.shape.shared().len() + alone).div_ceil(256), 1), 256);
        let Learned { weights, moments: LearnedMoments { means, squares }, shared } = &mut self.learned;
        let mut launch = self.card.stream().launch_builder(&self.kernels.update);
        launch.arg(weights).arg(means).arg(squares);
        match shared {
            Some(LearnedMoments { means, squares }) => launch.arg(means).arg(squares),
            None => launch.arg(&NOWHERE).arg(&NOWHERE),
        };
        launch.arg(&self.batch.partials).arg(&self.batch.filled).arg(&chunks).arg(&self.batch.tails).arg(&parts);
        launch.arg(&update);
        // SAFETY: the arguments have the types of the kernel's parameters, and there is a place for every weight.
        unsafe { launch.launch(threads) }.map_err(Trouble::while_it("run update"))?;
        self.laps.note(self.card.stream(), "update")
    }

    /// Brings the rows up to date that are gathered, if they are not the weights themselves.
    fn close_rows(&mut self) -> Result<(), Trouble> {
        let threads = grid((self.shape.features().len().div_ceil(256), 1), 256);
        if let Some(rows) = &mut self.batch.rows {
            launch!(self, close_rows, threads, &self.learned.weights, rows);
        }
        Ok(())
    }

    /// From samples to the parts of the gradient.
    fn blame(
        &mut self,
        order: OrderArgument,
        first: usize,
        count: usize,
        lambda: f32,
        slot: u32,
    ) -> Result<(), Trouble> {
        assert!(count <= self.batches.most && first + count <= self.samples.count(), "a batch lies within the samples");
        self.laps.note(self.card.stream(), "between batches")?;
        let clearing = Trouble::while_it("clear its bits");
        self.card.stream().memset_zeros(&mut self.batch.presence).map_err(clearing)?;
        self.laps.note(self.card.stream(), "clear")?;
        self.close_rows()?;
        let (first, samples, scale) = (first as u64, count as u32, 1.0 / count as f32);
        let unit = gradient_unit(self.batches.precision, self.shape.layers, count);
        let (words, entries) = (words(self.shape, self.batches.most) as u32, 2 * samples);
        let (chunks, _) = parts(self.shape, count);
        launch!(
            self,
            unpack,
            grid((count.div_ceil(8), 1), 256),
            self.samples.words(),
            self.samples.table(),
            &order,
            &first,
            &samples,
            &lambda,
            &self.table,
            &self.bucket_table,
            &mut self.batch.features,
            &mut self.batch.piece_counts,
            &mut self.batch.buckets,
            &mut self.batch.targets,
            &mut self.batch.presence,
            &words,
        );
        launch!(
            self,
            forward,
            grid((count.div_ceil(4), 1), 128),
            &self.learned.weights,
            self.batch.rows.as_ref().unwrap_or(&self.learned.weights),
            &self.batch.features,
            &self.batch.piece_counts,
            &self.batch.buckets,
            &self.batch.targets,
            &samples,
            &scale,
            &unit,
            &mut self.batch.activated,
            &mut self.batch.blame,
            &mut self.batch.notes,
            &mut self.batch.losses,
        );
        self.blame_tail(samples)?;
        launch!(
            self,
            feature_gradient,
            grid((self.shape.inputs + 1, chunks as usize), 256),
            &self.batch.blame,
            &self.batch.presence,
            &words,
            &entries,
            &unit,
            &mut self.batch.partials,
            &mut self.batch.filled,
        );
        launch!(self, tally, grid((1, 1), 1024), &self.batch.losses, &samples, &mut self.batch.totals, &slot);
        Ok(())
    }

    /// The parts of the gradient behind the rows.
    fn blame_tail(&mut self, samples: u32) -> Result<(), Trouble> {
        let Shape { hidden, output_buckets, .. } = self.shape;
        let (_, parts) = parts(self.shape, samples as usize);
        // Tiles of 128 columns, for each output bucket where the kernels take one at a time.
        let tiles = |columns: usize, buckets: usize| grid((parts as usize, columns.div_ceil(128) * buckets), 128);
        let Batch { activated, notes, buckets, tails, .. } = &mut self.batch;
        match &self.kernels.tail {
            TailKernels::Straight { output_gradient } => {
                let columns = tiles(2 * hidden + 1, 1);
                launch!(
                    self,
                    output_gradient = output_gradient,
                    columns,
                    &*activated,
                    &*notes,
                    &*buckets,
                    &samples,
                    tails
                );
            }
            TailKernels::Pairwise { pair_gradient, later_gradient } => {
                let columns = tiles(hidden, output_buckets);
                launch!(
                    self,
                    pair_gradient = pair_gradient,
                    columns,
                    &*activated,
                    &*notes,
                    &*buckets,
                    &samples,
                    &mut *tails
                );
                let columns = tiles(Head::parameters(0), output_buckets);
                launch!(self, later_gradient = later_gradient, columns, &*notes, &*buckets, &samples, tails);
            }
        }
        Ok(())
    }

    /// The losses of the samples held out, added up.
    fn held_out_sum(&mut self, lambda: f32) -> Result<f64, Trouble> {
        let (no_words, one) = (0_u32, 1.0_f32);
        self.close_rows()?;
        let order = OrderArgument::unchanged(self.held_out.count());
        let mut sum = 0.0;
        for first in (0..self.held_out.count()).step_by(self.batches.most) {
            let count = self.batches.most.min(self.held_out.count() - first);
            let (first, samples, slot) = (first as u64, count as u32, 0_u32);
            launch!(
                self,
                unpack,
                grid((count.div_ceil(8), 1), 256),
                self.held_out.words(),
                self.held_out.table(),
                &order,
                &first,
                &samples,
                &lambda,
                &self.table,
                &self.bucket_table,
                &mut self.batch.features,
                &mut self.batch.piece_counts,
                &mut self.batch.buckets,
                &mut self.batch.targets,
                &NOWHERE,
                &no_words,
            );
            launch!(
                self,
                forward,
                grid((count.div_ceil(4), 1), 128),
                &self.learned.weights,
                self.batch.rows.as_ref().unwrap_or(&self.learned.weights),
                &self.batch.features,
                &self.batch.piece_counts,
                &self.batch.buckets,
                &self.batch.targets,
                &samples,
                &one,
                &one,
                &NOWHERE,
                &NOWHERE,
                &mut self.batch.notes,
                &mut self.batch.losses,
            );
            launch!(self, tally, grid((1, 1), 1024), &self.batch.losses, &samples, &mut self.batch.totals, &slot);
            sum += self.totals(1)?;
        }
        Ok(sum)
    }

    /// The losses in the first slots, added up; waits for them.
    fn totals(&self, slots: usize) -> Result<f64, Trouble> {
        let totals = self.card.stream().clone_dtoh(&self.batch.totals.slice(..slots));
        let totals = totals.map_err(Trouble::while_it("finish its steps"))?;
        self.card.stream().synchronize().map_err(Trouble::while_it("finish its steps"))?;
        Ok(totals.iter().sum())
    }
}

impl Trainer for GpuTrainer<'_> {
    fn device(&self) -> String {
        self.card.name().to_owned()
    }

    fn sample_count(&self) -> usize {
        self.samples.count()
    }

    fn take(&mut self, order: &Order, steps: &[Step]) -> Result<f64, DeviceTrouble> {
        let order = OrderArgument::new(order, self.samples.count());
        let mut sum = 0.0;
        for steps in steps.chunks(MOST_QUEUED) {
            for (slot, step) in steps.iter().enumerate() {
                self.step(order, step, slot as u32)?;
            }
            sum += self.totals(steps.len())?;
        }
        Ok(sum / steps.iter().map(|step| step.count).sum::<usize>().max(1) as f64)
    }

    fn held_out_loss(&mut self, lambda: f32) -> Result<Option<f64>, DeviceTrouble> {
        let count = self.held_out.count();
        Ok(if count == 0 { None } else { Some(self.held_out_sum(lambda)? / count as f64) })
    }

    fn state(&mut self) -> Result<State, DeviceTrouble> {
        Ok(self.learned.read(&self.card, self.shape)?)
    }

    fn restore(&mut self, state: &State) -> Result<(), DeviceTrouble> {
        assert_eq!(state.shape(), self.shape, "a trainer keeps its shape");
        self.learned = Learned::new(&self.card, state)?;
        Ok(())
    }
}
