//! Memory that the system refuses: the program ends with an error that says how much was asked for, and not with a trace.
//!
//! Large pages: a run of the largest system touches gigabytes without an order, and the processor's table of pages of 4 KiB
//! ends at some tens of megabytes. `.cargo/config.toml` asks the allocator for them.

// An allocator is unsafe to write: every call goes on to one that keeps the contract.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use tikv_jemallocator::Jemalloc;

/// Exit code of a run that memory was refused.
const REFUSED: i32 = 1;

/// Memory that is kept for the words of the error. Source: ours. Status: assumed.
const RESERVE: Layout = match Layout::from_size_align(1 << 20, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("a power of two"),
};

static KEPT: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static ENDING: AtomicBool = AtomicBool::new(false);

/// The allocator of the program.
pub struct Allocator;

/// Keeps what the words of an error will take.
pub fn keep_reserve() {
    // SAFETY: the layout has a size, and the pages stay untouched until they are given back.
    KEPT.store(unsafe { Jemalloc.alloc(RESERVE) }, Ordering::Relaxed);
}

/// Ends the program, with what was asked for and what there was.
#[cold]
#[inline(never)]
fn refused(asked: usize) -> ! {
    // While the words are made, memory may be refused again: here, or to another thread.
    if !ENDING.swap(true, Ordering::SeqCst) {
        let kept = KEPT.swap(std::ptr::null_mut(), Ordering::SeqCst);
        if !kept.is_null() {
            // SAFETY: it was allocated with this layout, and the swap gave it to nobody else.
            unsafe { Jemalloc.dealloc(kept, RESERVE) };
        }
        let words = crate::memory::refused(asked as u64);
        // Whether anyone reads it, the program ends.
        let _ = writeln!(std::io::stderr(), "error: {words}");
    } else {
        // The thread that came first has the word, unless it is this one.
        std::thread::sleep(std::time::Duration::from_millis(200));
        let _ = std::io::stderr().write_all(b"error: the system refuses memory\n");
    }
    signal_hook::low_level::exit(REFUSED)
}

// SAFETY: all is done by the allocator below; a refusal does not come back.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller's.
        let found = unsafe { Jemalloc.alloc(layout) };
        if found.is_null() { refused(layout.size()) } else { found }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller's.
        let found = unsafe { Jemalloc.alloc_zeroed(layout) };
        if found.is_null() { refused(layout.size()) } else { found }
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
        if found.is_null() { refused(size) } else { found }
    }
}
