//! Large blocks of zeroed memory for tables: aligned for huge pages, and refused when there is too little.
//!
//! Perft's table and the transposition table of the search lie in such blocks. It is here because this is the lowest
//! crate that needs one; it is no part of the rules of chess, and not of what the crate promises.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;
use std::slice;

/// The size of a huge page on the systems that have them.
const HUGE_PAGE: usize = 2 << 20;

/// A type whose values may be all zero bits, and that may be overwritten with them at any time.
///
/// # Safety
/// All zero bits must be a valid value, there must be nothing to drop, and the type may ask for no more alignment than
/// a huge page has.
pub unsafe trait Zeroable {}

/// A slice in a block of its own.
pub struct Block<T> {
    /// What the allocator gave.
    memory: NonNull<u8>,
    /// The first huge page within it.
    start: NonNull<T>,
    len: usize,
    owns: PhantomData<T>,
}

// SAFETY: a block owns its values, like a boxed slice.
unsafe impl<T: Send> Send for Block<T> {}
// SAFETY: a block gives out shared references only, like a boxed slice.
unsafe impl<T: Sync> Sync for Block<T> {}

impl<T: Zeroable> Block<T> {
    /// So many zeroed values, if the memory can be had.
    ///
    /// A system that hands out pages when they are first touched gives each to the thread that touches it: no thread
    /// waits here until all of them are zeroed.
    pub fn zeroed(len: usize) -> Option<Block<T>> {
        let layout = layout::<T>(len)?;
        // SAFETY: the layout is not empty.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        if !is_large::<T>(len) {
            return Some(Block { memory, start: memory.cast(), len, owns: PhantomData });
        }
        // The allocator would write to every page of memory that is to be aligned as well as zeroed, and then they
        // would be small ones. So the block has a huge page more than it needs, and begins where one begins.
        let before = memory.as_ptr().align_offset(HUGE_PAGE);
        if before > HUGE_PAGE {
            // SAFETY: the memory was allocated with this layout and has no other owner.
            unsafe { dealloc(memory.as_ptr(), layout) };
            return None;
        }
        // SAFETY: the layout has room for a huge page beside the values.
        let start = unsafe { memory.add(before) };
        advise_huge_pages(start.as_ptr(), layout.size() - HUGE_PAGE);
        Some(Block { memory, start: start.cast(), len, owns: PhantomData })
    }

    /// Zeroes all values. In a new block that only touches every page, so that none is waited for later.
    pub fn clear(&mut self) {
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
            // SAFETY: this is the layout the memory was allocated with.
            unsafe { dealloc(self.memory.as_ptr(), layout) };
        }
    }
}

/// Whether so many values fill a huge page. Fewer lie wherever the allocator has room for them.
fn is_large<T>(len: usize) -> bool {
    len >= HUGE_PAGE / size_of::<T>()
}

/// The memory for `len` values, and if they are many, for moving them to a huge page; none if they are no bytes or too
/// many.
fn layout<T>(len: usize) -> Option<Layout> {
    let size = len.checked_mul(size_of::<T>()).filter(|&size| size > 0)?;
    if is_large::<T>(len) {
        Layout::from_size_align(size.checked_add(HUGE_PAGE)?, 1).ok()
    } else {
        Layout::from_size_align(size, align_of::<T>()).ok()
    }
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
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching is a hint; it reads nothing, and the address is that of a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;

    struct Line([AtomicU64; 8]);

    // SAFETY: a line is plain atomic integers.
    unsafe impl Zeroable for Line {}

    #[test]
    fn a_block_is_zeroed_begins_at_a_huge_page_and_can_be_cleared() {
        let mut block = Block::<Line>::zeroed(3 * HUGE_PAGE / size_of::<Line>() + 1).expect("some mebibytes");
        assert!((block.as_ptr() as usize).is_multiple_of(HUGE_PAGE));
        let sum =
            |block: &Block<Line>| -> u64 { block.iter().flat_map(|line| &line.0).map(|word| word.load(Relaxed)).sum() };
        assert_eq!(sum(&block), 0);
        for line in &*block {
            line.0[7].store(1, Relaxed);
        }
        assert_eq!(sum(&block), block.len() as u64);
        block.clear();
        assert_eq!(sum(&block), 0);
    }

    #[test]
    fn a_small_block_takes_no_more_than_its_values() {
        let block = Block::<Line>::zeroed(100).expect("some kibibytes");
        assert_eq!(layout::<Line>(100).map(|layout| layout.size()), Some(100 * size_of::<Line>()));
        assert!(block.iter().flat_map(|line| &line.0).all(|word| word.load(Relaxed) == 0));
    }

    #[test]
    fn what_cannot_be_had_is_refused() {
        for len in [0, usize::MAX, usize::MAX / size_of::<Line>(), 1 << 50] {
            assert!(Block::<Line>::zeroed(len).is_none(), "{len}");
        }
    }
}
