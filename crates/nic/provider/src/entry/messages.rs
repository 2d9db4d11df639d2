//! Messages, as C sends and receives them: `fi_msg(3)` and `fi_tagged(3)`.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;
use philae_nic_core::nic::PortalKind;

use super::objects::{self, EndpointObject};
use crate::abi::{self, Errno, answer_size};
use crate::limits::{INJECT_BYTES, MESSAGE_BYTES};
use crate::operation::{CompletionTarget, Extra, OutgoingMessage, PostedReceive, UnexpectedSearch};

pub(super) static OPS: fi_ops_msg = fi_ops_msg {
    recv: Some(recv),
    recvv: Some(recvv),
    recvmsg: Some(recvmsg),
    send: Some(send),
    sendv: Some(sendv),
    sendmsg: Some(sendmsg),
    inject: Some(inject),
    senddata: Some(senddata),
    injectdata: Some(injectdata),
    ..fi_ops_msg::DECLINED
};
pub(super) static TAGGED_OPS: fi_ops_tagged = fi_ops_tagged {
    recv: Some(trecv),
    recvv: Some(trecvv),
    recvmsg: Some(trecvmsg),
    send: Some(tsend),
    sendv: Some(tsendv),
    sendmsg: Some(tsendmsg),
    inject: Some(tinject),
    senddata: Some(tsenddata),
    injectdata: Some(tinjectdata),
    ..fi_ops_tagged::DECLINED
};

/// The legal flags of a message.
pub(crate) const SEND_FLAGS: u64 = FI_COMPLETION
    | FI_REMOTE_CQ_DATA
    | FI_MORE
    | FI_INJECT
    | FI_INJECT_COMPLETE
    | FI_TRANSMIT_COMPLETE
    | FI_DELIVERY_COMPLETE
    | FI_MATCH_COMPLETE
    | FI_FENCE;
const RECEIVE_FLAGS: u64 = FI_COMPLETION | FI_MULTI_RECV | FI_MORE | FI_CLAIM | FI_PEEK | FI_DISCARD;

/// A requested message.
pub(crate) struct MessageRequest<'m> {
    pub bytes: &'m [u8],
    pub to: fi_addr_t,
    /// `None`: a message without a tag.
    pub tag: Option<u64>,
    pub data: Option<u64>,
    pub context: *mut c_void,
    pub flags: u64,
}

impl<'m> MessageRequest<'m> {
    /// Bytes in one range, without flags of their own.
    const fn plain(bytes: &'m [u8], to: fi_addr_t, tag: Option<u64>, data: Option<u64>, context: *mut c_void) -> Self {
        Self { bytes, to, tag, data, context, flags: 0 }
    }
}

impl EndpointObject {
    /// Sends it; `is_reported`: its success is a completion.
    fn send(&self, asked: &MessageRequest<'_>, is_reported: bool) -> Result<isize, Errno> {
        self.send_with(asked, is_reported, None)
    }

    /// The same, with what only few messages need.
    #[inline]
    fn send_with(
        &self,
        asked: &MessageRequest<'_>,
        is_reported: bool,
        extra: Option<Arc<Extra>>,
    ) -> Result<isize, Errno> {
        let reply = CompletionTarget {
            context: asked.context as u64,
            kind: FI_SEND | if asked.tag.is_some() { FI_TAGGED } else { FI_MSG },
            is_reported,
            length: asked.bytes.len() as u64,
            extra,
        };
        self.port().send_traced(&outgoing(self, asked, reply)?).map(|()| 0)
    }

    /// Sends it with the endpoint's default flags.
    fn send_plain(&self, asked: MessageRequest<'_>) -> isize {
        answer_size(|| {
            let flags = asked.flags | self.transmit_flags.load(Ordering::Relaxed);
            // An operation that may be injected need not be.
            let flags = if asked.bytes.len() > INJECT_BYTES { flags & !FI_INJECT } else { flags };
            self.send(&MessageRequest { flags, ..asked }, self.reports(flags))
        })
    }

    /// The same for bytes that were gathered from several ranges.
    #[cold]
    fn send_gathered(&self, asked: MessageRequest<'_>, gathered: Vec<u8>) -> isize {
        answer_size(|| {
            let flags = asked.flags | self.transmit_flags.load(Ordering::Relaxed);
            let flags = if asked.bytes.len() > INJECT_BYTES { flags & !FI_INJECT } else { flags };
            self.send_with(&MessageRequest { flags, ..asked }, self.reports(flags), extra_of(Some(gathered)))
        })
    }

