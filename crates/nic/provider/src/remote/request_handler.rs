//! The request handler: carries out requests and takes answers from other hosts.

use std::collections::hash_map::Entry;
use std::net::SocketAddr;

use philae_fi_sys::FI_REMOTE_CQ_DATA;
use philae_nic_core::nic::{
    ArrivingMessage, AtomicOperation, AtomicType, Begun, EventKind, IncomingOperation, MessageLanding, NicEvent,
    OperationRequest, PortalKind, RegisteredRegion, ReturnCode, Rights, UnexpectedMessage,
};

use super::command::{HEADER_BYTES, RemoteCommand};
use super::side::{AnswerBytes, Arriving, Core, DeferredMessage, REMOTE, WireAnswer, WireOperation};
use crate::endpoint::{FETCHED, FiEndpoint, IN_UNEXPECTED_BUFFER};
use crate::limits::{ATOMIC_BYTES, EAGER_MAX};
use crate::processor::{ElementChange, add_by_bus, change};
use crate::shm::mail::OverflowBuffer;
use crate::udp::{Handler, HandlerDecision, PeerId, TransportFailure};

/// Answers that may wait to be sent before requests are stalled. Source: ours. Status: assumed.
const ANSWERS_MAX: usize = 256;
/// The most operations kept that were sent once by peers with an unknown address. Source: ours.
/// Status: assumed.
const EARLY_MAX: usize = 64;

/// The request handler (`RequestHandler`).
pub(super) struct RequestHandler<'d> {
    pub endpoint: &'d FiEndpoint,
    pub core: &'d mut Core,
}

