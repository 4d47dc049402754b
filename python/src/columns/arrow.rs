//! Batches for other libraries by Arrow's C stream interface, which pyarrow, polars and duckdb read.
//!
//! The interface is three structs of pointers, each with a function that releases what it holds. They are written here
//! by hand: the crates of the Arrow project would be larger than the rest of the package. What makes it sound is the
//! same everywhere: `private_data` is a `Box` that owns every buffer and every struct that the pointers point to;
//! `release` takes that box back once, and sets itself to null, which is how the interface says that it is done.
//! Nothing else here is unsafe.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use super::batches::Batches;
use super::collect::Rows;
use super::column::{Bits, Column};
use super::schema::{Field, Kind};

/// A field may have missing values.
const NULLABLE: i64 = 2;
/// The error number of invalid input.
const EINVAL: c_int = 22;

#[repr(C)]
pub(crate) struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
pub(crate) struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
pub(crate) struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

// SAFETY: all three own what they point to, which is `Send`, and nothing of it is tied to a thread.
unsafe impl Send for ArrowArrayStream {}
// SAFETY: as above.
unsafe impl Send for ArrowSchema {}

/// What a schema's pointers point to.
struct SchemaOwner {
    format: CString,
    name: CString,
    children: Vec<*mut ArrowSchema>,
}

impl ArrowSchema {
    fn new(format: &str, name: &str, children: Vec<ArrowSchema>) -> ArrowSchema {
        let text = |text: &str| CString::new(text.replace('\0', "")).unwrap_or_default();
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut owner = Box::new(SchemaOwner { format: text(format), name: text(name), children });
        ArrowSchema {
            format: owner.format.as_ptr(),
            name: owner.name.as_ptr(),
            metadata: null(),
            flags: NULLABLE,
            n_children: owner.children.len() as i64,
            children: owner.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(owner).cast(),
        }
    }

    /// The schema of a batch: a struct with a field for each column.
    pub(crate) fn of(fields: &[Field]) -> ArrowSchema {
        ArrowSchema::new("+s", "", fields.iter().map(ArrowSchema::of_field).collect())
    }

    fn of_field(field: &Field) -> ArrowSchema {
        let list = |item| ArrowSchema::new("+l", &field.name, vec![ArrowSchema::new(item, "item", Vec::new())]);
        let plain = |format| ArrowSchema::new(format, &field.name, Vec::new());
        match field.kind {
            Kind::Tag | Kind::Start | Kind::Problem => plain("u"),
            Kind::Moves => list("S"),
            Kind::Clocks | Kind::Evals => list("f"),
            Kind::Plies => plain("I"),
            Kind::Score => plain("c"),
            Kind::WhiteElo | Kind::BlackElo => plain("S"),
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the interface calls this once, with a schema made above or moved from there. Its children are boxes that
    // only it owns; one that a consumer has moved out is marked as released.
    unsafe {
        (*schema).release = None;
        let owner = Box::from_raw((*schema).private_data.cast::<SchemaOwner>());
        for &child in &owner.children {
            drop(Box::from_raw(child));
        }
    }
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it has not been released, or there would be no function.
            unsafe { release(self) }
        }
    }
}

/// What an array's pointers point to.
struct ArrayOwner {
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    /// Keeps the buffers where they are. A list and its items share a column.
    _column: Option<Arc<Column>>,
}

impl ArrowArray {
    fn new(
        length: usize,
        null_count: usize,
        buffers: Vec<*const c_void>,
        children: Vec<ArrowArray>,
        column: Option<Arc<Column>>,
    ) -> ArrowArray {
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut owner = Box::new(ArrayOwner { buffers, children, _column: column });
        ArrowArray {
            length: length as i64,
            null_count: null_count as i64,
            offset: 0,
            n_buffers: owner.buffers.len() as i64,
            n_children: owner.children.len() as i64,
            buffers: owner.buffers.as_mut_ptr(),
            children: owner.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(owner).cast(),
        }
    }

    /// A batch: a struct with an array for each column.
    fn of(rows: Rows) -> ArrowArray {
        let length = rows.len;
        let children = rows.columns.into_iter().map(|column| ArrowArray::of_column(Arc::new(column), length)).collect();
        ArrowArray::new(length, 0, vec![null()], children, None)
    }

