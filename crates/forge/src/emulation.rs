//! The kernels on the CPU, from their own source: a warp is thirty-two fibres, and every collective checks that all of
//! them have come to the same line.
//!
//! A library is compiled once for each set of definitions and kept, by a checksum of everything that it is made from,
//! among the temporary files: tests that run again find it there.

use std::collections::HashMap;
use std::env;
use std::ffi::c_void;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use libloading::Library;
use train::Shape;

use crate::device::{Argument, Device, Kernel, Number};
use crate::{GpuError, Precision, arguments, gpu};

/// Kernels as a library for the CPU. They run one at a time, because fibres share the place they run at.
#[derive(Clone)]
pub(crate) struct Emulation {
    library: Arc<Mutex<Library>>,
}

impl Emulation {
    /// The kernels of a training; none where there is no compiler.
    pub(crate) fn training(shape: Shape, precision: Precision) -> Option<Emulation> {
        Emulation::of("train_on_cpu.cpp", &arguments::layout(), "-O1", &gpu::definitions(shape, precision))
    }

    /// Compiles a source, with the text that takes the place of `layout.cuh`.
    pub(crate) fn of(source: &str, layout: &str, optimisation: &str, definitions: &[String]) -> Option<Emulation> {
        type Loaded = Mutex<HashMap<PathBuf, Arc<OnceLock<Option<Emulation>>>>>;
        static LOADED: OnceLock<Loaded> = OnceLock::new();
        let path = library_path(source, layout, optimisation, definitions);
        let mut loaded = LOADED.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        let place = Arc::clone(loaded.entry(path.clone()).or_default());
        drop(loaded);
        // Tests that need the same library wait for the one that compiles it; others go on.
        place
            .get_or_init(|| Emulation::load(&path, || compile(source, layout, optimisation, definitions, &path)))
            .clone()
    }

    fn load(path: &Path, compile: impl FnOnce() -> bool) -> Option<Emulation> {
        if !path.exists() && !compile() {
            eprintln!("skipped: there is no C++ compiler here");
            return None;
        }
        // SAFETY: the library was made from our own source and has no initialisers but those of C++.
        let library = unsafe { Library::new(path) }.expect("the library loads");
        Some(Emulation { library: Arc::new(Mutex::new(library)) })
    }

    /// Runs a kernel.
    ///
    /// # Safety
    ///
    /// The arguments are addresses of what the kernel's parameters say, and its buffers have the sizes that it is told.
    pub(crate) unsafe fn run(&self, kernel: &str, blocks: (u32, u32), threads: u32, arguments: &mut [*mut c_void]) {
        type Function = unsafe extern "C" fn(u32, u32, u32, *mut *mut c_void);
        let library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the functions of the library have this type; the caller answers for the arguments.
        unsafe {
            let name = format!("cpu_{kernel}");
            let function = library.get::<Function>(name.as_bytes()).expect("the library has all kernels");
            function(blocks.0, blocks.1, threads, arguments.as_mut_ptr());
        }
    }
}

fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels")
}

fn compiler() -> String {
    env::var("CXX").unwrap_or_else(|_| "c++".to_owned())
}

/// Where the library of a source is kept, by a checksum of everything that it is made from.
fn library_path(source: &str, layout: &str, optimisation: &str, definitions: &[String]) -> PathBuf {
    let mut files: Vec<PathBuf> =
        fs::read_dir(kernels()).expect("the kernels are there").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut text = [source, layout, optimisation, &compiler(), &definitions.join(" ")].join("\n").into_bytes();
    for file in files {
        text.extend(fs::read(file).expect("a kernel can be read"));
    }
    env::temp_dir().join(format!("saavedra-kernels-{:016x}.so", nnue::checksum(&text)))
}

