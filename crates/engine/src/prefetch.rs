//! Asking for memory before it is needed.
//!
//! A large network is far larger than a cache, and every event touches another part of it. The calendar knows which
//! events come next; what they will touch can be on its way while the present one is handled.

/// Lines of an element that are asked for at most: beyond two, the processor's own prefetching does as well.
const LINES_MAX: usize = 3;
const LINE_BYTES: usize = 64;

/// Asks the processor to bring a value into its cache. Changes nothing else.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    let lines = size_of::<T>().div_ceil(LINE_BYTES);
    prefetch_lines(value, lines.min(LINES_MAX));
    // What is not aligned to lines may end one further on.
    if lines <= LINES_MAX && align_of::<T>() < LINE_BYTES && size_of::<T>() > 16 {
        let first = std::ptr::from_ref(value).cast::<u8>();
        prefetch_address(first.wrapping_add(size_of::<T>() - 1));
    }
}

/// Asks for the cache line in which a value begins.
#[inline(always)]
pub fn prefetch_line<T>(value: &T) {
    prefetch_lines(value, 1);
}

#[inline(always)]
fn prefetch_lines<T>(value: &T, lines: usize) {
    let first = std::ptr::from_ref(value).cast::<u8>();
    for line in 0..lines {
        prefetch_address(first.wrapping_add(line * LINE_BYTES));
    }
}

#[inline(always)]
fn prefetch_address(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing, and an address outside memory is allowed.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Asks for an element of a column; an index beyond the end is ignored.
#[inline(always)]
pub fn prefetch_at<T>(column: &[T], index: usize) {
    if let Some(value) = column.get(index) {
        prefetch(value);
    }
}
