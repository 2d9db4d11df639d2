//! Calls of the program to an endpoint, with a record of each if a trace is requested.

use philae_fi_sys::{FI_MSG, FI_REMOTE_CQ_DATA, FI_TAGGED};
use philae_nic_core::nic::PortalKind;

use super::bindings::Bindings;
use super::fi_endpoint::FiEndpoint;
use crate::abi::Errno;
use crate::operation::{AtomicAccess, OutgoingMessage, PostedReceive, RemoteAccess, TransferBytes};
use crate::trace::{self, RecordKind, WORDS};

impl FiEndpoint {
    /// Records that it was enabled.
    pub(super) fn trace_enabled(&self) {
        if !trace::is_on() {
            return;
        }
        let (Some(address), Ok(bindings)) = (self.address(), self.bindings()) else { return };
        let Bindings { addresses, transmit, receive, .. } = bindings;
        let vector = addresses.as_ref().map_or(0, |addresses| trace::name(&**addresses));
        let [out, into] = [transmit, receive].map(|bound| bound.as_ref().map_or(0, |bound| trace::name(&*bound.queue)));
        trace::write(RecordKind::Endpoint, [address.incarnation, vector, out, into, u64::from(address.vni), 0, 0]);
    }

    fn trace(&self, kind: RecordKind, rest: [u64; WORDS - 3]) {
        let own = self.address().map_or(0, |address| address.incarnation);
        let [peer, tag, length, context, flags, more] = rest;
        trace::write(kind, [own, peer, tag, length, context, flags, more]);
    }

    /// [`send`](Self::send) for calls of the program.
    pub fn send_traced(&self, message: &OutgoingMessage<'_>) -> Result<(), Errno> {
        let call = trace::enter();
        let answer = self.send(message);
        if call.is_on && answer.is_ok() {
            let OutgoingMessage { to, tag, bytes, ref reply, flags, .. } = *message;
            let flags = flags | reply.kind;
            let rest = [to, tag, bytes.len() as u64, reply.context, flags, u64::from(reply.is_reported)];
            self.trace(RecordKind::Send, rest);
        }
        answer
    }

    /// [`receive`](Self::receive) for calls of the program.
    pub fn receive_traced(&self, incoming: &PostedReceive) -> Result<(), Errno> {
        let call = trace::enter();
        let answer = self.receive(incoming);
        if call.is_on && answer.is_ok() {
            self.trace_receive(incoming);
        }
        answer
    }

    /// Records a receive of a message that a search found.
    pub fn trace_claimed(&self, incoming: &PostedReceive) {
        if trace::is_on() {
            self.trace_receive(incoming);
        }
    }

    fn trace_receive(&self, incoming: &PostedReceive) {
        let &PostedReceive { kind, from, tag, ignore, length, context, flags, .. } = incoming;
        let kind = if kind == PortalKind::Tagged { FI_TAGGED } else { FI_MSG };
        self.trace(RecordKind::Receive, [from, tag, length, context, flags | kind, ignore]);
    }

    /// [`access`](Self::access) for calls of the program.
    pub fn access_traced(&self, access: RemoteAccess<'_>) -> Result<(), Errno> {
        let call = trace::enter();
        if !call.is_on {
            return self.access(access);
        }
        let kind = if matches!(access.bytes, TransferBytes::Read(_)) { RecordKind::Read } else { RecordKind::Write };
        let RemoteAccess { to, place, ref reply, flags, data, .. } = access;
        let flags = flags | if data.is_some() { FI_REMOTE_CQ_DATA } else { 0 };
        let rest = [to, place.key, reply.length, reply.context, flags | reply.kind, u64::from(reply.is_reported)];
        let answer = self.access(access);
        if answer.is_ok() {
            self.trace(kind, rest);
        }
        answer
    }

    /// [`amo`](Self::amo) for calls of the program.
    pub fn amo_traced(&self, amo: &mut AtomicAccess<'_>) -> Result<(), Errno> {
        let call = trace::enter();
        let answer = self.amo(amo);
        if call.is_on && answer.is_ok() {
            let AtomicAccess { to, place, length, ref fetched, ref reply, .. } = *amo;
            let more = u64::from(reply.is_reported) | u64::from(fetched.is_some()) << 1;
            self.trace(RecordKind::Atomic, [to, place.key, length as u64, reply.context, reply.kind, more]);
        }
        answer
    }
}
