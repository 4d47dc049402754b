//! What the kernels of a step pass on to each other.

use nnue::{Head, Layers};
use train::{Sample, Shape};

use crate::device::Device;
use crate::gpu::chunk_words;
use crate::precision::per_float;
use crate::{GpuError, Precision};

/// How many samples are added up at once where the gradient of the tail is made.
pub(crate) const TAIL_SAMPLES: usize = 128;

/// How many numbers the kernels note of a sample of a pairwise network: what is active in the second and in the third
/// layer, its gradients, that of the output and a one, up to whole vectors of four.
pub(crate) const PAIRWISE_NOTES: usize = (2 * Head::SECOND + 2 * Head::THIRD + 2).next_multiple_of(4);

/// How many steps are queued before the host looks at their losses.
pub(crate) const MOST_QUEUED: usize = 1 << 12;

/// How samples are learned from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batches {
    /// The most samples in a batch.
    pub most: usize,
    /// How numbers are stored that are gathered.
    pub precision: Precision,
}

/// What the kernels pass on to each other, for one batch.
pub(crate) struct Batch<D: Device> {
    pub(crate) features: D::Buffer<u16>,
    pub(crate) piece_counts: D::Buffer<u8>,
    pub(crate) buckets: D::Buffer<u8>,
    pub(crate) targets: D::Buffer<f32>,
    pub(crate) presence: D::Buffer<u32>,
    /// The rows of all inputs in 16 bits, unless they are gathered from the weights themselves.
    pub(crate) rows: Option<D::Buffer<f32>>,
    /// What is active of each sample in front of the tail: the hidden neurons of both players, or their pairs.
    pub(crate) activated: D::Buffer<f32>,
    /// The gradient of each hidden neuron: rows that are gathered.
    pub(crate) deltas: D::Buffer<f32>,
    /// What else there is to note of a sample for the gradient of the tail: the derivative of the loss, and what is in
    /// further layers.
    pub(crate) notes: D::Buffer<f32>,
    pub(crate) losses: D::Buffer<f32>,
    pub(crate) partials: D::Buffer<f32>,
    pub(crate) filled: D::Buffer<u8>,
    pub(crate) tails: D::Buffer<f32>,
    pub(crate) totals: D::Buffer<f64>,
}

/// How many words of bits each input has: one bit for each entry of the largest batch, up to a whole chunk.
pub(crate) fn words(shape: Shape, most: usize) -> usize {
    (2 * most).div_ceil(32).next_multiple_of(chunk_words(shape))
}

/// Into how many parts the gradients of a batch fall: those of the inputs, and those of the output.
pub(crate) fn parts(shape: Shape, count: usize) -> (u32, u32) {
    ((2 * count).div_ceil(32 * chunk_words(shape)) as u32, count.div_ceil(TAIL_SAMPLES) as u32)
}

impl<D: Device> Batch<D> {
    /// Capacity for the largest batch.
    pub(crate) fn new(device: &D, shape: Shape, Batches { most, precision }: Batches) -> Result<Batch<D>, GpuError> {
        let floats = |count: usize| device.scratch::<f32>(count);
        let (chunks, tails) = parts(shape, most);
        let rows = chunks as usize * (shape.inputs + 1);
        let (active, notes) = match shape.layers {
            Layers::Straight => (2 * shape.hidden, 1),
            Layers::Pairwise => (shape.hidden, PAIRWISE_NOTES),
        };
        Ok(Batch {
            features: device.scratch(2 * most * Sample::MOST_PIECES)?,
            piece_counts: device.scratch(most)?,
            buckets: device.scratch(most)?,
            targets: floats(most)?,
            presence: device.zeros(shape.inputs * words(shape, most))?,
            rows: match precision {
                Precision::Single => None,
                Precision::Half => Some(floats(shape.features().len() / per_float(precision))?),
            },
            activated: floats(most * active)?,
            deltas: floats(2 * most * shape.hidden / per_float(precision))?,
            notes: floats(most * notes)?,
            losses: floats(most)?,
            partials: floats(rows * shape.hidden)?,
            filled: device.scratch(rows)?,
            tails: floats(tails as usize * shape.tail().len())?,
            totals: device.scratch(MOST_QUEUED)?,
        })
    }
}
