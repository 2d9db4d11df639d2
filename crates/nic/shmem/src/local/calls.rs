//! Waits, locks and wake-ups, as C calls them: `include/philae/shmem_core.h`.

use std::ffi::{c_char, c_int, c_long};

use crate::collective::kernel::Element;
use crate::ending::end;
use crate::error::{self, Error};
use crate::log;
use crate::remote::{AnyAtomics, waits};
use crate::runtime::{Runtime, absent, runtime};

use super::atomics::LocalAtomics;
use super::condition::{ComparedValues, Conditions, WaitComparison, WordType};
use super::lock::{Atomics, LockRequest};

/// `PHILAE_SHMEM_WAIT_*`. Source: ours. Status: assumed.
mod form {
    use std::ffi::c_int;

    pub const ALL: c_int = 0;
    pub const ANY: c_int = 1;
    pub const SOME: c_int = 2;
    pub const FORM: c_int = 3;
    pub const TEST: c_int = 4;
    pub const VECTOR: c_int = 8;
}

fn ending<T>(what: *const c_char, call: impl FnOnce(&Runtime) -> Result<T, Error>) -> T {
    // SAFETY: C gives the name of the function.
    let name = unsafe { error::name(what) };
    log::call(name, None);
    runtime().ok_or_else(absent).and_then(call).unwrap_or_else(|error| end(name, &error))
}

fn word(element: c_int) -> Result<WordType, Error> {
    Ok(match Element::from_number(element) {
        Some(Element::I16) => WordType::I16,
        Some(Element::U16) => WordType::U16,
        Some(Element::I32) => WordType::I32,
        Some(Element::U32) => WordType::U32,
        Some(Element::I64) => WordType::I64,
        Some(Element::U64) => WordType::U64,
        _ => {
            return Err(Error::Argument {
                what: "the type",
                found: element.to_string(),
                works: "whole numbers of 16, 32 and 64 bits can be waited for",
            });
        }
    })
}

fn comparison(cmp: c_int) -> Result<WaitComparison, Error> {
    WaitComparison::from_number(cmp).ok_or_else(|| Error::Argument {
        what: "cmp",
        found: cmp.to_string(),
        works: "SHMEM_CMP_EQ, NE, GT, LE, LT and GE",
    })
}

/// `shmem_wait_until`, `shmem_test` and their forms for several variables.
///
/// # Safety
/// `ivars`, `status` if not null, and in the vector forms `value` have `nelems` entries; `indices`
/// has room for them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_wait(
    what: *const c_char,
    how: c_int,
    element: c_int,
    ivars: *const u8,
    nelems: usize,
    indices: *mut usize,
    status: *const c_int,
    cmp: c_int,
    value: *const u8,
) -> usize {
    ending(what, |runtime| {
        let (word, comparison, waiting) = (word(element)?, comparison(cmp)?, &runtime.waits.means.waiting);
        if nelems > 0 && (ivars.is_null() || !(ivars as usize).is_multiple_of(word.bytes())) {
            return Err(Error::Argument {
                what: "ivar",
                found: format!("{ivars:p}"),
                works: "the address of a variable, a multiple of its size",
            });
        }
        let values = if how & form::VECTOR != 0 {
            ComparedValues::Each(value)
        } else {
            // SAFETY: C passes one value of the type.
            ComparedValues::One(unsafe { word.read(value) })
        };
        // SAFETY: as the caller promises.
        let set = unsafe { Conditions::new(word, ivars, nelems, status, comparison, values) };
        let once = how & form::TEST != 0;
        let result = match (how & form::FORM, once) {
            (form::ALL, true) => usize::from(set.test_all()),
            (form::ANY, true) => set.test_any().unwrap_or(usize::MAX),
            // SAFETY: as the caller promises.
            (form::SOME, true) => unsafe { set.test_some(indices) },
            (form::ALL, false) => set.wait_all(waiting).map(|()| 1)?,
            (form::ANY, false) => set.wait_any(waiting)?.unwrap_or(usize::MAX),
            // SAFETY: as the caller promises.
            (form::SOME, false) => unsafe { set.wait_some(waiting, indices)? },
            _ => {
                return Err(Error::Argument { what: "the form", found: how.to_string(), works: "PHILAE_SHMEM_WAIT_*" });
            }
        };
        if once && matches!((how & form::FORM, result), (form::ALL | form::SOME, 0) | (form::ANY, usize::MAX)) {
            // A test also issues this PE's held operations: a session may hold the one that another
            // PE waits for.
            waiting.slow.progress();
        }
        if waits::is_on() {
            let seen = |index: usize| waits::waited(ivars as usize + index * word.bytes(), word.bytes());
            match how & form::FORM {
                form::ALL if result == 1 => set.counting().for_each(seen),
                form::ANY if result != usize::MAX => seen(result),
                // SAFETY: this many entries were written.
                form::SOME if !indices.is_null() => (0..result).for_each(|at| seen(unsafe { *indices.add(at) })),
                _ => {}
            }
        }
        Ok(result)
    })
}

/// The lock at an address, if that is an aligned symmetric `long`.
fn lock(runtime: &Runtime, address: usize) -> Result<LockRequest, Error> {
    let (heap, data) = (&runtime.memory.heap, &runtime.memory.data);
    let bytes = size_of::<c_long>();
    let within = |range: &std::ops::Range<usize>| {
        address >= range.start && range.end - range.start >= bytes && address <= range.end - bytes
    };
    let offset = if within(heap) {
        address - heap.start
    } else if within(data) {
        address - data.start
    } else {
        return Err(Error::Address {
            role: "lock",
            address,
            bytes,
            pe: runtime.me as i32,
            heap: heap.clone(),
            data: data.clone(),
        });
    };
    if !address.is_multiple_of(bytes) {
        return Err(Error::Argument {
            what: "lock",
            found: format!("{address:#x}"),
            works: "the address of a long, a multiple of 8",
        });
    }
    Ok(LockRequest::new(address, offset, runtime.me, runtime.n_pes))
}

fn on_lock<T>(
    what: *const c_char,
    address: usize,
    call: impl FnOnce(&Runtime, LockRequest, &dyn Atomics) -> Result<T, Error>,
) -> T {
    ending(what, |runtime| {
        call(runtime, lock(runtime, address)?, &AnyAtomics::new(runtime, LocalAtomics::new(&runtime.memory)))
    })
}

/// `shmem_set_lock`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_lock(what: *const c_char, address: usize) {
    on_lock(what, address, |runtime, lock, atomics| {
        // SAFETY: the address was checked.
        unsafe { runtime.objects.locks.set(lock, atomics, &runtime.waits.means.waiting) }
    });
}

/// `shmem_clear_lock`: this PE's earlier operations complete before another PE gets the lock.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_clear_lock(what: *const c_char, address: usize) {
    // SAFETY: C gives the name of the function.
    let name = unsafe { error::name(what) };
    on_lock(what, address, |runtime, lock, atomics| {
        crate::rma::complete(runtime, name);
        // SAFETY: the address was checked.
        unsafe { runtime.objects.locks.clear(lock, atomics, &runtime.waits.means.waiting) }
    });
}

/// `shmem_test_lock`: 0 if this PE has the lock now, 1 if another PE has it.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_test_lock(what: *const c_char, address: usize) -> c_int {
    // SAFETY: the address was checked.
    on_lock(what, address, |runtime, lock, atomics| {
        Ok(c_int::from(!unsafe { runtime.objects.locks.test(lock, atomics)? }))
    })
}
