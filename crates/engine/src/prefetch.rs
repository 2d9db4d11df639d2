//! Asking for memory before it is needed.
//!
//! A large network is far larger than a cache, and every event touches another part of it. The calendar knows which
//! events come next; what they will touch can be on its way while the present one is handled.
//!
//! It is asked for into the second-level cache. For the events to come that is several hundred lines, more than half of a first-level cache,
//! and would drive out what the present event looks at; the second has a megabyte or two, and is a few nanoseconds away. Source: ours,
//! measured in turns (docs/scale.md).

/// Lines of an element that are asked for at most: beyond two, the processor's own prefetching does as well.
const LINES_MAX: usize = 3;
const LINE_BYTES: usize = 64;

/// Asks the processor to bring a value near. Changes nothing else.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    prefetch_value(std::ptr::from_ref(value));
}

/// Asks for the cache line in which a value begins.
#[inline(always)]
pub fn prefetch_line<T>(value: &T) {
    ask::<{ SECOND_LEVEL }>(std::ptr::from_ref(value).cast());
}

/// Asks for an element of a column. The index must lie within it, or this is slow: of an address that nothing stands at, the processor
/// looks for the page, in vain and each time anew.
#[inline(always)]
pub fn prefetch_at<T>(column: &[T], index: usize) {
    prefetch_value(column.as_ptr().wrapping_add(index));
}

/// Asks for the cache line in which an element of a column begins; see [`prefetch_at`].
#[inline(always)]
pub fn prefetch_line_at<T>(column: &[T], index: usize) {
    ask::<{ SECOND_LEVEL }>(column.as_ptr().wrapping_add(index).cast());
}

/// Asks for a value that one of the next events will look at, into the first-level cache: it is no more than some tens of lines that
/// are asked for so.
#[inline(always)]
pub fn prefetch_soon<T>(value: &T) {
    lines_of(std::ptr::from_ref(value), ask::<{ FIRST_LEVEL }>);
}

#[inline(always)]
fn prefetch_value<T>(value: *const T) {
    lines_of(value, ask::<{ SECOND_LEVEL }>);
}

/// Every line of a value, as far as lines are asked for.
#[inline(always)]
fn lines_of<T>(value: *const T, ask: impl Fn(*const u8)) {
    let first = value.cast::<u8>();
    let lines = size_of::<T>().div_ceil(LINE_BYTES);
    for line in 0..lines.min(LINES_MAX) {
        ask(first.wrapping_add(line * LINE_BYTES));
    }
    // What is not aligned to lines may end one further on.
    if lines <= LINES_MAX && align_of::<T>() < LINE_BYTES && size_of::<T>() > 16 {
        ask(first.wrapping_add(size_of::<T>() - 1));
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T0 as FIRST_LEVEL, _MM_HINT_T1 as SECOND_LEVEL};
#[cfg(not(target_arch = "x86_64"))]
const FIRST_LEVEL: i32 = 3;
#[cfg(not(target_arch = "x86_64"))]
const SECOND_LEVEL: i32 = 2;

#[inline(always)]
fn ask<const LEVEL: i32>(address: *const u8) {
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
