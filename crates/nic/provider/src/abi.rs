//! Rules for every function that C calls: no panic crosses to C, errors are negative numbers, and
//! objects have the types of their pointers.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use philae_fi_sys::{FI_EOTHER, FI_ETOOSMALL, fi_ops, fid};

/// An error number, as `errno` and `fi_errno` have them; positive.
pub(crate) type Errno = c_int;

/// Runs a call from C; the answer is a count or a negative error.
pub(crate) fn answer_size(work: impl FnOnce() -> Result<isize, Errno>) -> isize {
    guarded(work).unwrap_or_else(|error| -(error as isize))
}

/// Runs a call from C; the answer is a number, mostly 0, or a negative error.
pub(crate) fn answer_int(work: impl FnOnce() -> Result<c_int, Errno>) -> c_int {
    guarded(work).unwrap_or_else(|error| -error)
}

/// The same for calls without a result.
pub(crate) fn answer_done(work: impl FnOnce() -> Result<(), Errno>) -> c_int {
    answer_int(|| work().map(|()| 0))
}

/// Runs `work`; a panic becomes an error of its own.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Errno>) -> Result<T, Errno> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(FI_EOTHER))
}

/// The Rust object that begins with the C object at this address.
///
/// # Safety
/// This library gave out the address for an object of this type, which has not been closed.
pub(crate) unsafe fn object<'a, O, C>(address: *mut C) -> &'a O {
    // SAFETY: as the caller promises; objects are boxed and begin with their C part.
    unsafe { &*address.cast::<O>() }
}

/// Takes the Rust object back, to drop it.
///
/// # Safety
/// As [`object`], and it is no longer in use.
pub(crate) unsafe fn reclaim<O, C>(address: *mut C) -> Box<O> {
    // SAFETY: objects are boxed when they are given out.
    unsafe { Box::from_raw(address.cast::<O>()) }
}

/// Gives an object to C, which owns it until it closes it.
pub(crate) fn give_out<O, C>(object: O, place: *mut *mut C) -> Result<(), Errno> {
    if place.is_null() {
        return Err(libc::EINVAL);
    }
    // SAFETY: C passed room for a pointer.
    unsafe { *place = Box::into_raw(Box::new(object)).cast() };
    Ok(())
}

/// The header of an object of this class.
pub(crate) const fn head(class: u32, context: *mut c_void, ops: &'static fi_ops) -> fid {
    fid { fclass: class as usize, context, ops: std::ptr::from_ref(ops).cast_mut() }
}

/// A table of functions as the pointer that C expects.
pub(crate) const fn table<T>(table: &'static T) -> *mut T {
    std::ptr::from_ref(table).cast_mut()
}

/// The slice of `count` entries at an address from C; empty if there are none.
///
/// # Safety
/// The address has `count` entries for as long as the slice is used.
pub(crate) unsafe fn slice<'a, T>(begin: *const T, count: usize) -> &'a [T] {
    if count == 0 || begin.is_null() {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(begin, count) }
}

/// A C string, for messages.
///
/// # Safety
/// The string ends with a zero, or is null.
pub(crate) unsafe fn string<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("")
}

/// Copies as much as fits, and returns the full length.
///
/// # Safety
/// `length` has the size of `room` in bytes.
pub(crate) unsafe fn copy_out(bytes: &[u8], room: *mut c_void, length: *mut usize) -> Result<(), Errno> {
    // SAFETY: as the caller promises.
    unsafe {
        let fits = (*length).min(bytes.len());
        if fits > 0 {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), room.cast(), fits);
        }
        *length = bytes.len();
        if fits == bytes.len() { Ok(()) } else { Err(FI_ETOOSMALL) }
    }
}
