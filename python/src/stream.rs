//! What Python hands over to be read: a path, bytes, or an object with a method `read`, packed or not.
//!
//! A stream is read without the interpreter lock. It asks now and then whether Ctrl-C was pressed, and keeps an
//! exception that was raised on the way, because an `io::Error` cannot carry one through the decoders.

use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use records::source::{self, Source, SourceError};

use crate::waiting;

/// How many bytes are read before signals are looked at again.
const BETWEEN_CHECKS: usize = 1 << 22;

/// How much is asked of a Python object at once.
const CHUNK: usize = 1 << 17;

/// An exception that was raised while a stream was read.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    /// Keeps the exception, and returns what tells the decoders to stop.
    pub(crate) fn keep(&self, error: PyErr) -> io::Error {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        io::Error::other("stopped by an exception")
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What to raise for an error of the stream: the exception that was behind it, if there was one.
    pub(crate) fn explain(&self, error: io::Error) -> PyErr {
        self.take().unwrap_or_else(|| PyErr::from(error))
    }
}

/// A stream of plain bytes.
pub(crate) struct Stream {
    source: Source,
    pub(crate) failure: Failure,
    unchecked: usize,
}

impl Stream {
    /// Opens what was given.
    pub(crate) fn open(given: &Bound<'_, PyAny>) -> PyResult<Stream> {
        let failure = Failure::default();
        let source = if given.is_instance_of::<PyBytes>() || given.is_instance_of::<PyByteArray>() {
            let bytes: PyBackedBytes = given.extract()?;
            source::unwrap("the bytes given", Cursor::new(bytes))
        } else if given.hasattr("read")? {
            let name = given.getattr("name").ok().and_then(|name| name.extract::<String>().ok());
            let stream = PythonFile::new(given, failure.clone());
            given.py().detach(|| source::unwrap(name.as_deref().unwrap_or("the stream"), stream))
        } else {
            let path: PathBuf = given.extract().map_err(|_| {
                let kind = given.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
                PyTypeError::new_err(format!("expected a path, bytes or a file object, not {kind}"))
            })?;
            open_path(given.py(), path)?
        };
        let source = source.map_err(|error| failure.take().unwrap_or_else(|| unreadable(error)))?;
        Ok(Stream { source, failure, unchecked: 0 })
    }

    fn check_signals(&mut self) -> io::Result<()> {
        self.unchecked = 0;
        Python::attach(|py| py.check_signals()).map_err(|error| self.failure.keep(error))
    }
}

/// Opens a path. If it is a pipe, this lasts until another program writes into it.
fn open_path(py: Python<'_>, path: PathBuf) -> PyResult<Result<Source, SourceError>> {
    waiting::work::<(), _>(py, move |_| source::open(&path), || false, |_, ()| Ok(()))
}

/// The exception for what cannot be opened: `FileNotFoundError` and its like, or `ValueError`.
fn unreadable(error: SourceError) -> PyErr {
    match error {
        SourceError::Unreadable { name, error } => {
            PyErr::from(io::Error::new(error.kind(), format!("cannot read {name}: {error}")))
        }
        error => PyValueError::new_err(error.to_string()),
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.unchecked >= BETWEEN_CHECKS {
            self.check_signals()?;
        }
        let read = self.source.read(buffer);
        match &read {
            Ok(count) => self.unchecked += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => self.check_signals()?,
            Err(_) => {}
        }
        read
    }
}

/// An object with a method `read`, or `readline` where no more than a line may be taken.
pub(crate) struct PythonFile {
    read: PyResult<Py<PyAny>>,
    size: Option<usize>,
    failure: Failure,
    chunk: Vec<u8>,
    at: usize,
}

impl PythonFile {
    fn new(file: &Bound<'_, PyAny>, failure: Failure) -> PythonFile {
        let read = file.getattr("read").map(Bound::unbind);
        PythonFile { read, size: Some(CHUNK), failure, chunk: Vec::new(), at: 0 }
    }

    /// Reads line by line, behind what was read before.
    pub(crate) fn lines(file: &Bound<'_, PyAny>, before: Vec<u8>, failure: Failure) -> PythonFile {
        let read = file.getattr("readline").map(Bound::unbind);
        PythonFile { read, size: None, failure, chunk: before, at: 0 }
    }

    fn fill(&mut self) -> PyResult<()> {
        self.at = 0;
        self.chunk = Python::attach(|py| {
            let read = self.read.as_ref().map_err(|error| error.clone_ref(py))?;
            let chunk = match self.size {
                Some(size) => read.bind(py).call1((size,))?,
                None => read.bind(py).call0()?,
            };
            bytes_of(&chunk)
        })?;
        Ok(())
    }
}

/// The bytes of a piece that a file object returned; text as UTF-8.
pub(crate) fn bytes_of(piece: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if piece.is_instance_of::<PyString>() {
        // Half of a surrogate pair is how Python keeps bytes that are not UTF-8.
        return match piece.extract::<String>() {
            Ok(text) => Ok(text.into_bytes()),
            Err(_) => piece.call_method1("encode", ("utf-8", "surrogateescape"))?.extract(),
        };
    }
    piece.extract::<PyBackedBytes>().map(|bytes| bytes.to_vec()).map_err(|_| {
        let kind = piece.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("read() of the file returned {kind}, expected bytes or text"))
    })
}

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.chunk.len() {
            self.fill().map_err(|error| self.failure.keep(error))?;
        }
        let count = buffer.len().min(self.chunk.len() - self.at);
        buffer[..count].copy_from_slice(&self.chunk[self.at..][..count]);
        self.at += count;
        Ok(count)
    }
}