    /// Sends it; the program may reuse the bytes immediately.
    fn inject(&self, asked: MessageRequest<'_>) -> isize {
        answer_size(|| self.send(&MessageRequest { flags: asked.flags | FI_INJECT, ..asked }, false))
    }

    fn receive(&self, incoming: PostedReceive) -> isize {
        answer_size(|| {
            let flags = incoming.flags | self.receive_flags.load(Ordering::Relaxed);
            let least_free = self.least_free.load(Ordering::Relaxed) as u64;
            self.port().receive_traced(&PostedReceive { flags, least_free, ..incoming }).map(|()| 0)
        })
    }
}

/// The requested message, if it can be sent.
///
/// # Errors
/// `EMSGSIZE`, `EINVAL` for a tag with too many bits, `EBADFLAGS`.
pub(crate) fn outgoing<'m>(
    endpoint: &EndpointObject,
    asked: &MessageRequest<'m>,
    reply: CompletionTarget,
) -> Result<OutgoingMessage<'m>, Errno> {
    let &MessageRequest { bytes, to, tag, data, flags, .. } = asked;
    if flags & !SEND_FLAGS != 0 {
        return Err(FI_EBADFLAGS);
    }
    let most = if flags & FI_INJECT == 0 { MESSAGE_BYTES } else { INJECT_BYTES };
    if bytes.len() > most {
        return Err(libc::EMSGSIZE);
    }
    if tag.is_some_and(|tag| tag & !endpoint.port().domain.settings.messages.tag_bits != 0) {
        return Err(libc::EINVAL);
    }
    let kind = if tag.is_some() { PortalKind::Tagged } else { PortalKind::Plain };
    Ok(OutgoingMessage { kind, to, bytes, tag: tag.unwrap_or(0), data, flags, reply })
}

/// The only range of a vector, or none.
///
/// # Errors
/// `EINVAL`: there are several; a message has one.
///
/// # Safety
/// There are `count` ranges.
pub(crate) unsafe fn only(iov: *const libc::iovec, count: usize) -> Result<(*mut c_void, usize), Errno> {
    // SAFETY: as the caller promises.
    match unsafe { abi::slice(iov, count) } {
        [] => Ok((std::ptr::null_mut(), 0)),
        [range] => Ok((range.iov_base, range.iov_len)),
        _ => Err(libc::EINVAL),
    }
}

/// Ranges that a message's bytes may lie in. That is more than `iov_limit` says, which is the
/// vendor's. Intel MPI sends its active messages in three all the same. Source: ours.
/// Status: assumed.
const RANGES_MAX: usize = 8;
/// A copy of a message's bytes, if they lay in several ranges.
pub(crate) type Gathered = Option<Vec<u8>>;

/// A message's bytes: those of one range in their place, those of several in a copy, which lives
/// until the message has ended.
///
/// # Errors
/// `EINVAL`: too many ranges; `EMSGSIZE`: too many bytes.
///
/// # Safety
/// There are `count` ranges of the lengths that they state.
unsafe fn gather<'m>(iov: *const libc::iovec, count: usize) -> Result<(&'m [u8], Gathered), Errno> {
    // SAFETY: as the caller promises.
    match unsafe { abi::slice(iov, count) } {
        [] => Ok((&[], None)),
        // SAFETY: as the caller promises.
        [range] => Ok((unsafe { bytes(range.iov_base, range.iov_len) }, None)),
        ranges if ranges.len() <= RANGES_MAX => {
            let length = ranges.iter().fold(0_usize, |length, range| length.saturating_add(range.iov_len));
            if length > MESSAGE_BYTES {
                return Err(libc::EMSGSIZE);
            }
            let mut all = Vec::with_capacity(length);
            for range in ranges {
                // SAFETY: as the caller promises.
                all.extend_from_slice(unsafe { bytes(range.iov_base, range.iov_len) });
            }
            // SAFETY: the owner of the message also has the copy.
            Ok((unsafe { std::slice::from_raw_parts(all.as_ptr(), all.len()) }, Some(all)))
        }
        _ => Err(libc::EINVAL),
    }
}

/// The bytes of a message, which the program lends until it has ended.
unsafe fn bytes<'m>(buffer: *const c_void, length: usize) -> &'m [u8] {
    // SAFETY: C passes this many bytes.
    unsafe { abi::slice(buffer.cast(), length) }
}

