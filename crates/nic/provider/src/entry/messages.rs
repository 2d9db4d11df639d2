//! Messages, as C sends and receives them: `fi_msg(3)` and `fi_tagged(3)`.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;
use philae_nic_core::nic::PortalKind;

use super::objects::EndpointObject;
use crate::abi::{self, Errno};
use crate::limits::{INJECT_BYTES, MESSAGE_BYTES};
use crate::operation::{CompletionTarget, Extra, OutgoingMessage, PostedReceive, UnexpectedSearch};

pub(super) static OPS: fi_ops_msg = fi_ops_msg::of::<EndpointObject>();
pub(super) static TAGGED_OPS: fi_ops_tagged = fi_ops_tagged::of::<EndpointObject>();

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

    /// Adds the bytes of a vector of ranges.
    ///
    /// # Errors
    /// As [`gather`].
    ///
    /// # Safety
    /// There are `count` ranges of the lengths that they state.
    unsafe fn of_ranges(self, iov: *const libc::iovec, count: usize) -> Result<(Self, Gathered), Errno> {
        // SAFETY: as the caller promises.
        let (bytes, gathered) = unsafe { gather(iov, count)? };
        Ok((Self { bytes, ..self }, gathered))
    }
}

impl EndpointObject {
    /// Sends it; `is_reported`: its success is a completion. `extra`: what only few messages need.
    #[inline]
    pub(super) fn send_with(
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
        self.core.send_traced(&outgoing(self, asked, reply)?).map(|()| 0)
    }

    /// Sends it with the endpoint's default flags.
    #[inline]
    fn send_plain(&self, asked: MessageRequest<'_>) -> Result<isize, Errno> {
        self.send_gathered(asked, None)
    }

    /// The same for bytes that may have been gathered from several ranges.
    #[inline]
    fn send_gathered(&self, asked: MessageRequest<'_>, gathered: Gathered) -> Result<isize, Errno> {
        let flags = asked.flags | self.default_flags(asked.bytes.len());
        self.send_with(&MessageRequest { flags, ..asked }, self.reports(flags), extra_of(gathered))
    }

    /// Sends by a full description, which is complete: the endpoint's own flags are not added.
    fn send_described(&self, (asked, gathered): (MessageRequest<'_>, Gathered)) -> Result<isize, Errno> {
        self.send_with(&asked, self.reports(asked.flags), extra_of(gathered))
    }

    /// Sends it; the program may reuse the bytes immediately.
    #[inline]
    fn send_injected(&self, asked: MessageRequest<'_>) -> Result<isize, Errno> {
        self.send_with(&MessageRequest { flags: asked.flags | FI_INJECT, ..asked }, false, None)
    }

    #[inline]
    fn receive(&self, incoming: PostedReceive) -> Result<isize, Errno> {
        let flags = incoming.flags | self.receive_flags.load(Ordering::Relaxed);
        let least_free = self.least_free.load(Ordering::Relaxed) as u64;
        self.core.receive_traced(&PostedReceive { flags, least_free, ..incoming }).map(|()| 0)
    }

    /// Receives by a full description.
    fn receive_described(&self, incoming: PostedReceive, flags: u64) -> Result<isize, Errno> {
        let is_tagged = incoming.kind == PortalKind::Tagged;
        if flags & !RECEIVE_FLAGS != 0 || is_tagged && flags & FI_MULTI_RECV != 0 {
            return Err(FI_EBADFLAGS);
        }
        let least_free = self.least_free.load(Ordering::Relaxed) as u64;
        let incoming = PostedReceive { least_free, ..incoming };
        let search = match (flags & FI_PEEK != 0, flags & FI_CLAIM != 0, flags & FI_DISCARD != 0) {
            (false, false, false) => return self.core.receive_traced(&incoming).map(|()| 0),
            (true, false, false) => UnexpectedSearch::Peek,
            (true, true, false) => UnexpectedSearch::PeekAndClaim,
            (true, _, true) => UnexpectedSearch::PeekAndDiscard,
            (false, true, false) => UnexpectedSearch::Claimed,
            (false, true, true) => UnexpectedSearch::DiscardClaimed,
            (false, false, true) => return Err(FI_EBADFLAGS),
        };
        self.core.search(&incoming, search).map(|()| 0)
    }
}

/// Checks the flags and the length of a message or an access against what is legal.
///
/// # Errors
/// `EBADFLAGS`, `EMSGSIZE`.
pub(super) const fn check(flags: u64, legal: u64, length: usize) -> Result<(), Errno> {
    if flags & !legal != 0 {
        return Err(FI_EBADFLAGS);
    }
    let most = if flags & FI_INJECT == 0 { MESSAGE_BYTES } else { INJECT_BYTES };
    if length > most { Err(libc::EMSGSIZE) } else { Ok(()) }
}

/// The requested message, if it can be sent.
///
/// # Errors
/// As [`check`], and `EINVAL` for a tag with too many bits.
fn outgoing<'m>(
    endpoint: &EndpointObject,
    asked: &MessageRequest<'m>,
    reply: CompletionTarget,
) -> Result<OutgoingMessage<'m>, Errno> {
    let &MessageRequest { bytes, to, tag, data, flags, .. } = asked;
    check(flags, SEND_FLAGS, bytes.len())?;
    if tag.is_some_and(|tag| tag & !endpoint.core.domain.settings.messages.tag_bits != 0) {
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

/// The extra part of a message whose bytes were gathered.
fn extra_of(gathered: Gathered) -> Option<Arc<Extra>> {
    gathered.map(|bytes| Arc::new(Extra { counter: None, gathered: Some(bytes) }))
}

/// The remote completion data of a description, if its flags say that there are some.
pub(super) fn remote_data(flags: u64, data: u64) -> Option<u64> {
    (flags & FI_REMOTE_CQ_DATA != 0).then_some(data)
}

/// The message that a C description requests.
///
/// # Errors
/// As [`gather`].
///
/// # Safety
/// The description has as many ranges as it says, with the lengths that they state.
pub(crate) unsafe fn described<'m>(msg: &fi_msg, flags: u64) -> Result<(MessageRequest<'m>, Gathered), Errno> {
    let plain = MessageRequest::plain(&[], msg.addr, None, remote_data(flags, msg.data), msg.context);
    // SAFETY: as the caller promises.
    unsafe { MessageRequest { flags, ..plain }.of_ranges(msg.msg_iov, msg.iov_count) }
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
    let plain = MessageRequest::plain(&[], msg.addr, Some(msg.tag), remote_data(flags, msg.data), msg.context);
    // SAFETY: as the caller promises.
    unsafe { MessageRequest { flags, ..plain }.of_ranges(msg.msg_iov, msg.iov_count) }
}