/// Compiles a library; false where there is no compiler.
fn compile(source: &str, layout: &str, optimisation: &str, definitions: &[String], path: &Path) -> bool {
    // A folder of our own: tests of another process may be compiling the same.
    let folder = path.with_extension(format!("{}", process::id()));
    fs::create_dir_all(&folder).expect("there is room for temporary files");
    fs::write(folder.join("layout.cuh"), layout).expect("there is room for temporary files");
    let part = folder.join("part.so");
    let mut command = Command::new(compiler());
    // A fortified `longjmp` takes a jump to another fibre's stack for an attack.
    command.args(["-std=c++17", optimisation, "-w", "-U_FORTIFY_SOURCE", "-shared", "-fPIC", "-o"]).arg(&part);
    command.arg("-I").arg(&folder).args(definitions).arg(kernels().join(source));
    let Ok(status) = command.status() else { return false };
    assert!(status.success(), "the kernels do not compile as C++");
    fs::rename(part, path).expect("a file can be renamed");
    let _ = fs::remove_dir_all(folder);
    true
}

/// Numbers in the memory of the host, aligned for vectors of four words.
pub(crate) struct HostBuffer<T> {
    words: Vec<u128>,
    count: usize,
    number: std::marker::PhantomData<T>,
}

impl<T: Number> HostBuffer<T> {
    fn filled(count: usize, word: u128) -> HostBuffer<T> {
        let words = vec![word; (count * size_of::<T>()).div_ceil(size_of::<u128>())];
        HostBuffer { words, count, number: std::marker::PhantomData }
    }

    fn values(&mut self) -> &mut [T] {
        // SAFETY: there is room for so many, aligned for any of them, and any bits are a number.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast::<T>(), self.count) }
    }
}

impl Device for Emulation {
    type Buffer<T: Number> = HostBuffer<T>;

    fn name(&self) -> String {
        "the emulation on the CPU".to_owned()
    }

    fn zeros<T: Number>(&self, count: usize) -> Result<HostBuffer<T>, GpuError> {
        Ok(HostBuffer::filled(count, 0))
    }

    fn scratch<T: Number>(&self, count: usize) -> Result<HostBuffer<T>, GpuError> {
        // What a kernel forgets to write is not a number, and so is everything computed from it.
        Ok(HostBuffer::filled(count, u128::MAX))
    }

    fn upload<T: Number>(&self, values: &[T]) -> Result<HostBuffer<T>, GpuError> {
        let mut buffer = HostBuffer::filled(values.len(), 0);
        buffer.values().copy_from_slice(values);
        Ok(buffer)
    }

    fn download<T: Number>(&self, buffer: &HostBuffer<T>, count: usize) -> Result<Vec<T>, GpuError> {
        assert!(count <= buffer.count, "a buffer has only as many numbers as it was made for");
        // SAFETY: so many are there, aligned for any of them, and any bits are a number.
        Ok(unsafe { std::slice::from_raw_parts(buffer.words.as_ptr().cast::<T>(), count) }.to_vec())
    }

    fn clear<T: Number>(&mut self, buffer: &mut HostBuffer<T>) -> Result<(), GpuError> {
        buffer.words.fill(0);
        Ok(())
    }

    fn address<T: Number>(&self, buffer: &HostBuffer<T>) -> Argument {
        Argument::Address(buffer.words.as_ptr() as u64)
    }

    unsafe fn launch(
        &mut self,
        kernel: Kernel,
        blocks: (usize, usize),
        threads: u32,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        let place = |argument: &Argument| match argument {
            Argument::Address(number) | Argument::U64(number) => ptr::from_ref(number).cast(),
            Argument::U32(number) => ptr::from_ref(number).cast(),
            Argument::F32(number) => ptr::from_ref(number).cast(),
            Argument::Order(order) => ptr::from_ref(order).cast(),
            Argument::Update(update) => ptr::from_ref(update).cast::<c_void>(),
        };
        let mut places: Vec<*mut c_void> = arguments.iter().map(|argument| place(argument).cast_mut()).collect();
        let blocks = (blocks.0 as u32, blocks.1 as u32);
        // SAFETY: the caller answers for the arguments, which the kernels only read.
        unsafe { self.run(kernel.name(), blocks, threads, &mut places) };
        Ok(())
    }
}
