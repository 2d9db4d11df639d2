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
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first = std::ptr::from_ref(value).cast::<i8>();
        let lines = size_of::<T>().div_ceil(LINE_BYTES).min(LINES_MAX);
        for line in 0..lines {
            // SAFETY: a prefetch reads nothing, and an address outside memory is allowed; this one is of `value`.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(line * LINE_BYTES));
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Asks for an element of a column; an index beyond the end is ignored.
#[inline(always)]
pub fn prefetch_at<T>(column: &[T], index: usize) {
    if let Some(value) = column.get(index) {
        prefetch(value);
    }
}
