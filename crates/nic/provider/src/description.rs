//! The description of deferred work, copied when the work is queued.
//!
//! `fi_trigger(3)` asks the program to keep its description until the work has ended. The vendor's
//! provider makes a command of it immediately, so there are programs that use one description for
//! several works, or have it on their stack.

use std::any::Any;

use philae_fi_sys::*;

use crate::abi;
use crate::abi::Errno;

/// A work's description, with copies of all that it refers to except the data.
pub(crate) struct WorkDescription {
    /// The program's own description: its address identifies the work for cancelling.
    named: *mut fi_deferred_work,
    work: fi_deferred_work,
    /// The copies that the description refers to.
    parts: Vec<Box<dyn Any>>,
}

// SAFETY: it owns its parts, and the program lends the objects and the data to the thread that does
// the work.
unsafe impl Send for WorkDescription {}

/// Copies `count` entries of a list; returns the copy's address.
///
/// # Safety
/// The list has `count` entries.
unsafe fn copy<T: Copy + 'static>(parts: &mut Vec<Box<dyn Any>>, list: *const T, count: usize) -> *mut T {
    // SAFETY: as the caller promises.
    let mut copied: Vec<T> = unsafe { abi::slice(list, count) }.to_vec();
    let begin = copied.as_mut_ptr();
    parts.push(Box::new(copied));
    begin
}

/// Copies an operation's description; an error if there is none.
///
/// # Safety
/// The description is complete.
unsafe fn copy_op<T: Copy + 'static>(parts: &mut Vec<Box<dyn Any>>, op: *const T) -> Result<&'static mut T, Errno> {
    if op.is_null() {
        return Err(libc::EINVAL);
    }
    // SAFETY: as the caller promises. The copy stays in its place for as long as its part lives.
    unsafe { Ok(&mut *copy(parts, op, 1)) }
}

impl WorkDescription {
    /// Copies a description.
    ///
    /// # Errors
    /// `EINVAL`: it does not describe its operation; `EOPNOTSUPP`: there is no such operation.
    ///
    /// # Safety
    /// The description is complete, and its lists are as long as they say.
    pub unsafe fn of(named: *mut fi_deferred_work) -> Result<Self, Errno> {
        // SAFETY: as the caller promises, throughout; the kind says which member of the union is
        // valid.
        unsafe {
            let mut work = *named.as_ref().ok_or(libc::EINVAL)?;
            let mut parts = Vec::new();
            let kept = &mut parts;
            match work.op_type {
                FI_OP_RECV | FI_OP_SEND => {
                    let op = copy_op(kept, work.op.msg)?;
                    op.msg.msg_iov = copy(kept, op.msg.msg_iov, op.msg.iov_count);
                    work.op.msg = op;
                }
                FI_OP_TRECV | FI_OP_TSEND => {
                    let op = copy_op(kept, work.op.tagged)?;
                    op.msg.msg_iov = copy(kept, op.msg.msg_iov, op.msg.iov_count);
                    work.op.tagged = op;
                }
                FI_OP_READ | FI_OP_WRITE => {
                    let op = copy_op(kept, work.op.rma)?;
                    op.msg.msg_iov = copy(kept, op.msg.msg_iov, op.msg.iov_count);
                    op.msg.rma_iov = copy(kept, op.msg.rma_iov, op.msg.rma_iov_count);
                    work.op.rma = op;
                }
                FI_OP_ATOMIC => {
                    let op = copy_op(kept, work.op.atomic)?;
                    copy_atomic(kept, &mut op.msg);
                    work.op.atomic = op;
                }
                FI_OP_FETCH_ATOMIC => {
                    let op = copy_op(kept, work.op.fetch_atomic)?;
                    copy_atomic(kept, &mut op.msg);
                    op.fetch.msg_iov = copy(kept, op.fetch.msg_iov, op.fetch.iov_count);
                    work.op.fetch_atomic = op;
                }
                FI_OP_COMPARE_ATOMIC => {
                    let op = copy_op(kept, work.op.compare_atomic)?;
                    copy_atomic(kept, &mut op.msg);
                    op.fetch.msg_iov = copy(kept, op.fetch.msg_iov, op.fetch.iov_count);
                    op.compare.msg_iov = copy(kept, op.compare.msg_iov, op.compare.iov_count);
                    work.op.compare_atomic = op;
                }
                FI_OP_CNTR_SET | FI_OP_CNTR_ADD => work.op.cntr = copy_op(kept, work.op.cntr)?,
                _ => return Err(libc::EOPNOTSUPP),
            }
            Ok(Self { named, work, parts })
        }
    }

    /// Whether this is a copy of the program's description at `named`.
    pub fn is_named(&self, named: *const fi_deferred_work) -> bool {
        std::ptr::eq(self.named, named)
    }

    /// The copy. The objects that it refers to live as long as `self`.
    pub fn work(&self) -> &fi_deferred_work {
        debug_assert!(!self.parts.is_empty(), "each work has an operation");
        &self.work
    }
}

/// # Safety
/// Its lists are as long as they say.
unsafe fn copy_atomic(parts: &mut Vec<Box<dyn Any>>, msg: &mut fi_msg_atomic) {
    // SAFETY: as the caller promises.
    unsafe {
        msg.msg_iov = copy(parts, msg.msg_iov, msg.iov_count);
        msg.rma_iov = copy(parts, msg.rma_iov, msg.rma_iov_count);
    }
}
