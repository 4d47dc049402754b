//! The trainer on the GPU: all samples lie in its memory, and the host only says which step comes next.

use cudarc::driver::{CudaSlice, DeviceRepr, LaunchConfig, PushKernelArg};
use rules::Color;
use train::adam::{BETA_1, BETA_2, EPSILON};
use train::{DeviceTrouble, FeatureTable, Order, ROUNDS, Sample, Shape, State, Step, Trainer, Weights};

use crate::card::{Card, Kernels, chunk_words};
use crate::laps::Laps;
use crate::{Trouble, WIDEST};

/// How many samples a block of `output_gradient` adds up; the kernel says the same.
const TAIL_SAMPLES: usize = 128;

/// How many samples are copied to the card at once.
const UPLOAD: usize = 1 << 20;

/// How many steps are queued before the host looks at their losses.
const MOST_QUEUED: usize = 1 << 12;

/// The order of an epoch as the kernels take it.
#[derive(Clone, Copy)]
#[repr(C)]
struct OrderArgument {
    length: u64,
    half_bits: u32,
    keys: [u32; ROUNDS],
}

// SAFETY: plain numbers laid out as C does, like the kernels' `Order`.
unsafe impl DeviceRepr for OrderArgument {}

impl OrderArgument {
    /// As the samples lie.
    fn unchanged(length: usize) -> OrderArgument {
        OrderArgument { length: length as u64, half_bits: 0, keys: [0; ROUNDS] }
    }

    fn new(order: &Order, length: usize) -> OrderArgument {
        OrderArgument { length: length as u64, half_bits: order.half_bits(), keys: order.keys() }
    }
}

/// Samples in the card's memory.
struct Uploaded {
    words: CudaSlice<u64>,
    count: usize,
}

/// What the kernels pass on to each other, for one batch.
struct Batch {
    features: CudaSlice<u16>,
    piece_counts: CudaSlice<u8>,
    buckets: CudaSlice<u8>,
    targets: CudaSlice<f32>,
    presence: CudaSlice<u32>,
    activated: CudaSlice<f32>,
    blame: CudaSlice<f32>,
    slopes: CudaSlice<f32>,
    losses: CudaSlice<f32>,
    partials: CudaSlice<f32>,
    filled: CudaSlice<u8>,
    tails: CudaSlice<f32>,
    totals: CudaSlice<f64>,
}

/// A trainer on a GPU.
pub struct GpuTrainer {
    card: Card,
    kernels: Kernels,
    shape: Shape,
    /// The most samples in a batch.
    most: usize,
    samples: Uploaded,
    held_out: Uploaded,
    table: CudaSlice<u16>,
    bucket_table: CudaSlice<u8>,
    weights: CudaSlice<f32>,
    means: CudaSlice<f32>,
    squares: CudaSlice<f32>,
    batch: Batch,
    pub(crate) laps: Laps,
}

