//! Events that the NIC reports to its process, in a ring of fixed size.

use serde::{Deserialize, Serialize};

/// How an operation ended. Names follow the return codes that Cassini's documentation and drivers
/// use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum ReturnCode {
    /// The operation succeeded.
    #[default]
    #[error("ok")]
    Ok,
    /// The target's process does not exist, or the network gave up.
    #[error("undeliverable: the target does not exist, or the network gave up")]
    Undeliverable,
    /// The target accepts no messages until it has made room.
    #[error("the target's lists are full")]
    Disabled,
    /// The message was longer than the receive; its end is lost.
    #[error("the message is longer than its receive")]
    Truncated,
    /// The initiator has no right to this virtual network, key or access.
    #[error("no permission")]
    PermissionViolation,
    /// No region has this key, or no receive is posted for a message that must not wait.
    #[error("nothing matches")]
    NoMatch,
    /// The access goes beyond the end of the region.
    #[error("out of the region's bounds")]
    OutOfBounds,
    /// The operation is not defined for this type.
    #[error("no such operation")]
    Unsupported,
    /// Cancelled by its process.
    #[error("cancelled")]
    Cancelled,
    /// The target's process could not be read or written, because its buffer no longer exists.
    #[error("memory cannot be reached")]
    BadAddress,
}

impl ReturnCode {
    /// All codes, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Ok,
        Self::Undeliverable,
        Self::Disabled,
        Self::Truncated,
        Self::PermissionViolation,
        Self::NoMatch,
        Self::OutOfBounds,
        Self::Unsupported,
        Self::Cancelled,
        Self::BadAddress,
    ];

    /// The code of this number.
    #[must_use]
    pub fn of_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// The kind of operation that an event reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum EventKind {
    /// A message has been sent.
    #[default]
    Send,
    /// A message has arrived in a receive.
    Receive,
    /// A put has ended.
    Put,
    /// A get has ended.
    Get,
    /// An atomic operation has ended.
    Atomic,
    /// A put with data by another process has ended here.
    RemotePut,
    /// A get by another process from here has ended.
    RemoteGet,
    /// The result of a search for waiting messages.
    Search,
}

/// Bytes of a message that an event can hold. Source: ours. Status: assumed; a second cache line in
/// addition to the event's own.
pub const INLINE_BYTES: usize = 64;
/// The value of [`NicEvent::kept_at`] if the event itself holds the bytes.
pub const IN_EVENT: u32 = u32::MAX;

/// An event: one cache line, and another one for the bytes of a short message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct NicEvent {
    /// The context that the process gave the operation.
    pub context: u64,
    /// Match bits of the message.
    pub bits: u64,
    /// Data that the initiator supplied.
    pub data: u64,
    /// Bytes of the message, or of the operation.
    pub length: u64,
    /// Where the bytes are, for multi-receive buffers.
    pub address: u64,
    /// Bytes that did not fit; a message is shorter than 4 GiB.
    pub lost: u32,
    /// One more than the number of the block that holds the message's bytes until the process takes
    /// the event. 0: the bytes are at their destination. [`IN_EVENT`]: the event holds them.
    pub kept_at: u32,
    /// The interface's flag bits.
    pub flags: u64,
    /// The source of the message.
    pub source: u32,
    /// The kind of operation.
    pub kind: EventKind,
    /// How it ended.
    pub code: ReturnCode,
    /// Whether the receive is complete. For a multi-receive buffer: whether the buffer has been
    /// given back.
    pub is_last: bool,
    /// Whether the message has a tag.
    pub is_tagged: bool,
    /// The bytes of a short message.
    pub bytes: Inline,
}

/// Room for the bytes of a short message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Inline(pub [u8; INLINE_BYTES]);

impl Default for Inline {
    fn default() -> Self {
        Self([0; INLINE_BYTES])
    }
}

const _: () = assert!(size_of::<NicEvent>() == 128);

/// The state of a ring: how many events have been put in, and taken out, since it was last empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct RingState {
    put: u64,
    taken: u64,
    /// Not 0 while the ring may still get more slots. Until then it wraps to its first slot only
    /// when it is empty.
    grows: u64,
}

impl RingState {
    /// The state of a ring that will get more slots.
    #[must_use]
    pub const fn growing() -> Self {
        Self { put: 0, taken: 0, grows: 1 }
    }

    /// Records that the ring has all its slots.
    pub const fn complete(&mut self) {
        self.grows = 0;
    }
}

/// A ring of events: a view of its slots, wherever they lie.
#[derive(Debug)]
pub struct EventRing<'a> {
    slots: &'a mut [NicEvent],
    state: &'a mut RingState,
}