const fn incoming(
    kind: PortalKind,
    buffer: *mut c_void,
    length: usize,
    from: fi_addr_t,
    context: *mut c_void,
) -> IncomingOf {
    IncomingOf { kind, buffer, length, from, context }
}

/// A receive without its optional parts.
struct IncomingOf {
    kind: PortalKind,
    buffer: *mut c_void,
    length: usize,
    from: fi_addr_t,
    context: *mut c_void,
}

impl IncomingOf {
    fn tagged(self, tag: u64, ignore: u64, flags: u64) -> PostedReceive {
        PostedReceive {
            kind: self.kind,
            from: self.from,
            tag,
            ignore,
            address: self.buffer as u64,
            length: self.length as u64,
            context: self.context as u64,
            flags,
            least_free: 0,
        }
    }
}

unsafe extern "C" fn recv(
    ep: *mut fid_ep,
    buffer: *mut c_void,
    length: usize,
    _: *mut c_void,
    from: fi_addr_t,
    context: *mut c_void,
) -> isize {
    // SAFETY: C passes an endpoint of ours.
    let endpoint = unsafe { objects::endpoint(ep) };
    endpoint.receive(incoming(PortalKind::Plain, buffer, length, from, context).tagged(0, 0, 0))
}

unsafe extern "C" fn recvv(
    ep: *mut fid_ep,
    iov: *const libc::iovec,
    _: *mut *mut c_void,
    count: usize,
    from: fi_addr_t,
    context: *mut c_void,
) -> isize {
    // SAFETY: C passes an endpoint of ours and `count` ranges.
    let (endpoint, range) = unsafe { (objects::endpoint(ep), only(iov, count)) };
    match range {
        Ok((buffer, length)) => {
            endpoint.receive(incoming(PortalKind::Plain, buffer, length, from, context).tagged(0, 0, 0))
        }
        Err(error) => -(error as isize),
    }
}

/// Receives by a full description.
fn receive_described(endpoint: &EndpointObject, incoming: PostedReceive, flags: u64) -> Result<isize, Errno> {
    let is_tagged = incoming.kind == PortalKind::Tagged;
    if flags & !RECEIVE_FLAGS != 0 || is_tagged && flags & FI_MULTI_RECV != 0 {
        return Err(FI_EBADFLAGS);
    }
    let least_free = endpoint.least_free.load(Ordering::Relaxed) as u64;
    let incoming = PostedReceive { least_free, ..incoming };
    let search = match (flags & FI_PEEK != 0, flags & FI_CLAIM != 0, flags & FI_DISCARD != 0) {
        (false, false, false) => return endpoint.port().receive_traced(&incoming).map(|()| 0),
        (true, false, false) => UnexpectedSearch::Peek,
        (true, true, false) => UnexpectedSearch::PeekAndClaim,
        (true, _, true) => UnexpectedSearch::PeekAndDiscard,
        (false, true, false) => UnexpectedSearch::Claimed,
        (false, true, true) => UnexpectedSearch::DiscardClaimed,
        (false, false, true) => return Err(FI_EBADFLAGS),
    };
    endpoint.port().search(&incoming, search).map(|()| 0)
}

unsafe extern "C" fn recvmsg(ep: *mut fid_ep, msg: *const fi_msg, flags: u64) -> isize {
    answer_size(|| {
        // SAFETY: C passes an endpoint of ours, and a message with as many ranges as it says.
        unsafe {
            let (endpoint, msg) = (objects::endpoint(ep), msg.as_ref().ok_or(libc::EINVAL)?);
            let (buffer, length) = only(msg.msg_iov, msg.iov_count)?;
            let incoming = incoming(PortalKind::Plain, buffer, length, msg.addr, msg.context);
            receive_described(endpoint, incoming.tagged(0, 0, flags), flags)
        }
    })
}

unsafe extern "C" fn send(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    _: *mut c_void,
    to: fi_addr_t,
    context: *mut c_void,
) -> isize {
    // SAFETY: C passes an endpoint of ours and this many bytes.
    let (endpoint, bytes) = unsafe { (objects::endpoint(ep), bytes(buffer, length)) };
    endpoint.send_plain(MessageRequest::plain(bytes, to, None, None, context))
}

