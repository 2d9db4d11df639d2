//! A process as its NIC sees it: all state that the operations of other processes change, and what
//! those operations do.
//!
//! An operation of another process [begins](NicProcess::begin) here: the NIC checks it, matches it
//! or resolves it to an address, and reserves room for its event. The driver of the NIC then moves
//! the bytes, without holding a lock. The operation [ends](NicProcess::end) here: the NIC reports
//! its event and increments its counter, and triggers on that counter become due. An operation that
//! has begun can always end.

use super::counter::{NicCounter, Triggers};
use super::event::{EventKind, EventRing, IN_EVENT, INLINE_BYTES, Inline, NicEvent, ReturnCode};
use super::journal::{Journal, Noted};
use super::list::{ListFull, MessageLanding, Receive, UnexpectedMessage};
use super::memory::{AccessError, Regions, Rights};
use super::portal::{ArrivingMessage, Portal, Posted};
use super::software::ProcessMatching;

/// The kind of portal that a message goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortalKind {
    /// Messages without tags.
    Plain,
    /// Messages with tags.
    Tagged,
}

/// An operation of another process, as it arrives.
#[derive(Clone, Copy, Debug)]
pub struct IncomingOperation<'m> {
    /// The virtual network that its initiator belongs to.
    pub vni: u16,
    /// The requested operation.
    pub request: OperationRequest<'m>,
}

#[derive(Clone, Copy, Debug)]
pub enum OperationRequest<'m> {
    /// A message for a receive.
    Send {
        /// The kind of portal.
        portal: PortalKind,
        message: ArrivingMessage<'m>,
    },
    /// Access to registered memory.
    Access {
        /// The region's key.
        key: u64,
        /// The offset into the region.
        offset: u64,
        /// Bytes.
        length: u64,
        /// The rights that it needs.
        rights: Rights,
        /// Whether the process gets an event with the initiator's data.
        has_event: bool,
    },
}

/// An operation that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// A message lands in a receive.
    Lands(MessageLanding),
    /// A message waits for its receive. For the target, the operation has ended.
    Waits {
        /// Its index among the waiting messages.
        index: u32,
    },
    /// The operation reads or writes memory at this address.
    Reaches {
        /// The address in the target's process.
        address: u64,
        /// The counters that it counts in, each as its number plus one; 0: none.
        counters: [u32; 4],
    },
}

/// The name of the list of receives in errors.
const PRIORITY: &str = "priority";

/// The number of events for which operations have reserved room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Reserved {
    pub(super) events: u64,
}

impl Reserved {
    /// The number of reserved events.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }
}

/// A process: a view of its state.
#[derive(Debug)]
pub struct NicProcess<'a> {
    /// Its virtual network.
    pub vni: u16,
    /// Matches messages without tags with receives.
    pub plain: Portal<'a>,
    /// Matches messages with tags with receives.
    pub tagged: Portal<'a>,
    /// Memory that other processes may access.
    pub regions: Regions<'a>,
    pub counters: &'a mut [NicCounter],
    /// Operations that wait for its counters.
    pub triggers: Triggers<'a>,
    /// Events for the process.
    pub events: EventRing<'a>,
    /// Room reserved in the ring.
    pub reserved: &'a mut Reserved,
    /// The changes of a session of another process.
    pub journal: &'a mut Journal,
    /// Whether the NIC or software matches.
    pub matching: &'a mut ProcessMatching,
}

impl<'a> NicProcess<'a> {
    /// Begins an operation of another process. A refused operation changes nothing.
    ///
    /// # Errors
    /// The return code for the initiator. [`ReturnCode::Disabled`]: it tries again later.
    pub fn begin(&mut self, incoming: &IncomingOperation<'_>) -> Result<Begun, ReturnCode> {
        if incoming.vni != self.vni {
            return Err(ReturnCode::PermissionViolation);
        }
        match incoming.request {
            OperationRequest::Send { portal, message } => self.send(portal, &message),
            OperationRequest::Access { key, offset, length, rights, has_event } => {
                let (address, region) = self.regions.reach(key, offset, length, rights).map_err(code_of)?;
                if has_event && !self.reserve() {
                    return Err(ReturnCode::Disabled);
                }
                Ok(Begun::Reaches { address, counters: region.counters.by(rights) })
            }
        }
    }

