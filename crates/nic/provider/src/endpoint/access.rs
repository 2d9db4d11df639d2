//! One-sided operations: the initiator reads, writes and changes registered memory without the
//! target's help.

use std::sync::Arc;

use philae_fi_sys::*;
use philae_nic_core::nic::{
    AtomicOperation, Begun, EventKind, IncomingOperation, NicEvent, OperationRequest, ReturnCode, Rights, apply,
};

use super::fi_endpoint::FiEndpoint;
use super::peer::EndpointPeer;
use super::transmit::LocalTarget;
use crate::abi::Errno;
use crate::host;
use crate::limits::ATOMIC_BYTES;
use crate::operation::{AtomicAccess, RemoteAccess, RemoteTarget, TransferBytes};
use crate::peers::BytePath;
use crate::processor::{ElementChange, add_by_bus, change};
use crate::shm::area::SharedArea;
use crate::shm::flight::Cargo;

/// Bytes that are moved under the target's lock, because this is faster than releasing and retaking
/// it. Source: ours. Status: assumed.
const UNDER_LOCK: usize = 1_024;

impl TransferBytes<'_> {
    fn move_at(&mut self, target: &LocalTarget<'_>, address: u64) -> ReturnCode {
        match self {
            Self::Write(bytes) => target.write(address, bytes),
            Self::Read(room) => target.read(address, room),
        }
    }
}

impl FiEndpoint {
    /// Reads or writes registered memory of another endpoint.
    ///
    /// # Errors
    /// `EAGAIN`: there is no room for its completion, or for an event at the target.
    pub fn access(&self, mut access: RemoteAccess<'_>) -> Result<(), Errno> {
        self.check_room()?;
        let mut state = self.state();
        let peer = self.peer(&mut state, access.to)?.clone();
        let (area, process, is_here) = match peer {
            EndpointPeer::Neighbour { area, process, is_here, .. } => (area, process, is_here),
            EndpointPeer::Remote { socket, .. } => {
                drop(state);
                let (is_read, length) = (matches!(access.bytes, TransferBytes::Read(_)), access.bytes.len() as u64);
                self.with_remote(|remote| remote.access(self, socket, &mut access))?;
                self.traffic.command(access.flags);
                self.traffic.accessed(is_read, length);
                self.traffic.carried(access.class);
                self.count_access(&access, BytePath::Segments);
                return Ok(());
            }
            EndpointPeer::Gone { .. } => {
                drop(state);
                self.ended(&access.reply, ReturnCode::Undeliverable);
                return Ok(());
            }
        };
        let target = LocalTarget { area: &area, process, is_here };
        let code = self.access_neighbour(&target, &mut access)?;
        let is_read = matches!(access.bytes, TransferBytes::Read(_));
        self.traffic.command(access.flags);
        self.traffic.accessed(is_read, access.bytes.len() as u64);
        self.traffic.carried(access.class);
        self.count_access(&access, BytePath::OneCopy);
        if access.data.is_some() || state.unrung.iter().any(|deferred| Arc::ptr_eq(deferred, &area)) {
            self.ring(&mut state, &area, access.flags, false);
        }
        drop(state);
        self.ended(&access.reply, code);
        Ok(())
    }

    /// Counts a read or a write for its peer, if such counting is on.
    fn count_access(&self, access: &RemoteAccess<'_>, path: BytePath) {
        let Some(peers) = &self.traffic.peers else { return };
        let (is_read, bytes) = (matches!(access.bytes, TransferBytes::Read(_)), access.bytes.len());
        let path =
            if is_read { path } else { path.or_inline(bytes, access.flags, self.domain.settings.messages.inline[1]) };
        peers.count(access.to, |peer| peer.accessed(is_read, bytes as u64, path));
    }

    /// The same for an atomic operation.
    fn count_amo(&self, amo: &AtomicAccess<'_>, path: BytePath) {
        let Some(peers) = &self.traffic.peers else { return };
        let path = path.or_inline(amo.length, amo.flags, self.domain.settings.messages.inline[2]);
        peers.count(amo.to, |peer| peer.changed(amo.length, path));
    }

    fn access_neighbour(&self, target: &LocalTarget<'_>, access: &mut RemoteAccess<'_>) -> Result<ReturnCode, Errno> {
        let (length, rights) = (access.bytes.len(), access.bytes.rights());
        let has_event = access.data.is_some();
        let Ok(mut entered) = target.area.enter() else { return Ok(ReturnCode::Undeliverable) };
        if target.area.is_closed() {
            return Ok(ReturnCode::Undeliverable);
        }
        let RemoteTarget { key, offset } = access.place;
        let request = OperationRequest::Access { key, offset, length: length as u64, rights, has_event };
        let (address, counters) = match entered.process.begin(&IncomingOperation { vni: self.vni, request }) {
            Ok(Begun::Reaches { address, counters }) => (address, counters),
            Ok(_) => return Ok(ReturnCode::Unsupported),
            Err(ReturnCode::Disabled) => return Err(libc::EAGAIN),
            Err(code) => return Ok(code),
        };
        let place = if length <= UNDER_LOCK || target.is_here {
            None
        } else {
            entered.flights.depart(host::process(), Cargo::Access { key, has_event })
        };
        let code = match place {
            None => access.bytes.move_at(target, address),
            Some(place) => {
                drop(entered);
                let code = access.bytes.move_at(target, address);
                let Ok(again) = target.area.enter() else { return Ok(ReturnCode::Undeliverable) };
                entered = again;
                entered.flights.arrive(place);
                code
            }
        };
        let is_counted = entered.process.count(counters, code);
        if has_event {
            let source = self.address().ok_or(FI_EOPBADSTATE)?.source();
            entered.process.end_access(NicEvent {
                data: access.data.unwrap_or(0),
                length: length as u64,
                address,
                source,
                kind: EventKind::RemotePut,
                code,
                ..NicEvent::default()
            });
        }
        drop(entered);
        // The target may be waiting for the counter.
        if is_counted {
            target.area.ring();
        }
        Ok(code)
    }

