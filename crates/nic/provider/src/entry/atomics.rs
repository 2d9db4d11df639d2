//! Atomic operations, as C requests them: `fi_atomic(3)`.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::Ordering;

use philae_fi_sys::*;

use super::class::AMO_FLAGS;
use super::objects::EndpointObject;
use crate::abi::{self, Errno};
use crate::limits::INJECT_BYTES;
use crate::operation::{AtomicAccess, AtomicForm, CompletionTarget, RemoteTarget, atomic};
use crate::traffic::PacketClass;

pub(super) static OPS: fi_ops_atomic = fi_ops_atomic::of::<EndpointObject>();

/// A requested operation; operands by their addresses.
#[derive(Clone, Copy)]
pub(crate) struct AtomicRequest {
    pub form: AtomicForm,
    pub operand: *const c_void,
    pub comparand: *const c_void,
    pub result: *mut c_void,
    pub count: usize,
    pub to: fi_addr_t,
    pub place: RemoteTarget,
    pub of_type: c_uint,
    pub operation: c_uint,
    pub context: *mut c_void,
    pub flags: u64,
}

/// The requested operation, if it is supported.
///
/// # Errors
/// `EOPNOTSUPP`, `EMSGSIZE`, `EBADFLAGS`; `EINVAL` if an operand is missing.
///
/// # Safety
/// Operands have `count` elements, and the program lends them until the operation has ended.
pub(crate) unsafe fn amo<'m>(asked: &AtomicRequest, is_reported: bool) -> Result<AtomicAccess<'m>, Errno> {
    let &AtomicRequest { form, operand, comparand, result, count, to, place, context, flags, .. } = asked;
    if flags & !AMO_FLAGS != 0 {
        return Err(FI_EBADFLAGS);
    }
    let (operation, of_type, most) = atomic(form, asked.of_type, asked.operation)?;
    if count == 0 {
        return Err(libc::EINVAL);
    }
    let length = count.checked_mul(of_type.bytes()).filter(|_| count <= most).ok_or(libc::EMSGSIZE)?;
    if flags & FI_INJECT != 0 && length > INJECT_BYTES {
        return Err(libc::EMSGSIZE);
    }
    let is_missing = operation.has_operand() && operand.is_null()
        || operation.compares() && comparand.is_null()
        || form != AtomicForm::Plain && result.is_null();
    if is_missing {
        return Err(libc::EINVAL);
    }
    // SAFETY: as the caller promises.
    unsafe {
        let operand = if operation.has_operand() { abi::slice(operand.cast(), length) } else { &[] };
        let comparand = if operation.compares() { abi::slice(comparand.cast(), length) } else { &[] };
        let fetched = (form != AtomicForm::Plain).then(|| std::slice::from_raw_parts_mut(result.cast(), length));
        let kind = FI_ATOMIC | if form == AtomicForm::Plain { FI_WRITE } else { FI_READ };
        let reply = CompletionTarget { context: context as u64, kind, is_reported, length: length as u64, extra: None };
        let (class, is_unreliable) = (PacketClass::default(), false);
        Ok(AtomicAccess {
            to,
            place,
            operation,
            of_type,
            operand,
            comparand,
            fetched,
            length,
            flags,
            class,
            is_unreliable,
            reply,
        })
    }
}

impl EndpointObject {
    /// # Safety
    /// As [`amo`].
    unsafe fn amo_plain(&self, asked: AtomicRequest) -> Result<isize, Errno> {
        let flags = asked.flags | self.transmit_flags.load(Ordering::Relaxed) & !FI_INJECT;
        // SAFETY: as the caller promises.
        self.carry_out_amo(unsafe { amo(&AtomicRequest { flags, ..asked }, self.reports(flags))? })
    }

    /// Carries out an operation in the class of packets that its flags request.
    pub(super) fn carry_out_amo(&self, mut amo: AtomicAccess<'_>) -> Result<isize, Errno> {
        self.classify_amo(&mut amo)?;
        self.core.amo_traced(&mut amo).map(|()| 0)
    }

    /// Carries out a described operation; `add` adds what its form has besides operands.
    ///
    /// # Safety
    /// The description has as many ranges as it says.
    unsafe fn amo_described(
        &self,
        msg: *const fi_msg_atomic,
        flags: u64,
        form: AtomicForm,
        add: impl FnOnce(AtomicRequest) -> Result<AtomicRequest, Errno>,
    ) -> Result<isize, Errno> {
        // SAFETY: as the caller promises.
        unsafe {
            let asked = add(described(msg.as_ref().ok_or(libc::EINVAL)?, flags, form)?)?;
            self.carry_out_amo(amo(&asked, self.reports(flags))?)
        }
    }
}

/// The only range of a vector of elements.
///
/// # Errors
/// `EINVAL`: there are none or several.
///
/// # Safety
/// There are `count` ranges.
unsafe fn only(ioc: *const fi_ioc, count: usize) -> Result<fi_ioc, Errno> {
    // SAFETY: as the caller promises.
    match unsafe { abi::slice(ioc, count) } {
        [range] => Ok(*range),
        _ => Err(libc::EINVAL),
    }
}