unsafe extern "C" fn sendv(
    ep: *mut fid_ep,
    iov: *const libc::iovec,
    _: *mut *mut c_void,
    count: usize,
    to: fi_addr_t,
    context: *mut c_void,
) -> isize {
    // SAFETY: C passes an endpoint of ours and `count` ranges.
    match unsafe { (objects::endpoint(ep), gather(iov, count)) } {
        (endpoint, Ok((bytes, None))) => endpoint.send_plain(MessageRequest::plain(bytes, to, None, None, context)),
        (endpoint, Ok((bytes, Some(gathered)))) => {
            endpoint.send_gathered(MessageRequest::plain(bytes, to, None, None, context), gathered)
        }
        (_, Err(error)) => -(error as isize),
    }
}

/// Sends by a full description, which is complete: the endpoint's own flags are not added.
fn send_described(
    endpoint: &EndpointObject,
    (asked, gathered): (MessageRequest<'_>, Gathered),
) -> Result<isize, Errno> {
    endpoint.send_with(&asked, endpoint.reports(asked.flags), extra_of(gathered))
}

/// The extra part of a message whose bytes were gathered.
fn extra_of(gathered: Gathered) -> Option<Arc<Extra>> {
    gathered.map(|bytes| Arc::new(Extra { counter: None, gathered: Some(bytes) }))
}

unsafe extern "C" fn sendmsg(ep: *mut fid_ep, msg: *const fi_msg, flags: u64) -> isize {
    answer_size(|| {
        // SAFETY: C passes an endpoint of ours, and a message with as many ranges as it says.
        unsafe {
            let (endpoint, msg) = (objects::endpoint(ep), msg.as_ref().ok_or(libc::EINVAL)?);
            send_described(endpoint, described(msg, flags)?)
        }
    })
}

/// The message that a C description requests.
///
/// # Errors
/// As [`gather`].
///
/// # Safety
/// The description has as many ranges as it says, with the lengths that they state.
pub(crate) unsafe fn described<'m>(msg: &fi_msg, flags: u64) -> Result<(MessageRequest<'m>, Gathered), Errno> {
    // SAFETY: as the caller promises.
    let (bytes, gathered) = unsafe { gather(msg.msg_iov, msg.iov_count)? };
    let data = (flags & FI_REMOTE_CQ_DATA != 0).then_some(msg.data);
    Ok((MessageRequest { bytes, to: msg.addr, tag: None, data, context: msg.context, flags }, gathered))
}

/// The same with a tag.
///
/// # Errors
/// As [`gather`].
///
/// # Safety
/// As [`described`].
pub(crate) unsafe fn described_tagged<'m>(
    msg: &fi_msg_tagged,
    flags: u64,
) -> Result<(MessageRequest<'m>, Gathered), Errno> {
    // SAFETY: as the caller promises.
    let (bytes, gathered) = unsafe { gather(msg.msg_iov, msg.iov_count)? };
    let data = (flags & FI_REMOTE_CQ_DATA != 0).then_some(msg.data);
    Ok((MessageRequest { bytes, to: msg.addr, tag: Some(msg.tag), data, context: msg.context, flags }, gathered))
}

unsafe extern "C" fn inject(ep: *mut fid_ep, buffer: *const c_void, length: usize, to: fi_addr_t) -> isize {
    // SAFETY: as for `send`.
    let (endpoint, bytes) = unsafe { (objects::endpoint(ep), bytes(buffer, length)) };
    endpoint.inject(MessageRequest::plain(bytes, to, None, None, std::ptr::null_mut()))
}

unsafe extern "C" fn senddata(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    _: *mut c_void,
    data: u64,
    to: fi_addr_t,
    context: *mut c_void,
) -> isize {
    // SAFETY: as for `send`.
    let (endpoint, bytes) = unsafe { (objects::endpoint(ep), bytes(buffer, length)) };
    endpoint.send_plain(MessageRequest::plain(bytes, to, None, Some(data), context))
}

unsafe extern "C" fn injectdata(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    data: u64,
    to: fi_addr_t,
) -> isize {
    // SAFETY: as for `send`.
    let (endpoint, bytes) = unsafe { (objects::endpoint(ep), bytes(buffer, length)) };
    endpoint.inject(MessageRequest::plain(bytes, to, None, Some(data), std::ptr::null_mut()))
}

unsafe extern "C" fn trecv(
    ep: *mut fid_ep,
    buffer: *mut c_void,
    length: usize,
    _: *mut c_void,
    from: fi_addr_t,
    tag: u64,
    ignore: u64,
    context: *mut c_void,
) -> isize {
    // SAFETY: C passes an endpoint of ours.
    let endpoint = unsafe { objects::endpoint(ep) };
    endpoint.receive(incoming(PortalKind::Tagged, buffer, length, from, context).tagged(tag, ignore, 0))
}

