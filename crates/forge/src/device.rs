//! What kernels run on: a GPU, or in tests the CPU.
//!
//! The trainer describes its launches over [`Device`] alone, so that the tests on the CPU prove the launches that a
//! GPU runs, too: their order, grids and arguments.

use cudarc::driver::{DeviceRepr, ValidAsZeroBits};
use nnue::Layers;

use crate::GpuError;
use crate::arguments::{OrderArgument, UpdateArgument};

/// Numbers that buffers consist of.
pub(crate) trait Number: DeviceRepr + ValidAsZeroBits + Copy + Default + Unpin + 'static {}

impl Number for u8 {}
impl Number for u16 {}
impl Number for u32 {}
impl Number for u64 {}
impl Number for f32 {}
impl Number for f64 {}

/// The kernels of a training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kernel {
    Unpack,
    CloseRows,
    Forward,
    /// Of straight networks.
    OutputGradient,
    /// Of pairwise networks, as the next one.
    PairGradient,
    LaterGradient,
    FeatureGradient,
    Update,
    Gradient,
    Tally,
}

impl Kernel {
    /// Those that a training needs.
    pub(crate) fn all(layers: Layers) -> &'static [Kernel] {
        use Kernel::*;
        match layers {
            Layers::Straight => &[Unpack, CloseRows, Forward, OutputGradient, FeatureGradient, Update, Gradient, Tally],
            Layers::Pairwise => {
                &[Unpack, CloseRows, Forward, PairGradient, LaterGradient, FeatureGradient, Update, Gradient, Tally]
            }
        }
    }

    /// The name of its function.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kernel::Unpack => "unpack",
            Kernel::CloseRows => "close_rows",
            Kernel::Forward => "forward",
            Kernel::OutputGradient => "output_gradient",
            Kernel::PairGradient => "pair_gradient",
            Kernel::LaterGradient => "later_gradient",
            Kernel::FeatureGradient => "feature_gradient",
            Kernel::Update => "update",
            Kernel::Gradient => "gradient",
            Kernel::Tally => "tally",
        }
    }
}

/// An argument of a kernel.
#[derive(Clone, Copy)]
pub(crate) enum Argument {
    Address(u64),
    U32(u32),
    U64(u64),
    F32(f32),
    Order(OrderArgument),
    Update(UpdateArgument),
}

/// No buffer: the kernels leave out what would go there.
pub(crate) const NOWHERE: Argument = Argument::Address(0);

/// What kernels run on.
pub(crate) trait Device {
    /// Numbers in its memory.
    type Buffer<T: Number>;

    /// What it is called.
    fn name(&self) -> String;

    /// A buffer of zeros.
    fn zeros<T: Number>(&self, count: usize) -> Result<Self::Buffer<T>, GpuError>;

    /// A buffer that kernels write before they read it.
    fn scratch<T: Number>(&self, count: usize) -> Result<Self::Buffer<T>, GpuError>;

    /// A copy of the host's numbers.
    fn upload<T: Number>(&self, values: &[T]) -> Result<Self::Buffer<T>, GpuError>;

    /// The first numbers of a buffer, when all that was launched is done.
    fn download<T: Number>(&self, buffer: &Self::Buffer<T>, count: usize) -> Result<Vec<T>, GpuError>;

    /// Sets all numbers of a buffer to zero.
    fn clear<T: Number>(&mut self, buffer: &mut Self::Buffer<T>) -> Result<(), GpuError>;

    /// Where a buffer lies in its memory, as an argument.
    fn address<T: Number>(&self, buffer: &Self::Buffer<T>) -> Argument;

    /// Notes that something ends here, where times are taken.
    fn mark(&mut self, _what: &'static str) -> Result<(), GpuError> {
        Ok(())
    }

    /// Starts a kernel with so many blocks in two directions, each of so many threads.
    ///
    /// # Safety
    ///
    /// The arguments have the types of the kernel's parameters, and its buffers the sizes that it is told.
    unsafe fn launch(
        &mut self,
        kernel: Kernel,
        blocks: (usize, usize),
        threads: u32,
        arguments: &[Argument],
    ) -> Result<(), GpuError>;
}
