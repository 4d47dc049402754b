//! The trainer on a GPU.

use cudarc::driver::{CudaFunction, CudaSlice, DevicePtr, LaunchConfig, PushKernelArg};
use train::{DeviceError, FeatureTable, Objective, SampleOrder, Step, Trainer, TrainerState};

use crate::GpuError;
use crate::batch::Batches;
use crate::device::{Argument, Device, Kernel, Number};
use crate::gpu::Gpu;
use crate::samples::Selection;
use crate::steps::{SampleParts, Steps};
use crate::timings::Timings;

/// A GPU that runs the kernels of a training.
pub(crate) struct GpuDevice {
    gpu: Gpu,
    kernels: Vec<(Kernel, CudaFunction)>,
    pub(crate) timings: Timings,
}

impl Device for GpuDevice {
    type Buffer<T: Number> = CudaSlice<T>;

    fn name(&self) -> String {
        self.gpu.name().to_owned()
    }

    fn zeros<T: Number>(&self, count: usize) -> Result<CudaSlice<T>, GpuError> {
        self.gpu.stream().alloc_zeros(count).map_err(GpuError::during("find memory for a training"))
    }

    fn scratch<T: Number>(&self, count: usize) -> Result<CudaSlice<T>, GpuError> {
        self.zeros(count)
    }

    fn upload<T: Number>(&self, values: &[T]) -> Result<CudaSlice<T>, GpuError> {
        let copying = GpuError::during("take what a training needs");
        let buffer = self.gpu.stream().clone_htod(values).map_err(&copying)?;
        self.gpu.stream().synchronize().map_err(&copying)?;
        Ok(buffer)
    }

    fn download<T: Number>(&self, buffer: &CudaSlice<T>, count: usize) -> Result<Vec<T>, GpuError> {
        let finishing = GpuError::during("finish its steps");
        let values = self.gpu.stream().clone_dtoh(&buffer.slice(..count)).map_err(&finishing)?;
        self.gpu.stream().synchronize().map_err(&finishing)?;
        Ok(values)
    }

    fn clear<T: Number>(&mut self, buffer: &mut CudaSlice<T>) -> Result<(), GpuError> {
        self.gpu.stream().memset_zeros(buffer).map_err(GpuError::during("clear a buffer"))?;
        self.mark("clear")
    }

    fn address<T: Number>(&self, buffer: &CudaSlice<T>) -> Argument {
        // Everything happens on one stream, in order, so that nothing has to wait for a buffer.
        Argument::Address(buffer.device_ptr(self.gpu.stream()).0)
    }

    fn mark(&mut self, what: &'static str) -> Result<(), GpuError> {
        self.timings.note(self.gpu.stream(), what)
    }

    unsafe fn launch(
        &mut self,
        kernel: Kernel,
        blocks: (usize, usize),
        threads: u32,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        let function = self.kernels.iter().find(|(one, _)| *one == kernel).map(|(_, function)| function);
        let mut launch = self.gpu.stream().launch_builder(function.expect("all kernels of the layers are loaded"));
        for argument in arguments {
            match argument {
                Argument::Address(address) | Argument::U64(address) => launch.arg(address),
                Argument::U32(number) => launch.arg(number),
                Argument::F32(number) => launch.arg(number),
                Argument::Order(order) => launch.arg(order),
                Argument::Update(update) => launch.arg(update),
            };
        }
        let config = LaunchConfig {
            grid_dim: (blocks.0 as u32, blocks.1 as u32, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the caller answers for the arguments.
        unsafe { launch.launch(config) }.map_err(GpuError::during(kernel.name()))?;
        self.mark(kernel.name())
    }
}

/// A trainer on a GPU.
pub struct GpuTrainer<'a> {
    pub(crate) steps: Steps<GpuDevice>,
    /// The samples, which the steps know by address.
    _samples: [Selection<'a>; 2],
}

impl<'a> GpuTrainer<'a> {
    /// A trainer of samples, with samples for validation.
    pub fn new(
        gpu: &Gpu,
        samples: Selection<'a>,
        validation: Selection<'a>,
        table: &FeatureTable,
        state: &TrainerState,
        batches: Batches,
    ) -> Result<GpuTrainer<'a>, GpuError> {
        let kernels = gpu.kernels(state.shape(), batches.precision)?;
        let device = GpuDevice { gpu: gpu.clone(), kernels, timings: Timings::default() };
        let [learned, validation_samples] = [&samples, &validation]
            .map(|selection| SampleParts::new(&device, device.address(selection.words()), selection.parts()));
        let steps = Steps::new(device, learned?, validation_samples?, table, state, batches)?;
        Ok(GpuTrainer { steps, _samples: [samples, validation] })
    }

    /// The mean loss of the first samples, up to a batch of them, and the gradient of the objective.
    pub fn gradient(&mut self, count: usize, objective: Objective) -> Result<(f64, Vec<f32>), GpuError> {
        self.steps.gradient(0..count, objective)
    }
}

impl Trainer for GpuTrainer<'_> {
    fn device(&self) -> String {
        self.steps.device()
    }

    fn sample_count(&self) -> usize {
        self.steps.sample_count()
    }

    fn take(&mut self, order: &SampleOrder, steps: &[Step]) -> Result<f64, DeviceError> {
        self.steps.take(order, steps)
    }

    fn validation_loss(&mut self, lambda: f32) -> Result<Option<f64>, DeviceError> {
        self.steps.validation_loss(lambda)
    }

    fn state(&mut self) -> Result<TrainerState, DeviceError> {
        self.steps.state()
    }

    fn restore(&mut self, state: &TrainerState) -> Result<(), DeviceError> {
        self.steps.restore(state)
    }
}
