//! What every function that C calls needs: errors, objects, strings and ranges.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use philae_fi_sys::{FI_CLASS_EQ, FI_ETOOSMALL, FiObject, answer, fi_ops, fid};

/// An error number, as `errno` and `fi_errno` have them; positive.
pub(crate) type Errno = c_int;

/// Runs a call from C without a result of its own.
pub(crate) fn answer_done(work: impl FnOnce() -> Result<(), Errno>) -> c_int {
    answer(|| work().map(|()| 0))
}

/// Gives an object to C, which owns it until it closes it.
pub(crate) fn give_out<O: FiObject, C>(object: O, place: *mut *mut C) -> Result<c_int, Errno> {
    if place.is_null() {
        return Err(libc::EINVAL);
    }
    // SAFETY: C passed room for a pointer.
    unsafe { *place = Box::into_raw(Box::new(object)).cast() };
    Ok(0)
}

/// Checks that no other object uses one that is to be closed.
///
/// # Errors
/// `EBUSY`.
pub(crate) fn check_unused(users: &AtomicUsize) -> Result<(), Errno> {
    if users.load(Ordering::Relaxed) > 0 { Err(libc::EBUSY) } else { Ok(()) }
}

/// The header of an object.
pub(crate) const fn head<T: FiObject>(context: *mut c_void, ops: &'static fi_ops) -> fid {
    fid { fclass: T::CLASS as usize, context, ops: std::ptr::from_ref(ops).cast_mut() }
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

/// Whether an object is an event queue, which every object accepts.
///
/// # Errors
/// `EINVAL`.
///
/// # Safety
/// It is an object of libfabric, or null.
pub(crate) unsafe fn is_event_queue(object: *const fid) -> Result<(), Errno> {
    // SAFETY: as the caller promises.
    match unsafe { object.as_ref() } {
        Some(fid) if fid.fclass == FI_CLASS_EQ as usize => Ok(()),
        _ => Err(libc::EINVAL),
    }
}
