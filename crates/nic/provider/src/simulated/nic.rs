//! The NIC's part of operations, as the coordinator of a simulated run carries it out in the area
//! of an endpoint of a rank.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use philae_cosim::PeerAddress;
use philae_nic_core::nic::{
    ANY_SOURCE, ArrivingMessage, AtomicOperation, AtomicType, Begun, EventKind, IncomingOperation, MessageLanding,
    NicEvent, OperationRequest, PortalKind, Rights, UnexpectedMessage,
};

pub use philae_nic_core::nic::ReturnCode;

use super::{flags, numbers_of};
use crate::address::{EndpointAddress, area_name};
use crate::host;
use crate::limits::{ATOMIC_BYTES, EAGER_MAX};
use crate::operation::{AtomicAccess, CompletionTarget, RemoteTarget, TransferBytes};
use crate::shm::area::{AreaError, SharedArea};
use crate::shm::copy;
use crate::target::{AccessResult, AskedAccess, LocalTarget};
use crate::traffic::PacketClass;

/// Bytes that are copied from one rank to another at a time. Source: ours; they stay in the cache.
/// Status: assumed.
const COPIED_AT_A_TIME: usize = 256 << 10;

/// The longest message that an endpoint keeps while it waits for its receive.
pub const KEPT_MAX: usize = EAGER_MAX;

/// An endpoint of a rank.
#[derive(Debug)]
pub struct RankEndpoint {
    address: PeerAddress,
    area: Arc<SharedArea>,
    /// Whether its rank has closed it, as the coordinator knows it.
    is_closed: AtomicBool,
    process: u32,
    source: u32,
    vni: u16,
}

/// A message on its way.
#[derive(Clone, Copy, Debug)]
pub struct MessageEnvelope {
    /// [`flags`] of the command.
    pub flags: u64,
    /// Match bits.
    pub bits: u64,
    /// Data for its completion.
    pub data: u64,
    /// The source of its sender.
    pub source: u32,
    /// The sender's handle, by which the target fetches it; 0: all its bytes come with it.
    pub handle: u64,
    /// Its bytes.
    pub length: u64,
}

/// A message that has matched a receive.
#[derive(Clone, Copy, Debug)]
pub struct MatchedMessage {
    kind: PortalKind,
    landing: MessageLanding,
    arrival: UnexpectedMessage,
}

impl MatchedMessage {
    /// The context of its receive, if that is a multi-receive buffer, and whether it has taken its
    /// last message.
    #[must_use]
    pub fn buffer(&self) -> Option<(u64, bool)> {
        self.landing.receive.is_for_many().then_some((self.landing.receive.context, self.landing.is_last))
    }

    /// When its receive was posted, in picoseconds.
    #[must_use]
    pub fn posted_at(&self) -> u64 {
        self.landing.receive.posted_at
    }

    /// Where its bytes go, and how many fit.
    #[must_use]
    pub fn place(&self) -> (u64, u64) {
        (self.landing.address, self.landing.room.min(self.arrival.length))
    }
}

/// What became of a message that was offered to its target.
#[derive(Clone, Debug)]
pub enum OfferedMessage {
    /// It has matched a receive.
    Matched(Box<MatchedMessage>),
    /// It waits for one.
    Waits,
    /// The target has no room now.
    NoRoom,
    /// The target refuses it.
    Refused(ReturnCode),
}

/// An operation on memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryOperation {
    /// [`flags`] of the command.
    pub flags: u64,
    /// The key of the region.
    pub key: u64,
    /// The offset in it.
    pub offset: u64,
    /// Data for a completion at the target.
    pub data: u64,
    /// The source of its initiator.
    pub source: u32,
}

/// An operation and a type of atomic operations, as numbers.
#[derive(Clone, Copy, Debug)]
pub struct ChangeKind {
    /// The operation.
    pub operation: u32,
    /// The type.
    pub of_type: u32,
}

