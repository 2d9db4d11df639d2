//! One-sided operations, as C requests them: `fi_rma(3)`.

use std::ffi::c_void;

use philae_fi_sys::*;

use super::class::ACCESS_FLAGS;
use super::messages::{check, only, remote_data};
use super::objects::EndpointObject;
use crate::abi::{self, Errno};
use crate::operation::{CompletionTarget, RemoteAccess, RemoteTarget, TransferBytes};
use crate::traffic::PacketClass;

pub(super) static OPS: fi_ops_rma = fi_ops_rma::of::<EndpointObject>();

/// A requested access.
struct Asked {
    buffer: *mut c_void,
    length: usize,
    is_read: bool,
    to: fi_addr_t,
    place: RemoteTarget,
    data: Option<u64>,
    context: *mut c_void,
    flags: u64,
}

/// The requested operation, if it is supported. `is_reported`: its success is a completion.
///
/// # Errors
/// As [`check`].
///
/// # Safety
/// The buffer is as long as it says, and the program lends it until the operation has ended.
unsafe fn access<'m>(asked: &Asked, is_reported: bool) -> Result<RemoteAccess<'m>, Errno> {
    let &Asked { buffer, length, is_read, to, place, data, context, flags } = asked;
    if is_read && data.is_some() {
        return Err(FI_EBADFLAGS);
    }
    check(flags, ACCESS_FLAGS, length)?;
    // SAFETY: as the caller promises.
    let bytes = unsafe {
        match (is_read, length) {
            (true, 0) => TransferBytes::Read(&mut []),
            (true, _) => TransferBytes::Read(std::slice::from_raw_parts_mut(buffer.cast(), length)),
            (false, _) => TransferBytes::Write(abi::slice(buffer.cast(), length)),
        }
    };
    let kind = FI_RMA | if is_read { FI_READ } else { FI_WRITE };
    let reply = CompletionTarget { context: context as u64, kind, is_reported, length: length as u64, extra: None };
    Ok(RemoteAccess { to, place, bytes, data, flags, class: PacketClass::default(), reply })
}

impl EndpointObject {
    /// # Safety
    /// As [`access`].
    unsafe fn access_plain(&self, asked: Asked) -> Result<isize, Errno> {
        let flags = asked.flags | self.default_flags(asked.length);
        // SAFETY: as the caller promises.
        self.carry_out(unsafe { access(&Asked { flags, ..asked }, self.reports(flags))? })
    }

    /// # Safety
    /// As [`access`].
    unsafe fn access_injected(&self, asked: Asked) -> Result<isize, Errno> {
        // SAFETY: as the caller promises.
        self.carry_out(unsafe { access(&Asked { flags: asked.flags | FI_INJECT, ..asked }, false)? })
    }

    /// # Safety
    /// The description has as many ranges as it says.
    unsafe fn access_described(&self, msg: *const fi_msg_rma, flags: u64, is_read: bool) -> Result<isize, Errno> {
        // SAFETY: as the caller promises.
        self.carry_out(unsafe { described(msg.as_ref().ok_or(libc::EINVAL)?, flags, is_read, self.reports(flags))? })
    }

    /// Carries out an access in the class of packets that its flags request.
    #[inline]
    pub(super) fn carry_out(&self, mut access: RemoteAccess<'_>) -> Result<isize, Errno> {
        self.classify(&mut access)?;
        self.core.access_traced(access).map(|()| 0)
    }
}

/// The operation that a C description requests.
///
/// # Errors
/// `EINVAL`: more than one range, or ranges of different lengths.
///
/// # Safety
/// The description has as many ranges as it says.
pub(crate) unsafe fn described<'m>(
    msg: &fi_msg_rma,
    flags: u64,
    is_read: bool,
    is_reported: bool,
) -> Result<RemoteAccess<'m>, Errno> {
    // SAFETY: as the caller promises.
    unsafe {
        let (buffer, length) = only(msg.msg_iov, msg.iov_count)?;
        let [target] = abi::slice(msg.rma_iov, msg.rma_iov_count) else { return Err(libc::EINVAL) };
        if target.len != length {
            return Err(libc::EINVAL);
        }
        let place = RemoteTarget { key: target.key, offset: target.addr };
        let data = remote_data(flags, msg.data);
        let (to, context) = (msg.addr, msg.context);
        access(&Asked { buffer, length, is_read, to, place, data, context, flags }, is_reported)
    }
}

/// A read without data and flags.
const fn read(
    (buffer, length): (*mut c_void, usize),
    to: fi_addr_t,
    (offset, key): (u64, u64),
    context: *mut c_void,
) -> Asked {
    let place = RemoteTarget { key, offset };
    Asked { buffer, length, is_read: true, to, place, data: None, context, flags: 0 }
}

/// A write without flags.
const fn write(
    (buffer, length): (*const c_void, usize),
    data: Option<u64>,
    to: fi_addr_t,
    (offset, key): (u64, u64),
    context: *mut c_void,
) -> Asked {
    let (buffer, place) = (buffer.cast_mut(), RemoteTarget { key, offset });
    Asked { buffer, length, is_read: false, to, place, data, context, flags: 0 }
}

impl RmaCalls for EndpointObject {
    unsafe fn read(
        &self,
        buffer: *mut c_void,
        length: usize,
        _: *mut c_void,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes room for this many bytes.
        unsafe { self.access_plain(read((buffer, length), to, (offset, key), context)) }
    }

    unsafe fn readv(
        &self,
        iov: *const libc::iovec,
        _: *mut *mut c_void,
        count: usize,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes `count` ranges.
        unsafe { self.access_plain(read(only(iov, count)?, to, (offset, key), context)) }
    }

    unsafe fn readmsg(&self, msg: *const fi_msg_rma, flags: u64) -> Result<isize, Errno> {
        // SAFETY: C passes a description.
        unsafe { self.access_described(msg, flags, true) }
    }

    unsafe fn write(
        &self,
        buffer: *const c_void,
        length: usize,
        _: *mut c_void,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        unsafe { self.access_plain(write((buffer, length), None, to, (offset, key), context)) }
    }

    unsafe fn writev(
        &self,
        iov: *const libc::iovec,
        _: *mut *mut c_void,
        count: usize,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes `count` ranges.
        unsafe {
            let (buffer, length) = only(iov, count)?;
            self.access_plain(write((buffer, length), None, to, (offset, key), context))
        }
    }

    unsafe fn writemsg(&self, msg: *const fi_msg_rma, flags: u64) -> Result<isize, Errno> {
        // SAFETY: C passes a description.
        unsafe { self.access_described(msg, flags, false) }
    }

    unsafe fn inject(
        &self,
        buffer: *const c_void,
        length: usize,
        to: fi_addr_t,
        offset: u64,
        key: u64,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        unsafe { self.access_injected(write((buffer, length), None, to, (offset, key), std::ptr::null_mut())) }
    }

    unsafe fn writedata(
        &self,
        buffer: *const c_void,
        length: usize,
        _: *mut c_void,
        data: u64,
        to: fi_addr_t,
        offset: u64,
        key: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        unsafe { self.access_plain(write((buffer, length), Some(data), to, (offset, key), context)) }
    }

    unsafe fn injectdata(
        &self,
        buffer: *const c_void,
        length: usize,
        data: u64,
        to: fi_addr_t,
        offset: u64,
        key: u64,
    ) -> Result<isize, Errno> {
        let asked = write((buffer, length), Some(data), to, (offset, key), std::ptr::null_mut());
        // SAFETY: C passes this many bytes.
        unsafe { self.access_injected(asked) }
    }
}
