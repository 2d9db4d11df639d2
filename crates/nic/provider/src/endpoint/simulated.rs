//! Operations with peers of a simulated run: they are handed to its coordinator, which ends them.

use philae_cosim::{PeerAddress, RankCommand, RankCommandKind};
use philae_fi_sys::{FI_INJECT, FI_MATCH_COMPLETE, FI_MORE, FI_MSG, FI_TAGGED};
use philae_nic_core::nic::{MessageLanding, NicEvent, PortalKind, UnexpectedMessage};

use super::fi_endpoint::{EndpointState, FiEndpoint};
use crate::abi::Errno;
use crate::operation::{AtomicAccess, CompletionTarget, OutgoingMessage, RemoteAccess, TransferBytes};
use crate::shm::area::Entered;
use crate::simulated::rank::{LookMark, Pause};
use crate::simulated::{flags, rank};

/// Longer writes are read from the program's memory when they arrive. Source: ours. Status:
/// assumed.
const COPIED_WRITE: usize = 1_024;

/// A message that is being fetched from its sender for a receive that it has matched.
#[derive(Clone, Copy, Debug)]
pub(super) struct FetchedMessage {
    pub kind: PortalKind,
    pub arrival: UnexpectedMessage,
    pub landing: MessageLanding,
}

/// Flags of commands that do not depend on the kind of operation.
const fn levels(asked: u64) -> u64 {
    let matched = if asked & FI_MATCH_COMPLETE == 0 { 0 } else { flags::MATCHED };
    matched | if asked & FI_MORE == 0 { 0 } else { flags::MORE }
}

impl FiEndpoint {
    /// Hands over an operation that the coordinator ends.
    fn issue(
        &self,
        state: &mut EndpointState,
        reply: CompletionTarget,
        command: RankCommand,
        bytes: Option<&[u8]>,
    ) -> Result<(), Errno> {
        let area = self.area()?;
        // Room for the event of its end.
        if self.enter()?.process.expect_event().is_err() {
            // A program that only tries again lets the time pass in which others end.
            rank::found_nothing(Pause::Retries, &LookMark::default());
            return Err(libc::EAGAIN);
        }
        let silent = if self.is_awaited(&reply) { 0 } else { flags::SILENT };
        let handle = self.await_end(state, reply, area);
        let endpoint = self.address().ok_or(philae_fi_sys::FI_EOPBADSTATE)?.source();
        rank::issue(RankCommand { handle, endpoint, flags: command.flags | silent, ..command }, bytes).inspect_err(
            |_| {
                self.end_here(state, handle);
                if let Ok(mut entered) = self.enter() {
                    entered.process.forget_event();
                }
            },
        )
    }

    /// Whether a program that looks for completions awaits one: an operation is on its way, or a
    /// receive for one message is posted. One that has neither may wait for memory, if its endpoint
    /// has no messages.
    pub fn is_awaited_at(&self) -> bool {
        if self.capabilities & (FI_MSG | FI_TAGGED) == 0 || self.software.is_active() {
            return true;
        }
        if self.state().pending.values().any(|pending| self.is_awaited(&pending.reply)) {
            return true;
        }
        let Ok(mut entered) = self.enter() else { return true };
        [PortalKind::Tagged, PortalKind::Plain].into_iter().any(|kind| {
            let mut is_posted = false;
            entered.process.portal(kind).receives.each(|_, receive| is_posted |= !receive.is_for_many());
            is_posted
        })
    }

    /// Sends a message to a peer of the run.
    pub(super) fn send_simulated(
        &self,
        state: &mut EndpointState,
        message: &OutgoingMessage<'_>,
        to: PeerAddress,
    ) -> Result<(), Errno> {
        let is_eager = message.bytes.len() <= self.domain.settings.messages.rendezvous_threshold;
        let tagged = if message.kind == PortalKind::Tagged { flags::TAGGED } else { 0 };
        let data = if message.data.is_some() { flags::DATA } else { 0 };
        let command = RankCommand {
            kind: RankCommandKind::Send as u32,
            to,
            bits: message.tag,
            data: message.data.unwrap_or(0),
            flags: tagged | data | levels(message.flags),
            address: message.bytes.as_ptr() as u64,
            length: message.bytes.len() as u64,
            ..RankCommand::default()
        };
        self.issue(state, message.reply.clone(), command, is_eager.then_some(message.bytes))
    }

