//! Event queues. Nothing here is asynchronous, so they contain only what their owner writes.

use std::collections::VecDeque;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use philae_fi_sys::*;

use super::objects::FabricObject;
use crate::abi::{self, Errno};

/// The object.
#[repr(C)]
struct EventQueue {
    fid: fid_eq,
    entries: Mutex<VecDeque<(u32, Vec<u8>)>>,
    written: Condvar,
    size: usize,
    fabric_users: Arc<AtomicUsize>,
}

static FID_OPS: fi_ops = fi_ops::of::<EventQueue>();
static OPS: fi_ops_eq = fi_ops_eq::of::<EventQueue>();

/// The capacity of a queue without a requested size. Source: ours. Status: assumed.
const DEFAULT_EVENTS: usize = 1_024;

/// `fi_eq_open`.
///
/// # Safety
/// The attributes are valid or null; there is room for the queue's address.
pub(super) unsafe fn open(
    fabric: &FabricObject,
    attr: *mut fi_eq_attr,
    eq: *mut *mut fid_eq,
    context: *mut c_void,
) -> Result<c_int, Errno> {
    // SAFETY: as the caller promises.
    let attr = unsafe { attr.as_ref() };
    if attr.is_some_and(|attr| !matches!(attr.wait_obj, FI_WAIT_NONE | FI_WAIT_UNSPEC | FI_WAIT_MUTEX_COND)) {
        return Err(libc::ENOSYS);
    }
    let size = attr.map_or(0, |attr| attr.size);
    fabric.users.fetch_add(1, Ordering::Relaxed);
    let queue = EventQueue {
        fid: fid_eq { fid: abi::head::<EventQueue>(context, &FID_OPS), ops: abi::table(&OPS) },
        entries: Mutex::default(),
        written: Condvar::new(),
        size: if size == 0 { DEFAULT_EVENTS } else { size },
        fabric_users: Arc::clone(&fabric.users),
    };
    abi::give_out(queue, eq)
}

impl FiObject for EventQueue {
    const CLASS: u32 = FI_CLASS_EQ;
}

impl ObjectCalls for EventQueue {
    fn close(self: Box<Self>) {
        self.fabric_users.fetch_sub(1, Ordering::Relaxed);
    }
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

impl EventQueueCalls for EventQueue {
    unsafe fn read(&self, event: *mut u32, buffer: *mut c_void, length: usize, flags: u64) -> Result<isize, Errno> {
        // SAFETY: C passes room of that length.
        unsafe { self.take(event, buffer, length, flags) }
    }

    unsafe fn sread(
        &self,
        event: *mut u32,
        buffer: *mut c_void,
        length: usize,
        timeout: c_int,
        flags: u64,
    ) -> Result<isize, Errno> {
        let end = (timeout >= 0).then(|| Instant::now() + Duration::from_millis(timeout as u64));
        loop {
            // SAFETY: as for `read`.
            let answer = unsafe { self.take(event, buffer, length, flags) };
            if answer != Err(libc::EAGAIN) || end.is_some_and(|end| Instant::now() >= end) {
                return answer;
            }
            let entries = self.entries.lock().map_err(|_| FI_EOTHER)?;
            let left = end.map_or(Duration::from_secs(1), |end| end.saturating_duration_since(Instant::now()));
            if entries.is_empty() {
                drop(self.written.wait_timeout(entries, left).map_err(|_| FI_EOTHER)?);
            }
        }
    }

    unsafe fn write(&self, event: u32, buffer: *const c_void, length: usize, _: u64) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        let bytes = unsafe { abi::slice(buffer.cast::<u8>(), length) };
        let mut entries = self.entries.lock().map_err(|_| FI_EOTHER)?;
        if entries.len() >= self.size {
            return Err(libc::EAGAIN);
        }
        entries.push_back((event, bytes.to_vec()));
        self.written.notify_one();
        Ok(length as isize)
    }

    /// No operation here can fail later, so there are no errors to read.
    unsafe fn readerr(&self, _: *mut fi_eq_err_entry, _: u64) -> Result<isize, Errno> {
        Err(libc::EAGAIN)
    }

    unsafe fn strerror(
        &self,
        error: c_int,
        _: *const c_void,
        _: *mut c_char,
        _: usize,
    ) -> Result<*const c_char, Errno> {
        // SAFETY: the system's texts stay valid.
        Ok(unsafe { libc::strerror(error) })
    }
}
