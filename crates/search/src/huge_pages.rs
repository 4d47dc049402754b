//! Large blocks of memory for tables: zeroed, aligned for huge pages, and refused when there is too little.
//!
//! The only unsafe code of the crate is here.

use std::alloc::{Layout, alloc, dealloc};
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;
use std::slice;

/// The memory asked for cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// What was asked for.
    pub mebibytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is not enough memory for a table of {} MiB", self.mebibytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// The size of a huge page on the systems that have them.
const HUGE_PAGE: usize = 2 << 20;

/// A type whose values may be all zero bits, and that may be overwritten with them at any time.
///
/// # Safety
/// All zero bits must be a valid value, and there must be nothing to drop.
pub(crate) unsafe trait Zeroable {}

// SAFETY: clusters are plain atomic integers.
unsafe impl Zeroable for crate::tt::Cluster {}

/// A slice in a block of its own.
pub(crate) struct Block<T> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: a block owns its values, like a boxed slice.
unsafe impl<T: Send> Send for Block<T> {}
// SAFETY: a block gives out shared references only, like a boxed slice.
unsafe impl<T: Sync> Sync for Block<T> {}

impl<T: Zeroable> Block<T> {
    /// So many zeroed values, if the memory can be had.
    pub(crate) fn zeroed(len: usize) -> Option<Block<T>> {
        let layout = layout::<T>(len)?;
        // SAFETY: the layout is not empty.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        advise_huge_pages(start.as_ptr(), layout.size());
        // SAFETY: the memory is ours, and has the size of the layout. Zeroing it also asks the system for it, now
        // rather than in the middle of a search.
        unsafe { start.as_ptr().write_bytes(0, layout.size()) };
        Some(Block { start: start.cast(), len })
    }

    /// Zeroes all values.
    pub(crate) fn clear(&mut self) {
        // SAFETY: the block is borrowed mutably, so it is not shared; the bytes are its own.
        unsafe { self.start.as_ptr().write_bytes(0, self.len) };
    }
}

impl<T> Deref for Block<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the block holds `len` values, all of them valid since they were zeroed.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for Block<T> {
    fn drop(&mut self) {
        if let Some(layout) = layout::<T>(self.len) {
            // SAFETY: this is the layout the block was allocated with.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) };
        }
    }
}

/// How `len` values lie in memory; none if they are no bytes or too many.
fn layout<T>(len: usize) -> Option<Layout> {
    let size = len.checked_mul(size_of::<T>()).filter(|&size| size > 0)?;
    Layout::from_size_align(size, HUGE_PAGE.max(align_of::<T>())).ok()
}

/// Asks for huge pages where the system gives them: a table is read at random, and every small page would need its own
/// translation.
#[cfg(target_os = "linux")]
fn advise_huge_pages(start: *mut u8, size: usize) {
    use std::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn madvise(start: *mut c_void, size: usize, advice: c_int) -> c_int;
    }
    const HUGE_PAGES: c_int = 14;
    // SAFETY: the range is ours, and the advice changes nothing of what it holds. Refusal does not matter.
    unsafe { madvise(start.cast(), size, HUGE_PAGES) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_start: *mut u8, _size: usize) {}

/// Asks the processor to fetch what will be read soon.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching is a hint; it reads nothing, and the address is that of a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
