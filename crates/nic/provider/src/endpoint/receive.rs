//! Receives, and searches among the messages that wait for one.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;
use philae_nic_core::nic::{
    ANY_SOURCE, Criteria, EventKind, ListFull, MessageLanding, NicEvent, PortalKind, Posted, Receive, ReturnCode,
    UnexpectedMessage,
};

use super::bindings::Bound;
use super::fi_endpoint::FiEndpoint;
use super::peer::EndpointPeer;
use super::software::Searched;
use super::unexpected_buffer::IN_UNEXPECTED_BUFFER;
use crate::abi::Errno;
use crate::address::{NOT_AVAILABLE, place_of};
use crate::completion::OperationResult;
use crate::host;
use crate::operation::{PostedReceive, UnexpectedSearch};
use crate::remote::{REMOTE, RemoteSide};
use crate::shm::area::Entered;
use crate::simulated::rank;
use crate::target::LocalTarget;

impl FiEndpoint {
    /// Posts a receive.
    ///
    /// # Errors
    /// `EAGAIN`: the list or the event queue is full.
    pub fn receive(&self, incoming: &PostedReceive) -> Result<(), Errno> {
        let (receive, has_left) = self.receive_of(incoming)?;
        self.post(incoming.kind, receive, has_left)
    }

    /// The receive, and whether the only sender that it accepts has left: then it gets a waiting
    /// message, or an error.
    fn receive_of(&self, incoming: &PostedReceive) -> Result<(Receive, bool), Errno> {
        let (source, has_left) = self.source_of(incoming)?;
        let criteria = Criteria::new(incoming.tag, incoming.ignore, source);
        let PostedReceive { address, length, context, flags, least_free, .. } = *incoming;
        let least_free = if flags & FI_MULTI_RECV == 0 { 0 } else { least_free.max(1) };
        let mut receive = Receive::new(criteria, address, length, context);
        (receive.flags, receive.least_free) = (flags, least_free);
        if self.domain.settings.wires.is_simulated {
            receive.posted_at = rank::clock();
        }
        Ok((receive, has_left))
    }

    /// The source of an address's messages, and whether their sender has left. Any source, if the
    /// endpoint need not tell senders apart.
    fn source_of(&self, incoming: &PostedReceive) -> Result<(u32, bool), Errno> {
        let from = incoming.from;
        if from == NOT_AVAILABLE || self.capabilities & FI_DIRECTED_RECV == 0 {
            return Ok((ANY_SOURCE, false));
        }
        // Known from now on: if it dies, the receive ends.
        let mut state = self.state();
        match *self.peer(&mut state, from)? {
            EndpointPeer::Neighbour { source, ref area, .. } => Ok((source, area.is_closed())),
            EndpointPeer::Simulated { source, .. } => Ok((source, false)),
            EndpointPeer::Remote { source, socket } => {
                drop(state);
                let awaits = |remote: &mut RemoteSide| {
                    remote.await_messages(self, socket);
                    Ok((source, false))
                };
                self.with_remote(awaits)
            }
            EndpointPeer::Gone { source } => {
                drop(state);
                Ok((self.last_from(incoming.kind, source)?, true))
            }
        }
    }

    /// The source of messages that wait here from a sender that has left. A composed address does
    /// not say which of the processes with its number it meant; a message of the last one does.
    fn last_from(&self, kind: PortalKind, source: u32) -> Result<u32, Errno> {
        if source != place_of(source) {
            return Ok(source);
        }
        let mut last = source;
        let mut visit = |arrival: &UnexpectedMessage| {
            if arrival.source & REMOTE == 0 && place_of(arrival.source) == source {
                last = arrival.source;
            }
        };
        let mut entered = self.enter()?;
        self.software.each(kind, &mut visit);
        entered.process.portal(kind).arrivals.each(visit);
        Ok(last)
    }

