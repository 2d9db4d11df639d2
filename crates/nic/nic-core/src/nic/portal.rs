//! A portal: it matches messages of one kind with receives.
//!
//! An arriving message is [offered](Portal::offer): it lands in a receive, waits, or is refused. A
//! receive is [posted](Portal::post): it takes a waiting message, or waits itself. In either order
//! the pairs are the same: the first message that a receive takes with the first receive that takes
//! it.

use super::buffer::Buffers;
use super::journal::Journal;
use super::list::{Arrivals, Criteria, ListFull, MessageLanding, Receive, Receives, UnexpectedMessage};
use super::process::PortalKind;

/// What happened to an arriving message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrivalOutcome {
    /// It lands in a receive.
    Lands(MessageLanding),
    /// It waits. The bytes that came with it are kept, and the rest stays with its sender.
    Waits {
        /// Its index among the waiting messages.
        index: u32,
    },
    /// There is no room. The sender tries again later.
    Refused(ListFull),
}

/// What happened to a posted receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "it is read where it is made, and kept nowhere")]
pub enum Posted {
    /// It waits for a message.
    Waits {
        /// Its index among the waiting receives.
        index: u32,
    },
    /// It took a message that waited. Its bytes are released by [`Portal::done`].
    Takes {
        /// The message.
        arrival: UnexpectedMessage,
        /// Where it lands.
        landing: MessageLanding,
    },
}

/// An arriving message: its envelope, and the bytes that came with it.
#[derive(Clone, Copy, Debug)]
pub struct ArrivingMessage<'m> {
    /// Its envelope; where its bytes are kept is not yet known.
    pub arrival: UnexpectedMessage,
    /// Bytes that came with it: all of an eager message, the first ones of a rendezvous.
    pub bytes: &'m [u8],
}

/// A portal: a view of its lists and buffers, wherever they lie.
#[derive(Debug)]
pub struct Portal<'a> {
    /// Receives that wait for messages.
    pub receives: Receives<'a>,
    /// Messages that wait for receives.
    pub arrivals: Arrivals<'a>,
    /// Where the bytes of these messages are kept.
    pub buffers: Buffers<'a>,
}

