//! `shmem_malloc` and its family: all PEs call them together, and wait for each other as the
//! standard says.

use std::ffi::{c_char, c_long, c_void};
use std::ptr;

use super::heap::ALIGNMENT;
use super::size::say;
use crate::collective;
use crate::ending::end;
use crate::error::{Error, name};
use crate::runtime::{Runtime, check};

/// Hints of `shmem_malloc_with_hints`. Unknown hints change nothing, and neither do known ones.
/// Source: OpenSHMEM 1.6, 9.3.5; the numbers are ours. Status: published.
pub mod hint {
    /// `SHMEMX_MALLOC_NO_BARRIER`: the call does not wait for the other PEs at its end.
    /// Source: the name is Sandia OpenSHMEM's, the number ours. Status: published.
    pub const NO_BARRIER: i64 = 1 << 16;
}

/// The address at an offset in this PE's heap.
fn at(runtime: &Runtime, offset: usize) -> *mut c_void {
    (runtime.memory.heap.start + offset) as *mut c_void
}

/// The offset of an address, if it lies in the heap.
fn offset(runtime: &Runtime, address: *mut c_void) -> Option<usize> {
    runtime.memory.heap.contains(&(address as usize)).then(|| address as usize - runtime.memory.heap.start)
}

/// In debug mode: checks that all PEs make the same request.
fn compare(runtime: &Runtime, what: &str, asked: [u64; 3], said: &str) {
    if !runtime.modes.debug {
        return;
    }
    let letters = what.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let own = [asked[0], asked[1], asked[2], letters];
    // Each word goes in with its complement: the AND of all equals this PE's own for both only if
    // all PEs have the same.
    let mut words = [own[0], own[1], own[2], own[3], !own[0], !own[1], !own[2], !own[3]];
    let agreed = collective::agree(runtime, &runtime.objects.world, &mut words);
    if let Err(error) = agreed {
        end(what, &error);
    }
    if words[..4] != own || (0..4).any(|word| words[4 + word] != !own[word]) {
        let why = format!("PEs make different calls: this one requests {said}; the call is collective over all PEs");
        end(what, &Error::Mismatch(why));
    }
}

fn barrier(runtime: &Runtime, what: &'static str) {
    crate::rma::complete(runtime, what);
    if let Err(error) = collective::sync(runtime, &runtime.objects.world) {
        end(what, &error);
    }
}

/// Reports that the heap is full. Only the first PE reports it, because all have the same heap.
fn exhausted(runtime: &Runtime, what: &str, size: usize, alignment: usize) {
    if runtime.me != 0 && !runtime.modes.debug {
        return;
    }
    let blocks = runtime.memory.blocks();
    let ((free, longest), (count, used)) = (blocks.free(), blocks.used());
    let aligned = if alignment > ALIGNMENT { format!(" at a multiple of {alignment}") } else { String::new() };
    let line = format!(
        "no room for {size} bytes{aligned} in the symmetric heap of {}: {free} bytes are free, {longest} of them together; \
         {count} blocks take {used}. a larger SHMEM_SYMMETRIC_SIZE would work",
        say(blocks.bytes() as u64)
    );
    drop(blocks);
    crate::error::say(what, &line);
}

fn allocate(runtime: &Runtime, what: &str, size: usize, alignment: usize) -> Option<usize> {
    compare(runtime, what, [size as u64, alignment as u64, 0], &format!("{size} bytes"));
    let found = runtime.memory.blocks().allocate(size, alignment);
    if found.is_none() {
        exhausted(runtime, what, size, alignment);
    }
    found
}

/// `shmem_malloc` and `shmem_malloc_with_hints`.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_malloc(what: *const c_char, size: usize, hints: c_long) -> *mut c_void {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if size == 0 {
        return ptr::null_mut();
    }
    let found = allocate(runtime, what, size, ALIGNMENT);
    if hints & hint::NO_BARRIER == 0 {
        barrier(runtime, what);
    }
    found.map_or(ptr::null_mut(), |offset| at(runtime, offset))
}