/// A receive, by the arguments of C's functions.
fn incoming(
    (kind, tag, ignore): (PortalKind, u64, u64),
    (buffer, length): (*mut c_void, usize),
    from: fi_addr_t,
    context: *mut c_void,
    flags: u64,
) -> PostedReceive {
    PostedReceive {
        kind,
        from,
        tag,
        ignore,
        address: buffer as u64,
        length: length as u64,
        context: context as u64,
        flags,
        least_free: 0,
    }
}

/// The criteria of receives of messages without tags.
const PLAIN: (PortalKind, u64, u64) = (PortalKind::Plain, 0, 0);

/// The receive that a C description requests.
///
/// # Errors
/// As [`only`].
///
/// # Safety
/// The description has as many ranges as it says.
pub(super) unsafe fn described_receive(msg: &fi_msg, flags: u64) -> Result<PostedReceive, Errno> {
    // SAFETY: as the caller promises.
    let range = unsafe { only(msg.msg_iov, msg.iov_count)? };
    Ok(incoming(PLAIN, range, msg.addr, msg.context, flags))
}

/// The same with a tag.
///
/// # Errors
/// As [`only`].
///
/// # Safety
/// As [`described_receive`].
pub(super) unsafe fn described_tagged_receive(msg: &fi_msg_tagged, flags: u64) -> Result<PostedReceive, Errno> {
    // SAFETY: as the caller promises.
    let range = unsafe { only(msg.msg_iov, msg.iov_count)? };
    Ok(incoming((PortalKind::Tagged, msg.tag, msg.ignore), range, msg.addr, msg.context, flags))
}

impl MessageCalls for EndpointObject {
    #[inline]
    unsafe fn recv(
        &self,
        buffer: *mut c_void,
        length: usize,
        _: *mut c_void,
        from: fi_addr_t,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        self.receive(incoming(PLAIN, (buffer, length), from, context, 0))
    }

    unsafe fn recvv(
        &self,
        iov: *const libc::iovec,
        _: *mut *mut c_void,
        count: usize,
        from: fi_addr_t,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes `count` ranges.
        let range = unsafe { only(iov, count)? };
        self.receive(incoming(PLAIN, range, from, context, 0))
    }

    unsafe fn recvmsg(&self, msg: *const fi_msg, flags: u64) -> Result<isize, Errno> {
        // SAFETY: C passes a message with as many ranges as it says.
        let receive = unsafe { described_receive(msg.as_ref().ok_or(libc::EINVAL)?, flags)? };
        self.receive_described(receive, flags)
    }

    #[inline]
    unsafe fn send(
        &self,
        buffer: *const c_void,
        length: usize,
        _: *mut c_void,
        to: fi_addr_t,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        let bytes = unsafe { bytes(buffer, length) };
        self.send_plain(MessageRequest::plain(bytes, to, None, None, context))
    }

