//! Requests of this NIC to those on other hosts.

use std::net::SocketAddr;

use philae_fi_sys::*;
use philae_nic_core::nic::{MessageLanding, PortalKind, ReturnCode, UnexpectedMessage};

use super::command::RemoteCommand;
use super::side::{AnswerBytes, REQUESTS, RemoteSide, WireAnswer, WireOperation};
use crate::abi::Errno;
use crate::endpoint::FiEndpoint;
use crate::operation::{AtomicAccess, OutgoingMessage, RemoteAccess, TransferBytes};
use crate::traffic::PacketClass;
use crate::udp::{COPIED_MAX, TransportSendError, UdpWire};

/// An operation that is sent once and gets no answer within this time is lost. Source: ours, many
/// round trips of any network that NICs share. Status: assumed.
const ONCE_NS: u64 = 500_000_000;

impl RemoteSide {
    /// Sends a request, with bytes that the program has lent to its operation, or with a copy of
    /// them.
    ///
    /// # Errors
    /// `EAGAIN`: the queue is full, and the operation is removed. If the peer cannot be reached,
    /// the operation ends with an error of its own.
    fn request(
        &mut self,
        endpoint: &FiEndpoint,
        to: SocketAddr,
        command: &RemoteCommand,
        bytes: &[u8],
        operation: (u64, bool),
        flags: u64,
    ) -> Result<(), Errno> {
        let (handle, is_copied) = operation;
        let is_copied = is_copied || bytes.len() <= COPIED_MAX;
        let header = command.encode(endpoint.vni);
        // An operation that ends with an answer and has lent no bytes needs no report from the
        // wire.
        let is_answered = self.core.outstanding.get(&handle).is_some_and(|outstanding| outstanding.is_answered);
        let token = if is_answered && is_copied { 0 } else { handle };
        let sent = match self.wire.connect(&to, REQUESTS) {
            Err(_) => Err(TransportSendError::NoPeer(0)),
            Ok(peer) if is_copied => self.wire.send(peer, &header, bytes, token),
            // SAFETY: the program has lent the bytes to the operation, which ends when the peer has
            // them.
            Ok(peer) => unsafe { self.wire.send_from(peer, &header, bytes.as_ptr(), bytes.len() as u32, token) },
        };
        match sent {
            Ok(()) => {
                if flags & FI_MORE == 0 {
                    let _ = self.wire.flush(UdpWire::now());
                }
                self.flush_answers(endpoint);
                Ok(())
            }
            Err(TransportSendError::Busy) => {
                self.core.take(handle);
                Err(libc::EAGAIN)
            }
            Err(_) => {
                if let Some(
                    WireOperation::Sent(Some(reply))
                    | WireOperation::Offered { reply, .. }
                    | WireOperation::Asked { reply, .. },
                ) = self.core.take(handle)
                {
                    endpoint.ended(&reply, ReturnCode::Undeliverable);
                }
                Ok(())
            }
        }
    }

