//! Outgoing messages: eager ones, which the target's NIC keeps if no receive waits, and rendezvous
//! ones, which their receiver fetches.

use std::sync::Arc;

use philae_fi_sys::*;
use philae_nic_core::nic::{
    ArrivingMessage, Begun, IncomingOperation, MessageLanding, OperationRequest, PortalKind, ReturnCode,
    UnexpectedMessage,
};

use super::fi_endpoint::{EndpointState, FiEndpoint};
use super::peer::EndpointPeer;
use crate::abi::Errno;
use crate::host;
use crate::operation::{LEFT_WITH_SENDER, OutgoingMessage};
use crate::peers::BytePath;
use crate::shm::area::{Entered, SharedArea};
use crate::shm::copy;
use crate::shm::flight::Cargo;
use crate::shm::inbox::{Envelope, MAIL_BYTES};

/// The most bytes that go through a block of the target instead of directly to its receive. That is
/// one copy more, but no system call.
/// Source: ours, measured (`philae nic bench`). Status: measured.
const THROUGH_BLOCK: u64 = 8_192;

/// The result of sending a message.
enum Sent {
    /// It has ended, and its bytes took this path.
    Done(ReturnCode, BytePath),
    /// The receiver will end it.
    Waits,
    /// The target has no room now.
    NoRoom,
    /// Earlier mail has not been matched yet: the message goes after that, by the same path.
    Behind,
}

/// The target's part of a transfer within the host.
pub(super) struct LocalTarget<'t> {
    pub area: &'t Arc<SharedArea>,
    pub process: u32,
    pub is_here: bool,
}

impl LocalTarget<'_> {
    /// Writes bytes to the target's memory.
    pub fn write(&self, address: u64, bytes: &[u8]) -> ReturnCode {
        if self.is_here {
            // SAFETY: this process has lent the address to a receive, or has registered it. The
            // program must avoid overlapping ranges, but even those are copied.
            unsafe { std::ptr::copy(bytes.as_ptr(), address as usize as *mut u8, bytes.len()) };
            return ReturnCode::Ok;
        }
        copy::code_of(copy::write_to(self.process, address, bytes))
    }

    /// Reads bytes from the target's memory.
    pub fn read(&self, address: u64, room: &mut [u8]) -> ReturnCode {
        if self.is_here {
            // SAFETY: as above.
            unsafe { std::ptr::copy(address as usize as *const u8, room.as_mut_ptr(), room.len()) };
            return ReturnCode::Ok;
        }
        copy::code_of(copy::read_from(self.process, address, room))
    }
}

impl FiEndpoint {
    /// Sends a message. If it cannot be delivered, its completion says so.
    ///
    /// # Errors
    /// `EAGAIN`: there is no room, here or at the target; nothing has happened.
    pub fn send(&self, message: &OutgoingMessage<'_>) -> Result<(), Errno> {
        self.check_room()?;
        let mut state = self.state();
        let peer = self.peer(&mut state, message.to)?.clone();
        let (area, process, is_here) = match peer {
            EndpointPeer::Neighbour { area, process, is_here, .. } => (area, process, is_here),
            EndpointPeer::Remote { socket, .. } => {
                drop(state);
                let sent = self.with_remote(|remote| remote.send(self, socket, message));
                match sent {
                    Ok(()) => {
                        let is_fetched = message.bytes.len() > self.domain.settings.messages.rendezvous_threshold;
                        self.traffic.command(message.flags);
                        self.traffic.sent(message.bytes.len() as u64, is_fetched);
                        self.count_sent(message, if is_fetched { BytePath::Rendezvous } else { BytePath::Eager });
                    }
                    Err(_) => self.count_refused(message.to),
                }
                return sent;
            }
            EndpointPeer::Gone { .. } => {
                drop(state);
                self.ended(&message.reply, ReturnCode::Undeliverable);
                return Ok(());
            }
        };
        let target = LocalTarget { area: &area, process, is_here };
        let is_mailed = self.mail(message, &target)?;
        let sent = if is_mailed {
            Sent::Done(ReturnCode::Ok, BytePath::Eager)
        } else {
            self.send_to_neighbour(&mut state, message, &target)?
        };
        if let Sent::Done(ReturnCode::Ok, _) | Sent::Waits = sent {
            self.traffic.command(message.flags);
            self.traffic.sent(message.bytes.len() as u64, matches!(sent, Sent::Waits));
            self.count_sent(message, if let Sent::Done(_, path) = sent { path } else { BytePath::Rendezvous });
            self.ring(&mut state, &area, message.flags, is_mailed);
        }
        drop(state);
        match sent {
            Sent::Done(code, _) => self.ended(&message.reply, code),
            Sent::Waits => {}
            Sent::NoRoom | Sent::Behind => {
                self.count_refused(message.to);
                // A dead process will never have room.
                if area.is_alive() {
                    return Err(libc::EAGAIN);
                }
                self.ended(&message.reply, ReturnCode::Undeliverable);
            }
        }
        Ok(())
    }

