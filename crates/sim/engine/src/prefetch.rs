//! Prefetching: requests memory before it is needed.
//!
//! A large network is far larger than a cache, and every event touches another part of it. The
//! calendar knows which events come next. What they will touch can be fetched while the present
//! event is handled.
//!
//! Prefetches go to the second-level cache. For the coming events that is several hundred lines,
//! more than half of a first-level cache, and would evict what the present event reads. The second
//! level has a megabyte or two, and is a few nanoseconds away. Source: ours, alternating runs
//! (docs/simulate/scale.md).

/// The most lines of an element that are prefetched: beyond two, the processor's own prefetching
/// does as well.
const LINES_MAX: usize = 3;
const LINE_BYTES: usize = 64;

/// Prefetches a value. It changes nothing else.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    prefetch_value(std::ptr::from_ref(value));
}

/// Prefetches the cache line in which a value begins.
#[inline(always)]
pub fn prefetch_line<T>(value: &T) {
    prefetch_address::<{ SECOND_LEVEL }>(std::ptr::from_ref(value).cast());
}

/// Prefetches an element of a column. The index must lie within the column, or this is slow: for an
/// address without memory, the processor searches for the page each time, without a result.
#[inline(always)]
pub fn prefetch_at<T>(column: &[T], index: usize) {
    prefetch_value(column.as_ptr().wrapping_add(index));
}

/// Prefetches the cache line in which an element of a column begins; see [`prefetch_at`].
#[inline(always)]
pub fn prefetch_line_at<T>(column: &[T], index: usize) {
    prefetch_address::<{ SECOND_LEVEL }>(column.as_ptr().wrapping_add(index).cast());
}

/// Prefetches a value that one of the next events will read, into the first-level cache. Only a few
/// dozen lines may be prefetched like this at a time.
#[inline(always)]
pub fn prefetch_soon<T>(value: &T) {
    lines_of(std::ptr::from_ref(value), prefetch_address::<{ FIRST_LEVEL }>);
}

#[inline(always)]
fn prefetch_value<T>(value: *const T) {
    lines_of(value, prefetch_address::<{ SECOND_LEVEL }>);
}

/// Calls `each_line` for every line of a value, up to `LINES_MAX`.
#[inline(always)]
fn lines_of<T>(value: *const T, each_line: impl Fn(*const u8)) {
    let first = value.cast::<u8>();
    let lines = size_of::<T>().div_ceil(LINE_BYTES);
    for line in 0..lines.min(LINES_MAX) {
        each_line(first.wrapping_add(line * LINE_BYTES));
    }
    // A value that is not aligned to lines may end one line further.
    if lines <= LINES_MAX && align_of::<T>() < LINE_BYTES && size_of::<T>() > 16 {
        each_line(first.wrapping_add(size_of::<T>() - 1));
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T0 as FIRST_LEVEL, _MM_HINT_T1 as SECOND_LEVEL};
#[cfg(not(target_arch = "x86_64"))]
const FIRST_LEVEL: i32 = 3;
#[cfg(not(target_arch = "x86_64"))]
const SECOND_LEVEL: i32 = 2;

#[inline(always)]
fn prefetch_address<const LEVEL: i32>(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: a prefetch reads nothing, and an address outside memory is allowed.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_mm_prefetch::<LEVEL>(address.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