/// `shmem_calloc`.
///
/// # Safety
/// As [`philae_shmem_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_calloc(what: *const c_char, count: usize, size: usize) -> *mut c_void {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if count == 0 || size == 0 {
        return ptr::null_mut();
    }
    // If the product overflows, it becomes more than any heap has.
    let bytes = count.saturating_mul(size);
    let found = allocate(runtime, what, bytes, ALIGNMENT);
    if let Some(offset) = found {
        // SAFETY: the block is this PE's, and no other PE knows it before the barrier.
        unsafe { at(runtime, offset).cast::<u8>().write_bytes(0, bytes) };
    }
    barrier(runtime, what);
    found.map_or(ptr::null_mut(), |offset| at(runtime, offset))
}

/// `shmem_align`.
///
/// # Safety
/// As [`philae_shmem_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_align(what: *const c_char, alignment: usize, size: usize) -> *mut c_void {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if size == 0 {
        return ptr::null_mut();
    }
    // The standard asks for multiples of sizeof(void *) and leaves other values open. Any block
    // satisfies a smaller power of two.
    let largest = super::segment::largest_alignment(runtime.memory.heap.len());
    let found = if alignment.is_power_of_two() && alignment <= largest {
        allocate(runtime, what, size, alignment)
    } else {
        compare(runtime, what, [size as u64, alignment as u64, 0], &format!("an alignment of {alignment}"));
        if runtime.me == 0 || runtime.modes.debug {
            let line = format!(
                "no block has an alignment of {alignment}: a power of two up to {largest} ({}) would work, the largest in \
                 a heap of {}; SHMEM_SYMMETRIC_SIZE makes the heap larger",
                say(largest as u64),
                say(runtime.memory.heap.len() as u64)
            );
            crate::error::say(what, &line);
        }
        None
    };
    barrier(runtime, what);
    found.map_or(ptr::null_mut(), |offset| at(runtime, offset))
}

/// The block at an address; ends the job with a message if there is none.
fn block(runtime: &Runtime, what: &str, address: *mut c_void) -> (usize, usize) {
    let found = offset(runtime, address).and_then(|offset| Some((offset, runtime.memory.blocks().size(offset)?)));
    found.unwrap_or_else(|| {
        let heap = &runtime.memory.heap;
        let found = format!(
            "{:#x}, which is not the beginning of a block of the symmetric heap ({:#x} to {:#x})",
            address as usize, heap.start, heap.end
        );
        let works = "an address from shmem_malloc, shmem_calloc, shmem_align or shmem_realloc, freed once, would work";
        end(what, &Error::Argument { what: "ptr", found, works })
    })
}

/// `shmem_realloc`.
///
/// # Safety
/// As [`philae_shmem_malloc`]; `pointer` is null or a block whose old place is no longer in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_realloc(what: *const c_char, pointer: *mut c_void, size: usize) -> *mut c_void {
    if pointer.is_null() {
        // SAFETY: as the caller promises.
        return unsafe { philae_shmem_malloc(what, size, 0) };
    }
    if size == 0 {
        // SAFETY: as the caller promises.
        unsafe { philae_shmem_free(what, pointer) };
        return ptr::null_mut();
    }
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    let (old, old_size) = block(runtime, what, pointer);
    compare(runtime, what, [size as u64, old as u64, 1], &format!("{size} bytes for the block at offset {old}"));
    // Other PEs' accesses to the block complete before it moves.
    barrier(runtime, what);
    let found = if runtime.memory.blocks().resize(old, size) {
        Some(old)
    } else {
        let found = runtime.memory.blocks().allocate(size, ALIGNMENT);
        if let Some(new) = found {
            let bytes = old_size.min(size);
            // SAFETY: two blocks of this PE's heap, which do not overlap.
            unsafe { ptr::copy_nonoverlapping(pointer.cast::<u8>(), at(runtime, new).cast::<u8>(), bytes) };
            runtime.memory.blocks().release(old);
        } else {
            exhausted(runtime, what, size, ALIGNMENT);
        }
        found
    };
    barrier(runtime, what);
    found.map_or(ptr::null_mut(), |offset| at(runtime, offset))
}

/// `shmem_free`.
///
/// # Safety
/// As [`philae_shmem_malloc`]; `pointer` is null or a block that is no longer in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_free(what: *const c_char, pointer: *mut c_void) {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if pointer.is_null() {
        return;
    }
    let (offset, _) = block(runtime, what, pointer);
    compare(runtime, what, [0, offset as u64, 2], &format!("the block at offset {offset}"));
    // Other PEs' accesses to the block complete before it can be allocated again.
    barrier(runtime, what);
    runtime.memory.blocks().release(offset);
}