    /// Changes registered memory of another endpoint, atomically with respect to all such
    /// operations.
    ///
    /// # Errors
    /// `EAGAIN`: there is no room for its completion.
    pub fn amo(&self, amo: &mut AtomicAccess<'_>) -> Result<(), Errno> {
        self.check_room()?;
        let mut state = self.state();
        let peer = self.peer(&mut state, amo.to)?.clone();
        drop(state);
        let code = match peer {
            EndpointPeer::Neighbour { area, process, is_here, .. } => {
                let code = self.amo_at_neighbour(&LocalTarget { area: &area, process, is_here }, &area, amo);
                self.traffic.command(amo.flags);
                self.traffic.changed(amo.length as u64);
                self.traffic.carried_amo(amo.class, amo.is_unreliable, amo.flags);
                self.count_amo(amo, BytePath::OneCopy);
                code
            }
            EndpointPeer::Remote { socket, .. } => {
                self.with_remote(|remote| remote.amo(self, socket, amo))?;
                self.traffic.command(amo.flags);
                self.traffic.changed(amo.length as u64);
                self.traffic.carried_amo(amo.class, amo.is_unreliable, amo.flags);
                self.count_amo(amo, BytePath::Segments);
                return Ok(());
            }
            EndpointPeer::Gone { .. } => ReturnCode::Undeliverable,
        };
        self.ended(&amo.reply, code);
        Ok(())
    }

    fn amo_at_neighbour(&self, target: &LocalTarget<'_>, area: &SharedArea, amo: &mut AtomicAccess<'_>) -> ReturnCode {
        let reads = amo.fetched.is_some() || amo.operation == AtomicOperation::Read;
        let writes = amo.operation != AtomicOperation::Read;
        let right = |is_needed: bool, right: Rights| if is_needed { right } else { Rights::NONE };
        let rights = right(reads, Rights::REMOTE_READ) | right(writes, Rights::REMOTE_WRITE);
        let RemoteTarget { key, offset } = amo.place;
        let length = amo.length;
        let request = OperationRequest::Access { key, offset, length: length as u64, rights, has_event: false };
        let Ok(mut entered) = area.enter() else { return ReturnCode::Undeliverable };
        if area.is_closed() {
            return ReturnCode::Undeliverable;
        }
        let (address, counters) = match entered.process.begin(&IncomingOperation { vni: self.vni, request }) {
            Ok(Begun::Reaches { address, counters }) => (address, counters),
            Ok(_) => return ReturnCode::Unsupported,
            Err(code) => return code,
        };
        if amo.flags & FI_CXI_PCIE_AMO != 0 {
            let fetched = amo.fetched.as_deref_mut().filter(|_| target.is_here);
            // SAFETY: the range is registered, and the lock keeps it so.
            let added = fetched.and_then(|fetched| unsafe { add_by_bus(address, amo.operand, fetched) });
            let code = if added.is_some() { ReturnCode::Ok } else { ReturnCode::Unsupported };
            entered.process.count(counters, code);
            return code;
        }
        if target.is_here {
            let &mut AtomicAccess { operation, of_type, operand, comparand, .. } = amo;
            let asked = ElementChange { operation, of_type, operand, comparand };
            // SAFETY: the range is registered, and the lock keeps it so.
            let changed = unsafe { change(address, length, asked, amo.fetched.as_deref_mut()) };
            let code = if changed.is_ok() { ReturnCode::Ok } else { ReturnCode::Unsupported };
            let is_counted = entered.process.count(counters, code);
            drop(entered);
            if is_counted {
                area.ring();
            }
            return code;
        }
        // The lock makes the steps atomic.
        let mut room = [0_u8; ATOMIC_BYTES];
        let room = &mut room[..length];
        let mut code = target.read(address, room);
        if code == ReturnCode::Ok {
            let fetched = amo.fetched.as_deref_mut();
            code = match apply(amo.operation, amo.of_type, room, amo.operand, amo.comparand, fetched) {
                Ok(()) if writes => target.write(address, room),
                Ok(()) => ReturnCode::Ok,
                Err(_) => ReturnCode::Unsupported,
            };
        }
        let is_counted = entered.process.count(counters, code);
        drop(entered);
        if is_counted {
            area.ring();
        }
        code
    }
}