/// The operation that a C description requests, without its results and comparands.
///
/// # Errors
/// `EINVAL`.
///
/// # Safety
/// The description has as many ranges as it says.
pub(crate) unsafe fn described(msg: &fi_msg_atomic, flags: u64, form: AtomicForm) -> Result<AtomicRequest, Errno> {
    // SAFETY: as the caller promises.
    unsafe {
        let [target] = abi::slice(msg.rma_iov, msg.rma_iov_count) else { return Err(libc::EINVAL) };
        let needs_operand = msg.op != FI_ATOMIC_READ;
        let operand = if needs_operand || msg.iov_count > 0 {
            only(msg.msg_iov, msg.iov_count)?
        } else {
            fi_ioc { addr: std::ptr::null_mut(), count: target.count }
        };
        if operand.count != target.count {
            return Err(libc::EINVAL);
        }
        Ok(AtomicRequest {
            form,
            operand: operand.addr,
            comparand: std::ptr::null(),
            result: std::ptr::null_mut(),
            count: target.count,
            to: msg.addr,
            place: RemoteTarget { key: target.key, offset: target.addr },
            of_type: msg.datatype,
            operation: msg.op,
            context: msg.context,
            flags,
        })
    }
}

/// The only range of a vector, which has as many elements as the operation.
///
/// # Errors
/// `EINVAL`.
///
/// # Safety
/// There are `count` ranges.
unsafe fn as_long(asked: &AtomicRequest, ranges: *const fi_ioc, count: usize) -> Result<*mut c_void, Errno> {
    // SAFETY: as the caller promises.
    let range = unsafe { only(ranges, count)? };
    if range.count == asked.count { Ok(range.addr) } else { Err(libc::EINVAL) }
}

/// Adds the place of the result.
///
/// # Errors
/// `EINVAL`.
///
/// # Safety
/// There are `count` ranges.
pub(crate) unsafe fn with_result(
    asked: AtomicRequest,
    ranges: *const fi_ioc,
    count: usize,
) -> Result<AtomicRequest, Errno> {
    // SAFETY: as the caller promises.
    Ok(AtomicRequest { result: unsafe { as_long(&asked, ranges, count)? }, ..asked })
}

/// Adds the comparand.
///
/// # Errors
/// `EINVAL`.
///
/// # Safety
/// There are `count` ranges.
pub(crate) unsafe fn with_comparand(
    asked: AtomicRequest,
    ranges: *const fi_ioc,
    count: usize,
) -> Result<AtomicRequest, Errno> {
    // SAFETY: as the caller promises.
    Ok(AtomicRequest { comparand: unsafe { as_long(&asked, ranges, count)? }, ..asked })
}

/// An operation without a result and without a comparand.
const fn plain(
    form: AtomicForm,
    (operand, count): (*const c_void, usize),
    to: fi_addr_t,
    (offset, key): (u64, u64),
    (of_type, operation): (c_uint, c_uint),
    context: *mut c_void,
) -> AtomicRequest {
    let (comparand, result, place) = (std::ptr::null(), std::ptr::null_mut(), RemoteTarget { key, offset });
    AtomicRequest { form, operand, comparand, result, count, to, place, of_type, operation, context, flags: 0 }
}

/// Writes how many elements an operation takes.
///
/// # Safety
/// There is room for a number, or null.
unsafe fn valid(form: AtomicForm, of_type: c_uint, operation: c_uint, count: *mut usize) -> Result<c_int, Errno> {
    let (_, _, most) = atomic(form, of_type, operation)?;
    // SAFETY: as the caller promises.
    if let Some(count) = unsafe { count.as_mut() } {
        *count = most;
    }
    Ok(0)
}

impl AtomicCalls for EndpointObject {
    unsafe fn write(
        &self,
        buffer: *const c_void,
        count: usize,
        _: *mut c_void,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        of_type: c_uint,
        operation: c_uint,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        let asked = plain(AtomicForm::Plain, (buffer, count), to, (offset, key), (of_type, operation), context);
        // SAFETY: C passes operands of this many elements.
        unsafe { self.amo_plain(asked) }
    }

    unsafe fn writev(
        &self,
        iov: *const fi_ioc,
        _: *mut *mut c_void,
        count: usize,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        of_type: c_uint,
        operation: c_uint,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes `count` ranges.
        unsafe {
            let fi_ioc { addr, count } = only(iov, count)?;
            let operand = (addr.cast_const(), count);
            self.amo_plain(plain(AtomicForm::Plain, operand, to, (offset, key), (of_type, operation), context))
        }
    }

    unsafe fn writemsg(&self, msg: *const fi_msg_atomic, flags: u64) -> Result<isize, Errno> {
        // SAFETY: C passes a description.
        unsafe { self.amo_described(msg, flags, AtomicForm::Plain, Ok) }
    }