const fn kind_of(flags: u64) -> PortalKind {
    if flags & flags::TAGGED == 0 { PortalKind::Plain } else { PortalKind::Tagged }
}

const fn no_reply() -> CompletionTarget {
    CompletionTarget { context: 0, kind: 0, is_reported: false, length: 0, extra: None }
}

impl RankEndpoint {
    /// The endpoint at an address of this host and this user.
    ///
    /// # Errors
    /// [`AreaError`]: there is none.
    pub fn open(address: PeerAddress) -> Result<Self, AreaError> {
        let (device, vni, pid) = numbers_of(address);
        let (user, incarnation) = (host::user(), address.incarnation);
        let name = area_name(user, device, vni, pid);
        let area = SharedArea::open(&name)?;
        if area.incarnation() != incarnation {
            return Err(AreaError::Foreign { name });
        }
        let host = host::number();
        let whole = EndpointAddress { host, user, device, vni, pid, incarnation, socket: None, takes_copies: true };
        let (process, source, is_closed) = (area.owner(), whole.source(), AtomicBool::new(false));
        Ok(Self { address, process, area: Arc::new(area), is_closed, source, vni })
    }

    /// Its address, which no other endpoint of the run has.
    #[must_use]
    pub fn address(&self) -> PeerAddress {
        self.address
    }