impl RequestHandler<'_> {
    fn answer(&mut self, to: SocketAddr, command: RemoteCommand, bytes: AnswerBytes) {
        self.core.answers.push(WireAnswer { to, command, bytes });
    }

    fn done(&mut self, to: SocketAddr, handle: u64, code: ReturnCode) {
        if handle != 0 {
            self.answer(to, RemoteCommand::Done { handle, code }, AnswerBytes::None);
        }
    }

    /// Retries messages that found no room.
    pub fn retry_held(&mut self) {
        let peers: Vec<PeerId> = self.core.held.keys().copied().collect();
        for peer in peers {
            let Some(held) = self.core.held.remove(&peer) else { continue };
            if let Some(again) = self.offer(held) {
                self.core.held.insert(peer, again);
            }
        }
    }

    /// Handles messages sent once by peers whose addresses are known by now.
    pub fn retry_early(&mut self) {
        for (peer, message) in std::mem::take(&mut self.core.early) {
            self.take_once(peer, &message);
        }
    }

    /// Carries out a message that was sent once. A meaningless one is dropped, as if it had been
    /// lost.
    fn take_once(&mut self, peer: PeerId, message: &[u8]) {
        let Some((header, operands)) = message.split_at_checked(HEADER_BYTES) else { return };
        let Some((command, vni)) = RemoteCommand::decode(header) else { return };
        let Some(from) = self.core.address_of(peer) else {
            if self.core.early.len() < EARLY_MAX {
                self.core.early.push((peer, message.into()));
            }
            return;
        };
        let payload = operands.len() as u32;
        let RemoteCommand::Change { length, fetches: false, by_bus: false, .. } = command else { return };
        if length > ATOMIC_BYTES as u64 || u64::from(payload) > 2 * length {
            return;
        }
        let gathered = operands.to_vec();
        self.end_request(peer, Arriving { from, vni, command, payload, gathered, code: ReturnCode::Ok });
    }

    /// Offers a whole message to its portal; returns it if there is no room.
    fn offer(&mut self, message: DeferredMessage) -> Option<DeferredMessage> {
        let DeferredMessage { arrival, kind, vni, ref bytes, from } = message;
        let Ok(mut entered) = self.endpoint.enter() else { return None };
        let request = OperationRequest::Send { portal: kind, message: ArrivingMessage { arrival, bytes } };
        match entered.process.begin(&IncomingOperation { vni, request }) {
            Ok(Begun::Lands(landing)) => {
                if arrival.handle & !IN_UNEXPECTED_BUFFER != 0 {
                    drop(entered);
                    if landing.receive.is_for_many() {
                        self.endpoint.fetching.begins(landing.receive.context);
                    }
                    self.fetch(kind, &landing, &arrival, from);
                    return None;
                }
                let fitting = bytes.len().min(landing.room as usize);
                // SAFETY: the program has lent this memory to the receive.
                unsafe {
                    let place = landing.address as usize as *mut u8;
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, fitting);
                }
                entered.process.end_message(kind, &landing, &arrival, ReturnCode::Ok);
            }
            Ok(_) => {}
            Err(ReturnCode::Disabled) => {
                // If there is no free block, or no list entry, it may help to keep the message's
                // bytes elsewhere.
                let Some(handle) = self.endpoint.unexpected.keep(bytes) else {
                    drop(entered);
                    self.endpoint.wake();
                    return Some(message);
                };
                let mut kept = arrival;
                kept.handle = handle;
                let request =
                    OperationRequest::Send { portal: kind, message: ArrivingMessage { arrival: kept, bytes: &[] } };
                if !matches!(entered.process.begin(&IncomingOperation { vni, request }), Ok(Begun::Waits { .. })) {
                    self.endpoint.unexpected.forget(handle);
                    drop(entered);
                    self.endpoint.wake();
                    return Some(message);
                }
            }
            Err(code) => {
                drop(entered);
                self.done(from, arrival.handle, code);
                return None;
            }
        }
        drop(entered);
        self.endpoint.wake();
        None
    }

    /// Fetches a message for the receive that it matched.
    fn fetch(&mut self, kind: PortalKind, landing: &MessageLanding, arrival: &UnexpectedMessage, from: SocketAddr) {
        let operation = WireOperation::Fetching { kind, landing: *landing, arrival: *arrival };
        let answer = self.core.add(operation, from, true);
        let length = arrival.length.min(landing.room);
        self.answer(from, RemoteCommand::Pull { handle: arrival.handle, answer, length }, AnswerBytes::None);
    }

    fn begin_request(&mut self, peer: PeerId, arriving: Arriving, payload: u32) -> HandlerDecision {
        if self.core.held.contains_key(&peer) || self.core.answers.len() > ANSWERS_MAX {
            return HandlerDecision::Stall;
        }
        let (from, vni) = (arriving.from, arriving.vni);
        // Which messages a sender offers to be fetched depends on its settings, not on ours.
        let most = EAGER_MAX;
        let is_sane = match arriving.command {
            RemoteCommand::Send { length, handle, .. } => {
                if handle & IN_UNEXPECTED_BUFFER != 0 {
                    false
                } else if handle == 0 {
                    u64::from(payload) == length && length <= most as u64
                } else {
                    payload == 0
                }
            }
            RemoteCommand::Change { length, .. } => length <= ATOMIC_BYTES as u64 && u64::from(payload) <= 2 * length,
            RemoteCommand::Get { .. } => payload == 0,
            RemoteCommand::Put { .. } => true,
            RemoteCommand::Done { .. } | RemoteCommand::Data { .. } | RemoteCommand::Pull { .. } => false,
        };
        if !is_sane {
            return HandlerDecision::Discard;
        }
        if let RemoteCommand::Put { key, offset, data, handle } = arriving.command {
            let Ok(mut entered) = self.endpoint.enter() else { return HandlerDecision::Discard };
            let (rights, has_event) = (Rights::REMOTE_WRITE, data.is_some());
            let request = OperationRequest::Access { key, offset, length: u64::from(payload), rights, has_event };
            match entered.process.begin(&IncomingOperation { vni, request }) {
                Ok(_) => {}
                Err(ReturnCode::Disabled) => return HandlerDecision::Stall,
                Err(code) => {
                    drop(entered);
                    self.done(from, handle, code);
                    return HandlerDecision::Discard;
                }
            }
        }
        self.core.arriving.insert(peer, arriving);
        HandlerDecision::Accept
    }

    /// Handles a request that has arrived completely.
    fn end_request(&mut self, peer: PeerId, arriving: Arriving) {
        let Arriving { from, vni, command, payload, gathered, code } = arriving;
        match command {
            RemoteCommand::Send { is_tagged, bits, data, length, handle } => {
                let mut arrival = UnexpectedMessage::new(bits, REMOTE | peer.0, length);
                (arrival.data, arrival.handle) = (data.unwrap_or(0), handle);
                arrival.flags = if data.is_some() { FI_REMOTE_CQ_DATA } else { 0 };
                let kind = if is_tagged { PortalKind::Tagged } else { PortalKind::Plain };
                if let Some(held) = self.offer(DeferredMessage { arrival, kind, vni, bytes: gathered, from }) {
                    self.core.held.insert(peer, held);
                }
            }
            RemoteCommand::Put { key, offset, data, handle } => {
                if let Ok(mut entered) = self.endpoint.enter() {
                    let reached = entered.process.regions.reach(key, offset, 0, Rights::REMOTE_WRITE);
                    let by = |region: &RegisteredRegion| region.counters.by(Rights::REMOTE_WRITE);
                    let (address, counters) = reached.map_or((0, [0; 4]), |(address, region)| (address, by(&region)));
                    entered.process.count(counters, code);
                    if let Some(data) = data {
                        let (length, source) = (payload.into(), REMOTE | peer.0);
                        let kind = EventKind::RemotePut;
                        let event = NicEvent { data, length, address, source, kind, code, ..NicEvent::default() };
                        entered.process.end_access(event);
                    }
                }
                self.endpoint.wake();
                self.done(from, handle, code);
            }
            RemoteCommand::Get { key, offset, length, handle } => {
                let request =
                    OperationRequest::Access { key, offset, length, rights: Rights::REMOTE_READ, has_event: false };
                let found = self.endpoint.enter().map_or(Err(ReturnCode::Undeliverable), |mut entered| {
                    let Begun::Reaches { address, counters } =
                        entered.process.begin(&IncomingOperation { vni, request })?
                    else {
                        return Err(ReturnCode::Unsupported);
                    };
                    // SAFETY: the range is registered, and the lock keeps it so during the copy.
                    let bytes =
                        unsafe { std::slice::from_raw_parts(address as usize as *const u8, length as usize).into() };
                    let is_counted = entered.process.count(counters, ReturnCode::Ok);
                    drop(entered);
                    if is_counted {
                        self.endpoint.wake();
                    }
                    Ok(bytes)
                });
                match found {
                    Ok(bytes) => {
                        self.answer(
                            from,
                            RemoteCommand::Data { handle, code: ReturnCode::Ok },
                            AnswerBytes::Own(bytes),
                        );
                    }
                    Err(code) => self.done(from, handle, code),
                }
            }
            RemoteCommand::Change { handle, .. } => {
                let mut fetched = [0_u8; ATOMIC_BYTES];
                match self.change(&command, vni, &gathered, &mut fetched) {
                    Ok(Some(length)) => {
                        let bytes = AnswerBytes::Own(fetched[..length].into());
                        self.answer(from, RemoteCommand::Data { handle, code: ReturnCode::Ok }, bytes);
                    }
                    Ok(None) => self.done(from, handle, ReturnCode::Ok),
                    Err(code) => self.done(from, handle, code),
                }
            }
            RemoteCommand::Done { .. } | RemoteCommand::Data { .. } | RemoteCommand::Pull { .. } => {}
        }
    }

    /// Changes registered memory; returns how many bytes were fetched, if that was requested.
    fn change(
        &mut self,
        command: &RemoteCommand,
        vni: u16,
        operands: &[u8],
        fetched: &mut [u8; ATOMIC_BYTES],
    ) -> Result<Option<usize>, ReturnCode> {
        let &RemoteCommand::Change { operation, of_type, fetches, by_bus, key, offset, length, .. } = command else {
            return Err(ReturnCode::Unsupported);
        };
        let operation = AtomicOperation::of_number(operation.into()).ok_or(ReturnCode::Unsupported)?;
        let of_type = AtomicType::of_number(of_type.into()).ok_or(ReturnCode::Unsupported)?;
        let (size, writes) = (length as usize, operation != AtomicOperation::Read);
        let split = if operation.has_operand() { size.min(operands.len()) } else { 0 };
        let (operand, comparand) = operands.split_at(split);
        let right = |is_needed: bool, right: Rights| if is_needed { right } else { Rights::NONE };
        let rights = right(fetches || !writes, Rights::REMOTE_READ) | right(writes, Rights::REMOTE_WRITE);
        let request = OperationRequest::Access { key, offset, length, rights, has_event: false };
        let mut entered = self.endpoint.enter().map_err(|_| ReturnCode::Undeliverable)?;
        let Begun::Reaches { address, counters } = entered.process.begin(&IncomingOperation { vni, request })? else {
            return Err(ReturnCode::Unsupported);
        };
        if by_bus {
            let is_known = operation == AtomicOperation::Sum && fetches && operand.len() == size;
            // SAFETY: the range is registered, and the lock keeps it so.
            let added = is_known.then(|| unsafe { add_by_bus(address, operand, fetched) }).flatten();
            let code = if added.is_some() { ReturnCode::Ok } else { ReturnCode::Unsupported };
            entered.process.count(counters, code);
            return added.map(|()| Some(size)).ok_or(code);
        }
        let room = fetches.then(|| &mut fetched[..size]);
        // SAFETY: the range is registered, and the lock keeps it so.
        let result = unsafe { change(address, size, ElementChange { operation, of_type, operand, comparand }, room) };
        let code = if result.is_ok() { ReturnCode::Ok } else { ReturnCode::Unsupported };
        let is_counted = entered.process.count(counters, code);
        drop(entered);
        if is_counted {
            self.endpoint.wake();
        }
        if code == ReturnCode::Ok { Ok(fetches.then_some(size)) } else { Err(code) }
    }

    /// Handles an answer that has arrived completely.
    fn end_answer(&mut self, arriving: &Arriving) {
        let from = arriving.from;
        match arriving.command {
            RemoteCommand::Done { handle, code } | RemoteCommand::Data { handle, code } => {
                if self.core.of_peer(handle, from).is_none() {
                    return;
                }
                match self.core.take(handle) {
                    Some(WireOperation::Asked { reply, address, length, waits_for_wire: true, .. }) => {
                        // The wire may retransmit the bytes until it knows that they have arrived.
                        let answered = Some(code);
                        let operation = WireOperation::Asked { reply, address, length, waits_for_wire: true, answered };
                        self.core.put_back(handle, operation, from);
                    }
                    Some(WireOperation::Asked { reply, .. } | WireOperation::Offered { reply, .. }) => {
                        self.endpoint.ended(&reply, code);
                    }
                    Some(WireOperation::Fetching { kind, landing, arrival }) => {
                        self.end_fetched(kind, &landing, &arrival, code);
                    }
                    // An answer to an operation that needs none ends nothing.
                    Some(other) => self.core.put_back(handle, other, from),
                    None => {}
                }
            }
            RemoteCommand::Pull { handle, answer, length } => {
                let Some(WireOperation::Offered { reply, address, length: whole }) = self.core.of_peer(handle, from)
                else {
                    return self.answer(
                        from,
                        RemoteCommand::Done { handle: answer, code: ReturnCode::NoMatch },
                        AnswerBytes::None,
                    );
                };
                let (reply, address, length) = (reply.clone(), *address, length.min(*whole));
                self.core.take(handle);
                self.core.put_back(handle, WireOperation::Fetched(reply), from);
                let command = RemoteCommand::Data { handle: answer, code: ReturnCode::Ok };
                self.answer(from, command, AnswerBytes::Lent { address, length, handle });
            }
            RemoteCommand::Send { .. }
            | RemoteCommand::Put { .. }
            | RemoteCommand::Get { .. }
            | RemoteCommand::Change { .. } => {}
        }
    }

    fn end_fetched(
        &mut self,
        kind: PortalKind,
        landing: &MessageLanding,
        arrival: &UnexpectedMessage,
        code: ReturnCode,
    ) {
        let mut arrival = *arrival;
        arrival.flags |= FETCHED;
        if let Ok(mut entered) = self.endpoint.enter() {
            entered.process.end_message(kind, landing, &arrival, code);
        }
        self.endpoint.wake();
    }

    /// Ends an operation with an error, whatever it waits for.
    fn give_up(&mut self, handle: u64) {
        match self.core.take(handle) {
            Some(
                WireOperation::Sent(Some(reply))
                | WireOperation::Offered { reply, .. }
                | WireOperation::Fetched(reply)
                | WireOperation::Asked { reply, .. },
            ) => self.endpoint.ended(&reply, ReturnCode::Undeliverable),
            Some(WireOperation::Fetching { kind, landing, arrival }) => {
                self.end_fetched(kind, &landing, &arrival, ReturnCode::Undeliverable);
            }
            Some(WireOperation::Sent(None) | WireOperation::Answer(_)) | None => {}
        }
    }

    /// Where the bytes of an answer go: an address, and how many fit.
    fn room_for(&self, command: &RemoteCommand, from: SocketAddr) -> Option<(u64, u64)> {
        let RemoteCommand::Data { handle, .. } = *command else { return None };
        match self.core.of_peer(handle, from)? {
            WireOperation::Asked { address, length, .. } => Some((*address, *length)),
            WireOperation::Fetching { landing, arrival, .. } => {
                Some((landing.address, arrival.length.min(landing.room)))
            }
            _ => None,
        }
    }
}