    unsafe fn inject(
        &self,
        buffer: *const c_void,
        count: usize,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        of_type: c_uint,
        operation: c_uint,
    ) -> Result<isize, Errno> {
        let (place, numbers) = ((offset, key), (of_type, operation));
        let asked = plain(AtomicForm::Plain, (buffer, count), to, place, numbers, std::ptr::null_mut());
        // SAFETY: C passes operands of this many elements.
        self.carry_out_amo(unsafe { amo(&AtomicRequest { flags: FI_INJECT, ..asked }, false)? })
    }

    unsafe fn readwrite(
        &self,
        buffer: *const c_void,
        count: usize,
        _: *mut c_void,
        result: *mut c_void,
        _: *mut c_void,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        of_type: c_uint,
        operation: c_uint,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        let asked = plain(AtomicForm::Fetching, (buffer, count), to, (offset, key), (of_type, operation), context);
        // SAFETY: C passes operands of this many elements.
        unsafe { self.amo_plain(AtomicRequest { result, ..asked }) }
    }

    unsafe fn readwritev(
        &self,
        iov: *const fi_ioc,
        _: *mut *mut c_void,
        count: usize,
        results: *mut fi_ioc,
        _: *mut *mut c_void,
        result_count: usize,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        of_type: c_uint,
        operation: c_uint,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes as many ranges as it says.
        unsafe {
            let result = only(results, result_count)?;
            let operand = if operation == FI_ATOMIC_READ && count == 0 {
                fi_ioc { addr: std::ptr::null_mut(), count: result.count }
            } else {
                only(iov, count)?
            };
            let (place, numbers) = ((offset, key), (of_type, operation));
            let operand = (operand.addr.cast_const(), operand.count);
            let asked = plain(AtomicForm::Fetching, operand, to, place, numbers, context);
            self.amo_plain(with_result(asked, results, result_count)?)
        }
    }

    unsafe fn readwritemsg(
        &self,
        msg: *const fi_msg_atomic,
        results: *mut fi_ioc,
        _: *mut *mut c_void,
        result_count: usize,
        flags: u64,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes descriptions.
        unsafe {
            self.amo_described(msg, flags, AtomicForm::Fetching, |asked| with_result(asked, results, result_count))
        }
    }

    unsafe fn compwrite(
        &self,
        buffer: *const c_void,
        count: usize,
        _: *mut c_void,
        comparand: *const c_void,
        _: *mut c_void,
        result: *mut c_void,
        _: *mut c_void,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        of_type: c_uint,
        operation: c_uint,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        let asked = plain(AtomicForm::Comparing, (buffer, count), to, (offset, key), (of_type, operation), context);
        // SAFETY: C passes operands of this many elements.
        unsafe { self.amo_plain(AtomicRequest { comparand, result, ..asked }) }
    }

    unsafe fn compwritev(
        &self,
        iov: *const fi_ioc,
        _: *mut *mut c_void,
        count: usize,
        comparands: *const fi_ioc,
        _: *mut *mut c_void,
        compare_count: usize,
        results: *mut fi_ioc,
        _: *mut *mut c_void,
        result_count: usize,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        of_type: c_uint,
        operation: c_uint,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes as many ranges as it says.
        unsafe {
            let fi_ioc { addr, count } = only(iov, count)?;
            let (place, numbers) = ((offset, key), (of_type, operation));
            let asked = plain(AtomicForm::Comparing, (addr.cast_const(), count), to, place, numbers, context);
            self.amo_plain(with_result(with_comparand(asked, comparands, compare_count)?, results, result_count)?)
        }
    }

    unsafe fn compwritemsg(
        &self,
        msg: *const fi_msg_atomic,
        comparands: *const fi_ioc,
        _: *mut *mut c_void,
        compare_count: usize,
        results: *mut fi_ioc,
        _: *mut *mut c_void,
        result_count: usize,
        flags: u64,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes descriptions.
        unsafe {
            self.amo_described(msg, flags, AtomicForm::Comparing, |asked| {
                with_result(with_comparand(asked, comparands, compare_count)?, results, result_count)
            })
        }
    }

    unsafe fn writevalid(&self, of_type: c_uint, operation: c_uint, count: *mut usize) -> Result<c_int, Errno> {
        // SAFETY: C passes room for a number, or null.
        unsafe { valid(AtomicForm::Plain, of_type, operation, count) }
    }

    unsafe fn readwritevalid(&self, of_type: c_uint, operation: c_uint, count: *mut usize) -> Result<c_int, Errno> {
        // SAFETY: as above.
        unsafe { valid(AtomicForm::Fetching, of_type, operation, count) }
    }

    unsafe fn compwritevalid(&self, of_type: c_uint, operation: c_uint, count: *mut usize) -> Result<c_int, Errno> {
        // SAFETY: as above.
        unsafe { valid(AtomicForm::Comparing, of_type, operation, count) }
    }
}
