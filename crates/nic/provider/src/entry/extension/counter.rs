//! The vendor's extension of counters.

use std::ffi::{c_int, c_void};
use std::sync::atomic::AtomicU64;

use philae_fi_sys::*;

use crate::abi::answer_done;
use crate::entry::objects::CounterObject;

pub(super) static OPS: fi_cxi_cntr_ops = fi_cxi_cntr_ops { set_wb_buffer, get_mmio_addr };

/// From now on program memory shows the counter's value. The value includes this process's
/// operations immediately, and other processes' operations after each call of this process.
unsafe extern "C" fn set_wb_buffer(fid: *mut fid, buffer: *mut c_void, length: usize) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a libfabric object.
        let object = unsafe { object::<CounterObject>(fid)? };
        let is_aligned = (buffer as usize).is_multiple_of(align_of::<AtomicU64>());
        if buffer.is_null() || !is_aligned || length < size_of::<u64>() {
            return Err(libc::EINVAL);
        }
        let counter = &object.counter;
        counter.show_in(buffer.cast());
        object.domain.shown.add(counter);
        counter.show_all();
        Ok(())
    })
}

/// An address that programs would write to in order to add to the counter. It does not exist: no
/// code would see a write to memory, and two consecutive writes would count once.
unsafe extern "C" fn get_mmio_addr(_: *mut fid, _: *mut *mut c_void, _: *mut usize) -> c_int {
    -libc::ENOSYS
}
