//! Event queues. Nothing here is asynchronous, so they contain only what their owner writes.

use std::collections::VecDeque;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use philae_fi_sys::*;

use crate::abi::{self, answer_done, answer_size};

/// The object.
#[repr(C)]
struct EventQueue {
    fid: fid_eq,
    entries: Mutex<VecDeque<(u32, Vec<u8>)>>,
    written: Condvar,
    size: usize,
    fabric_users: Arc<AtomicUsize>,
}

static FID_OPS: fi_ops = fi_ops { close: Some(close), ..fi_ops::DECLINED };
static OPS: fi_ops_eq = fi_ops_eq {
    read: Some(read),
    readerr: Some(read_error),
    write: Some(write),
    sread: Some(sread),
    strerror: Some(error_text),
    ..fi_ops_eq::DECLINED
};

/// The capacity of a queue without a requested size. Source: ours. Status: assumed.
const DEFAULT_EVENTS: usize = 1_024;

/// `fi_eq_open`.
pub(crate) unsafe extern "C" fn open(
    fabric: *mut fid_fabric,
    attr: *mut fi_eq_attr,
    eq: *mut *mut fid_eq,
    context: *mut c_void,
) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a fabric of ours, and attributes or null.
        let (fabric, attr) = unsafe { (super::objects::fabric(fabric), attr.as_ref()) };
        if attr.is_some_and(|attr| !matches!(attr.wait_obj, FI_WAIT_NONE | FI_WAIT_UNSPEC | FI_WAIT_MUTEX_COND)) {
            return Err(libc::ENOSYS);
        }
        let size = attr.map_or(0, |attr| attr.size);
        fabric.users.fetch_add(1, Ordering::Relaxed);
        let queue = EventQueue {
            fid: fid_eq { fid: abi::head(FI_CLASS_EQ, context, &FID_OPS), ops: abi::table(&OPS) },
            entries: Mutex::default(),
            written: Condvar::new(),
            size: if size == 0 { DEFAULT_EVENTS } else { size },
            fabric_users: Arc::clone(&fabric.users),
        };
        abi::give_out(queue, eq)
    })
}

unsafe fn of<'a, C>(eq: *mut C) -> &'a EventQueue {
    // SAFETY: C passes a queue of ours.
    unsafe { abi::object(eq) }
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes an object that it was given.
        let queue = unsafe { abi::reclaim::<EventQueue, _>(fid) };
        queue.fabric_users.fetch_sub(1, Ordering::Relaxed);
        Ok(())
    })
}

impl EventQueue {
    /// Writes the first event to C's room.
    unsafe fn take(&self, event: *mut u32, buffer: *mut c_void, length: usize, flags: u64) -> Result<isize, c_int> {
        let mut entries = self.entries.lock().map_err(|_| FI_EOTHER)?;
        let Some((kind, bytes)) = entries.front() else { return Err(libc::EAGAIN) };
        if bytes.len() > length {
            return Err(FI_ETOOSMALL);
        }
        // SAFETY: there is room for the number and for this many bytes.
        unsafe {
            *event = *kind;
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.cast(), bytes.len());
        }
        let taken = bytes.len() as isize;
        if flags & FI_PEEK == 0 {
            entries.pop_front();
        }
        Ok(taken)
    }
}

unsafe extern "C" fn read(eq: *mut fid_eq, event: *mut u32, buffer: *mut c_void, length: usize, flags: u64) -> isize {
    // SAFETY: C passes a queue of ours and room of that length.
    answer_size(|| unsafe { of(eq).take(event, buffer, length, flags) })
}

unsafe extern "C" fn sread(
    eq: *mut fid_eq,
    event: *mut u32,
    buffer: *mut c_void,
    length: usize,
    timeout: c_int,
    flags: u64,
) -> isize {
    answer_size(|| {
        // SAFETY: as for `read`.
        let queue = unsafe { of(eq) };
        let end = (timeout >= 0).then(|| Instant::now() + Duration::from_millis(timeout as u64));
        loop {
            // SAFETY: as for `read`.
            let answer = unsafe { queue.take(event, buffer, length, flags) };
            if answer != Err(libc::EAGAIN) || end.is_some_and(|end| Instant::now() >= end) {
                return answer;
            }
            let entries = queue.entries.lock().map_err(|_| FI_EOTHER)?;
            let left = end.map_or(Duration::from_secs(1), |end| end.saturating_duration_since(Instant::now()));
            if entries.is_empty() {
                drop(queue.written.wait_timeout(entries, left).map_err(|_| FI_EOTHER)?);
            }
        }
    })
}

unsafe extern "C" fn write(eq: *mut fid_eq, event: u32, buffer: *const c_void, length: usize, _: u64) -> isize {
    answer_size(|| {
        // SAFETY: C passes a queue of ours and this many bytes.
        let (queue, bytes) = unsafe { (of(eq), abi::slice(buffer.cast::<u8>(), length)) };
        let mut entries = queue.entries.lock().map_err(|_| FI_EOTHER)?;
        if entries.len() >= queue.size {
            return Err(libc::EAGAIN);
        }
        entries.push_back((event, bytes.to_vec()));
        queue.written.notify_one();
        Ok(length as isize)
    })
}

/// No operation here can fail later, so there are no errors to read.
unsafe extern "C" fn read_error(_: *mut fid_eq, _: *mut fi_eq_err_entry, _: u64) -> isize {
    -(libc::EAGAIN as isize)
}

unsafe extern "C" fn error_text(
    _: *mut fid_eq,
    error: c_int,
    _: *const c_void,
    _: *mut c_char,
    _: usize,
) -> *const c_char {
    // SAFETY: the system's texts stay valid.
    unsafe { libc::strerror(error) }
}
