//! A GPU, found without a panic where there is none, and the kernels compiled for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaStream};
use cudarc::nvrtc::{self, CompileOptions, Ptx};
use nnue::{Architecture, Head, Layers};
use train::Shape;

use crate::device::Kernel;
use crate::{GpuError, Precision, arguments};

/// The first GPU of this machine. Clones are the same GPU, with the same queue of work.
#[derive(Clone)]
pub struct Gpu {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    name: String,
    capability: (i32, i32),
    /// What was compiled already, by source and definitions: it takes seconds, and the same kernels are asked for
    /// again.
    modules: Arc<Mutex<HashMap<String, Arc<CudaModule>>>>,
}

impl Gpu {
    /// Looks for a GPU.
    pub fn open() -> Result<Gpu, GpuError> {
        // SAFETY: loading the driver's library runs its initialisers, which expect nothing of us.
        let has_driver = unsafe { cudarc::driver::sys::is_culib_present() };
        if !has_driver {
            return Err(GpuError::NoLibrary(if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" }));
        }
        require_compiler()?;
        let context =
            CudaContext::new(0).map_err(|error| GpuError::NoGpu(GpuError::during("start")(error).to_string()))?;
        let asking = GpuError::during("say what it is");
        let name = context.name().map_err(&asking)?;
        let capability = context.compute_capability().map_err(&asking)?;
        let stream = context.default_stream();
        Ok(Gpu { context, stream, name, capability, modules: Arc::default() })
    }

    /// What the GPU is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The GPU in a line: name, generation, multiprocessors, memory free and in all.
    pub fn description(&self) -> Result<String, GpuError> {
        let asking = GpuError::during("say what it is");
        let (free, total) = self.context.mem_get_info().map_err(&asking)?;
        let processors =
            self.context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).map_err(&asking)?;
        let gibibytes = |bytes: usize| bytes as f64 / f64::from(1 << 30);
        let (major, minor) = self.capability;
        Ok(format!(
            "{}, compute capability {major}.{minor}, {processors} multiprocessors, {:.1} of {:.1} GiB free",
            self.name,
            gibibytes(free),
            gibibytes(total)
        ))
    }

    /// How many bytes of its memory are free.
    pub fn free_memory(&self) -> Result<usize, GpuError> {
        self.stream.synchronize().map_err(GpuError::during("finish its work"))?;
        Ok(self.context.mem_get_info().map_err(GpuError::during("say what it is"))?.0)
    }

    pub(crate) fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// One of the numbers that describe the GPU.
    pub(crate) fn attribute(&self, attribute: CUdevice_attribute) -> Result<usize, GpuError> {
        let number = self.context.attribute(attribute).map_err(GpuError::during("say what it is"))?;
        Ok(number as usize)
    }

    /// Compiles the kernels for a network and brings them onto the GPU.
    pub(crate) fn kernels(&self, shape: Shape, precision: Precision) -> Result<Vec<(Kernel, CudaFunction)>, GpuError> {
        let key = format!("{shape:?}, {precision}");
        let module = self.kept_module(key, || compile(shape, precision, self.generation()))?;
        let load = |&kernel: &Kernel| {
            let function = module.load_function(kernel.name()).map_err(GpuError::during("find a kernel"))?;
            Ok((kernel, function))
        };
        Kernel::all(shape.layers).iter().map(load).collect()
    }

    /// Compiles other kernels, and brings them onto the GPU.
    pub(crate) fn module(&self, source: &str, name: &str, definitions: &[String]) -> Result<Arc<CudaModule>, GpuError> {
        let key = format!("{definitions:?} {source}");
        self.kept_module(key, || compile_source(source, name, self.generation(), definitions))
    }

    /// Kernels from the last time they were needed, or compiled now.
    fn kept_module(
        &self,
        key: String,
        compile: impl FnOnce() -> Result<Ptx, GpuError>,
    ) -> Result<Arc<CudaModule>, GpuError> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules.get(&key) {
            return Ok(Arc::clone(module));
        }
        let begun = Instant::now();
        let module = self.load(compile()?)?;
        tracing::debug!(seconds = begun.elapsed().as_secs_f64(), "kernels were compiled and loaded");
        modules.insert(key, Arc::clone(&module));
        Ok(module)
    }

