//! Outgoing messages: eager ones, which the target's NIC keeps if no receive waits, and rendezvous
//! ones, which their receiver fetches.

use philae_fi_sys::*;
use philae_nic_core::nic::{ReturnCode, UnexpectedMessage};

use super::fi_endpoint::{EndpointState, FiEndpoint};
use super::peer::EndpointPeer;
use crate::abi::Errno;
use crate::operation::{LEFT_WITH_SENDER, OutgoingMessage};
use crate::peers::BytePath;
use crate::shm::inbox::{Envelope, MAIL_BYTES};
use crate::target::{LocalTarget, OfferResult};

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
            EndpointPeer::Simulated { to, .. } => {
                self.send_simulated(&mut state, message, to)?;
                let is_fetched = message.bytes.len() > self.domain.settings.messages.rendezvous_threshold;
                self.traffic.command(message.flags);
                self.traffic.sent(message.bytes.len() as u64, is_fetched);
                self.count_sent(message, if is_fetched { BytePath::Rendezvous } else { BytePath::Eager });
                return Ok(());
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
            OfferResult::Done(ReturnCode::Ok, BytePath::Eager)
        } else {
            self.send_to_neighbour(&mut state, message, &target)?
        };
        if let OfferResult::Done(ReturnCode::Ok, _) | OfferResult::Waits = sent {
            self.traffic.command(message.flags);
            self.traffic.sent(message.bytes.len() as u64, matches!(sent, OfferResult::Waits));
            self.count_sent(message, if let OfferResult::Done(_, path) = sent { path } else { BytePath::Rendezvous });
            self.ring(&mut state, &area, message.flags, is_mailed);
        }
        drop(state);
        match sent {
            OfferResult::Done(code, _) => self.ended(&message.reply, code),
            OfferResult::Waits => {}
            OfferResult::NoRoom | OfferResult::Behind => {
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
    ) -> Result<OfferResult, Errno> {
        if target.area.is_closed() {
            return Ok(OfferResult::Done(ReturnCode::Undeliverable, BytePath::Eager));
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
            let sent = target.offer(self.vni, message.kind, arrival, bytes);
            // The program may reuse injected bytes immediately, so they cannot be fetched later.
            if !matches!(sent, OfferResult::NoRoom) || message.flags & FI_INJECT != 0 || bytes.is_empty() {
                return Ok(sent);
            }
        }
        // The receiver ends it: room for that event is reserved first.
        let own = self.enter()?.process.expect_event();
        if own.is_err() {
            return Ok(OfferResult::NoRoom);
        }
        let handle = self.await_end(state, message.reply.clone(), target.area);
        (arrival.address, arrival.handle) = (bytes.as_ptr() as u64, handle);
        let sent = if waits_for_match && is_eager {
            match target.offer(self.vni, message.kind, arrival, bytes) {
                OfferResult::NoRoom if message.flags & FI_INJECT == 0 => {
                    target.offer(self.vni, message.kind, arrival, &[])
                }
                other => other,
            }
        } else {
            arrival.flags |= if is_eager { LEFT_WITH_SENDER } else { 0 };
            target.offer(self.vni, message.kind, arrival, &[])
        };
        if !matches!(sent, OfferResult::Waits) {
            self.end_here(state, handle);
            self.enter()?.process.forget_event();
        }
        Ok(sent)
    }
}