    /// Puts a short message into its target's inbox; returns whether that was possible.
    fn mail(&self, message: &OutgoingMessage<'_>, target: &LocalTarget<'_>) -> Result<bool, Errno> {
        let &OutgoingMessage { kind, bytes, tag, data, flags, .. } = message;
        // The sender itself matches longer messages, those that wait for their receive, and those
        // to itself.
        let is_short = bytes.len() <= MAIL_BYTES.min(self.domain.settings.messages.rendezvous_threshold);
        if !is_short || flags & FI_MATCH_COMPLETE != 0 || target.is_here {
            return Ok(false);
        }
        if target.area.is_closed() || target.area.vni() != self.vni {
            return Ok(false);
        }
        let envelope = Envelope {
            bits: tag,
            data: data.unwrap_or(0),
            flags: if data.is_some() { FI_REMOTE_CQ_DATA } else { 0 },
            source: self.address().ok_or(FI_EOPBADSTATE)?.source(),
            vni: self.vni,
        };
        Ok(target.area.put_mail(kind, &envelope, bytes))
    }

    /// Counts a message for its peer, if such counting is on.
    fn count_sent(&self, message: &OutgoingMessage<'_>, path: BytePath) {
        let Some(peers) = &self.traffic.peers else { return };
        let bytes = message.bytes.len();
        let may_be = path != BytePath::Rendezvous && self.domain.settings.messages.inline[0];
        let path = if path == BytePath::Rendezvous { path } else { path.or_inline(bytes, message.flags, may_be) };
        peers.count(message.to, |peer| peer.sent(bytes, path));
    }

    /// Counts a message for which the target has no room.
    fn count_refused(&self, to: fi_addr_t) {
        self.traffic.refused();
        if let Some(peers) = &self.traffic.peers {
            peers.count(to, |peer| peer.refused += 1);
        }
    }

    fn send_to_neighbour(
        &self,
        state: &mut EndpointState,
        message: &OutgoingMessage<'_>,
        target: &LocalTarget<'_>,
    ) -> Result<Sent, Errno> {
        if target.area.is_closed() {
            return Ok(Sent::Done(ReturnCode::Undeliverable, BytePath::Eager));
        }
        let source = self.address().ok_or(FI_EOPBADSTATE)?.source();
        let OutgoingMessage { bytes, tag, data, .. } = *message;
        let mut arrival = UnexpectedMessage::new(tag, source, bytes.len() as u64);
        arrival.data = data.unwrap_or(0);
        arrival.flags = if data.is_some() { FI_REMOTE_CQ_DATA } else { 0 };
        // Delivered means that the target's NIC has it, in its buffers or its process's; that is
        // true when this returns.
        let waits_for_match = message.flags & FI_MATCH_COMPLETE != 0;
        let is_eager = bytes.len() <= self.domain.settings.messages.rendezvous_threshold;
        if is_eager && !waits_for_match {
            let sent = self.offer(target, message.kind, arrival, bytes)?;
            // The program may reuse injected bytes immediately, so they cannot be fetched later.
            if !matches!(sent, Sent::NoRoom) || message.flags & FI_INJECT != 0 || bytes.is_empty() {
                return Ok(sent);
            }
        }
        // The receiver ends it: room for that event is reserved first.
        let own = self.enter()?.process.expect_event();
        if own.is_err() {
            return Ok(Sent::NoRoom);
        }
        let handle = self.await_end(state, message.reply.clone(), target.area);
        (arrival.address, arrival.handle) = (bytes.as_ptr() as u64, handle);
        let sent = if waits_for_match && is_eager {
            match self.offer(target, message.kind, arrival, bytes)? {
                Sent::NoRoom if message.flags & FI_INJECT == 0 => self.offer(target, message.kind, arrival, &[])?,
                other => other,
            }
        } else {
            arrival.flags |= if is_eager { LEFT_WITH_SENDER } else { 0 };
            self.offer(target, message.kind, arrival, &[])?
        };
        if !matches!(sent, Sent::Waits) {
            self.end_here(state, handle);
            self.enter()?.process.forget_event();
        }
        Ok(sent)
    }