    fn of_column(column: Arc<Column>, length: usize) -> ArrowArray {
        let (nulls, buffers) = match &*column {
            Column::Text(lists) => {
                (lists.present.unset(), vec![bits(&lists.present), data(&lists.offsets), data(&lists.values)])
            }
            Column::Moves(lists) => (lists.present.unset(), vec![bits(&lists.present), data(&lists.offsets)]),
            Column::Floats(lists) => (lists.present.unset(), vec![bits(&lists.present), data(&lists.offsets)]),
            Column::I8(flat) => (flat.present.unset(), vec![bits(&flat.present), data(&flat.values)]),
            Column::U16(flat) => (flat.present.unset(), vec![bits(&flat.present), data(&flat.values)]),
            Column::U32(flat) => (flat.present.unset(), vec![bits(&flat.present), data(&flat.values)]),
        };
        let children = ArrowArray::items(&column).into_iter().collect();
        ArrowArray::new(length, nulls, buffers, children, Some(column))
    }

    /// The items of a list.
    fn items(column: &Arc<Column>) -> Option<ArrowArray> {
        let (length, nulls, buffers) = match &**column {
            Column::Moves(lists) => (lists.values.len(), 0, vec![null(), data(&lists.values)]),
            Column::Floats(lists) => {
                let items = &lists.values;
                (items.values.len(), items.present.unset(), vec![bits(&items.present), data(&items.values)])
            }
            _ => return None,
        };
        Some(ArrowArray::new(length, nulls, buffers, Vec::new(), Some(Arc::clone(column))))
    }
}

fn data<T>(values: &[T]) -> *const c_void {
    values.as_ptr().cast()
}

/// The bits of the values that are there; none are needed if all are.
fn bits(present: &Bits) -> *const c_void {
    if present.unset() == 0 { null() } else { data(present.bytes()) }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as for schemas.
    unsafe {
        (*array).release = None;
        let owner = Box::from_raw((*array).private_data.cast::<ArrayOwner>());
        for &child in &owner.children {
            drop(Box::from_raw(child));
        }
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it has not been released, or there would be no function.
            unsafe { release(self) }
        }
    }
}

/// What a stream's pointer points to.
struct StreamOwner {
    batches: Batches,
    error: CString,
}

impl ArrowArrayStream {
    pub(crate) fn new(batches: Batches) -> ArrowArrayStream {
        ArrowArrayStream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(StreamOwner { batches, error: CString::default() })).cast(),
        }
    }
}

impl Drop for ArrowArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it has not been released, or there would be no function.
            unsafe { release(self) }
        }
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the consumer passes a stream that has not been released, and room for a schema that holds nothing yet,
    // which is therefore written without dropping it.
    unsafe {
        let owner = &*(*stream).private_data.cast::<StreamOwner>();
        out.write(ArrowSchema::of(owner.batches.fields()));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as above; a consumer calls the functions of a stream one at a time.
    let owner = unsafe { &mut *(*stream).private_data.cast::<StreamOwner>() };
    let next = catch_unwind(AssertUnwindSafe(|| Python::attach(|py| py.detach(|| owner.batches.next()))));
    let array = match next {
        Ok(Ok(Some(rows))) => ArrowArray::of(rows),
        // A batch that has been released says that there are no more.
        Ok(Ok(None)) => ArrowArray::end(),
        Ok(Err(error)) => {
            owner.error = explain(error);
            return EINVAL;
        }
        Err(_) => {
            owner.error = c"an internal error; please report it".to_owned();
            return EINVAL;
        }
    };
    // SAFETY: as above.
    unsafe { out.write(array) };
    0
}

impl ArrowArray {
    fn end() -> ArrowArray {
        ArrowArray {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: null_mut(),
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }
}

/// The error as text. Ctrl-C is passed on to the interpreter, because the consumer will raise an error of its own.
fn explain(error: PyErr) -> CString {
    let text = Python::attach(|py| {
        if error.is_instance_of::<PyKeyboardInterrupt>(py) {
            _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
        }
        error.to_string()
    });
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: as above. The text stays where it is until the next call.
    let owner = unsafe { &*(*stream).private_data.cast::<StreamOwner>() };
    if owner.error.is_empty() { null() } else { owner.error.as_ptr() }
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: the interface calls this once.
    unsafe {
        (*stream).release = None;
        drop(Box::from_raw((*stream).private_data.cast::<StreamOwner>()));
    }
}

/// The names under which the interface knows its capsules.
pub(crate) const STREAM: &CStr = c"arrow_array_stream";
pub(crate) const SCHEMA: &CStr = c"arrow_schema";