    /// Its rank has closed it: nothing takes effect there from now on.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    /// Whether its rank has closed it.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed) || self.area.is_closed()
    }

    /// The source that its messages carry.
    #[must_use]
    pub fn source(&self) -> u32 {
        self.source
    }

    /// Reads memory of its process.
    pub fn read(&self, address: u64, room: &mut [u8]) -> ReturnCode {
        copy::code_of(copy::read_from(self.process, address, room))
    }

    /// Writes it.
    pub fn write(&self, address: u64, bytes: &[u8]) -> ReturnCode {
        // Its memory may be another's by now.
        if self.is_closed() {
            return ReturnCode::Undeliverable;
        }
        copy::code_of(copy::write_to(self.process, address, bytes))
    }

    /// Offers a message. `bytes`: those that have come with it.
    #[must_use]
    pub fn offer(&self, message: &MessageEnvelope, bytes: &[u8]) -> OfferedMessage {
        let Ok(mut entered) = self.area.enter() else { return OfferedMessage::Refused(ReturnCode::Undeliverable) };
        if self.is_closed() {
            return OfferedMessage::Refused(ReturnCode::Undeliverable);
        }
        let kind = kind_of(message.flags);
        if self.area.awaits_mail(kind) {
            return OfferedMessage::NoRoom;
        }
        let mut arrival = UnexpectedMessage::new(message.bits, message.source, message.length);
        (arrival.data, arrival.handle) = (message.data, message.handle);
        arrival.flags = if message.flags & flags::DATA == 0 { 0 } else { philae_fi_sys::FI_REMOTE_CQ_DATA };
        let request = OperationRequest::Send { portal: kind, message: ArrivingMessage { arrival, bytes } };
        match entered.process.begin(&IncomingOperation { vni: self.vni, request }) {
            Ok(Begun::Lands(landing)) => OfferedMessage::Matched(Box::new(MatchedMessage { kind, landing, arrival })),
            Ok(_) => {
                drop(entered);
                self.area.ring();
                OfferedMessage::Waits
            }
            Err(ReturnCode::Disabled) => {
                drop(entered);
                // The rank may have to take messages over.
                self.area.ring();
                OfferedMessage::NoRoom
            }
            Err(code) => OfferedMessage::Refused(code),
        }
    }

    /// Writes the bytes of a message to the receive that it has matched.
    #[must_use]
    pub fn deliver_bytes(&self, matched: &MatchedMessage, bytes: &[u8]) -> ReturnCode {
        let (address, fits) = matched.place();
        let fitting = &bytes[..bytes.len().min(fits as usize)];
        if fitting.is_empty() { ReturnCode::Ok } else { self.write(address, fitting) }
    }

    /// Copies bytes from the memory of another rank to that of this one.
    pub fn copy_from(&self, to: u64, sender: &Self, from: u64, length: u64) -> ReturnCode {
        let mut room = vec![0; COPIED_AT_A_TIME.min(length as usize)];
        let mut done = 0;
        while done < length {
            let part = &mut room[..COPIED_AT_A_TIME.min((length - done) as usize)];
            let code = match sender.read(from + done, part) {
                ReturnCode::Ok => self.write(to + done, part),
                code => code,
            };
            if code != ReturnCode::Ok {
                return code;
            }
            done += part.len() as u64;
        }
        ReturnCode::Ok
    }

    /// Ends a message that has matched.
    pub fn end_matched(&self, matched: &MatchedMessage, code: ReturnCode) {
        if self.is_closed() {
            return;
        }
        let Ok(mut entered) = self.area.enter() else { return };
        entered.process.end_message(matched.kind, &matched.landing, &matched.arrival, code);
        drop(entered);
        self.area.ring();
    }

    /// Writes registered memory.
    pub fn put(&self, operation: &MemoryOperation, bytes: &[u8]) -> MemoryResult {
        let data = (operation.flags & flags::DATA != 0).then_some(operation.data);
        self.access(operation, TransferBytes::Write(bytes), data)
    }

    /// Reads registered memory.
    pub fn get(&self, operation: &MemoryOperation, room: &mut [u8]) -> MemoryResult {
        self.access(operation, TransferBytes::Read(room), None)
    }

    /// Writes registered memory with bytes of another endpoint's process, part by part.
    pub fn put_from(&self, operation: &MemoryOperation, from: &Self, address: u64, length: u64) -> MemoryResult {
        let data = (operation.flags & flags::DATA != 0).then_some(operation.data);
        let copy = &mut |to: u64| self.copy_from(to, from, address, length);
        self.access_by(operation, (length as usize, Rights::REMOTE_WRITE), data, copy)
    }

    /// Reads registered memory into that of another endpoint's process, part by part.
    pub fn get_to(&self, operation: &MemoryOperation, to: &Self, address: u64, length: u64) -> MemoryResult {
        let copy = &mut |from: u64| to.copy_from(address, self, from, length);
        self.access_by(operation, (length as usize, Rights::REMOTE_READ), None, copy)
    }

    fn access(&self, operation: &MemoryOperation, mut bytes: TransferBytes<'_>, data: Option<u64>) -> MemoryResult {
        let (length, rights) = (bytes.len(), bytes.rights());
        let move_at = &mut |address| bytes.move_at(&self.as_target(), address);
        self.access_by(operation, (length, rights), data, move_at)
    }

    fn access_by(
        &self,
        operation: &MemoryOperation,
        (length, rights): (usize, Rights),
        data: Option<u64>,
        move_at: &mut dyn FnMut(u64) -> ReturnCode,
    ) -> MemoryResult {
        if self.is_closed() {
            return MemoryResult { code: ReturnCode::Undeliverable, is_noticed: false };
        }
        let &MemoryOperation { key, offset, source, .. } = operation;
        let asked = AskedAccess { place: RemoteTarget { key, offset }, length, rights, data };
        match self.as_target().access_by(self.vni, source, &asked, move_at) {
            Ok(result) => self.told(result),
            // The rank does not read its events: the NIC has no room for one more.
            Err(_) => MemoryResult { code: ReturnCode::Disabled, is_noticed: false },
        }
    }

    fn as_target(&self) -> LocalTarget<'_> {
        LocalTarget { area: &self.area, process: self.process, is_here: false }
    }

    /// Tells the rank of what its program can notice.
    fn told(&self, AccessResult { code, is_noticed }: AccessResult) -> MemoryResult {
        if is_noticed {
            self.area.ring();
        }
        MemoryResult { code, is_noticed }
    }

    /// Changes registered memory. `operands`: the operand, then the comparand if there is one.
    /// Returns the old value if it was asked for.
    #[must_use]
    pub fn change(
        &self,
        operation: &MemoryOperation,
        kind: ChangeKind,
        operands: (&[u8], &[u8]),
        length: usize,
    ) -> (MemoryResult, Option<Vec<u8>>) {
        let refused = |code| (MemoryResult { code, is_noticed: false }, None);
        let numbers = (AtomicOperation::of_number(kind.operation), AtomicType::of_number(kind.of_type));
        let (Some(asked), Some(of_type)) = numbers else { return refused(ReturnCode::Unsupported) };
        if length > ATOMIC_BYTES {
            return refused(ReturnCode::Unsupported);
        }
        if self.is_closed() {
            return refused(ReturnCode::Undeliverable);
        }
        let mut old = (operation.flags & flags::FETCHES != 0).then(|| vec![0; length]);
        let mut amo = AtomicAccess {
            to: 0,
            place: RemoteTarget { key: operation.key, offset: operation.offset },
            operation: asked,
            of_type,
            operand: operands.0,
            comparand: operands.1,
            fetched: old.as_deref_mut(),
            length,
            flags: 0,
            class: PacketClass::default(),
            is_unreliable: false,
            reply: no_reply(),
        };
        let result = self.as_target().amo(self.vni, &mut amo);
        (self.told(result), old)
    }

    /// Ends an operation of the endpoint's own.
    pub fn end(&self, handle: u64, code: ReturnCode) {
        if handle == 0 || self.is_closed() {
            return;
        }
        let Ok(mut entered) = self.area.enter() else { return };
        entered.process.end_access(NicEvent { context: handle, kind: EventKind::Send, code, ..NicEvent::default() });
        drop(entered);
        self.area.ring();
    }

    /// Its first receives, at most this many of each kind.
    #[must_use]
    pub fn posted(&self, most: usize) -> Vec<UnmatchedMessage> {
        let Ok(mut entered) = self.area.enter() else { return Vec::new() };
        let mut found = Vec::new();
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            let mut left = most;
            entered.process.portal(kind).receives.each(|_, receive| {
                if left > 0 && !receive.is_for_many() {
                    left -= 1;
                    found.push(UnmatchedMessage {
                        is_tagged: kind == PortalKind::Tagged,
                        source: (receive.criteria.source != ANY_SOURCE).then_some(receive.criteria.source),
                        bits: receive.criteria.bits,
                    });
                }
            });
        }
        found
    }

    /// The first messages that have come and wait for a receive, at most this many of each kind.
    #[must_use]
    pub fn arrived(&self, most: usize) -> Vec<UnmatchedMessage> {
        let Ok(mut entered) = self.area.enter() else { return Vec::new() };
        let mut found = Vec::new();
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            let mut left = most;
            entered.process.portal(kind).arrivals.each(|arrival| {
                if left > 0 {
                    left -= 1;
                    let is_tagged = kind == PortalKind::Tagged;
                    found.push(UnmatchedMessage { is_tagged, source: Some(arrival.source), bits: arrival.bits });
                }
            });
        }
        found
    }
}

/// A receive that waits for a message, or a message that waits for a receive.
#[derive(Clone, Copy, Debug)]
pub struct UnmatchedMessage {
    /// Whether it has a tag.
    pub is_tagged: bool,
    /// The message's source; `None`: a receive takes any.
    pub source: Option<u32>,
    /// The message's match bits.
    pub bits: u64,
}

/// What became of an operation on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryResult {
    /// How it has ended.
    pub code: ReturnCode,
    /// Whether the target's program can notice it: its memory has changed, it has an event, or a
    /// counter has moved. Otherwise its NIC has done all by itself.
    pub is_noticed: bool,
}
