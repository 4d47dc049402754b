//! What the kernels of a step pass on to each other.

use cudarc::driver::CudaSlice;
use nnue::{Head, Layers};
use train::{Sample, Shape};

use crate::card::{Card, chunk_words};
use crate::precision::per_float;
use crate::{Precision, Trouble};

/// How many samples are added up at once where the gradient of the tail is made; the kernels say the same.
const TAIL_SAMPLES: usize = 128;

/// How many numbers the kernels note of a sample of a pairwise network: what is active in the second and in the third layer, its
/// blame, a slope and a one, up to whole vectors of four. The kernels say the same.
const PAIRWISE_NOTES: usize = (2 * Head::SECOND + 2 * Head::THIRD + 2).next_multiple_of(4);

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
pub(crate) struct Batch {
    pub(crate) features: CudaSlice<u16>,
    pub(crate) piece_counts: CudaSlice<u8>,
    pub(crate) buckets: CudaSlice<u8>,
    pub(crate) targets: CudaSlice<f32>,
    pub(crate) presence: CudaSlice<u32>,
    /// The rows of all inputs in 16 bits, unless they are gathered from the weights themselves.
    pub(crate) rows: Option<CudaSlice<f32>>,
    /// What is active of each sample in front of the tail: the hidden neurons of both players, or their pairs.
    pub(crate) activated: CudaSlice<f32>,
    pub(crate) blame: CudaSlice<f32>,
    /// What else there is to note of a sample for the gradient of the tail: the slope of the loss, and what is in further layers.
    pub(crate) notes: CudaSlice<f32>,
    pub(crate) losses: CudaSlice<f32>,
    pub(crate) partials: CudaSlice<f32>,
    pub(crate) filled: CudaSlice<u8>,
    pub(crate) tails: CudaSlice<f32>,
    pub(crate) totals: CudaSlice<f64>,
}

/// How many words of bits each input has: one bit for each entry of the largest batch, up to a whole chunk.
pub(crate) fn words(shape: Shape, most: usize) -> usize {
    (2 * most).div_ceil(32).next_multiple_of(chunk_words(shape))
}

/// Into how many parts the gradients of a batch fall: those of the inputs, and those of the output.
pub(crate) fn parts(shape: Shape, count: usize) -> (u32, u32) {
    ((2 * count).div_ceil(32 * chunk_words(shape)) as u32, count.div_ceil(TAIL_SAMPLES) as u32)
}

impl Batch {
    /// Room for the largest batch.
    pub(crate) fn new(card: &Card, shape: Shape, Batches { most, precision }: Batches) -> Result<Batch, Trouble> {
        let reserving = Trouble::while_it("find memory for a batch");
        let stream = card.stream();
        let floats = |count: usize| stream.alloc_zeros::<f32>(count).map_err(&reserving);
        let bytes = |count: usize| stream.alloc_zeros::<u8>(count).map_err(&reserving);
        let (chunks, tails) = parts(shape, most);
        let rows = chunks as usize * (shape.inputs + 1);
        let (active, notes) = match shape.layers {
            Layers::Straight => (2 * shape.hidden, 1),
            Layers::Pairwise => (shape.hidden, PAIRWISE_NOTES),
        };
        Ok(Batch {
            features: stream.alloc_zeros(2 * most * Sample::MOST_PIECES).map_err(&reserving)?,
            piece_counts: bytes(most)?,
            buckets: bytes(most)?,
            targets: floats(most)?,
            presence: stream.alloc_zeros(shape.inputs * words(shape, most)).map_err(&reserving)?,
            rows: match precision {
                Precision::Single => None,
                Precision::Half => Some(floats(shape.features().len() / per_float(precision))?),
            },
            activated: floats(most * active)?,
            blame: floats(2 * most * shape.hidden / per_float(precision))?,
            notes: floats(most * notes)?,
            losses: floats(most)?,
            partials: floats(rows * shape.hidden)?,
            filled: bytes(rows)?,
            tails: floats(tails as usize * shape.tail().len())?,
            totals: stream.alloc_zeros(MOST_QUEUED).map_err(&reserving)?,
        })
    }
}