    /// Reads or writes registered memory of a peer of the run.
    pub(super) fn access_simulated(
        &self,
        state: &mut EndpointState,
        access: &mut RemoteAccess<'_>,
        to: PeerAddress,
    ) -> Result<(), Errno> {
        let length = access.bytes.len();
        let is_copied = access.flags & FI_INJECT != 0 || length <= COPIED_WRITE;
        let (kind, address, bytes) = match &mut access.bytes {
            TransferBytes::Write(bytes) => (RankCommandKind::Put, bytes.as_ptr() as u64, is_copied.then_some(&**bytes)),
            TransferBytes::Read(room) => (RankCommandKind::Get, room.as_mut_ptr() as u64, None),
        };
        let command = RankCommand {
            kind: kind as u32,
            to,
            data: access.data.unwrap_or(0),
            flags: levels(access.flags) | if access.data.is_some() { flags::DATA } else { 0 },
            address,
            length: length as u64,
            key: access.place.key,
            offset: access.place.offset,
            ..RankCommand::default()
        };
        self.issue(state, access.reply.clone(), command, bytes)
    }

    /// Changes registered memory of a peer of the run.
    pub(super) fn amo_simulated(
        &self,
        state: &mut EndpointState,
        amo: &mut AtomicAccess<'_>,
        to: PeerAddress,
    ) -> Result<(), Errno> {
        let fetched = amo.fetched.as_mut().map_or(0, |room| room.as_mut_ptr() as u64);
        let kind = u64::from(amo.of_type as u8) << 32 | u64::from(amo.operation as u8);
        let command = RankCommand {
            kind: RankCommandKind::Amo as u32,
            to,
            flags: levels(amo.flags) | if amo.fetched.is_some() { flags::FETCHES } else { 0 },
            key: amo.place.key,
            offset: amo.place.offset,
            more: [kind, amo.operand.len() as u64, fetched, amo.length as u64],
            ..RankCommand::default()
        };
        self.issue(state, amo.reply.clone(), command, Some(&[amo.operand, amo.comparand].concat()))
    }

    /// Fetches a message from its sender, for a receive that it has matched.
    pub(super) fn fetch_simulated(
        &self,
        kind: PortalKind,
        arrival: &UnexpectedMessage,
        landing: &MessageLanding,
    ) -> Result<(), Errno> {
        let is_for_many = landing.receive.is_for_many();
        if is_for_many {
            self.fetching.begins(landing.receive.context);
        }
        let mut state = self.state();
        let handle = state.next_handle();
        let mut arrival = *arrival;
        arrival.flags |= if is_for_many { super::fetching::FETCHED } else { 0 };
        state.fetched.insert(handle, FetchedMessage { kind, arrival, landing: *landing });
        let last = if is_for_many && landing.is_last { flags::LAST } else { 0 };
        let command = RankCommand {
            kind: RankCommandKind::Fetch as u32,
            endpoint: self.address().ok_or(philae_fi_sys::FI_EOPBADSTATE)?.source(),
            handle,
            bits: landing.receive.context,
            flags: last,
            address: landing.address,
            length: arrival.length.min(landing.room),
            key: u64::from(arrival.source),
            offset: arrival.handle,
            ..RankCommand::default()
        };
        rank::issue(command, None)
    }

    /// A message will not be fetched: its sender may end it.
    pub(super) fn discard_simulated(&self, source: u32, handle: u64) {
        let Some(own) = self.address() else { return };
        let command = RankCommand {
            kind: RankCommandKind::Discard as u32,
            endpoint: own.source(),
            key: u64::from(source),
            offset: handle,
            ..RankCommand::default()
        };
        // Without a run there is nothing to tell.
        let _ = rank::issue(command, None);
    }

    /// A message that was fetched is there, or has failed: this ends it. Its event has just been
    /// taken from the ring, so there is room for that of its receive.
    pub(super) fn end_fetched(entered: &mut Entered<'_>, fetched: &FetchedMessage, event: &NicEvent) {
        if entered.process.expect_event().is_ok() {
            entered.process.end_message(fetched.kind, &fetched.landing, &fetched.arrival, event.code);
        }
    }

    /// Whether a message is one of the run's.
    pub(super) fn is_simulated(&self, source: u32) -> bool {
        self.domain.settings.wires.is_simulated && self.address().is_some_and(|own| own.source() != source)
    }
}
