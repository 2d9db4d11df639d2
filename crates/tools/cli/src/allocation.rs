//! Refused memory: the program ends with an error that states the requested amount, instead of an
//! abort.
//!
//! Large pages: a run of the largest system touches gigabytes in no order, but the processor's page
//! table for pages of 4 KiB covers only some tens of megabytes. `.cargo/config.toml` makes the
//! allocator ask for large pages.

// Implementing an allocator is unsafe: every call is passed on to one that keeps the contract.
#![allow(unsafe_code)]

use crate::failure::CommandFailure;
use signal_hook::consts::SIGABRT;
use std::alloc::{GlobalAlloc, Layout};
use std::io::Write;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use tikv_jemallocator::Jemalloc;

/// Exit code of a run whose memory was refused.
const REFUSED: i32 = 1;

/// Memory reserved for composing the error message. Source: ours. Status: assumed.
const RESERVE: Layout = match Layout::from_size_align(1 << 20, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("a power of two"),
};

static KEPT: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

/// The last refused request, in bytes; 0: none.
static LAST: AtomicUsize = AtomicUsize::new(0);

/// The allocator of the program. A caller that tests for memory gets an answer. For a caller that
/// must have it, the standard library aborts, and [`speak_of_refusals`] prints the error.
pub struct Allocator;

/// Reserves memory for the error message, and prints it if refused memory aborts the program.
pub fn speak_of_refusals() -> Result<(), CommandFailure> {
    // SAFETY: the layout has a size, and the pages are unused until they are released.
    KEPT.store(unsafe { Jemalloc.alloc(RESERVE) }, Ordering::Relaxed);
    // SAFETY: the aborting thread runs it by itself, outside the allocator and any other handler.
    let registered = unsafe { signal_hook::low_level::register(SIGABRT, say_refused) };
    registered.map(|_| ()).map_err(|error| CommandFailure::run(format!("cannot listen for SIGABRT: {error}")))
}

/// Ends the program with the requested and the available amount; an abort for another reason
/// continues.
fn say_refused() {
    // While the message is composed, memory may be refused again: that is then a normal abort.
    let asked = LAST.swap(0, Ordering::SeqCst);
    if asked == 0 {
        return;
    }
    let kept = KEPT.swap(std::ptr::null_mut(), Ordering::SeqCst);
    if !kept.is_null() {
        // SAFETY: it was allocated with this layout, and the swap makes this the only owner.
        unsafe { Jemalloc.dealloc(kept, RESERVE) };
    }
    // The program ends whether or not standard error has a reader.
    let _ = writeln!(std::io::stderr(), "error: {}", philae_experiments::memory::refused(asked as u64));
    signal_hook::low_level::exit(REFUSED)
}

/// Records a refusal.
#[cold]
fn refused(asked: usize) {
    LAST.store(asked.max(1), Ordering::SeqCst);
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