/// The ring is full, because the process has not taken the events that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("all {places} events of the queue wait to be read")]
pub struct RingFull {
    /// The number of slots.
    pub places: usize,
}

impl<'a> EventRing<'a> {
    /// A view of a ring of at least one slot.
    pub fn new(slots: &'a mut [NicEvent], state: &'a mut RingState) -> Self {
        Self { slots, state }
    }

    /// The number of waiting events.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.state.put - self.state.taken) as usize
    }

    /// Whether no event waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The total number of slots.
    #[must_use]
    pub const fn places(&self) -> usize {
        self.slots.len()
    }

    /// The number of free slots. A caller checks this before it begins an operation that needs an
    /// event, so that no event is lost later.
    #[must_use]
    pub fn free(&self) -> usize {
        if self.state.grows == 0 { self.slots.len() - self.len() } else { self.slots.len() - self.state.put as usize }
    }

    /// Appends an event.
    ///
    /// # Errors
    /// [`RingFull`].
    pub fn push(&mut self, event: NicEvent) -> Result<(), RingFull> {
        let places = self.slots.len();
        if self.free() == 0 {
            return Err(RingFull { places });
        }
        self.slots[self.state.put as usize % places] = event;
        self.state.put += 1;
        Ok(())
    }

    /// How many events have been put in since the ring was last empty.
    pub(super) const fn put(&self) -> u64 {
        self.state.put
    }

    /// Takes back the events beyond the first `put`.
    pub(super) const fn take_back(&mut self, put: u64) {
        self.state.put = put;
    }

    /// The waiting events, oldest first.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &NicEvent> {
        let RingState { put, taken, .. } = *self.state;
        (taken..put).map(|number| &self.slots[number as usize % self.slots.len()])
    }

    /// Takes the first event out.
    pub fn pop(&mut self) -> Option<NicEvent> {
        if self.is_empty() {
            return None;
        }
        let event = self.slots[self.state.taken as usize % self.slots.len()];
        self.state.taken += 1;
        if self.is_empty() {
            (self.state.put, self.state.taken) = (0, 0);
        }
        Some(event)
    }
}

#[cfg(test)]
impl RingState {
    /// What an interrupted session may have left.
    pub(super) fn torn(one: Self, other: Self, is_put: bool) -> Self {
        Self { put: if is_put { other.put } else { one.put }, ..one }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_in_the_order_in_which_they_went_in() {
        let (mut slots, mut state) = (vec![NicEvent::default(); 3], RingState::default());
        let mut ring = EventRing::new(&mut slots, &mut state);
        let event = |context| NicEvent { context, ..NicEvent::default() };
        let mut next = 0;
        for round in 0..10 {
            for _ in 0..=round % 3 {
                ring.push(event(next)).expect("there is room");
                next += 1;
            }
            let first = next - ring.len() as u64;
            let taken: Vec<u64> = std::iter::from_fn(|| ring.pop()).map(|event| event.context).collect();
            assert_eq!(taken, (first..next).collect::<Vec<_>>());
        }
        for context in 0..3 {
            ring.push(event(context)).expect("there is room");
        }
        assert_eq!((ring.push(event(3)), ring.free()), (Err(RingFull { places: 3 }), 0));
        assert_eq!(ring.pop().map(|event| event.context), Some(0), "what was refused has overwritten nothing");
    }

    #[test]
    fn a_ring_that_grows_keeps_what_is_in_it() {
        let (mut slots, mut state) = (vec![NicEvent::default(); 6], RingState::growing());
        let event = |context| NicEvent { context, ..NicEvent::default() };
        let mut ring = EventRing::new(&mut slots[..3], &mut state);
        for context in 0..3 {
            ring.push(event(context)).expect("there is room");
        }
        assert_eq!((ring.pop().map(|event| event.context), ring.free()), (Some(0), 0), "it does not begin again");
        let mut ring = EventRing::new(&mut slots, &mut state);
        assert_eq!(ring.free(), 3);
        ring.push(event(3)).expect("there is room");
        let taken: Vec<u64> = std::iter::from_fn(|| ring.pop()).map(|event| event.context).collect();
        assert_eq!((taken, ring.free()), (vec![1, 2, 3], 6), "empty, it begins again");
        state.complete();
        let mut ring = EventRing::new(&mut slots, &mut state);
        for context in 4..10 {
            ring.push(event(context)).expect("there is room");
        }
        assert_eq!((ring.pop().map(|event| event.context), ring.free()), (Some(4), 1), "whole, it does");
    }
}
