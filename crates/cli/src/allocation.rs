//! Memory that the system refuses: the program ends with an error that says how much was asked for, and not with an abort.
//!
//! Large pages: a run of the largest system touches gigabytes without an order, and the processor's table of pages of 4 KiB
//! ends at some tens of megabytes. `.cargo/config.toml` asks the allocator for them.

// An allocator is unsafe to write: every call goes on to one that keeps the contract.
#![allow(unsafe_code)]

use crate::failure::Failure;
use signal_hook::consts::SIGABRT;
use std::alloc::{GlobalAlloc, Layout};
use std::io::Write;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use tikv_jemallocator::Jemalloc;

/// Exit code of a run that memory was refused.
const REFUSED: i32 = 1;

/// Memory that is kept for the words of the error. Source: ours. Status: assumed.
const RESERVE: Layout = match Layout::from_size_align(1 << 20, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("a power of two"),
};

static KEPT: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

/// What was refused last, in bytes; 0: nothing.
static LAST: AtomicUsize = AtomicUsize::new(0);

/// The allocator of the program. Who asks whether there is memory gets an answer; who has to have it is aborted by the standard
/// library, and [`speak_of_refusals`] has the last word.
pub struct Allocator;

/// Keeps what the words of an error will take, and says them where memory that was refused aborts the program.
pub fn speak_of_refusals() -> Result<(), Failure> {
    // SAFETY: the layout has a size, and the pages stay untouched until they are given back.
    KEPT.store(unsafe { Jemalloc.alloc(RESERVE) }, Ordering::Relaxed);
    // SAFETY: the thread that aborts runs it by itself, outside of the allocator and of any other handler.
    let registered = unsafe { signal_hook::low_level::register(SIGABRT, say_refused) };
    registered.map(|_| ()).map_err(|error| Failure::run(format!("cannot listen for SIGABRT: {error}")))
}

/// Ends the program with what was asked for and what there was; an abort for another reason goes on.
fn say_refused() {
    // While the words are made, memory may be refused again: what comes then is an abort as usual.
    let asked = LAST.swap(0, Ordering::SeqCst);
    if asked == 0 {
        return;
    }
    let kept = KEPT.swap(std::ptr::null_mut(), Ordering::SeqCst);
    if !kept.is_null() {
        // SAFETY: it was allocated with this layout, and the swap gave it to nothing else.
        unsafe { Jemalloc.dealloc(kept, RESERVE) };
    }
    // Whether anyone reads it, the program ends.
    let _ = writeln!(std::io::stderr(), "error: {}", philae_study::memory::refused(asked as u64));
    signal_hook::low_level::exit(REFUSED)
}

/// Notes a refusal.
#[cold]
fn refused(asked: usize) {
    LAST.store(asked.max(1), Ordering::SeqCst);
}

// SAFETY: all is done by the allocator below.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller's.
        let found = unsafe { Jemalloc.alloc(layout) };
        if found.is_null() {
            refused(layout.size());
        }
        found
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller's.
        let found = unsafe { Jemalloc.alloc_zeroed(layout) };
        if found.is_null() {
            refused(layout.size());
        }
        found
    }

    #[inline]
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller's.
        unsafe { Jemalloc.dealloc(at, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller's.
        let found = unsafe { Jemalloc.realloc(at, layout, size) };
        if found.is_null() {
            refused(size);
        }
        found
    }
}
