//! Refused memory: the program ends with an error that states the requested amount, instead of an
//! abort.
//!
//! Large pages: a run of the largest system touches gigabytes in no order, but the processor's page
//! table for pages of 4 KiB covers only some tens of megabytes. `.cargo/config.toml` makes the
//! allocator ask for large pages.

// Implementing an allocator is unsafe: every call is passed on to one that keeps the contract.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicPtr, Ordering};
use tikv_jemallocator::Jemalloc;

/// Exit code of a run whose memory was refused.
const REFUSED: i32 = 1;

/// Memory reserved for composing the error message. Source: ours. Status: assumed.
const RESERVE: Layout = match Layout::from_size_align(1 << 20, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("a power of two"),
};

static KEPT: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

/// The allocator of the program. Refused memory ends it with an error, unless the caller tests for
/// memory and has other work to do without it.
///
/// The standard library would print its own line first, and then abort.
pub struct Allocator;

/// Reserves memory for the error message.
pub fn prepare() {
    // SAFETY: the layout has a size, and the pages are unused until they are released.
    KEPT.store(unsafe { Jemalloc.alloc(RESERVE) }, Ordering::Relaxed);
}

/// Ends the program with the requested and the available amount. Returns if the caller tests for
/// memory.
#[cold]
fn refused(asked: usize) {
    if philae_units::is_refusable() {
        return;
    }
    let kept = KEPT.swap(std::ptr::null_mut(), Ordering::SeqCst);
    // While the message is composed, memory may be refused again: the standard library then aborts.
    if kept.is_null() {
        return;
    }
    // SAFETY: it was allocated with this layout, and the swap makes this the only owner.
    unsafe { Jemalloc.dealloc(kept, RESERVE) };
    let words = format!("error: {}\n", philae_experiments::memory::refused(asked as u64));
    // The thread may hold the lock of standard error. Without a reader the program ends, too.
    let _ = rustix::io::write(std::io::stderr(), words.as_bytes());
    signal_hook::low_level::exit(REFUSED)
}

// SAFETY: the allocator below does all the work.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the caller.
        let found = unsafe { Jemalloc.alloc(layout) };
        if found.is_null() {
            refused(layout.size());
        }
        found
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the caller.
        let found = unsafe { Jemalloc.alloc_zeroed(layout) };
        if found.is_null() {
            refused(layout.size());
        }
        found
    }

    #[inline]
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as for the caller.
        unsafe { Jemalloc.dealloc(at, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for the caller.
        let found = unsafe { Jemalloc.realloc(at, layout, size) };
        if found.is_null() {
            refused(size);
        }
        found
    }
}