    fn send(&mut self, kind: PortalKind, message: &ArrivingMessage<'_>) -> Result<Begun, ReturnCode> {
        // Reserve room for the event first, because a matched message can no longer be refused.
        if !self.reserve() {
            return Err(ReturnCode::Disabled);
        }
        let portal = match kind {
            PortalKind::Plain => &mut self.plain,
            PortalKind::Tagged => &mut self.tagged,
        };
        if let Some(landing) = portal.land(&message.arrival, kind, self.journal) {
            return Ok(Begun::Lands(landing));
        }
        self.reserved.events -= 1;
        let (receives, arrivals) = self.in_use();
        if !self.matching.admits_message(receives, arrivals) {
            return Err(ReturnCode::Disabled);
        }
        let portal = match kind {
            PortalKind::Plain => &mut self.plain,
            PortalKind::Tagged => &mut self.tagged,
        };
        match portal.wait(message, kind, self.journal) {
            Ok(index) => Ok(Begun::Waits { index }),
            Err(_) => {
                self.matching.ask();
                Err(ReturnCode::Disabled)
            }
        }
    }

    /// Asks the process to take over the waiting messages, because the NIC has no memory for one of
    /// them.
    pub fn ask_to_take_over(&mut self) {
        self.matching.ask();
    }

    /// Entries of the NIC that are in use: by receives, and by waiting messages.
    fn in_use(&self) -> (u64, u64) {
        let (plain, tagged) = (&self.plain, &self.tagged);
        (plain.receives.len() + tagged.receives.len(), plain.arrivals.len() + tagged.arrivals.len())
    }

    /// Lets a receive take the first message that waits for it, if there is one, and reserves room
    /// for its event.
    ///
    /// # Errors
    /// [`ListFull`]: the event queue.
    pub fn take_waiting(&mut self, kind: PortalKind, receive: Receive) -> Result<Option<Posted>, ListFull> {
        self.expect_event()?;
        let posted = self.portal(kind).take(receive);
        if posted.is_none() {
            self.reserved.events -= 1;
        }
        Ok(posted)
    }

    /// Whether the NIC accepts one more receive, for which no message waits.
    pub fn admits_receive(&mut self, kind: PortalKind) -> bool {
        let (receives, arrivals) = self.in_use();
        let is_admitted = self.matching.admits_receive(receives, arrivals);
        let has_room = self.portal(kind).receives.has_room();
        if is_admitted && !has_room {
            self.matching.ask();
        }
        is_admitted && has_room
    }

