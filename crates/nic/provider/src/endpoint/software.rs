//! Software matching: it takes over waiting messages when the NIC's list entries are used up, keeps
//! receives for which there is no entry, and matches by itself if asked to
//! (`FI_CXI_RX_MATCH_MODE`).
//!
//! Entries in software came before entries in the area. A message that waits here is older than all
//! that wait there, and a receive that is posted there is older than all that wait here. Locked
//! after the area.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use philae_nic_core::nic::{
    Criteria, MessageLanding, NicProcess, PortalKind, ReadPosition, Receive, SoftwareLists, UnexpectedMessage,
};

use crate::operation::LEFT_WITH_SENDER;
use crate::settings::Limit;
use crate::shm::area::Entered;
use crate::traffic::Matches;

/// The most receives, and messages, that one portal keeps in software. Source: ours.
/// Status: assumed.
const LIMIT: usize = 1 << 20;
/// Marks messages whose bytes are kept here, instead of the number of a block.
const IN_SOFTWARE: u32 = u32::MAX;

/// Whether this process has reported that one of its endpoints has reached the limit.
static IS_SAID: AtomicBool = AtomicBool::new(false);

/// The lists in software of one endpoint.
pub(crate) struct Software {
    /// Whether there may be work.
    is_active: AtomicBool,
    kept: Mutex<Kept>,
    limit: Limit,
}

pub(super) struct Kept {
    lists: [SoftwareLists; 2],
    /// Bytes of messages, in places whose number a message has as its address, and the free places.
    bytes: Vec<Box<[u8]>>,
    free: Vec<usize>,
    held: usize,
    /// For each portal, how far messages in the NIC have been compared: no receive here matches any
    /// of those.
    seen: [ReadPosition; 2],
}

/// The result of a search among messages that wait in software.
pub(super) enum Searched {
    /// The claimed message, and where it goes.
    Takes(UnexpectedMessage, MessageLanding),
    /// The message that was found.
    Found(UnexpectedMessage),
}

/// The next work of software, without the area's lock.
pub(super) enum Task {
    /// Deliver a message of the NIC to the receive here that matches it. Both are removed.
    Take(PortalKind, UnexpectedMessage, MessageLanding),
    /// Fetch the bytes of a message here that its sender still has.
    Fetch(PortalKind, u32, UnexpectedMessage),
}

/// How many of the NIC's messages were taken over.
enum TakenOver {
    All,
    /// As many as there was room for.
    Part,
    /// All up to this message, which is the last one here. Its sender has its bytes.
    UpTo(u32, UnexpectedMessage),
}

impl Kept {
    /// The lists of a portal.
    pub fn of(&mut self, kind: PortalKind) -> &mut SoftwareLists {
        &mut self.lists[kind as usize]
    }

    /// Takes over the receives of the NIC. None waits here then, so there is room for all.
    pub fn take_over_receives(&mut self, process: &mut NicProcess<'_>, kind: PortalKind) {
        while let Some(receive) = process.portal(kind).receives.take_first() {
            let _ = self.of(kind).add_receive(receive);
        }
    }

    /// Keeps the bytes of a message; returns their place.
    fn keep(&mut self, bytes: &[u8]) -> usize {
        self.held += bytes.len();
        let place = self.free.pop().unwrap_or(self.bytes.len());
        if place == self.bytes.len() {
            self.bytes.push(Box::default());
        }
        self.bytes[place] = bytes.into();
        place
    }

    /// The first message that has come to the NIC since the last comparison and that a receive here
    /// matches, and that receive.
    fn meet(&mut self, process: &mut NicProcess<'_>, kind: PortalKind) -> Option<(u32, u32)> {
        let (lists, seen) = (&mut self.lists[kind as usize], &mut self.seen[kind as usize]);
        let arrivals = &mut process.portal(kind).arrivals;
        while let Some(index) = arrivals.first_unseen(seen) {
            let &UnexpectedMessage { bits, source, claimed_by, .. } = arrivals.get(index);
            let asks = (claimed_by == 0).then(|| lists.receives(|receives| receives.find(bits, source))).flatten();
            if let Some(receive) = asks {
                return Some((index, receive));
            }
            *seen = arrivals.seen_to(index);
        }
        None
    }
}

impl Software {
    /// Empty lists, with this limit on the bytes of messages.
    pub fn new(limit: Limit) -> Self {
        let lists = [SoftwareLists::with_limit(LIMIT), SoftwareLists::with_limit(LIMIT)];
        Self {
            is_active: AtomicBool::new(false),
            kept: Mutex::new(Kept {
                lists,
                bytes: Vec::new(),
                free: Vec::new(),
                held: 0,
                seen: [ReadPosition::default(); 2],
            }),
            limit,
        }
    }