    fn generation(&self) -> i32 {
        let (major, minor) = self.capability;
        major * 10 + minor
    }

    fn load(&self, compiled: Ptx) -> Result<Arc<CudaModule>, GpuError> {
        self.context.load_module(compiled).map_err(GpuError::during("load the kernels"))
    }
}

/// Complains if there is no library that compiles kernels.
fn require_compiler() -> Result<(), GpuError> {
    // SAFETY: loading the compiler's library runs its initialisers, which expect nothing of us.
    let has_compiler = unsafe { nvrtc::sys::is_culib_present() };
    if has_compiler { Ok(()) } else { Err(GpuError::NoLibrary("the compiler of CUDA's toolkit, libnvrtc.so,")) }
}

/// How many words of presence bits one block of the feature gradient looks at: more, and so fewer blocks and partial
/// sums, where king buckets thin the lists out.
pub(crate) fn chunk_words(shape: Shape) -> usize {
    match shape.inputs / 768 {
        0 | 1 => 64,
        2 | 3 => 128,
        _ => 256,
    }
}

/// Compiles the kernels for a network and a compute capability, such as 90. This needs no GPU, only the compiler.
pub fn compile(shape: Shape, precision: Precision, capability: i32) -> Result<Ptx, GpuError> {
    let step = match shape.layers {
        Layers::Straight => 32,
        Layers::Pairwise => Architecture::PAIRWISE_STEP,
    };
    if shape.hidden == 0 || !shape.hidden.is_multiple_of(step) || shape.hidden > crate::WIDEST {
        return Err(GpuError::Width { hidden: shape.hidden, step });
    }
    compile_source(&source(), "train.cu", capability, &definitions(shape, precision))
}

/// The kernels of a training in one text.
fn source() -> String {
    let headers = [
        ("layout.cuh", &*arguments::layout()),
        ("rows.cuh", include_str!("../kernels/rows.cuh")),
        ("straight.cuh", include_str!("../kernels/straight.cuh")),
        ("pairwise.cuh", include_str!("../kernels/pairwise.cuh")),
    ];
    one_text(include_str!("../kernels/train.cu"), &headers)
}

/// What the compiler of a training's kernels is told about a network.
pub(crate) fn definitions(shape: Shape, precision: Precision) -> Vec<String> {
    let mut definitions = vec![
        format!("-DHIDDEN={}", shape.hidden),
        format!("-DINPUTS={}", shape.inputs),
        format!("-DBUCKETS={}", shape.output_buckets),
        format!("-DCHUNK_WORDS={}", chunk_words(shape)),
    ];
    if shape.layers == Layers::Pairwise {
        let [second, third] = [Head::SECOND, Head::THIRD];
        definitions.extend(["-DPAIRWISE".to_owned(), format!("-DSECOND={second}"), format!("-DTHIRD={third}")]);
    }
    if precision == Precision::Half {
        definitions.push("-DHALVES".to_owned());
    }
    definitions
}

/// A source and its headers in one text: the compiler on the GPU's side knows no files.
pub(crate) fn one_text(source: &str, headers: &[(&str, &str)]) -> String {
    let mut text = source.to_owned();
    for (name, header) in headers {
        text = text.replace(&format!("#include \"{name}\"\n"), &format!("#line 1 \"{name}\"\n{header}\n"));
    }
    text
}

fn compile_source(source: &str, name: &str, capability: i32, definitions: &[String]) -> Result<Ptx, GpuError> {
    require_compiler()?;
    let mut options = vec![format!("--gpu-architecture=compute_{capability}")];
    options.extend_from_slice(definitions);
    let name = Some(name.to_owned());
    Ok(nvrtc::compile_ptx_with_opts(source, CompileOptions { options, name, ..CompileOptions::default() })?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_text_for_the_gpu_is_whole() {
        let text = super::source();
        assert!(!text.contains("#include"), "{:?}", text.lines().find(|line| line.contains("#include")));
        assert!(text.contains("struct Order {"));
    }
}