    /// The portal for messages of this kind.
    pub const fn portal(&mut self, kind: PortalKind) -> &mut Portal<'a> {
        match kind {
            PortalKind::Plain => &mut self.plain,
            PortalKind::Tagged => &mut self.tagged,
        }
    }

    /// Reserves room for an event, and returns whether there was any.
    fn reserve(&mut self) -> bool {
        let has_room = self.events.free() as u64 > self.reserved.events;
        self.reserved.events += u64::from(has_room);
        has_room
    }

    /// Posts a receive of the process. If it takes a waiting message, room for its event is
    /// reserved, as for a message that lands.
    ///
    /// # Errors
    /// [`ListFull`]: the list of receives, or the event queue. The process tries again after it has
    /// read some events, or keeps the receive in software.
    pub fn post(&mut self, kind: PortalKind, receive: Receive) -> Result<Posted, ListFull> {
        if let Some(posted) = self.take_waiting(kind, receive)? {
            return Ok(posted);
        }
        let (receives, arrivals) = self.in_use();
        if !self.matching.admits_receive(receives, arrivals) {
            return Err(ListFull { list: PRIORITY, places: receives as usize });
        }
        let posted = self.portal(kind).receives.post(receive).map(|index| Posted::Waits { index });
        if posted.is_err() {
            self.matching.ask();
        }
        posted
    }

    /// Lets a receive take the message that its context has claimed. `None` if there is none.
    ///
    /// # Errors
    /// [`ListFull`]: the event queue.
    pub fn take_claimed(&mut self, kind: PortalKind, receive: Receive) -> Result<Option<Posted>, ListFull> {
        self.expect_event()?;
        let posted = self.portal(kind).take_claimed(receive);
        if posted.is_none() {
            self.reserved.events -= 1;
        }
        Ok(posted)
    }

    /// Ends a message that landed, with its bytes in a block of the portal. The process reads them
    /// from there together with the event. Returns whether there was a block; if not, nothing has
    /// changed.
    pub fn end_message_kept(
        &mut self,
        kind: PortalKind,
        landing: &MessageLanding,
        arrival: &UnexpectedMessage,
        bytes: &[u8],
    ) -> bool {
        let fitting = &bytes[..bytes.len().min(usize::try_from(landing.room).unwrap_or(usize::MAX))];
        let mut event = Self::message_event(kind, landing, arrival, ReturnCode::Ok);
        if let Some(room) = event.bytes.0.get_mut(..fitting.len()) {
            room.copy_from_slice(fitting);
            event.kept_at = IN_EVENT;
        } else {
            let Ok(block) = self.portal(kind).buffers.keep(fitting) else { return false };
            event.kept_at = block + 1;
        }
        self.tell(event);
        true
    }

    /// The bytes that a block holds for an event.
    #[must_use]
    pub fn kept_for<'e>(&'e mut self, event: &'e NicEvent) -> &'e [u8] {
        match event.kept_at {
            0 => &[],
            IN_EVENT => &event.bytes.0[..(event.length as usize).min(INLINE_BYTES)],
            block => self.portal(portal_of(event)).buffers.get(block - 1, event.length as usize),
        }
    }

    /// Releases the block of an event that was taken.
    pub fn release_kept(&mut self, event: &NicEvent) {
        if !matches!(event.kept_at, 0 | IN_EVENT) {
            self.portal(portal_of(event)).buffers.release(event.kept_at - 1);
        }
    }

    /// Ends a message that landed or was taken: its bytes are at their destination, or could not be
    /// moved.
    pub fn end_message(
        &mut self,
        kind: PortalKind,
        landing: &MessageLanding,
        arrival: &UnexpectedMessage,
        code: ReturnCode,
    ) {
        self.tell(Self::message_event(kind, landing, arrival, code));
    }

    fn message_event(
        kind: PortalKind,
        landing: &MessageLanding,
        arrival: &UnexpectedMessage,
        code: ReturnCode,
    ) -> NicEvent {
        let code = match code {
            ReturnCode::Ok if arrival.length > landing.room => ReturnCode::Truncated,
            code => code,
        };
        let Receive { context, flags, .. } = landing.receive;
        NicEvent {
            context,
            bits: arrival.bits,
            data: arrival.data,
            length: arrival.length.min(landing.room),
            address: landing.address,
            lost: u32::try_from(arrival.length.saturating_sub(landing.room)).unwrap_or(u32::MAX),
            kept_at: 0,
            flags: flags | arrival.flags,
            source: arrival.source,
            kind: EventKind::Receive,
            code,
            is_last: landing.is_last,
            is_tagged: matches!(kind, PortalKind::Tagged),
            bytes: Inline::default(),
        }
    }

    /// Reserves room for the event of an operation of the process's own, which another process will
    /// [end](Self::end_access).
    ///
    /// # Errors
    /// [`ListFull`].
    pub fn expect_event(&mut self) -> Result<(), ListFull> {
        if self.reserve() { Ok(()) } else { Err(ListFull { list: "event", places: self.events.places() }) }
    }

    /// Releases the room reserved for an operation that needs no event.
    pub fn forget_event(&mut self) {
        self.reserved.events -= 1;
    }

    /// Ends an operation for which room was reserved.
    pub fn end_access(&mut self, event: NicEvent) {
        self.tell(event);
    }

    fn tell(&mut self, event: NicEvent) {
        self.reserved.events -= 1;
        self.events.push(event).expect("room was reserved when the operation began");
    }

    /// Begins a session of another process, which may die before the session [ends](Self::close). A
    /// session begins one operation at most, ends one, and counts.
    pub fn open(&mut self) {
        self.journal.open(self.events.put(), self.reserved.events);
    }

    /// Ends a session: its changes are final.
    pub fn close(&mut self) {
        self.journal.close();
    }

    /// Whether a session is in progress. If no other process could have begun one, it belongs to a
    /// process that has died.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.journal.noted().is_some()
    }

    /// Takes back the changes of a session whose holder died in its middle, and rebuilds every
    /// chain. Its counts remain, because the memory that they count was written before. The process
    /// that recovers may die as well; then the next one repeats the recovery. Does nothing if no
    /// session is in progress.
    pub fn recover(&mut self) {
        let Some(Noted { put, reserved, receive, arrival }) = self.journal.noted() else { return };
        self.events.take_back(put);
        self.reserved.events = reserved;
        if let Some((kind, receive)) = receive {
            self.portal(kind).receives.put_back(receive.index, receive.order, receive.used);
        }
        if let Some((kind, next)) = arrival {
            self.portal(kind).arrivals.forget_from(next);
        }
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            let of_kind = |event: &&NicEvent| portal_of(event) == kind && !matches!(event.kept_at, 0 | IN_EVENT);
            let in_events: Vec<u32> = self.events.waiting().filter(of_kind).map(|event| event.kept_at - 1).collect();
            self.portal(kind).rebuild(&in_events);
        }
        self.journal.close();
    }

    /// Counts in these counters, given as their numbers plus one, as regions have them; 0 counts
    /// nowhere. Returns whether anything was counted.
    pub fn count(&mut self, counters: [u32; 4], code: ReturnCode) -> bool {
        if counters == [0; 4] {
            return false;
        }
        for counter in counters {
            let Some(number) = counter.checked_sub(1) else { continue };
            let Some(counter) = self.counters.get_mut(number as usize) else { continue };
            match code {
                ReturnCode::Ok => counter.add(1),
                _ => counter.add_failures(1),
            }
        }
        true
    }

    /// The next operation that is due of those that wait for this counter. The operation may count
    /// again, so the caller repeats this until nothing is due.
    pub fn next_due(&mut self, counter: u32) -> Option<u32> {
        let number = counter.checked_sub(1)?;
        let successes = self.counters.get(number as usize)?.success();
        self.triggers.due(number, successes)
    }
}

