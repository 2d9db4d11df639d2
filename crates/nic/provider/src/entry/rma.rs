//! One-sided operations, as C requests them: `fi_rma(3)`.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;

use super::class::ACCESS_FLAGS;
use super::messages::only;
use super::objects::{self, EndpointObject};
use crate::abi::{self, Errno, answer_size};
use crate::limits::{INJECT_BYTES, MESSAGE_BYTES};
use crate::operation::{CompletionTarget, PacketClass, RemoteAccess, RemoteTarget, TransferBytes};

pub(super) static OPS: fi_ops_rma = fi_ops_rma {
    read: Some(read),
    readv: Some(readv),
    readmsg: Some(readmsg),
    write: Some(write),
    writev: Some(writev),
    writemsg: Some(writemsg),
    inject: Some(inject),
    writedata: Some(writedata),
    injectdata: Some(injectdata),
    ..fi_ops_rma::DECLINED
};

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
/// `EMSGSIZE`, `EBADFLAGS`.
///
/// # Safety
/// The buffer is as long as it says, and the program lends it until the operation has ended.
unsafe fn access<'m>(asked: &Asked, is_reported: bool) -> Result<RemoteAccess<'m>, Errno> {
    let &Asked { buffer, length, is_read, to, place, data, context, flags } = asked;
    if flags & !ACCESS_FLAGS != 0 || is_read && data.is_some() {
        return Err(FI_EBADFLAGS);
    }
    let most = if flags & FI_INJECT == 0 { MESSAGE_BYTES } else { INJECT_BYTES };
    if length > most {
        return Err(libc::EMSGSIZE);
    }
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
    unsafe fn access_plain(&self, asked: Asked) -> isize {
        answer_size(|| {
            let flags = self.transmit_flags.load(Ordering::Relaxed);
            let flags = if asked.length > INJECT_BYTES { flags & !FI_INJECT } else { flags };
            let flags = asked.flags | flags;
            // SAFETY: as the caller promises.
            let mut access = unsafe { access(&Asked { flags, ..asked }, self.reports(flags))? };
            self.classify(&mut access)?;
            self.port().access_traced(access).map(|()| 0)
        })
    }

    /// # Safety
    /// As [`access`].
    unsafe fn access_injected(&self, asked: Asked) -> isize {
        answer_size(|| {
            // SAFETY: as the caller promises.
            let mut access = unsafe { access(&Asked { flags: asked.flags | FI_INJECT, ..asked }, false)? };
            self.classify(&mut access)?;
            self.port().access_traced(access).map(|()| 0)
        })
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
        let data = (flags & FI_REMOTE_CQ_DATA != 0).then_some(msg.data);
        let (to, context) = (msg.addr, msg.context);
        access(&Asked { buffer, length, is_read, to, place, data, context, flags }, is_reported)
    }
}

unsafe extern "C" fn read(
    ep: *mut fid_ep,
    buffer: *mut c_void,
    length: usize,
    _: *mut c_void,
    to: fi_addr_t,
    offset: u64,
    key: u64,
    context: *mut c_void,
) -> isize {
    let place = RemoteTarget { key, offset };
    // SAFETY: C passes an endpoint of ours, and room for this many bytes.
    unsafe {
        let asked = Asked { buffer, length, is_read: true, to, place, data: None, context, flags: 0 };
        objects::endpoint(ep).access_plain(asked)
    }
}

unsafe extern "C" fn readv(
    ep: *mut fid_ep,
    iov: *const libc::iovec,
    desc: *mut *mut c_void,
    count: usize,
    to: fi_addr_t,
    offset: u64,
    key: u64,
    context: *mut c_void,
) -> isize {
    // SAFETY: C passes `count` ranges.
    match unsafe { only(iov, count) } {
        // SAFETY: as for `read`.
        Ok((buffer, length)) => unsafe { read(ep, buffer, length, desc.cast(), to, offset, key, context) },
        Err(error) => -(error as isize),
    }
}

unsafe fn carry_out_described(ep: *mut fid_ep, msg: *const fi_msg_rma, flags: u64, is_read: bool) -> isize {
    answer_size(|| {
        // SAFETY: C passes an endpoint of ours, and a description with as many ranges as it says.
        unsafe {
            let (endpoint, msg) = (objects::endpoint(ep), msg.as_ref().ok_or(libc::EINVAL)?);
            let mut access = described(msg, flags, is_read, endpoint.reports(flags))?;
            endpoint.classify(&mut access)?;
            endpoint.port().access_traced(access).map(|()| 0)
        }
    })
}

unsafe extern "C" fn readmsg(ep: *mut fid_ep, msg: *const fi_msg_rma, flags: u64) -> isize {
    // SAFETY: C passes an endpoint of ours and a description.
    unsafe { carry_out_described(ep, msg, flags, true) }
}

unsafe extern "C" fn write(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    _: *mut c_void,
    to: fi_addr_t,
    offset: u64,
    key: u64,
    context: *mut c_void,
) -> isize {
    let (buffer, place) = (buffer.cast_mut(), RemoteTarget { key, offset });
    // SAFETY: C passes an endpoint of ours and this many bytes.
    unsafe {
        let asked = Asked { buffer, length, is_read: false, to, place, data: None, context, flags: 0 };
        objects::endpoint(ep).access_plain(asked)
    }
}

unsafe extern "C" fn writev(
    ep: *mut fid_ep,
    iov: *const libc::iovec,
    desc: *mut *mut c_void,
    count: usize,
    to: fi_addr_t,
    offset: u64,
    key: u64,
    context: *mut c_void,
) -> isize {
    // SAFETY: C passes `count` ranges.
    match unsafe { only(iov, count) } {
        // SAFETY: as for `write`.
        Ok((buffer, length)) => unsafe { write(ep, buffer, length, desc.cast(), to, offset, key, context) },
        Err(error) => -(error as isize),
    }
}

unsafe extern "C" fn writemsg(ep: *mut fid_ep, msg: *const fi_msg_rma, flags: u64) -> isize {
    // SAFETY: C passes an endpoint of ours and a description.
    unsafe { carry_out_described(ep, msg, flags, false) }
}

unsafe extern "C" fn inject(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    to: fi_addr_t,
    offset: u64,
    key: u64,
) -> isize {
    let (buffer, place, context) = (buffer.cast_mut(), RemoteTarget { key, offset }, std::ptr::null_mut());
    // SAFETY: as for `write`.
    unsafe {
        let asked = Asked { buffer, length, is_read: false, to, place, data: None, context, flags: 0 };
        objects::endpoint(ep).access_injected(asked)
    }
}

unsafe extern "C" fn writedata(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    _: *mut c_void,
    data: u64,
    to: fi_addr_t,
    offset: u64,
    key: u64,
    context: *mut c_void,
) -> isize {
    let (buffer, place) = (buffer.cast_mut(), RemoteTarget { key, offset });
    // SAFETY: as for `write`.
    unsafe {
        let asked = Asked { buffer, length, is_read: false, to, place, data: Some(data), context, flags: 0 };
        objects::endpoint(ep).access_plain(asked)
    }
}

unsafe extern "C" fn injectdata(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    data: u64,
    to: fi_addr_t,
    offset: u64,
    key: u64,
) -> isize {
    let (buffer, place, context) = (buffer.cast_mut(), RemoteTarget { key, offset }, std::ptr::null_mut());
    // SAFETY: as for `write`.
    unsafe {
        let asked = Asked { buffer, length, is_read: false, to, place, data: Some(data), context, flags: 0 };
        objects::endpoint(ep).access_injected(asked)
    }
}
