//! The trainer on the GPU: all samples lie in its memory, and the host only says which step comes next.

use cudarc::driver::{CudaEvent, CudaFunction, CudaSlice, DeviceRepr, LaunchConfig, PushKernelArg};
use rules::Color;
use train::adam::{BETA_1, BETA_2, EPSILON};
use train::{DeviceTrouble, FeatureTable, Order, ROUNDS, Sample, Shape, State, Step, Trainer, Weights};

use crate::card::{Card, Kernels, chunk_words};
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
    /// Where the time goes, if anybody wants to know.
    pub(crate) laps: Option<Vec<(&'static str, CudaEvent)>>,
}

/// Starts a kernel. Everything behind the configuration is an argument, in the kernel's order.
macro_rules! launch {
    ($self:ident, $kernel:ident, $config:expr, $($argument:expr),+ $(,)?) => {{
        let mut launch = $self.card.stream().launch_builder(&$self.kernels.$kernel);
        $(launch.arg($argument);)+
        // SAFETY: the arguments have the types of the kernel's parameters, and its buffers were made for the largest batch,
        // which `take` and `loss_of` never exceed.
        unsafe { launch.launch($config) }.map_err(Trouble::while_it(concat!("run ", stringify!($kernel))))?;
        $self.lap(stringify!($kernel))?;
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
            laps: None,
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
        let (chunks, parts) = self.parts(count);
        launch!(
            self, gradient, grid((weights.div_ceil(256), 1), 256),
            &self.batch.partials, &self.batch.filled, &chunks, &self.batch.tails, &parts, &mut gradient,
        );
        let gradient = self.card.stream().clone_dtoh(&gradient).map_err(&reading)?;
        Ok((self.totals(1)? / count as f64, gradient))
    }

    /// One step, queued: its loss is added up in a slot.
    fn step(&mut self, order: OrderArgument, step: &Step, slot: u32) -> Result<(), Trouble> {
        self.blame(order, step.first, step.count, step.lambda, slot)?;
        let (chunks, parts) = self.parts(step.count);
        let update = &step.update;
        let [one_minus_beta_1, one_minus_beta_2] = [BETA_1, BETA_2].map(|beta| (1.0 - beta) as f32);
        launch!(
            self, update, grid((self.shape.weight_count().div_ceil(256), 1), 256),
            &mut self.weights, &mut self.means, &mut self.squares, &self.batch.partials, &self.batch.filled, &chunks,
            &self.batch.tails, &parts, &update.rate, &update.root_correction, &update.keep, &update.clip,
            &one_minus_beta_1, &one_minus_beta_2, &EPSILON,
        );
        Ok(())
    }

    /// From samples to the parts of the gradient.
    fn blame(&mut self, order: OrderArgument, first: usize, count: usize, lambda: f32, slot: u32) -> Result<(), Trouble> {
        assert!(count <= self.most && first + count <= self.samples.count, "a batch lies within the samples");
        self.lap("start")?;
        let stream = self.card.stream();
        stream.memset_zeros(&mut self.batch.presence).map_err(Trouble::while_it("clear its bits"))?;
        self.lap("clear")?;
        let Batch { features, piece_counts, buckets, targets, presence, activated, blame, slopes, losses, .. } =
            &mut self.batch;
        let (first, samples, scale) = (first as u64, count as u32, 1.0 / count as f32);
        let words = Batch::words(self.shape, self.most) as u32;
        launch!(
            self, unpack, grid((count.div_ceil(8), 1), 256),
            &self.samples.words, &order, &first, &samples, &lambda, &self.table, &self.bucket_table, &mut *features,
            &mut *piece_counts, &mut *buckets, &mut *targets, &mut *presence, &words,
        );
        launch!(
            self, forward, grid((count.div_ceil(4), 1), 128),
            &self.weights, &*features, &*piece_counts, &*buckets, &*targets, &samples, &scale, &mut *activated,
            &mut *blame, &mut *slopes, &mut *losses,
        );
        let Batch { partials, filled, tails, totals, .. } = &mut self.batch;
        let (chunks, parts) = parts(self.shape, count);
        let columns = 2 * self.shape.hidden + 1;
        launch!(
            self, output_gradient, grid((parts as usize, columns.div_ceil(128)), 128),
            &self.batch.activated, &self.batch.slopes, &self.batch.buckets, &samples, &mut *tails,
        );
        let entries = 2 * samples;
        launch!(
            self, feature_gradient, grid((self.shape.inputs + 1, chunks as usize), 256),
            &self.batch.blame, &self.batch.presence, &words, &entries, &mut *partials, &mut *filled,
        );
        launch!(self, tally, grid((1, 1), 1024), &self.batch.losses, &samples, &mut *totals, &slot);
        Ok(())
    }
}