const fn portal_of(event: &NicEvent) -> PortalKind {
    if event.is_tagged { PortalKind::Tagged } else { PortalKind::Plain }
}

const fn code_of(error: AccessError) -> ReturnCode {
    match error {
        AccessError::NoSuchKey => ReturnCode::NoMatch,
        AccessError::OutOfBounds { .. } => ReturnCode::OutOfBounds,
        AccessError::NotAllowed => ReturnCode::PermissionViolation,
    }
}

#[cfg(test)]
mod tests {
    use super::super::buffer::{Block, BufferHeads, BufferShape, Buffers};
    use super::super::counter::{Trigger, TriggerHeads};
    use super::super::event::RingState;
    use super::super::list::{ANY_SOURCE, ArrivalHeads, Arrivals, Criteria, ReceiveHeads, Receives};
    use super::super::memory::{Counted, RegisteredRegion};
    use super::*;

    struct Lists {
        receives: (Vec<Receive>, ReceiveHeads),
        arrivals: (Vec<UnexpectedMessage>, ArrivalHeads),
        buffers: (Vec<u8>, Vec<Block>, BufferHeads),
    }

    impl Lists {
        fn new() -> Self {
            let shape = BufferShape { blocks: [8, 1, 1] };
            let (mut receives, mut arrivals) = (vec![Receive::vacant(); 8], vec![UnexpectedMessage::vacant(); 8]);
            let mut blocks = vec![Block::default(); shape.block_count()];
            let heads = BufferHeads::of(shape, &mut blocks);
            let (of_receives, of_arrivals) = (ReceiveHeads::of(&mut receives), ArrivalHeads::of(&mut arrivals));
            let buffers = (vec![0; shape.bytes()], blocks, heads);
            Self { receives: (receives, of_receives), arrivals: (arrivals, of_arrivals), buffers }
        }

