//! Registered memory of the target: reads, writes, atomic operations.

use philae_fi_sys::FI_CXI_PCIE_AMO;
use philae_nic_core::nic::{
    AtomicOperation, Begun, EventKind, IncomingOperation, NicEvent, OperationRequest, ReturnCode, Rights, apply,
};

use super::LocalTarget;
use crate::abi::Errno;
use crate::host;
use crate::limits::ATOMIC_BYTES;
use crate::operation::{AtomicAccess, RemoteAccess, RemoteTarget, TransferBytes};
use crate::processor::{ElementChange, add_by_bus, change};
use crate::shm::flight::Cargo;

/// Bytes that are moved under the target's lock, because this is faster than releasing and retaking
/// it. Source: ours. Status: assumed.
const UNDER_LOCK: usize = 1_024;

/// What became of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AccessResult {
    pub code: ReturnCode,
    /// Whether the target's program can notice it: its memory has changed, it has an event, or a
    /// counter has moved.
    pub is_noticed: bool,
}

impl AccessResult {
    /// An access that has not reached the target's memory.
    const fn refused(code: ReturnCode) -> Self {
        Self { code, is_noticed: false }
    }
}

/// An access to registered memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AskedAccess {
    pub place: RemoteTarget,
    pub length: usize,
    pub rights: Rights,
    /// Data for a completion at the target.
    pub data: Option<u64>,
}

impl TransferBytes<'_> {
    pub fn move_at(&mut self, target: &LocalTarget<'_>, address: u64) -> ReturnCode {
        match self {
            Self::Write(bytes) => target.write(address, bytes),
            Self::Read(room) => target.read(address, room),
        }
    }
}

impl LocalTarget<'_> {
    /// Reads or writes registered memory. `source`: that of the initiator's messages.
    ///
    /// # Errors
    /// `EAGAIN`: there is no room for an event at the target.
    pub fn access(&self, vni: u16, source: u32, access: &mut RemoteAccess<'_>) -> Result<AccessResult, Errno> {
        let (length, rights) = (access.bytes.len(), access.bytes.rights());
        let asked = AskedAccess { place: access.place, length, rights, data: access.data };
        self.access_by(vni, source, &asked, &mut |address| access.bytes.move_at(self, address))
    }

    /// The same, with a function that moves the bytes, given where they are in the target.
    ///
    /// # Errors
    /// `EAGAIN`: there is no room for an event at the target.
    pub fn access_by(
        &self,
        vni: u16,
        source: u32,
        asked: &AskedAccess,
        move_at: &mut dyn FnMut(u64) -> ReturnCode,
    ) -> Result<AccessResult, Errno> {
        let &AskedAccess { place: RemoteTarget { key, offset }, length, rights, data } = asked;
        let has_event = data.is_some();
        let refused = |code| Ok(AccessResult::refused(code));
        let Ok(mut entered) = self.area.enter() else { return refused(ReturnCode::Undeliverable) };
        if self.area.is_closed() {
            return refused(ReturnCode::Undeliverable);
        }
        let request = OperationRequest::Access { key, offset, length: length as u64, rights, has_event };
        let (address, counters) = match entered.process.begin(&IncomingOperation { vni, request }) {
            Ok(Begun::Reaches { address, counters }) => (address, counters),
            Ok(_) => return refused(ReturnCode::Unsupported),
            Err(ReturnCode::Disabled) => return Err(libc::EAGAIN),
            Err(code) => return refused(code),
        };
        let place = if length <= UNDER_LOCK || self.is_here {
            None
        } else {
            entered.flights.depart(host::process(), Cargo::Access { key, has_event })
        };
        let code = match place {
            None => move_at(address),
            Some(place) => {
                drop(entered);
                let code = move_at(address);
                let Ok(again) = self.area.enter() else { return refused(ReturnCode::Undeliverable) };
                entered = again;
                entered.flights.arrive(place);
                code
            }
        };
        let is_counted = entered.process.count(counters, code);
        if has_event {
            entered.process.end_access(NicEvent {
                data: data.unwrap_or(0),
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
            self.area.ring();
        }
        let is_written = rights.allow(Rights::REMOTE_WRITE) && code == ReturnCode::Ok;
        Ok(AccessResult { code, is_noticed: is_written || has_event || is_counted })
    }

    /// Changes registered memory, atomically with respect to all such operations.
    pub fn amo(&self, vni: u16, amo: &mut AtomicAccess<'_>) -> AccessResult {
        let refused = AccessResult::refused;
        let reads = amo.fetched.is_some() || amo.operation == AtomicOperation::Read;
        let writes = amo.operation != AtomicOperation::Read;
        let right = |is_needed: bool, right: Rights| if is_needed { right } else { Rights::NONE };
        let rights = right(reads, Rights::REMOTE_READ) | right(writes, Rights::REMOTE_WRITE);
        let RemoteTarget { key, offset } = amo.place;
        let length = amo.length;
        let request = OperationRequest::Access { key, offset, length: length as u64, rights, has_event: false };
        let Ok(mut entered) = self.area.enter() else { return refused(ReturnCode::Undeliverable) };
        if self.area.is_closed() {
            return refused(ReturnCode::Undeliverable);
        }
        let (address, counters) = match entered.process.begin(&IncomingOperation { vni, request }) {
            Ok(Begun::Reaches { address, counters }) => (address, counters),
            Ok(_) => return refused(ReturnCode::Unsupported),
            Err(code) => return refused(code),
        };
        if amo.flags & FI_CXI_PCIE_AMO != 0 {
            let fetched = amo.fetched.as_deref_mut().filter(|_| self.is_here);
            // SAFETY: the range is registered, and the lock keeps it so.
            let added = fetched.and_then(|fetched| unsafe { add_by_bus(address, amo.operand, fetched) });
            let code = if added.is_some() { ReturnCode::Ok } else { ReturnCode::Unsupported };
            let is_counted = entered.process.count(counters, code);
            return AccessResult { code, is_noticed: is_counted || code == ReturnCode::Ok };
        }
        if self.is_here {
            let &mut AtomicAccess { operation, of_type, operand, comparand, .. } = amo;
            let asked = ElementChange { operation, of_type, operand, comparand };
            // SAFETY: the range is registered, and the lock keeps it so.
            let changed = unsafe { change(address, length, asked, amo.fetched.as_deref_mut()) };
            let code = if changed.is_ok() { ReturnCode::Ok } else { ReturnCode::Unsupported };
            let is_counted = entered.process.count(counters, code);
            drop(entered);
            if is_counted {
                self.area.ring();
            }
            return AccessResult { code, is_noticed: is_counted || writes && code == ReturnCode::Ok };
        }
        // The lock makes the steps atomic.
        let mut room = [0_u8; ATOMIC_BYTES];
        let room = &mut room[..length];
        let mut code = self.read(address, room);
        if code == ReturnCode::Ok {
            let fetched = amo.fetched.as_deref_mut();
            code = match apply(amo.operation, amo.of_type, room, amo.operand, amo.comparand, fetched) {
                Ok(()) if writes => self.write(address, room),
                Ok(()) => ReturnCode::Ok,
                Err(_) => ReturnCode::Unsupported,
            };
        }
        let is_counted = entered.process.count(counters, code);
        drop(entered);
        if is_counted {
            self.area.ring();
        }
        AccessResult { code, is_noticed: is_counted || writes && code == ReturnCode::Ok }
    }
}