    /// What it keeps, locked.
    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether software takes part in matching, or may.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.is_active.load(Ordering::Relaxed)
    }

    /// Software takes part from now on.
    pub fn begin(&self) {
        self.is_active.store(true, Ordering::Relaxed);
    }

    /// Software takes part from now on if the NIC asks for it.
    #[inline]
    pub fn begin_if_asked(&self, entered: &Entered<'_>) {
        let matching = &entered.process.matching;
        if matching.is_asked() || matching.is_software() {
            self.begin();
        }
    }

    /// The bytes of a message that are kept here; `None` if they are not.
    pub fn take_bytes(&self, arrival: &UnexpectedMessage) -> Option<Box<[u8]>> {
        if arrival.kept_at != IN_SOFTWARE {
            return None;
        }
        let mut kept = self.kept();
        let place = arrival.address as usize;
        let bytes = std::mem::take(&mut kept.bytes[place]);
        kept.free.push(place);
        kept.held -= bytes.len();
        Some(bytes)
    }

    /// The places of receives here that match only messages of this source.
    pub fn of_source(&self, kind: PortalKind, source: u32) -> Vec<u32> {
        self.kept().of(kind).receives(|receives| receives.of_source(source))
    }

    /// Removes the receive at this place.
    pub fn remove(&self, kind: PortalKind, index: u32) -> Receive {
        self.kept().of(kind).receives(|receives| receives.remove(index))
    }

    /// Visits the waiting receives.
    pub fn each_receive(&self, kind: PortalKind, mut visit: impl FnMut(&Receive)) {
        self.kept().of(kind).receives(|receives| receives.each(|_, receive| visit(receive)));
    }

    /// How many entries searches here have compared so far.
    pub fn compared(&self) -> u64 {
        self.kept().lists.iter().map(SoftwareLists::compared).sum()
    }

    /// Removes the first receive with this context.
    pub fn cancel(&self, kind: PortalKind, context: u64) -> Option<Receive> {
        self.kept().of(kind).receives(|receives| receives.cancel(context))
    }

    /// Whether a message waits for a receive with these criteria.
    pub fn has(&self, kind: PortalKind, criteria: &Criteria) -> bool {
        self.kept().of(kind).arrivals(|arrivals| arrivals.find(criteria).is_some())
    }

    /// Visits the waiting messages.
    pub fn each(&self, kind: PortalKind, visit: impl FnMut(&UnexpectedMessage)) {
        self.kept().of(kind).arrivals(|arrivals| arrivals.each(visit));
    }

    /// Takes over the NIC's entries, as far as it should, and returns the next work without the
    /// lock. If a receive takes a message, room for its event is reserved.
    pub(super) fn next(&self, entered: &mut Entered<'_>, counts: &Matches) -> Option<Task> {
        let mut kept = self.kept();
        let process = &mut entered.process;
        counts.refused.store(process.matching.refused(), Ordering::Relaxed);
        let (is_software, is_asked) = (process.matching.is_software(), process.matching.is_asked());
        let mut is_done = true;
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            if is_software {
                kept.take_over_receives(process, kind);
            }
            if kept.of(kind).has_no_receive() {
                // A receive that is posted later first searches the NIC's waiting messages.
                kept.seen[kind as usize] = process.portal(kind).arrivals.seen_all();
            } else {
                if let Some((index, receive)) = kept.meet(process, kind) {
                    if process.expect_event().is_err() {
                        is_done = false;
                        continue;
                    }
                    let arrival = process.portal(kind).arrivals.remove(index);
                    let landing = kept.of(kind).receives(|receives| receives.land(receive, arrival.length));
                    counts.matched.fetch_add(1, Ordering::Relaxed);
                    return Some(Task::Take(kind, arrival, landing));
                }
            }
            if is_asked {
                match self.take_over(&mut kept, process, kind, counts) {
                    TakenOver::All => {}
                    TakenOver::Part => is_done = false,
                    TakenOver::UpTo(index, arrival) => return Some(Task::Fetch(kind, index, arrival)),
                }
            }
            while !is_software && !kept.of(kind).has_no_receive() && process.admits_receive(kind) {
                let Some(receive) = kept.of(kind).take_first_receive() else { break };
                // There is room, as was just checked.
                let _ = process.portal(kind).receives.post(receive);
            }
        }
        if is_done && is_asked {
            process.matching.is_done();
        }
        let is_empty = kept.lists.iter().all(SoftwareLists::is_empty);
        if is_empty && is_done && !process.matching.is_software() {
            self.is_active.store(false, Ordering::Relaxed);
        }
        None
    }

    /// Takes over messages that wait in the NIC, in their order, while there is room.
    fn take_over(
        &self,
        kept: &mut Kept,
        process: &mut NicProcess<'_>,
        kind: PortalKind,
        counts: &Matches,
    ) -> TakenOver {
        loop {
            let portal = process.portal(kind);
            let Some(index) = portal.arrivals.first() else { return TakenOver::All };
            let mut arrival = *portal.arrivals.get(index);
            let is_left = arrival.flags & LEFT_WITH_SENDER != 0 && arrival.handle != 0;
            let length = if is_left { arrival.length } else { arrival.kept } as usize;
            if kept.held + length > self.limit.bytes {
                self.limit.is_reached(&IS_SAID);
                return TakenOver::Part;
            }
            if !kept.of(kind).has_room_for_arrival() {
                return TakenOver::Part;
            }
            if arrival.kept > 0 {
                let place = kept.keep(portal.kept(&arrival));
                portal.done(&arrival);
                (arrival.address, arrival.kept_at) = (place as u64, IN_SOFTWARE);
            }
            portal.arrivals.remove(index);
            let added = kept.of(kind).add_arrival(arrival).expect("there is room: it has been asked");
            counts.taken_over.fetch_add(1, Ordering::Relaxed);
            if is_left {
                return TakenOver::UpTo(added, arrival);
            }
        }
    }

    /// Stores the fetched bytes of a message. Returns whether the message still waits here and now
    /// has them; a receive may have taken it meanwhile.
    pub fn keep_fetched(&self, kind: PortalKind, index: u32, fetched: &UnexpectedMessage, bytes: &[u8]) -> bool {
        let mut kept = self.kept();
        let waits = kept.of(kind).arrivals(|arrivals| {
            let found = arrivals.get(index);
            found.waits() && (found.handle, found.source) == (fetched.handle, fetched.source)
        });
        if waits {
            let place = kept.keep(bytes);
            kept.of(kind).arrivals(|arrivals| arrivals.has_come(index, IN_SOFTWARE, place as u64));
        }
        waits
    }
}