    /// The sources for whose messages receives wait.
    pub fn sources_waited_for(&self) -> HashSet<u32> {
        let mut sources = HashSet::new();
        let Ok(mut entered) = self.enter() else { return sources };
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            let mut note = |receive: &Receive| _ = sources.insert(receive.criteria.source);
            entered.process.portal(kind).receives.each(|_, receive| note(receive));
            self.software.each_receive(kind, note);
        }
        sources
    }

    /// The counts of its traffic, each with its name.
    pub fn counts(&self) -> [(&'static str, u64); 24] {
        if let Ok(mut entered) = self.enter() {
            let in_nic = [PortalKind::Plain, PortalKind::Tagged].map(|kind| entered.process.portal(kind).compared());
            let compared = in_nic.iter().sum::<u64>() + self.software.compared();
            self.traffic.matches.compared.store(compared, Ordering::Relaxed);
        }
        self.traffic.counts()
    }

    fn post(&self, kind: PortalKind, mut receive: Receive, has_left: bool) -> Result<(), Errno> {
        loop {
            if self.software.is_active() {
                match self.post_with_software(kind, receive, has_left)? {
                    Some(left) => receive = left,
                    None => return Ok(()),
                }
                continue;
            }
            let mut entered = self.enter()?;
            match entered.process.post(kind, receive) {
                Ok(Posted::Waits { index }) => {
                    if has_left {
                        self.end_posted_in_vain(entered, kind, index);
                    }
                    return Ok(());
                }
                Ok(Posted::Takes { arrival, landing }) => {
                    self.take(entered, kind, &arrival, &landing)?;
                    if landing.is_last {
                        return Ok(());
                    }
                    // A multi-receive buffer takes all waiting messages, and then waits itself.
                    receive.used += arrival.length.min(landing.room);
                }
                Err(ListFull { list: "priority", .. }) => self.software.begin(),
                Err(_) => return Err(libc::EAGAIN),
            }
        }
    }

    /// Delivers a waiting message to its receive.
    pub(super) fn take<'p>(
        &'p self,
        mut entered: Entered<'p>,
        kind: PortalKind,
        arrival: &UnexpectedMessage,
        landing: &MessageLanding,
    ) -> Result<(), Errno> {
        let fitting = arrival.length.min(landing.room) as usize;
        if let Some(kept) = self.software.take_bytes(arrival) {
            // SAFETY: the program has lent this memory to the receive.
            unsafe {
                let place = landing.address as usize as *mut u8;
                std::ptr::copy_nonoverlapping(kept.as_ptr(), place, fitting.min(kept.len()));
            }
            entered.process.end_message(kind, landing, arrival, ReturnCode::Ok);
            drop(entered);
            self.wake();
            self.tell_taken(arrival.source, arrival.handle, ReturnCode::Ok);
            return Ok(());
        }
        if arrival.handle & IN_UNEXPECTED_BUFFER != 0 {
            let kept = self.unexpected.take(arrival.handle).unwrap_or_default();
            let fitting = fitting.min(kept.len());
            // SAFETY: the program has lent this memory to the receive.
            unsafe {
                let place = landing.address as usize as *mut u8;
                std::ptr::copy_nonoverlapping(kept.as_ptr(), place, fitting);
            }
            entered.process.end_message(kind, landing, arrival, ReturnCode::Ok);
            drop(entered);
            self.wake();
            return Ok(());
        }
        if arrival.handle != 0 && arrival.kept < arrival.length && self.is_simulated(arrival.source) {
            drop(entered);
            return self.fetch_simulated(kind, arrival, landing);
        }
        if arrival.source & REMOTE != 0 && arrival.handle != 0 {
            drop(entered);
            if landing.receive.is_for_many() {
                self.fetching.begins(landing.receive.context);
            }
            let socket = self.remote_name(arrival.source).ok_or(libc::EINVAL)?;
            return self.with_remote(|remote| {
                remote.fetch(self, socket, kind, arrival, landing);
                Ok(())
            });
        }
        let code = if arrival.kept >= fitting as u64 {
            let portal = entered.process.portal(kind);
            // SAFETY: the program has lent this memory to the receive.
            unsafe {
                let place = landing.address as usize as *mut u8;
                std::ptr::copy_nonoverlapping(portal.kept(arrival).as_ptr(), place, fitting);
            }
            portal.done(arrival);
            ReturnCode::Ok
        } else {
            drop(entered);
            // SAFETY: as above.
            let room = unsafe { std::slice::from_raw_parts_mut(landing.address as usize as *mut u8, fitting) };
            let code = self.fetch(arrival, room);
            entered = self.enter()?;
            code
        };
        entered.process.end_message(kind, landing, arrival, code);
        drop(entered);
        self.wake();
        self.tell_taken(arrival.source, arrival.handle, code);
        Ok(())
    }

    /// Reads a message from its sender.
    pub(super) fn fetch(&self, arrival: &UnexpectedMessage, room: &mut [u8]) -> ReturnCode {
        let Some(area) = self.neighbour(arrival.source) else { return ReturnCode::Undeliverable };
        let process = area.owner();
        let target = LocalTarget { area: &area, process, is_here: process == host::process() };
        target.read(arrival.address, room)
    }

    /// Searches among waiting messages.
    ///
    /// # Errors
    /// `EAGAIN` as for a receive; `EINVAL`: no message was claimed.
    pub fn search(&self, incoming: &PostedReceive, search: UnexpectedSearch) -> Result<(), Errno> {
        let (receive, _) = self.receive_of(incoming)?;
        let kind = incoming.kind;
        if search.is_peek() && self.domain.settings.wires.is_simulated && !self.has_waiting(kind, &receive.criteria)? {
            // What has come by the rank's clock is there when it looks again.
            self.peeks.found_nothing(kind == PortalKind::Tagged, receive.criteria);
        }
        let mut entered = if self.software.is_active() { self.match_software()? } else { self.enter()? };
        if self.software.is_active()
            && let Some(done) = self.search_software(&mut entered, incoming, &receive, search)?
        {
            return match done {
                Searched::Takes(arrival, landing) => {
                    self.trace_claimed(incoming);
                    self.take(entered, kind, &arrival, &landing)
                }
                Searched::Found(arrival) => {
                    drop(entered);
                    if matches!(search, UnexpectedSearch::PeekAndDiscard | UnexpectedSearch::DiscardClaimed) {
                        drop(self.software.take_bytes(&arrival));
                        self.tell_taken(arrival.source, arrival.handle, ReturnCode::Ok);
                    }
                    self.found(incoming, Some(&arrival));
                    Ok(())
                }
            };
        }
        match search {
            UnexpectedSearch::Claimed => match entered.process.take_claimed(kind, receive) {
                Ok(Some(Posted::Takes { arrival, landing })) => {
                    self.trace_claimed(incoming);
                    self.take(entered, kind, &arrival, &landing)
                }
                Ok(_) => Err(libc::EINVAL),
                Err(_) => Err(libc::EAGAIN),
            },
            UnexpectedSearch::DiscardClaimed => {
                let portal = entered.process.portal(kind);
                let index = portal.arrivals.find_claimed(incoming.context).ok_or(libc::EINVAL)?;
                let arrival = portal.discard(index);
                drop(entered);
                self.tell_taken(arrival.source, arrival.handle, ReturnCode::Ok);
                self.found(incoming, Some(&arrival));
                Ok(())
            }
            UnexpectedSearch::Peek | UnexpectedSearch::PeekAndClaim | UnexpectedSearch::PeekAndDiscard => {
                let portal = entered.process.portal(kind);
                let found = portal.peek(&receive.criteria);
                if let Some((index, _)) = found {
                    match search {
                        UnexpectedSearch::PeekAndClaim => portal.arrivals.claim(index, incoming.context),
                        UnexpectedSearch::PeekAndDiscard => drop(portal.discard(index)),
                        _ => {}
                    }
                }
                drop(entered);
                let found = found.map(|(_, arrival)| arrival);
                if let (Some(arrival), UnexpectedSearch::PeekAndDiscard) = (&found, search) {
                    self.tell_taken(arrival.source, arrival.handle, ReturnCode::Ok);
                }
                self.found(incoming, found.as_ref());
                Ok(())
            }
        }
    }

    /// Whether a message waits for a receive with these criteria.
    fn has_waiting(&self, kind: PortalKind, criteria: &Criteria) -> Result<bool, Errno> {
        let is_software = self.software.is_active();
        let mut entered = if is_software { self.match_software()? } else { self.enter()? };
        let is_in_nic = entered.process.portal(kind).peek(criteria).is_some();
        Ok(is_in_nic || is_software && self.software.has(kind, criteria))
    }

    /// Reports the result of a search.
    fn found(&self, incoming: &PostedReceive, found: Option<&UnexpectedMessage>) {
        let Ok(bindings) = self.bindings() else { return };
        let Some(Bound { queue, .. }) = &bindings.receive else { return };
        let kind = if incoming.kind == PortalKind::Tagged { FI_TAGGED } else { FI_MSG };
        let plain = OperationResult {
            context: incoming.context,
            flags: FI_RECV | kind,
            tag: incoming.tag,
            source: NOT_AVAILABLE,
            ..OperationResult::default()
        };
        queue.push(match found {
            Some(arrival) => OperationResult {
                flags: plain.flags | arrival.flags & FI_REMOTE_CQ_DATA,
                length: arrival.length,
                data: arrival.data,
                tag: arrival.bits,
                source: self.sender(arrival.source),
                ..plain
            },
            None => OperationResult { errno: libc::ENOMSG, code: ReturnCode::NoMatch, ..plain },
        });
    }

    /// Cancels a receive.
    ///
    /// # Errors
    /// `ENOENT`: none has this context; it has ended, or will.
    pub fn cancel(&self, context: u64) -> Result<(), Errno> {
        let mut entered = self.enter()?;
        let found = [PortalKind::Plain, PortalKind::Tagged].into_iter().find_map(|kind| {
            let in_nic = entered.process.portal(kind).receives.cancel(context);
            in_nic.or_else(|| self.software.cancel(kind, context)).map(|receive| (kind, receive))
        });
        drop(entered);
        let (kind, receive) = found.ok_or(libc::ENOENT)?;
        let event = NicEvent {
            context,
            bits: receive.criteria.bits,
            flags: receive.flags,
            kind: EventKind::Receive,
            code: ReturnCode::Cancelled,
            is_tagged: kind == PortalKind::Tagged,
            is_last: true,
            ..NicEvent::default()
        };
        self.report_cancelled(&event);
        Ok(())
    }

    fn report_cancelled(&self, event: &NicEvent) {
        let Ok(bindings) = self.bindings() else { return };
        let Some(Bound { queue, .. }) = &bindings.receive else { return };
        let kind = if event.is_tagged { FI_TAGGED } else { FI_MSG };
        queue.push(OperationResult {
            context: event.context,
            flags: FI_RECV | kind | event.flags & FI_MULTI_RECV,
            tag: event.bits,
            source: NOT_AVAILABLE,
            code: event.code,
            ..OperationResult::default()
        });
    }
}
