//! Refused memory: the program ends with an error that states the requested amount, instead of an
//! abort.
//!
//! Large blocks come straight from the kernel, in large pages (`large_blocks.rs`). All others come
//! from mimalloc, which keeps them in large pages too. It would also serve large blocks, but it
//! touches every page of a zeroed one: a run at 65,536 endpoints took twice the memory.

// Implementing an allocator is unsafe: every call is passed on to one that keeps the contract.
#![allow(unsafe_code)]

use crate::large_blocks::{is_large, map, remap, unmap};
use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Exit code of a run whose memory was refused.
const REFUSED: i32 = 1;

/// Memory reserved for composing the error message: less than a large block, so that what is given
/// back serves small ones. Source: ours. Status: assumed.
const RESERVE: Layout = match Layout::from_size_align(512 << 10, 16) {
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
    KEPT.store(unsafe { MiMalloc.alloc(RESERVE) }, Ordering::Relaxed);
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
    unsafe { MiMalloc.dealloc(kept, RESERVE) };
    let words = format!("error: {}\n", philae_experiments::memory::refused(asked as u64));
    // The thread may hold the lock of standard error. Without a reader the program ends, too.
    let _ = rustix::io::write(std::io::stderr(), words.as_bytes());
    signal_hook::low_level::exit(REFUSED)
}

// SAFETY: a block comes from the kernel or from mimalloc, by its size and alignment alone, and
// goes back to where it came from. Both keep the contract.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the caller.
        let block = if is_large(layout) { map(layout.size()) } else { unsafe { MiMalloc.alloc(layout) } };
        if block.is_null() {
            refused(layout.size());
        }
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the caller.
        let block = if is_large(layout) { map(layout.size()) } else { unsafe { MiMalloc.alloc_zeroed(layout) } };
        if block.is_null() {
            refused(layout.size());
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_large(layout) {
            // SAFETY: as for the caller.
            unsafe { unmap(block, layout.size()) }
        } else {
            // SAFETY: as for the caller.
            unsafe { MiMalloc.dealloc(block, layout) }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller says that the size is one, and the alignment is that of a layout.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let moved = match (is_large(layout), is_large(wanted)) {
            // SAFETY: as for the caller.
            (true, true) => unsafe { remap(block, layout.size(), size) },
            // SAFETY: as for the caller.
            (false, false) => unsafe { MiMalloc.realloc(block, layout, size) },
            // SAFETY: the two blocks are different ones, and each has the bytes that are copied.
            _ => unsafe {
                let other = self.alloc(wanted);
                if !other.is_null() {
                    other.copy_from_nonoverlapping(block, layout.size().min(size));
                    self.dealloc(block, layout);
                }
                return other;
            },
        };
        if moved.is_null() {
            refused(size);
        }
        moved
    }
}
