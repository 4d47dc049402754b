//! Games of PGN files as columns: for Arrow, and for numpy.

#[allow(unsafe_code, reason = "Arrow's C interface is made of pointers")]
mod arrow;
mod batches;
mod collect;
mod column;
mod schema;
mod split;

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyCapsule, PyDict, PyList};

use arrow::{ArrowArrayStream, ArrowSchema};
use batches::Batches;
use column::{Column, Flat};
use schema::Field;

use crate::pgn::Filter;
use crate::stream::Stream;

/// A stream of record batches. It can be read once: by anything that knows `__arrow_c_stream__`, such as
/// `pyarrow.RecordBatchReader.from_stream`, `pyarrow.table`, `polars.from_arrow` and `duckdb`.
#[pyclass(frozen, module = "saavedra.pgn")]
pub(crate) struct ArrowStream {
    fields: Vec<Field>,
    batches: Mutex<Option<Batches>>,
}

impl ArrowStream {
    /// Waits for no thread: one that reads may wait for the interpreter lock, which this one has.
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<Batches>>> {
        match self.batches.try_lock() {
            Ok(batches) => Ok(batches),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the games are being read by another thread, or by their own filter"))
            }
        }
    }

    fn take(&self) -> PyResult<Batches> {
        let taken = self.lock()?.take();
        taken.ok_or_else(|| PyValueError::new_err("the games have been read: make a new stream to read them again"))
    }
}

#[pymethods]
impl ArrowStream {
    #[new]
    #[pyo3(signature = (source, columns, filter, bounds, batch_size, threads))]
    fn new(
        source: &Bound<'_, PyAny>,
        columns: Vec<String>,
        filter: Option<Bound<'_, PyAny>>,
        bounds: Option<&Bound<'_, PyDict>>,
        batch_size: usize,
        threads: usize,
    ) -> PyResult<ArrowStream> {
        let fields = columns.iter().map(|name| Field::parse(name)).collect::<PyResult<Vec<_>>>()?;
        let filter = Filter::new(filter, bounds)?;
        let batches = Batches::new(Stream::open(source)?, fields.clone(), filter, threads, batch_size);
        Ok(ArrowStream { fields, batches: Mutex::new(Some(batches)) })
    }

    /// The stream for another library.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows to give what there is, whatever is asked for.
        drop(requested_schema);
        PyCapsule::new_with_value(py, ArrowArrayStream::new(self.take()?), arrow::STREAM)
    }

    /// Names and types of the columns for another library.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, ArrowSchema::of(&self.fields), arrow::SCHEMA)
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.fields.iter().map(|field| field.name.clone()).collect()
    }

    /// The next batch as its buffers: for each column its values, and for lists where they end.
    fn _next_buffers<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        let rows = py.detach(|| {
            let mut batches = self.lock()?;
            batches.as_mut().map_or(Ok(None), Batches::next)
        })?;
        let Some(rows) = rows else { return Ok(None) };
        rows.columns.iter().map(|column| buffers(py, column)).collect::<PyResult<Vec<_>>>().map(Some)
    }
}

/// A column as `(type, values, present or ends)`, or as a list of texts.
fn buffers<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
    let offsets = |offsets: &[i32]| bytes(py, offsets, |offset| i64::from(offset).to_ne_bytes());
    let tuple = match column {
        Column::Text(lists) => return texts(py, lists),
        Column::I8(flat) => ("i1", bytes(py, &flat.values, i8::to_ne_bytes)?, Some(present(py, flat)?), None),
        Column::U16(flat) => ("u2", bytes(py, &flat.values, u16::to_ne_bytes)?, Some(present(py, flat)?), None),
        Column::U32(flat) => ("u4", bytes(py, &flat.values, u32::to_ne_bytes)?, Some(present(py, flat)?), None),
        Column::Moves(lists) => {
            ("u2", bytes(py, &lists.values, u16::to_ne_bytes)?, None, Some(offsets(&lists.offsets)?))
        }
        Column::Floats(lists) => {
            ("f4", bytes(py, &lists.values.values, f32::to_ne_bytes)?, None, Some(offsets(&lists.offsets)?))
        }
    };
    Ok(tuple.into_pyobject(py)?.into_any())
}

fn present<'py, T>(py: Python<'py>, flat: &Flat<T>) -> PyResult<Bound<'py, PyByteArray>> {
    let rows: Vec<usize> = (0..flat.values.len()).collect();
    bytes(py, &rows, |row| [u8::from(flat.present.get(row))])
}

fn texts<'py>(py: Python<'py>, lists: &column::Lists<Vec<u8>>) -> PyResult<Bound<'py, PyAny>> {
    let rows = lists.offsets.windows(2).enumerate().map(|(row, ends)| {
        let text = &lists.values[ends[0] as usize..ends[1] as usize];
        lists.present.get(row).then(|| String::from_utf8_lossy(text))
    });
    Ok(PyList::new(py, rows.collect::<Vec<_>>())?.into_any())
}

/// Values as bytes that Python owns, so that numpy looks at them in place.
pub(crate) fn bytes<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    values: &[T],
    to_bytes: impl Fn(T) -> [u8; N],
) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, N * values.len(), |target| {
        for (chunk, value) in target.as_chunks_mut::<N>().0.iter_mut().zip(values) {
            *chunk = to_bytes(*value);
        }
        Ok(())
    })
}