impl Portal<'_> {
    /// Offers an arriving message to this portal, which is the one of `kind`. A refused message
    /// changes nothing. Each change is recorded in the journal before it is made.
    pub fn offer(&mut self, message: &ArrivingMessage<'_>, kind: PortalKind, journal: &mut Journal) -> ArrivalOutcome {
        if let Some(landing) = self.land(&message.arrival, kind, journal) {
            return ArrivalOutcome::Lands(landing);
        }
        self.wait(message, kind, journal).map_or_else(ArrivalOutcome::Refused, |index| ArrivalOutcome::Waits { index })
    }

    /// Lets the message land, if a receive matches it.
    #[inline]
    pub(super) fn land(
        &mut self,
        arrival: &UnexpectedMessage,
        kind: PortalKind,
        journal: &mut Journal,
    ) -> Option<MessageLanding> {
        let index = self.receives.find(arrival.bits, arrival.source)?;
        journal.note_receive(kind, index, self.receives.get(index));
        Some(self.receives.land(index, arrival.length))
    }

    /// Lets the message wait, because no receive matches it.
    pub(super) fn wait(
        &mut self,
        message: &ArrivingMessage<'_>,
        kind: PortalKind,
        journal: &mut Journal,
    ) -> Result<u32, ListFull> {
        journal.note_arrival(kind, self.arrivals.next());
        self.keep(message)
    }

    fn keep(&mut self, message: &ArrivingMessage<'_>) -> Result<u32, ListFull> {
        let kept = message.bytes.len() as u64;
        let kept_at = if kept > 0 { self.buffers.keep(message.bytes)? } else { 0 };
        let added = self.arrivals.add(UnexpectedMessage { kept_at, kept, ..message.arrival });
        if added.is_err() && kept > 0 {
            self.buffers.release(kept_at);
        }
        added
    }

    /// Posts a receive. The caller posts a multi-receive buffer again for each message that it
    /// takes, until it waits.
    ///
    /// # Errors
    /// [`ListFull`]: no message waits for it, and it cannot wait either.
    pub fn post(&mut self, receive: Receive) -> Result<Posted, ListFull> {
        match self.take(receive) {
            Some(posted) => Ok(posted),
            None => self.receives.post(receive).map(|index| Posted::Waits { index }),
        }
    }

    /// Lets a receive that is in no list take the first message that waits for it.
    #[inline]
    pub(super) fn take(&mut self, receive: Receive) -> Option<Posted> {
        let index = self.arrivals.find(&receive.criteria)?;
        Some(self.give(index, receive))
    }

    /// Gives a waiting message to a receive that is not in the list.
    fn give(&mut self, index: u32, receive: Receive) -> Posted {
        let arrival = self.arrivals.remove(index);
        let landing = receive.landing(arrival.length);
        Posted::Takes { arrival, landing }
    }

    /// Returns a waiting message that the criteria match, without taking it.
    #[must_use]
    pub fn peek(&mut self, criteria: &Criteria) -> Option<(u32, UnexpectedMessage)> {
        self.arrivals.find(criteria).map(|index| (index, *self.arrivals.get(index)))
    }

    /// Lets a receive take the message that its context has claimed. `None` if it has claimed none.
    pub fn take_claimed(&mut self, receive: Receive) -> Option<Posted> {
        let index = self.arrivals.find_claimed(receive.context)?;
        Some(self.give(index, receive))
    }

    /// Takes out a waiting message without a receive, and releases its bytes.
    pub fn discard(&mut self, index: u32) -> UnexpectedMessage {
        let arrival = self.arrivals.remove(index);
        self.done(&arrival);
        arrival
    }

    /// The number of entries that searches have compared so far.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.receives.compared() + self.arrivals.compared()
    }

    /// The kept bytes of a message that was taken.
    #[must_use]
    pub fn kept(&self, arrival: &UnexpectedMessage) -> &[u8] {
        if arrival.kept == 0 { &[] } else { self.buffers.get(arrival.kept_at, arrival.kept as usize) }
    }

    /// Rebuilds every chain from the entries. The blocks of `in_events` are in use, in addition to
    /// those of waiting messages.
    pub(super) fn rebuild(&mut self, in_events: &[u32]) {
        self.receives.rebuild();
        self.arrivals.rebuild();
        self.buffers.rebuild(self.arrivals.blocks().chain(in_events.iter().copied()));
    }

    /// Releases the kept bytes of a message that was taken.
    pub fn done(&mut self, arrival: &UnexpectedMessage) {
        if arrival.kept > 0 {
            self.buffers.release(arrival.kept_at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::buffer::{Block, BufferHeads, BufferShape};
    use super::super::list::{ANY_SOURCE, ArrivalHeads, ReceiveHeads};
    use super::*;

    struct Pools {
        receives: (Vec<Receive>, ReceiveHeads),
        arrivals: (Vec<UnexpectedMessage>, ArrivalHeads),
        buffers: (Vec<u8>, Vec<Block>, BufferHeads),
    }

    impl Pools {
        fn new(places: usize, shape: BufferShape) -> Self {
            let (mut receives, mut arrivals) =
                (vec![Receive::vacant(); places], vec![UnexpectedMessage::vacant(); places]);
            let mut blocks = vec![Block::default(); shape.block_count()];
            let heads = BufferHeads::of(shape, &mut blocks);
            let (of_receives, of_arrivals) = (ReceiveHeads::of(&mut receives), ArrivalHeads::of(&mut arrivals));
            Self {
                receives: (receives, of_receives),
                arrivals: (arrivals, of_arrivals),
                buffers: (vec![0; shape.bytes()], blocks, heads),
            }
        }

        fn portal(&mut self) -> Portal<'_> {
            Portal {
                receives: Receives::new(&mut self.receives.0, &mut self.receives.1),
                arrivals: Arrivals::new(&mut self.arrivals.0, &mut self.arrivals.1),
                buffers: Buffers::new(&mut self.buffers.0, &mut self.buffers.1, &mut self.buffers.2),
            }
        }
    }

    fn message(bits: u64, bytes: &[u8]) -> ArrivingMessage<'_> {
        ArrivingMessage { arrival: UnexpectedMessage::new(bits, 1, bytes.len() as u64), bytes }
    }

    fn offer(portal: &mut Portal<'_>, message: &ArrivingMessage<'_>) -> ArrivalOutcome {
        portal.offer(message, PortalKind::Plain, &mut Journal::default())
    }

    fn receive(bits: u64, length: u64) -> Receive {
        Receive::new(Criteria::new(bits, 0, ANY_SOURCE), 0x100, length, bits)
    }

    #[test]
    fn a_pair_meets_in_either_order() {
        let mut pools = Pools::new(4, BufferShape { blocks: [4, 1, 1] });
        let mut portal = pools.portal();
        assert!(matches!(portal.post(receive(1, 50)), Ok(Posted::Waits { .. })));
        let ArrivalOutcome::Lands(landing) = offer(&mut portal, &message(1, b"first")) else {
            panic!("it was posted before")
        };
        assert_eq!((landing.address, landing.room, landing.is_last), (0x100, 50, true));
        assert!(matches!(offer(&mut portal, &message(2, b"second")), ArrivalOutcome::Waits { .. }));
        let Ok(Posted::Takes { arrival, landing }) = portal.post(receive(2, 3)) else { panic!("it waits") };
        assert_eq!((portal.kept(&arrival), landing.room), (&b"second"[..], 3), "the driver truncates it");
        portal.done(&arrival);
        assert!(portal.receives.is_empty() && portal.arrivals.is_empty());
    }

    #[test]
    fn what_is_refused_leaves_no_trace() {
        let mut pools = Pools::new(1, BufferShape { blocks: [2, 0, 0] });
        let mut portal = pools.portal();
        assert!(matches!(offer(&mut portal, &message(1, b"kept")), ArrivalOutcome::Waits { .. }));
        let ArrivalOutcome::Refused(full) = offer(&mut portal, &message(2, b"refused")) else {
            panic!("the list has one place")
        };
        assert_eq!(full.list, "unexpected");
        let Ok(Posted::Takes { arrival, .. }) = portal.post(receive(1, 9)) else { panic!("it waits") };
        portal.done(&arrival);
        for round in 0..5 {
            assert!(
                matches!(offer(&mut portal, &message(round, b"again")), ArrivalOutcome::Waits { .. }),
                "no block was lost"
            );
            let (index, _) = portal.peek(&Criteria::new(round, 0, ANY_SOURCE)).expect("it waits");
            portal.discard(index);
        }
        let ArrivalOutcome::Refused(full) = offer(&mut portal, &message(2, &[0; 300])) else {
            panic!("no block is so great")
        };
        assert_eq!(full.list, "overflow-buffer");
    }

    #[test]
    fn a_buffer_for_many_takes_messages_until_too_little_is_left() {
        let mut pools = Pools::new(4, BufferShape { blocks: [4, 0, 0] });
        let mut portal = pools.portal();
        portal.post(Receive { least_free: 8, ..receive(1, 20) }).expect("there is room");
        let landed: Vec<(u64, bool)> = (0..3)
            .map_while(|_| match offer(&mut portal, &message(1, b"12345")) {
                ArrivalOutcome::Lands(landing) => Some((landing.address - 0x100, landing.is_last)),
                _ => None,
            })
            .collect();
        assert_eq!(landed, [(0, false), (5, false), (10, true)]);
        assert_eq!(portal.arrivals.len(), 0);
    }

    #[test]
    fn a_claimed_message_goes_to_its_claimant() {
        let mut pools = Pools::new(4, BufferShape { blocks: [4, 0, 0] });
        let mut portal = pools.portal();
        assert!(matches!(offer(&mut portal, &message(1, b"mine")), ArrivalOutcome::Waits { .. }));
        let (index, seen) = portal.peek(&Criteria::new(1, 0, 1)).expect("it waits");
        assert_eq!(seen.length, 4);
        portal.arrivals.claim(index, 77);
        assert!(matches!(portal.post(receive(1, 9)), Ok(Posted::Waits { .. })), "it is not for others");
        let claimant = Receive { context: 77, ..receive(0, 9) };
        let Some(Posted::Takes { arrival, .. }) = portal.take_claimed(claimant) else { panic!("it was claimed") };
        assert_eq!(portal.kept(&arrival), b"mine");
    }
}