    fn check_room(&self, endpoint: &FiEndpoint) -> Result<(), Errno> {
        if self.outstanding() < endpoint.domain.settings.sizes.transmit { Ok(()) } else { Err(libc::EAGAIN) }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// `EAGAIN`.
    pub fn send(&mut self, endpoint: &FiEndpoint, to: SocketAddr, message: &OutgoingMessage<'_>) -> Result<(), Errno> {
        self.check_room(endpoint)?;
        let &OutgoingMessage { kind, bytes, tag, data, flags, ref reply, .. } = message;
        let (is_tagged, length) = (kind == PortalKind::Tagged, bytes.len() as u64);
        let is_injected = flags & FI_INJECT != 0;
        let waits_for_match = flags & FI_MATCH_COMPLETE != 0 && !is_injected;
        if bytes.len() <= endpoint.domain.settings.messages.rendezvous_threshold && !waits_for_match {
            let command = RemoteCommand::Send { is_tagged, bits: tag, data, length, handle: 0 };
            // An injected message ends immediately for the program.
            let kept = (!is_injected).then(|| reply.clone());
            let handle = self.core.add(WireOperation::Sent(kept), to, false);
            self.request(endpoint, to, &command, bytes, (handle, is_injected), flags)?;
            if is_injected {
                endpoint.ended(reply, ReturnCode::Ok);
            }
            return Ok(());
        }
        let operation = WireOperation::Offered { reply: reply.clone(), address: bytes.as_ptr() as u64, length };
        let handle = self.core.add(operation, to, true);
        let command = RemoteCommand::Send { is_tagged, bits: tag, data, length, handle };
        self.request(endpoint, to, &command, &[], (handle, false), flags)
    }

    /// Reads or writes registered memory.
    ///
    /// # Errors
    /// `EAGAIN`.
    pub fn access(
        &mut self,
        endpoint: &FiEndpoint,
        to: SocketAddr,
        access: &mut RemoteAccess<'_>,
    ) -> Result<(), Errno> {
        self.check_room(endpoint)?;
        let (key, offset) = (access.place.key, access.place.offset);
        let is_injected = access.flags & FI_INJECT != 0;
        let reply = access.reply.clone();
        match &mut access.bytes {
            TransferBytes::Write(bytes) => {
                if access.class == PacketClass::HighRate {
                    // Without an answer of its own: it ends when the network has brought it to the
                    // peer's NIC, like an eager message.
                    let kept = (!is_injected).then(|| reply.clone());
                    let handle = self.core.add(WireOperation::Sent(kept), to, false);
                    let command = RemoteCommand::Put { key, offset, data: access.data, handle: 0 };
                    self.request(endpoint, to, &command, bytes, (handle, is_injected), access.flags)?;
                    if is_injected {
                        endpoint.ended(&reply, ReturnCode::Ok);
                    }
                    return Ok(());
                }
                let waits_for_wire = !is_injected && bytes.len() > COPIED_MAX;
                let operation = WireOperation::Asked { reply, address: 0, length: 0, waits_for_wire, answered: None };
                let handle = self.core.add(operation, to, true);
                let command = RemoteCommand::Put { key, offset, data: access.data, handle };
                self.request(endpoint, to, &command, bytes, (handle, is_injected), access.flags)
            }
            TransferBytes::Read(room) => {
                let (address, length) = (room.as_mut_ptr() as u64, room.len() as u64);
                let operation = WireOperation::Asked { reply, address, length, waits_for_wire: false, answered: None };
                let handle = self.core.add(operation, to, true);
                let command = RemoteCommand::Get { key, offset, length, handle };
                self.request(endpoint, to, &command, &[], (handle, false), access.flags)
            }
        }
    }

    /// Changes registered memory.
    ///
    /// # Errors
    /// `EAGAIN`.
    pub fn amo(&mut self, endpoint: &FiEndpoint, to: SocketAddr, amo: &mut AtomicAccess<'_>) -> Result<(), Errno> {
        self.check_room(endpoint)?;
        let (address, fetched) = amo.fetched.as_mut().map_or((0, 0), |room| (room.as_mut_ptr() as u64, room.len()));
        if amo.is_unreliable {
            return self.amo_once(endpoint, to, amo);
        }
        let operands = [amo.operand, amo.comparand].concat();
        let (reply, length) = (amo.reply.clone(), fetched as u64);
        let operation = WireOperation::Asked { reply, address, length, waits_for_wire: false, answered: None };
        let handle = self.core.add(operation, to, true);
        let command = change(amo, handle);
        if operands.len() <= COPIED_MAX {
            return self.request(endpoint, to, &command, &operands, (handle, true), amo.flags);
        }
        // Longer operands are kept with the operation until the peer has them.
        let header = command.encode(endpoint.vni);
        let operands = operands.into_boxed_slice();
        let (begin, length) = (operands.as_ptr(), operands.len() as u32);
        let token = self.core.add(WireOperation::Answer(operands), to, false);
        let sent = match self.wire.connect(&to, REQUESTS) {
            Err(_) => Err(TransportSendError::NoPeer(0)),
            // SAFETY: the bytes stay in their place until the operation is removed, which is when
            // the peer has them.
            Ok(peer) => unsafe { self.wire.send_from(peer, &header, begin, length, token) },
        };
        if sent.is_err() {
            self.core.take(token);
            self.core.take(handle);
            return Err(libc::EAGAIN);
        }
        let _ = self.wire.flush(UdpWire::now());
        self.flush_answers(endpoint);
        Ok(())
    }

    /// Changes registered memory by a datagram that is sent once. With an answer of its own it ends
    /// with an error if that does not come in time; at the high rate it ends when it has been sent.
    fn amo_once(&mut self, endpoint: &FiEndpoint, to: SocketAddr, amo: &AtomicAccess<'_>) -> Result<(), Errno> {
        let is_answered = amo.class != PacketClass::HighRate;
        let reply = amo.reply.clone();
        let waits = WireOperation::Asked { reply, address: 0, length: 0, waits_for_wire: false, answered: None };
        let handle = if is_answered { self.core.add(waits, to, true) } else { 0 };
        let header = change(amo, handle).encode(endpoint.vni);
        let sent = match self.wire.connect(&to, REQUESTS) {
            Err(_) => Err(TransportSendError::NoPeer(0)),
            Ok(peer) => self.wire.send_once(peer, &[&header, amo.operand, amo.comparand]),
        };
        match sent {
            Ok(()) if is_answered => self.core.once.push_back((UdpWire::now() + ONCE_NS, handle)),
            Ok(()) => endpoint.ended(&amo.reply, ReturnCode::Ok),
            Err(error) => {
                self.core.take(handle);
                if error == TransportSendError::Busy {
                    return Err(libc::EAGAIN);
                }
                endpoint.ended(&amo.reply, ReturnCode::Undeliverable);
            }
        }
        if amo.flags & FI_MORE == 0 {
            let _ = self.wire.flush(UdpWire::now());
        }
        self.flush_answers(endpoint);
        Ok(())
    }

    /// Ends operations as lost that were sent once and got no answer in time.
    pub(super) fn give_up_once(&mut self, endpoint: &FiEndpoint, now: u64) {
        while let Some(&(_, handle)) = self.core.once.front().filter(|(until, _)| *until <= now) {
            self.core.once.pop_front();
            if let Some(WireOperation::Asked { reply, .. }) = self.core.take(handle) {
                endpoint.traffic.lost();
                endpoint.ended(&reply, ReturnCode::Undeliverable);
            }
        }
    }

    /// Fetches a waiting message for a receive that has been posted.
    pub fn fetch(
        &mut self,
        endpoint: &FiEndpoint,
        to: SocketAddr,
        kind: PortalKind,
        arrival: &UnexpectedMessage,
        landing: &MessageLanding,
    ) {
        let operation = WireOperation::Fetching { kind, landing: *landing, arrival: *arrival };
        let answer = self.core.add(operation, to, true);
        let length = arrival.length.min(landing.room);
        let command = RemoteCommand::Pull { handle: arrival.handle, answer, length };
        self.core.answers.push(WireAnswer { to, command, bytes: AnswerBytes::None });
        self.flush_answers(endpoint);
    }

    /// Tells the sender of a message that it has been taken.
    pub fn tell_taken(&mut self, endpoint: &FiEndpoint, to: SocketAddr, handle: u64, code: ReturnCode) {
        self.core.answers.push(WireAnswer {
            to,
            command: RemoteCommand::Done { handle, code },
            bytes: AnswerBytes::None,
        });
        self.flush_answers(endpoint);
    }
}

/// The command of an atomic operation.
fn change(amo: &AtomicAccess<'_>, handle: u64) -> RemoteCommand {
    RemoteCommand::Change {
        operation: amo.operation as u8,
        of_type: amo.of_type as u8,
        fetches: amo.fetched.is_some(),
        by_bus: amo.flags & FI_CXI_PCIE_AMO != 0,
        key: amo.place.key,
        offset: amo.place.offset,
        length: amo.length as u64,
        handle,
    }
}