    /// Offers a message to its target, with the bytes that it may keep.
    fn offer(
        &self,
        target: &LocalTarget<'_>,
        kind: PortalKind,
        arrival: UnexpectedMessage,
        bytes: &[u8],
    ) -> Result<Sent, Errno> {
        let Ok(mut entered) = target.area.enter() else {
            return Ok(Sent::Done(ReturnCode::Undeliverable, BytePath::Eager));
        };
        // Messages of its sender that are in the inbox, and had no room yet, come before it.
        if target.area.awaits_mail(kind) {
            return Ok(Sent::Behind);
        }
        let incoming = IncomingOperation {
            vni: self.vni,
            request: OperationRequest::Send { portal: kind, message: ArrivingMessage { arrival, bytes } },
        };
        match entered.process.begin(&incoming) {
            Ok(Begun::Lands(landing)) => {
                // The whole message is here, whatever part of it may be kept.
                let (code, path) = land(target, entered, kind, &landing, &arrival, bytes);
                Ok(Sent::Done(code, path))
            }
            Ok(_) if arrival.handle != 0 => {
                if arrival.flags & LEFT_WITH_SENDER != 0 {
                    entered.process.ask_to_take_over();
                }
                Ok(Sent::Waits)
            }
            Ok(_) => Ok(Sent::Done(ReturnCode::Ok, BytePath::Eager)),
            Err(ReturnCode::Disabled) => {
                if entered.process.matching.is_asked() {
                    target.area.ring();
                }
                Ok(Sent::NoRoom)
            }
            Err(code) => Ok(Sent::Done(code, BytePath::Eager)),
        }
    }
}

/// Delivers a message to the receive that it matched. `bytes` may be empty: then the message is
/// read from its place.
fn land(
    target: &LocalTarget<'_>,
    mut entered: Entered<'_>,
    kind: PortalKind,
    landing: &MessageLanding,
    arrival: &UnexpectedMessage,
    bytes: &[u8],
) -> (ReturnCode, BytePath) {
    let all = if bytes.is_empty() && arrival.length > 0 {
        // SAFETY: the message is this process's own, and the program has lent it to the operation.
        unsafe { std::slice::from_raw_parts(arrival.address as usize as *const u8, arrival.length as usize) }
    } else {
        bytes
    };
    let fitting = &all[..arrival.length.min(landing.room) as usize];
    let is_small = fitting.len() as u64 <= THROUGH_BLOCK && arrival.length <= landing.room;
    if fitting.is_empty() {
        entered.process.end_message(kind, landing, arrival, ReturnCode::Ok);
        return (ReturnCode::Ok, BytePath::Eager);
    }
    if is_small && !target.is_here && entered.process.end_message_kept(kind, landing, arrival, fitting) {
        return (ReturnCode::Ok, BytePath::Eager);
    }
    // The message that fills a multi-receive buffer releases it: the others must have ended by
    // then.
    let place = if landing.receive.is_for_many() || target.is_here {
        None
    } else {
        entered.flights.depart(host::process(), Cargo::message(kind, *landing, *arrival))
    };
    let Some(place) = place else {
        let code = target.write(landing.address, fitting);
        entered.process.end_message(kind, landing, arrival, code);
        return (code, BytePath::OneCopy);
    };
    drop(entered);
    let code = target.write(landing.address, fitting);
    let Ok(mut entered) = target.area.enter() else { return (ReturnCode::Undeliverable, BytePath::OneCopy) };
    entered.flights.arrive(place);
    entered.process.end_message(kind, landing, arrival, code);
    (code, BytePath::OneCopy)
}
