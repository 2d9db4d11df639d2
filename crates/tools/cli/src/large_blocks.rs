//! Large blocks of memory, straight from the kernel and in large pages.
//!
//! A run of the largest system touches gigabytes in no order, but the processor's page table for
//! pages of 4 KiB covers only some tens of megabytes. A large block therefore begins at a large
//! page and asks for large pages. The kernel clears a page when it is first touched, so a block may
//! be far larger than what is used of it, and a zeroed block costs no more than another. A block
//! that grows moves its pages to the new place without copying them.

// Mapping memory is unsafe: who maps it must unmap it, once and whole.
#![allow(unsafe_code)]

use rustix::mm::{Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap_fixed, munmap};
use std::alloc::Layout;
use std::ptr::null_mut;

/// A block of this size or more is large. Smaller ones share large pages in the allocator's own
/// areas. From 1 MiB on, a run at 8,192 endpoints took 2 to 6 % more processor time: much of such a
/// block lies in pages of 4 KiB. Source: ours. Status: measured (2026-11-29).
const LARGE_BYTES: usize = 16 << 20;

/// A large page of x86-64, and of arm64 with pages of 4 KiB. Source: Linux. Status: published.
const LARGE_PAGE: usize = 2 << 20;

/// Says if a block is large.
#[inline]
pub fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE_BYTES && layout.align() <= LARGE_PAGE
}

/// The bytes that a block of `size` bytes maps: whole large pages. `None` if no memory is so large.
fn mapped(size: usize) -> Option<usize> {
    size.checked_next_multiple_of(LARGE_PAGE).filter(|mapped| *mapped <= isize::MAX as usize - LARGE_PAGE)
}

/// A block of zeros, or null if the kernel refuses it.
pub fn map(size: usize) -> *mut u8 {
    let Some(size) = mapped(size) else { return null_mut() };
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: the kernel chooses a place where nothing is.
    let Ok(whole) = (unsafe { mmap_anonymous(null_mut(), size + LARGE_PAGE, protection, flags) }) else {
        return null_mut();
    };
    let before = whole.addr().next_multiple_of(LARGE_PAGE) - whole.addr();
    // SAFETY: the three parts make up what was mapped, all of it unused. A part that stays
    // mapped by an error is address space that was never touched.
    unsafe {
        let block = whole.byte_add(before);
        if before > 0 {
            let _ = munmap(whole, before);
        }
        let _ = munmap(block.byte_add(size), LARGE_PAGE - before);
        // A kernel without large pages refuses: pages of its own size will do.
        let _ = madvise(block, size, Advice::LinuxHugepage);
        block.cast()
    }
}

/// Gives a block back.
///
/// # Safety
///
/// `block` comes from [`map`] or [`remap`] with this size, and it is no longer used.
pub unsafe fn unmap(block: *mut u8, size: usize) {
    let Some(size) = mapped(size) else { return };
    // SAFETY: as for the caller.
    let _ = unsafe { munmap(block.cast(), size) };
}

/// Gives a block another size and perhaps another place. Null if the kernel refuses it: the block
/// is then as it was.
///
/// # Safety
///
/// `block` comes from [`map`] or [`remap`] with the size `before`.
pub unsafe fn remap(block: *mut u8, before: usize, after: usize) -> *mut u8 {
    let (Some(before), Some(now)) = (mapped(before), mapped(after)) else { return null_mut() };
    if now <= before {
        if now < before {
            // SAFETY: the end of the block, which is unused.
            let _ = unsafe { munmap(block.byte_add(now).cast(), before - now) };
        }
        return block;
    }
    // The new place begins at a large page, so that the kernel moves large pages whole.
    let place = map(after);
    if place.is_null() {
        return null_mut();
    }
    // SAFETY: both are blocks of their size, and the new place is unused.
    match unsafe { mremap_fixed(block.cast(), before, now, MremapFlags::MAYMOVE, place.cast()) } {
        Ok(moved) => moved.cast(),
        Err(_) => {
            // SAFETY: it was mapped above.
            unsafe { unmap(place, after) };
            null_mut()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block<'a>(at: *mut u8, size: usize) -> &'a mut [u8] {
        assert!(!at.is_null());
        assert_eq!(at.addr() % LARGE_PAGE, 0, "it begins at a large page");
        // SAFETY: the tests below map it with at least this size.
        unsafe { std::slice::from_raw_parts_mut(at, size) }
    }

    #[test]
    fn a_block_is_zero_and_keeps_its_bytes_while_it_grows_and_shrinks() {
        let sizes = [LARGE_BYTES, LARGE_BYTES + 1, LARGE_PAGE, 5 * LARGE_PAGE + 3, 3 * LARGE_PAGE, 40 << 20];
        let mut at = map(sizes[0]);
        assert!(block(at, sizes[0]).iter().all(|byte| *byte == 0));
        block(at, sizes[0]).iter_mut().enumerate().for_each(|(index, byte)| *byte = (index % 251) as u8);
        for pair in sizes.windows(2) {
            // SAFETY: the size is that of the step before.
            at = unsafe { remap(at, pair[0], pair[1]) };
            let bytes = block(at, pair[1]);
            let kept = sizes[0].min(LARGE_PAGE);
            assert!(bytes[..kept].iter().enumerate().all(|(index, byte)| *byte == (index % 251) as u8), "{pair:?}");
            assert!(pair[1] < pair[0] || bytes[mapped(pair[0]).expect("a size")..].iter().all(|byte| *byte == 0));
        }
        // SAFETY: the size is the last one.
        unsafe { unmap(at, sizes[sizes.len() - 1]) };
    }

    #[test]
    fn a_size_that_no_memory_has_is_refused_and_the_block_stays() {
        for size in [usize::MAX, isize::MAX as usize, 1 << 60] {
            assert!(map(size).is_null(), "{size}");
        }
        let at = map(LARGE_BYTES);
        block(at, LARGE_BYTES)[7] = 9;
        // SAFETY: the size is that of the call above.
        assert!(unsafe { remap(at, LARGE_BYTES, 1 << 60) }.is_null());
        assert_eq!(block(at, LARGE_BYTES)[7], 9);
        // SAFETY: the same.
        unsafe { unmap(at, LARGE_BYTES) };
    }

    #[test]
    fn a_large_reservation_takes_no_memory() {
        let resident = || -> u64 {
            let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
            text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number of pages")
        };
        let before = resident();
        let at = map(4 << 30);
        block(at, 4 << 30)[(3 << 30) + 5] = 1;
        let pages = resident() - before;
        // Other tests run beside this one.
        assert!(pages < (1 << 30) / 4096, "{pages} pages of a reservation of 4 GiB");
        // SAFETY: the size is that of the call above.
        unsafe { unmap(at, 4 << 30) };
    }
}
