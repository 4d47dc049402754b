//! What may be wrong with a GPU.

use cudarc::driver::DriverError;
use cudarc::nvrtc::CompileError;
use search::OutOfMemory;
use thiserror::Error;
use train::DeviceError;

/// Why the GPU does not do what we ask.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// A library that comes with the driver or with CUDA is not installed.
    #[error("there is no CUDA GPU here: {0} is missing")]
    NoLibrary(&'static str),
    /// The driver is there, and knows of no GPU.
    #[error("there is no CUDA GPU here: {0}")]
    NoGpu(String),
    /// The hidden layer has a width that the kernels are not made for.
    #[error("a hidden layer of {hidden} does not fit the GPU's trainer; a multiple of {step} up to {most} does", most = crate::WIDEST)]
    Width {
        /// How wide it is.
        hidden: usize,
        /// What its width has to be a multiple of.
        step: usize,
    },
    /// The network is too wide for games on the GPU.
    #[error("a network of {0} neurons is too wide for games on the GPU; up to {most} are fine", most = crate::WIDEST)]
    TooWide(usize),
    /// A position that the kernels cannot play.
    #[error(
        "the GPU cannot play {0}: it does not castle by the rules of Chess960, nor move more than sixteen men of a colour"
    )]
    NotChess(String),
    /// No answer came, or one that is no legal move.
    #[error("the GPU found no legal move in {0}")]
    NoMove(String),
    /// The CPU that plays against the GPU has too little memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// There is nothing to learn from.
    #[error("there are no samples to train on")]
    NoSamples,
    /// More samples came than there is room for.
    #[error("{samples} samples were gathered, and there is room for {room} more")]
    NoRoom {
        /// How many came.
        samples: usize,
        /// How many there is room for.
        room: usize,
    },
    /// The GPU searches differently from the emulation: one of the two compilers is wrong.
    #[error(
        "the GPU does not search as it should: its nodes have the checksum {found:016x} instead of {expected:016x}"
    )]
    OtherSearch {
        /// The checksum of what it searched.
        found: u64,
        /// The checksum of what it should have searched.
        expected: u64,
    },
    /// The compiler of the kernels complains, in several lines.
    #[error("the kernels do not compile: {0}")]
    Compiler(String),
    /// The driver reports an error, such as too little memory, or a GPU that vanished.
    #[error("the GPU failed while it was to {doing}: {error}")]
    Driver {
        /// What it was asked to do.
        doing: &'static str,
        /// What it said.
        error: String,
    },
}

impl GpuError {
    /// The driver's error, with what was going on.
    pub(crate) fn during(doing: &'static str) -> impl Fn(DriverError) -> GpuError {
        move |error| {
            let name = error.error_name().map(|name| name.to_string_lossy().into_owned());
            let text = error.error_string().map(|text| text.to_string_lossy().into_owned());
            let error = match (name, text) {
                (Ok(name), Ok(text)) => format!("{text} ({name})"),
                _ => format!("{error:?}"),
            };
            GpuError::Driver { doing, error }
        }
    }
}

impl From<CompileError> for GpuError {
    fn from(error: CompileError) -> GpuError {
        GpuError::Compiler(match error {
            CompileError::CompileError { nvrtc, options, log } => {
                format!("{nvrtc:?} with {}\n{}", options.join(" "), log.to_string_lossy())
            }
            other => format!("{other:?}"),
        })
    }
}

impl From<GpuError> for DeviceError {
    fn from(error: GpuError) -> DeviceError {
        DeviceError(error.to_string())
    }
}