        fn portal(&mut self) -> Portal<'_> {
            Portal {
                receives: Receives::new(&mut self.receives.0, &mut self.receives.1),
                arrivals: Arrivals::new(&mut self.arrivals.0, &mut self.arrivals.1),
                buffers: Buffers::new(&mut self.buffers.0, &mut self.buffers.1, &mut self.buffers.2),
            }
        }
    }

    struct State {
        plain: Lists,
        tagged: Lists,
        regions: Vec<RegisteredRegion>,
        counters: Vec<NicCounter>,
        triggers: (Vec<Trigger>, TriggerHeads),
        events: (Vec<NicEvent>, RingState),
        reserved: Reserved,
        journal: Journal,
        matching: ProcessMatching,
    }

    impl State {
        fn new(events: usize) -> Self {
            let mut triggers = vec![Trigger::default(); 4];
            let heads = TriggerHeads::of(&mut triggers);
            Self {
                plain: Lists::new(),
                tagged: Lists::new(),
                regions: vec![RegisteredRegion::default(); 4],
                counters: vec![NicCounter::default(); 2],
                triggers: (triggers, heads),
                events: (vec![NicEvent::default(); events], RingState::default()),
                reserved: Reserved::default(),
                journal: Journal::default(),
                matching: ProcessMatching::default(),
            }
        }

        fn process(&mut self) -> NicProcess<'_> {
            NicProcess {
                vni: 10,
                plain: self.plain.portal(),
                tagged: self.tagged.portal(),
                regions: Regions::new(&mut self.regions),
                counters: &mut self.counters,
                triggers: Triggers::new(&mut self.triggers.0, &mut self.triggers.1),
                events: EventRing::new(&mut self.events.0, &mut self.events.1),
                reserved: &mut self.reserved,
                journal: &mut self.journal,
                matching: &mut self.matching,
            }
        }
    }

    fn send(bits: u64, bytes: &[u8]) -> IncomingOperation<'_> {
        let message = ArrivingMessage { arrival: UnexpectedMessage::new(bits, 1, bytes.len() as u64), bytes };
        IncomingOperation { vni: 10, request: OperationRequest::Send { portal: PortalKind::Tagged, message } }
    }

    fn access(key: u64, length: u64, rights: Rights, has_event: bool) -> IncomingOperation<'static> {
        IncomingOperation { vni: 10, request: OperationRequest::Access { key, offset: 0, length, rights, has_event } }
    }

    fn receive(bits: u64, length: u64) -> Receive {
        Receive::new(Criteria::new(bits, 0, ANY_SOURCE), 0x100, length, 7)
    }

    #[test]
    fn a_message_that_has_begun_can_end_whatever_comes_between() {
        let mut state = State::new(2);
        let mut process = state.process();
        for bits in [1, 2] {
            process.post(PortalKind::Tagged, receive(bits, 4)).expect("there is room");
        }
        let Ok(Begun::Lands(landing)) = process.begin(&send(1, b"abcdef")) else { panic!("it was posted") };
        let Ok(Begun::Lands(other)) = process.begin(&send(2, b"xy")) else { panic!("it was posted") };
        assert_eq!(process.begin(&send(3, b"")), Err(ReturnCode::Disabled), "both slots are spoken for");
        process.end_message(PortalKind::Tagged, &other, &UnexpectedMessage::new(2, 1, 2), ReturnCode::Ok);
        process.end_message(PortalKind::Tagged, &landing, &UnexpectedMessage::new(1, 1, 6), ReturnCode::Ok);
        let events: Vec<NicEvent> = std::iter::from_fn(|| process.events.pop()).collect();
        let seen: Vec<_> = events.iter().map(|event| (event.bits, event.length, event.lost, event.code)).collect();
        assert_eq!(seen, [(2, 2, 0, ReturnCode::Ok), (1, 4, 2, ReturnCode::Truncated)]);
        assert!(matches!(process.begin(&send(3, b"")), Ok(Begun::Waits { .. })), "the queue was read");
    }

    #[test]
    fn a_receive_that_takes_what_waits_has_an_event_too() {
        let mut state = State::new(1);
        let mut process = state.process();
        assert!(matches!(process.begin(&send(1, b"early")), Ok(Begun::Waits { .. })));
        let Ok(Posted::Takes { arrival, landing }) = process.post(PortalKind::Tagged, receive(1, 9)) else {
            panic!("it waits")
        };
        assert!(process.post(PortalKind::Tagged, receive(2, 9)).is_err(), "its event has the only slot");
        process.end_message(PortalKind::Tagged, &landing, &arrival, ReturnCode::Ok);
        assert_eq!(process.events.pop().map(|event| (event.context, event.length, event.source)), Some((7, 5, 1)));
    }

    #[test]
    fn nothing_of_another_network_or_without_a_right_gets_in() {
        let mut state = State::new(4);
        let mut process = state.process();
        process.regions.register(RegisteredRegion::new(5, 0x1000, 64, Rights::REMOTE_WRITE)).expect("there is room");
        let foreign = IncomingOperation { vni: 11, ..access(5, 8, Rights::REMOTE_WRITE, false) };
        let refusals = [
            (process.begin(&foreign), ReturnCode::PermissionViolation),
            (process.begin(&IncomingOperation { vni: 11, ..send(1, b"x") }), ReturnCode::PermissionViolation),
            (process.begin(&access(5, 8, Rights::REMOTE_READ, false)), ReturnCode::PermissionViolation),
            (process.begin(&access(6, 8, Rights::REMOTE_WRITE, false)), ReturnCode::NoMatch),
            (process.begin(&access(5, 65, Rights::REMOTE_WRITE, false)), ReturnCode::OutOfBounds),
        ];
        for (found, expected) in refusals {
            assert_eq!(found, Err(expected));
        }
        assert!(process.tagged.arrivals.is_empty() && process.events.is_empty());
    }

    #[test]
    fn what_waits_for_a_counter_is_due_when_accesses_have_counted() {
        let mut state = State::new(4);
        let mut process = state.process();
        process.regions.register(RegisteredRegion::new(5, 0x1000, 64, Rights::REMOTE_WRITE)).expect("there is room");
        process.regions.set_counters(5, Counted { writes: [2, 0], reads: [0; 2] });
        process.triggers.add(1, 2, 44).expect("there is room");
        for round in 1..=2 {
            let begun = process.begin(&access(5, 8, Rights::REMOTE_WRITE, true));
            let Ok(Begun::Reaches { address, counters }) = begun else { panic!("it may be written") };
            assert_eq!(address, 0x1000);
            process.end_access(NicEvent { kind: EventKind::RemotePut, data: round, ..NicEvent::default() });
            assert!(process.count(counters, ReturnCode::Ok));
            assert_eq!(process.next_due(2), (round == 2).then_some(44));
        }
        assert_eq!((process.counters[1].success(), process.events.len()), (2, 2));
        assert!(process.count([0, 2, 0, 0], ReturnCode::Undeliverable) && !process.count([0; 4], ReturnCode::Ok));
        assert_eq!(process.counters[1].failure(), 1);
    }
}
