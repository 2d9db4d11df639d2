//! How an area's pools grow: they begin small, and a process that takes the lock when few places
//! are left commits memory for more.
//!
//! A pool's maximum size, and its position, are fixed when the area is made. Lack of memory has the
//! effect of a full list: nothing is lost, and the process that needs a place tries again.

use std::sync::atomic::Ordering;

use philae_nic_core::nic::{
    ArrivalHeads, Block, EventRing, NicEvent, NicProcess, PortalKind, Receive, ReceiveHeads, UnexpectedMessage,
};

use super::area::{Entered, SharedArea};
use super::pages::Short;
use super::shape::{AreaCapacity, AreaError, PortalShape};

/// Receives, waiting messages, and events that an area initially has memory for. Source: ours.
/// Status: assumed.
const FIRST_PLACES: u32 = 128;
/// A list or ring with fewer places left than this grows; one session of the lock uses fewer.
/// Source: ours. Status: assumed.
const SPARE_PLACES: u64 = 32;
/// The initial number of blocks of each size, and the number left at which more are added.
/// Source: ours. Status: assumed.
const FIRST_BLOCKS: [u32; 3] = [32, 16, 2];
const SPARE_BLOCKS: [u32; 3] = [8, 4, 1];

/// How much of an area's pools has memory. The [heads](philae_nic_core::nic::BufferHeads) count the
/// blocks.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct PoolSizes {
    receives: [u32; 2],
    arrivals: [u32; 2],
    events: u32,
}

impl PoolSizes {
    /// Receives and messages that a portal has memory for.
    #[inline]
    pub fn lists(&self, kind: PortalKind, shape: &PortalShape) -> (u32, u32) {
        let (receives, arrivals) = (self.receives[kind as usize], self.arrivals[kind as usize]);
        (receives.min(shape.receives), arrivals.min(shape.arrivals))
    }

    #[inline]
    pub fn events(&self, shape: &AreaCapacity) -> u32 {
        self.events.min(shape.events)
    }
}

/// Whether a pool with this many places, some of them in use, must grow.
#[inline]
const fn is_short(places: usize, in_use: u64, most: u32) -> bool {
    places < most as usize && (places as u64) < in_use + SPARE_PLACES
}

/// The new size of a pool.
fn grown(size: u32, most: u32) -> u32 {
    size.saturating_mul(2).max(FIRST_PLACES).min(most)
}