/// Copies a part to its place in a range.
///
/// # Safety
/// The range exists and is writable.
unsafe fn place(begin: u64, room: u64, offset: u32, bytes: &[u8]) -> bool {
    let fits = u64::from(offset).checked_add(bytes.len() as u64).is_some_and(|end| end <= room);
    if fits {
        // SAFETY: as the caller promises, and it fits.
        unsafe {
            let to = (begin as usize as *mut u8).add(offset as usize);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
    }
    fits
}

impl Handler for RequestHandler<'_> {
    fn begin(&mut self, peer: PeerId, header: &[u8], payload: u32) -> HandlerDecision {
        let Some((command, vni)) = RemoteCommand::decode(header) else { return HandlerDecision::Discard };
        // The address of a new peer is queried after this call.
        let Some(from) = self.core.address_of(peer) else { return HandlerDecision::Stall };
        let arriving = Arriving { from, vni, command, payload, gathered: Vec::new(), code: ReturnCode::Ok };
        match command {
            RemoteCommand::Done { .. } | RemoteCommand::Data { .. } | RemoteCommand::Pull { .. } => {
                self.core.arriving.insert(peer, arriving);
                HandlerDecision::Accept
            }
            _ => self.begin_request(peer, arriving, payload),
        }
    }

    fn chunk(&mut self, peer: PeerId, offset: u32, bytes: &[u8]) {
        let Entry::Occupied(mut entry) = self.core.arriving.entry(peer) else { return };
        let arriving = entry.get_mut();
        match arriving.command {
            RemoteCommand::Send { .. } | RemoteCommand::Change { .. } => arriving.gathered.extend_from_slice(bytes),
            RemoteCommand::Put { key, offset: begin, .. } => {
                if arriving.code != ReturnCode::Ok {
                    return;
                }
                let (at, length) = (begin.wrapping_add(offset.into()), bytes.len() as u64);
                let Ok(entered) = self.endpoint.enter() else { return };
                // Looked up again: the region may have been closed since the last part arrived.
                match entered.process.regions.reach(key, at, length, Rights::REMOTE_WRITE) {
                    // SAFETY: the range is registered, and the lock keeps it so.
                    Ok((address, _)) => _ = unsafe { place(address, length, 0, bytes) },
                    Err(_) => arriving.code = ReturnCode::NoMatch,
                }
            }
            RemoteCommand::Data { .. } => {
                let (command, from) = (arriving.command, arriving.from);
                if let Some((address, room)) = self.room_for(&command, from) {
                    // SAFETY: the program has lent this range to the operation, or to the receive.
                    unsafe { place(address, room, offset, bytes) };
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, peer: PeerId) {
        let Some(arriving) = self.core.arriving.remove(&peer) else { return };
        match arriving.command {
            RemoteCommand::Done { .. } | RemoteCommand::Data { .. } | RemoteCommand::Pull { .. } => {
                self.end_answer(&arriving)
            }
            _ => self.end_request(peer, arriving),
        }
    }

    fn once(&mut self, peer: PeerId, message: &[u8]) {
        self.take_once(peer, message);
    }

    fn delivered(&mut self, _: PeerId, token: u64) {
        let waiting = self.core.outstanding.get_mut(&token).map(|outstanding| &mut outstanding.operation);
        if let Some(WireOperation::Asked { waits_for_wire, answered, .. }) = waiting {
            *waits_for_wire = false;
            if let Some(code) = *answered
                && let Some(WireOperation::Asked { reply, .. }) = self.core.take(token)
            {
                self.endpoint.ended(&reply, code);
            }
            return;
        }
        let is_over = self.core.outstanding.get(&token).is_some_and(|outstanding| {
            matches!(
                outstanding.operation,
                WireOperation::Sent(_) | WireOperation::Fetched(_) | WireOperation::Answer(_)
            )
        });
        if !is_over {
            return;
        }
        if let Some(WireOperation::Sent(Some(reply)) | WireOperation::Fetched(reply)) = self.core.take(token) {
            self.endpoint.ended(&reply, ReturnCode::Ok);
        }
    }

    fn undelivered(&mut self, _: PeerId, token: u64, _: TransportFailure) {
        if token != 0 {
            self.give_up(token);
        }
    }

    fn failed(&mut self, peer: PeerId, failure: TransportFailure) {
        let Some(&Some(from)) = self.core.heard.get(&peer) else { return };
        crate::log::say(crate::log::MessageLevel::Warn, &format!("{from}: {failure}"));
        if let Some(Arriving { command: RemoteCommand::Put { data: Some(_), .. }, .. }) =
            self.core.arriving.remove(&peer)
            && let Ok(mut entered) = self.endpoint.enter()
        {
            entered.process.forget_event();
        }
        let of_peer = self.core.outstanding.iter().filter(|(_, outstanding)| outstanding.peer == from);
        let handles: Vec<u64> = of_peer.map(|(&handle, _)| handle).collect();
        for handle in handles {
            self.give_up(handle);
        }
        self.core.answers.retain(|answer| answer.to != from);
        self.core.expectations.receives.remove(&from);
        if failure != TransportFailure::Closed {
            self.endpoint.abandon_remote(from);
        }
    }
}