/// Starts a kernel. Everything behind the configuration is an argument, in the kernel's order.
macro_rules! launch {
    ($self:ident, $kernel:ident, $config:expr, $($argument:expr),+ $(,)?) => {{
        let mut launch = $self.card.stream().launch_builder(&$self.kernels.$kernel);
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

impl GpuTrainer {
    /// Brings samples, and samples held out, onto the card, to be learned from in batches of up to `most`.
    pub fn new(
        card: Card,
        samples: &[Sample],
        held_out: &[Sample],
        table: &FeatureTable,
        state: &State,
        most: usize,
    ) -> Result<GpuTrainer, Trouble> {
        let shape = state.shape();
        if samples.is_empty() || most == 0 {
            return Err(Trouble::NoSamples);
        }
        if shape.hidden > WIDEST {
            return Err(Trouble::Width(shape.hidden));
        }
        let kernels = card.kernels(shape)?;
        let stream = card.stream();
        let copying = Trouble::while_it("take the network");
        let both = [table.inputs(Color::White), table.inputs(Color::Black)].concat();
        let trainer = GpuTrainer {
            shape,
            most,
            samples: Uploaded::new(&card, samples)?,
            held_out: Uploaded::new(&card, held_out)?,
            table: stream.clone_htod(&both).map_err(&copying)?,
            bucket_table: stream.clone_htod(table.buckets()).map_err(&copying)?,
            weights: stream.clone_htod(state.weights.values()).map_err(&copying)?,
            means: stream.clone_htod(&state.means).map_err(&copying)?,
            squares: stream.clone_htod(&state.squares).map_err(&copying)?,
            batch: Batch::new(&card, shape, most)?,
            laps: Laps::default(),
            kernels,
            card,
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
        let count = count.min(self.most).min(self.samples.count);
        self.blame(OrderArgument::unchanged(self.samples.count), 0, count, lambda, 0)?;
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
        let update = &step.update;
        let [one_minus_beta_1, one_minus_beta_2] = [BETA_1, BETA_2].map(|beta| (1.0 - beta) as f32);
        launch!(
            self,
            update,
            grid((self.shape.weight_count().div_ceil(256), 1), 256),
            &mut self.weights,
            &mut self.means,
            &mut self.squares,
            &self.batch.partials,
            &self.batch.filled,
            &chunks,
            &self.batch.tails,
            &parts,
            &update.rate,
            &update.root_correction,
            &update.keep,
            &update.clip,
            &one_minus_beta_1,
            &one_minus_beta_2,
            &EPSILON,
        );
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
        assert!(count <= self.most && first + count <= self.samples.count, "a batch lies within the samples");
        self.laps.note(self.card.stream(), "between batches")?;
        let clearing = Trouble::while_it("clear its bits");
        self.card.stream().memset_zeros(&mut self.batch.presence).map_err(clearing)?;
        self.laps.note(self.card.stream(), "clear")?;
        let (first, samples, scale) = (first as u64, count as u32, 1.0 / count as f32);
        let (words, entries) = (words(self.shape, self.most) as u32, 2 * samples);
        let (chunks, parts) = parts(self.shape, count);
        launch!(
            self,
            unpack,
            grid((count.div_ceil(8), 1), 256),
            &self.samples.words,
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
            &self.weights,
            &self.batch.features,
            &self.batch.piece_counts,
            &self.batch.buckets,
            &self.batch.targets,
            &samples,
            &scale,
            &mut self.batch.activated,
            &mut self.batch.blame,
            &mut self.batch.slopes,
            &mut self.batch.losses,
        );
        launch!(
            self,
            output_gradient,
            grid((parts as usize, (2 * self.shape.hidden + 1).div_ceil(128)), 128),
            &self.batch.activated,
            &self.batch.slopes,
            &self.batch.buckets,
            &samples,
            &mut self.batch.tails,
        );
        launch!(
            self,
            feature_gradient,
            grid((self.shape.inputs + 1, chunks as usize), 256),
            &self.batch.blame,
            &self.batch.presence,
            &words,
            &entries,
            &mut self.batch.partials,
            &mut self.batch.filled,
        );
        launch!(self, tally, grid((1, 1), 1024), &self.batch.losses, &samples, &mut self.batch.totals, &slot);
        Ok(())
    }

    /// The losses of the samples held out, added up.
    fn held_out_sum(&mut self, lambda: f32) -> Result<f64, Trouble> {
        // No room for gradients: the kernels leave them out.
        let nowhere = 0_u64;
        let (no_words, scale) = (0_u32, 1.0_f32);
        let order = OrderArgument::unchanged(self.held_out.count);
        let mut sum = 0.0;
        for first in (0..self.held_out.count).step_by(self.most) {
            let count = self.most.min(self.held_out.count - first);
            let (first, samples, slot) = (first as u64, count as u32, 0_u32);
            launch!(
                self,
                unpack,
                grid((count.div_ceil(8), 1), 256),
                &self.held_out.words,
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
                &nowhere,
                &no_words,
            );
            launch!(
                self,
                forward,
                grid((count.div_ceil(4), 1), 128),
                &self.weights,
                &self.batch.features,
                &self.batch.piece_counts,
                &self.batch.buckets,
                &self.batch.targets,
                &samples,
                &scale,
                &nowhere,
                &nowhere,
                &mut self.batch.slopes,
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

    fn read(&self, values: &CudaSlice<f32>) -> Result<Vec<f32>, Trouble> {
        self.card.stream().clone_dtoh(values).map_err(Trouble::while_it("give the weights back"))
    }
}

impl Uploaded {
    fn new(card: &Card, samples: &[Sample]) -> Result<Uploaded, Trouble> {
        let copying = Trouble::while_it("take the samples");
        let count = samples.len();
        // A buffer of nothing is refused by some drivers.
        let mut words = card.stream().alloc_zeros((count * Sample::WORDS).max(1)).map_err(&copying)?;
        let mut part = Vec::with_capacity(UPLOAD.min(count) * Sample::WORDS);
        for (number, samples) in samples.chunks(UPLOAD).enumerate() {
            part.clear();
            part.extend(samples.iter().flat_map(|sample| sample.words()));
            let first = number * UPLOAD * Sample::WORDS;
            card.stream().memcpy_htod(&part, &mut words.slice_mut(first..first + part.len())).map_err(&copying)?;
            card.stream().synchronize().map_err(&copying)?;
        }
        Ok(Uploaded { words, count })
    }
}

/// How many words of bits each input has: one bit for each entry of the largest batch, up to a whole chunk.
fn words(shape: Shape, most: usize) -> usize {
    (2 * most).div_ceil(32).next_multiple_of(chunk_words(shape))
}

/// Into how many parts the gradients of a batch fall: those of the inputs, and those of the output.
fn parts(shape: Shape, count: usize) -> (u32, u32) {
    ((2 * count).div_ceil(32 * chunk_words(shape)) as u32, count.div_ceil(TAIL_SAMPLES) as u32)
}

impl Batch {
    fn new(card: &Card, shape: Shape, most: usize) -> Result<Batch, Trouble> {
        let reserving = Trouble::while_it("find memory for a batch");
        let stream = card.stream();
        let floats = |count: usize| stream.alloc_zeros::<f32>(count).map_err(&reserving);
        let bytes = |count: usize| stream.alloc_zeros::<u8>(count).map_err(&reserving);
        let (chunks, tails) = parts(shape, most);
        let rows = chunks as usize * (shape.inputs + 1);
        let tail = shape.weight_count() - shape.outputs().start;
        Ok(Batch {
            features: stream.alloc_zeros(2 * most * Sample::MOST_PIECES).map_err(&reserving)?,
            piece_counts: bytes(most)?,
            buckets: bytes(most)?,
            targets: floats(most)?,
            presence: stream.alloc_zeros(shape.inputs * words(shape, most)).map_err(&reserving)?,
            activated: floats(2 * most * shape.hidden)?,
            blame: floats(2 * most * shape.hidden)?,
            slopes: floats(most)?,
            losses: floats(most)?,
            partials: floats(rows * shape.hidden)?,
            filled: bytes(rows)?,
            tails: floats(tails as usize * tail)?,
            totals: stream.alloc_zeros(MOST_QUEUED).map_err(&reserving)?,
        })
    }
}

impl Trainer for GpuTrainer {
    fn device(&self) -> String {
        self.card.name().to_owned()
    }

    fn sample_count(&self) -> usize {
        self.samples.count
    }

    fn take(&mut self, order: &Order, steps: &[Step]) -> Result<f64, DeviceTrouble> {
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

    fn held_out_loss(&mut self, lambda: f32) -> Result<Option<f64>, DeviceTrouble> {
        let count = self.held_out.count;
        Ok(if count == 0 { None } else { Some(self.held_out_sum(lambda)? / count as f64) })
    }

    fn state(&mut self) -> Result<State, DeviceTrouble> {
        let weights = Weights::from_values(self.shape, self.read(&self.weights)?);
        let weights = weights.ok_or_else(|| DeviceTrouble("the GPU gave back too few weights".to_owned()))?;
        Ok(State { weights, means: self.read(&self.means)?, squares: self.read(&self.squares)? })
    }

    fn restore(&mut self, state: &State) -> Result<(), DeviceTrouble> {
        assert_eq!(state.shape(), self.shape, "a trainer keeps its shape");
        let copying = Trouble::while_it("take the network");
        let stream = self.card.stream();
        stream.memcpy_htod(state.weights.values(), &mut self.weights).map_err(&copying)?;
        stream.memcpy_htod(&state.means, &mut self.means).map_err(&copying)?;
        stream.memcpy_htod(&state.squares, &mut self.squares).map_err(&copying)?;
        stream.synchronize().map_err(&copying)?;
        Ok(())
    }
}