unsafe extern "C" fn trecvv(
    ep: *mut fid_ep,
    iov: *const libc::iovec,
    desc: *mut *mut c_void,
    count: usize,
    from: fi_addr_t,
    tag: u64,
    ignore: u64,
    context: *mut c_void,
) -> isize {
    // SAFETY: C passes `count` ranges.
    match unsafe { only(iov, count) } {
        // SAFETY: as for `trecv`.
        Ok((buffer, length)) => unsafe { trecv(ep, buffer, length, desc.cast(), from, tag, ignore, context) },
        Err(error) => -(error as isize),
    }
}

unsafe extern "C" fn trecvmsg(ep: *mut fid_ep, msg: *const fi_msg_tagged, flags: u64) -> isize {
    answer_size(|| {
        // SAFETY: C passes an endpoint of ours, and a message with as many ranges as it says.
        unsafe {
            let (endpoint, msg) = (objects::endpoint(ep), msg.as_ref().ok_or(libc::EINVAL)?);
            let (buffer, length) = only(msg.msg_iov, msg.iov_count)?;
            let incoming = incoming(PortalKind::Tagged, buffer, length, msg.addr, msg.context);
            receive_described(endpoint, incoming.tagged(msg.tag, msg.ignore, flags), flags)
        }
    })
}

unsafe extern "C" fn tsend(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    _: *mut c_void,
    to: fi_addr_t,
    tag: u64,
    context: *mut c_void,
) -> isize {
    // SAFETY: as for `send`.
    let (endpoint, bytes) = unsafe { (objects::endpoint(ep), bytes(buffer, length)) };
    endpoint.send_plain(MessageRequest::plain(bytes, to, Some(tag), None, context))
}

unsafe extern "C" fn tsendv(
    ep: *mut fid_ep,
    iov: *const libc::iovec,
    _: *mut *mut c_void,
    count: usize,
    to: fi_addr_t,
    tag: u64,
    context: *mut c_void,
) -> isize {
    // SAFETY: C passes an endpoint of ours and `count` ranges.
    match unsafe { (objects::endpoint(ep), gather(iov, count)) } {
        (endpoint, Ok((bytes, None))) => {
            endpoint.send_plain(MessageRequest::plain(bytes, to, Some(tag), None, context))
        }
        (endpoint, Ok((bytes, Some(gathered)))) => {
            endpoint.send_gathered(MessageRequest::plain(bytes, to, Some(tag), None, context), gathered)
        }
        (_, Err(error)) => -(error as isize),
    }
}

unsafe extern "C" fn tsendmsg(ep: *mut fid_ep, msg: *const fi_msg_tagged, flags: u64) -> isize {
    answer_size(|| {
        // SAFETY: C passes an endpoint of ours, and a message with as many ranges as it says.
        unsafe {
            let (endpoint, msg) = (objects::endpoint(ep), msg.as_ref().ok_or(libc::EINVAL)?);
            send_described(endpoint, described_tagged(msg, flags)?)
        }
    })
}

unsafe extern "C" fn tinject(ep: *mut fid_ep, buffer: *const c_void, length: usize, to: fi_addr_t, tag: u64) -> isize {
    // SAFETY: as for `send`.
    let (endpoint, bytes) = unsafe { (objects::endpoint(ep), bytes(buffer, length)) };
    endpoint.inject(MessageRequest::plain(bytes, to, Some(tag), None, std::ptr::null_mut()))
}

unsafe extern "C" fn tsenddata(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    _: *mut c_void,
    data: u64,
    to: fi_addr_t,
    tag: u64,
    context: *mut c_void,
) -> isize {
    // SAFETY: as for `send`.
    let (endpoint, bytes) = unsafe { (objects::endpoint(ep), bytes(buffer, length)) };
    endpoint.send_plain(MessageRequest::plain(bytes, to, Some(tag), Some(data), context))
}

unsafe extern "C" fn tinjectdata(
    ep: *mut fid_ep,
    buffer: *const c_void,
    length: usize,
    data: u64,
    to: fi_addr_t,
    tag: u64,
) -> isize {
    // SAFETY: as for `send`.
    let (endpoint, bytes) = unsafe { (objects::endpoint(ep), bytes(buffer, length)) };
    endpoint.inject(MessageRequest::plain(bytes, to, Some(tag), Some(data), std::ptr::null_mut()))
}