impl SharedArea {
    /// Commits more memory for pools of a locked area that have few places left.
    #[inline]
    pub(super) fn make_room<'a>(&'a self, entered: &mut Entered<'a>) {
        if self.lacks_room(&entered.process) {
            self.make_room_now(entered);
        }
    }

    #[inline]
    fn lacks_room(&self, process: &NicProcess<'_>) -> bool {
        let lists = [(&process.plain, &self.shape.plain), (&process.tagged, &self.shape.tagged)];
        let of_lists = lists.into_iter().any(|(portal, shape)| {
            let heads = portal.buffers.heads();
            let is_short_of =
                |size: usize| heads.free(size) < SPARE_BLOCKS[size] && heads.ready(size) < shape.blocks.blocks[size];
            is_short(portal.receives.places(), portal.receives.len(), shape.receives)
                || is_short(portal.arrivals.places(), portal.arrivals.len(), shape.arrivals)
                || (0..SPARE_BLOCKS.len()).any(is_short_of)
        });
        of_lists || self.lacks_events(&process.events, process.reserved.events())
    }

    #[inline]
    fn lacks_events(&self, events: &EventRing<'_>, reserved: u64) -> bool {
        events.places() < self.shape.events as usize && (events.free() as u64) < reserved + SPARE_PLACES
    }

    #[cold]
    fn make_room_now<'a>(&'a self, entered: &mut Entered<'a>) {
        // If this process dies meanwhile, the lists are rebuilt from their entries.
        let was_open = entered.process.is_open();
        if !self.is_owner && !was_open {
            entered.open();
        }
        let Some(held) = entered.keep_lock() else { return };
        // SAFETY: the lock is held, and the views of the state are not used any more.
        if let Err(AreaError::NoRoom { short, .. }) = unsafe { self.grow() } {
            short.say_once(&self.name);
        }
        let mut again = self.entered(held);
        if !was_open {
            again.process.close();
        }
        // SAFETY: the overwritten value has no lock to release any more, and nothing else to end.
        unsafe { std::ptr::write(entered, again) };
    }

    /// Commits more memory for every pool that has few places left.
    ///
    /// # Errors
    /// [`AreaError::NoRoom`]: memory committed before stays.
    ///
    /// # Safety
    /// The lock is held, or no other process has the area yet, and there are no references to the
    /// state.
    pub(super) unsafe fn grow(&self) -> Result<(), AreaError> {
        // SAFETY: as the caller promises.
        let (core, guarded) = unsafe { self.guarded() };
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            let ((shape, places), heads) = (self.part(kind), &mut core.heads[kind as usize]);
            let (receives, arrivals) = core.sizes.lists(kind, &shape);
            if is_short(receives as usize, heads.receives.len(), shape.receives) {
                let larger = grown(receives, shape.receives);
                self.commit::<Receive>(places.receives, receives as usize..larger as usize)?;
                // SAFETY: the pool has memory for this many, and there are no other references to
                // it.
                ReceiveHeads::extend(
                    &mut heads.receives,
                    unsafe { self.pool::<Receive>(places.receives, larger as usize) },
                    receives as usize,
                );
                core.sizes.receives[kind as usize] = larger;
            }
            if is_short(arrivals as usize, heads.arrivals.len(), shape.arrivals) {
                let larger = grown(arrivals, shape.arrivals);
                self.commit::<UnexpectedMessage>(places.arrivals, arrivals as usize..larger as usize)?;
                // SAFETY: as above.
                ArrivalHeads::extend(
                    &mut heads.arrivals,
                    unsafe { self.pool::<UnexpectedMessage>(places.arrivals, larger as usize) },
                    arrivals as usize,
                );
                core.sizes.arrivals[kind as usize] = larger;
            }
            for (size, (&first, &spare)) in FIRST_BLOCKS.iter().zip(&SPARE_BLOCKS).enumerate() {
                let (ready, most) = (heads.buffers.ready(size), shape.blocks.blocks[size]);
                if ready == most || heads.buffers.free(size) >= spare {
                    continue;
                }
                let larger = ready.saturating_mul(2).max(first).min(most);
                let begin = shape.blocks.first(size) as usize;
                self.commit::<Block>(places.blocks, begin + ready as usize..begin + larger as usize)?;
                self.commit::<u8>(places.bytes, shape.blocks.range(size, ready..larger))?;
                // SAFETY: as above; blocks without memory are not touched.
                let blocks = unsafe { self.pool(places.blocks, shape.blocks.block_count()) };
                heads.buffers.extend(blocks, size, larger);
            }
        }
        let events = core.sizes.events(&self.shape);
        // SAFETY: as above.
        let ring = EventRing::new(unsafe { self.pool(self.places.events, events as usize) }, &mut guarded.ring);
        if self.lacks_events(&ring, guarded.reserved.events()) {
            let larger = grown(events, self.shape.events);
            self.commit::<NicEvent>(self.places.events, events as usize..larger as usize)?;
            core.sizes.events = larger;
            if larger == self.shape.events {
                guarded.ring.complete();
            }
        }
        Ok(())
    }

    /// Makes the inbox of a portal.
    #[cold]
    pub(super) fn make_inbox(&self, kind: PortalKind) {
        let Ok(_entered) = self.take_lock() else { return };
        let has_inbox = &self.header().front.0.has_inbox[kind as usize];
        if has_inbox.load(Ordering::Relaxed) != 0 {
            return;
        }
        // SAFETY: the inbox is not in use before it exists, and the lock makes this process the
        // only one that makes it.
        match unsafe { self.begin_inbox(kind) } {
            Ok(()) => has_inbox.store(1, Ordering::Release),
            Err(AreaError::NoRoom { short, .. }) => Short::say_once(&short, &self.name),
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_nic_core::nic::{
        ANY_SOURCE, ArrivingMessage, BufferShape, Criteria, IncomingOperation, OperationRequest, Posted, ReturnCode,
    };

    const PORTAL: PortalShape =
        PortalShape { receives: 1_000, arrivals: 1_000, blocks: BufferShape { blocks: [900, 100, 10] } };
    const SHAPE: AreaCapacity =
        AreaCapacity { plain: PORTAL, tagged: PORTAL, regions: 64, counters: 4, triggers: 1, events: 1_000 };

    fn send(bits: u64, bytes: &[u8]) -> IncomingOperation<'_> {
        let message = ArrivingMessage { arrival: UnexpectedMessage::new(bits, 1, bytes.len() as u64), bytes };
        IncomingOperation { vni: 1, request: OperationRequest::Send { portal: PortalKind::Tagged, message } }
    }

    fn blocks(area: &SharedArea) -> u64 {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(format!("/dev/shm/{}", area.name())).expect("it is there").blocks() * 512
    }

    #[test]
    fn an_area_grows_as_it_is_used_and_holds_all_that_it_says() {
        let name = format!("philae-test-grow-{}", std::process::id());
        let owner = SharedArea::create(&name, SHAPE, 1, 77).expect("it can be made");
        let peer = SharedArea::open(&name).expect("it can be mapped");
        let first = blocks(&owner);
        assert!(first < 512 << 10, "{first} B");
        // As many waiting messages as there are places, in blocks of all sizes.
        for number in 0..1_000_u64 {
            let bytes = number.to_ne_bytes();
            peer.enter().expect("nobody died").process.begin(&send(number, &bytes)).expect("there is room");
        }
        let full = peer.enter().expect("nobody died").process.begin(&send(0, b"one more"));
        assert_eq!(full, Err(ReturnCode::Disabled));
        assert!(blocks(&owner) > first, "it has grown");
        let mut entered = owner.enter().expect("nobody died");
        for number in (0..1_000_u64).rev() {
            let criteria = Criteria::new(number, 0, ANY_SOURCE);
            let receive = Receive::new(criteria, 0, 8, number);
            let Ok(Some(Posted::Takes { arrival, .. })) = entered.process.take_waiting(PortalKind::Tagged, receive)
            else {
                panic!("message {number} waits");
            };
            assert_eq!(entered.process.tagged.kept(&arrival), number.to_ne_bytes());
            entered.process.tagged.done(&arrival);
            entered.process.forget_event();
        }
        drop(entered);
        for number in 0..1_000_u64 {
            let receive = Receive::new(Criteria::new(number, 0, ANY_SOURCE), 0, 8, number);
            let mut entered = owner.enter().expect("nobody died");
            assert!(matches!(entered.process.post(PortalKind::Plain, receive), Ok(Posted::Waits { .. })), "{number}");
        }
        let mut entered = owner.enter().expect("nobody died");
        assert_eq!(entered.process.plain.receives.len(), 1_000);
        for number in 0..1_000 {
            assert_eq!(entered.process.plain.receives.take_first().map(|receive| receive.context), Some(number));
        }
    }
}