    unsafe fn sendv(
        &self,
        iov: *const libc::iovec,
        _: *mut *mut c_void,
        count: usize,
        to: fi_addr_t,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes `count` ranges.
        let (bytes, gathered) = unsafe { gather(iov, count)? };
        self.send_gathered(MessageRequest::plain(bytes, to, None, None, context), gathered)
    }

    unsafe fn sendmsg(&self, msg: *const fi_msg, flags: u64) -> Result<isize, Errno> {
        // SAFETY: C passes a message with as many ranges as it says.
        let asked = unsafe { described(msg.as_ref().ok_or(libc::EINVAL)?, flags)? };
        self.send_described(asked)
    }

    #[inline]
    unsafe fn inject(&self, buffer: *const c_void, length: usize, to: fi_addr_t) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        let bytes = unsafe { bytes(buffer, length) };
        self.send_injected(MessageRequest::plain(bytes, to, None, None, std::ptr::null_mut()))
    }

    unsafe fn senddata(
        &self,
        buffer: *const c_void,
        length: usize,
        _: *mut c_void,
        data: u64,
        to: fi_addr_t,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        let bytes = unsafe { bytes(buffer, length) };
        self.send_plain(MessageRequest::plain(bytes, to, None, Some(data), context))
    }

    unsafe fn injectdata(
        &self,
        buffer: *const c_void,
        length: usize,
        data: u64,
        to: fi_addr_t,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        let bytes = unsafe { bytes(buffer, length) };
        self.send_injected(MessageRequest::plain(bytes, to, None, Some(data), std::ptr::null_mut()))
    }
}

impl TaggedCalls for EndpointObject {
    #[inline]
    unsafe fn recv(
        &self,
        buffer: *mut c_void,
        length: usize,
        _: *mut c_void,
        from: fi_addr_t,
        tag: u64,
        ignore: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        self.receive(incoming((PortalKind::Tagged, tag, ignore), (buffer, length), from, context, 0))
    }

    unsafe fn recvv(
        &self,
        iov: *const libc::iovec,
        _: *mut *mut c_void,
        count: usize,
        from: fi_addr_t,
        tag: u64,
        ignore: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes `count` ranges.
        let range = unsafe { only(iov, count)? };
        self.receive(incoming((PortalKind::Tagged, tag, ignore), range, from, context, 0))
    }

    unsafe fn recvmsg(&self, msg: *const fi_msg_tagged, flags: u64) -> Result<isize, Errno> {
        // SAFETY: C passes a message with as many ranges as it says.
        let receive = unsafe { described_tagged_receive(msg.as_ref().ok_or(libc::EINVAL)?, flags)? };
        self.receive_described(receive, flags)
    }

    #[inline]
    unsafe fn send(
        &self,
        buffer: *const c_void,
        length: usize,
        _: *mut c_void,
        to: fi_addr_t,
        tag: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        let bytes = unsafe { bytes(buffer, length) };
        self.send_plain(MessageRequest::plain(bytes, to, Some(tag), None, context))
    }

    unsafe fn sendv(
        &self,
        iov: *const libc::iovec,
        _: *mut *mut c_void,
        count: usize,
        to: fi_addr_t,
        tag: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes `count` ranges.
        let (bytes, gathered) = unsafe { gather(iov, count)? };
        self.send_gathered(MessageRequest::plain(bytes, to, Some(tag), None, context), gathered)
    }

    unsafe fn sendmsg(&self, msg: *const fi_msg_tagged, flags: u64) -> Result<isize, Errno> {
        // SAFETY: C passes a message with as many ranges as it says.
        let asked = unsafe { described_tagged(msg.as_ref().ok_or(libc::EINVAL)?, flags)? };
        self.send_described(asked)
    }

    #[inline]
    unsafe fn inject(&self, buffer: *const c_void, length: usize, to: fi_addr_t, tag: u64) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        let bytes = unsafe { bytes(buffer, length) };
        self.send_injected(MessageRequest::plain(bytes, to, Some(tag), None, std::ptr::null_mut()))
    }

    unsafe fn senddata(
        &self,
        buffer: *const c_void,
        length: usize,
        _: *mut c_void,
        data: u64,
        to: fi_addr_t,
        tag: u64,
        context: *mut c_void,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        let bytes = unsafe { bytes(buffer, length) };
        self.send_plain(MessageRequest::plain(bytes, to, Some(tag), Some(data), context))
    }

    unsafe fn injectdata(
        &self,
        buffer: *const c_void,
        length: usize,
        data: u64,
        to: fi_addr_t,
        tag: u64,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes this many bytes.
        let bytes = unsafe { bytes(buffer, length) };
        self.send_injected(MessageRequest::plain(bytes, to, Some(tag), Some(data), std::ptr::null_mut()))
    }
}
