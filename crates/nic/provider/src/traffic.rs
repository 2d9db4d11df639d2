//! The traffic of an endpoint.

use std::sync::atomic::{AtomicU64, Ordering};

use philae_fi_sys::{FI_CXI_PCIE_AMO, FI_MORE};

use crate::peers::CountsByPeer;

/// The class of packets that carry an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PacketClass {
    /// Ordered, with an answer of its own.
    #[default]
    Unrestricted,
    /// Unordered: to a fast region, if no order was requested.
    Restricted,
    /// The same, without an answer of its own: the network's is enough.
    HighRate,
}

/// The counts of an endpoint, from its creation.
#[derive(Debug, Default)]
pub(crate) struct EndpointTraffic {
    sends: AtomicU64,
    sent_bytes: AtomicU64,
    /// Messages that waited for their receive at the target, to be fetched.
    rendezvous: AtomicU64,
    receives: AtomicU64,
    received_bytes: AtomicU64,
    writes: AtomicU64,
    written_bytes: AtomicU64,
    reads: AtomicU64,
    read_bytes: AtomicU64,
    atomics: AtomicU64,
    atomic_bytes: AtomicU64,
    doorbells: AtomicU64,
    /// Commands of operations, and how many of them left their doorbell to a later one (`FI_MORE`).
    commands: AtomicU64,
    bundled: AtomicU64,
    /// Operations for which the target had no room.
    refused: AtomicU64,
    /// One-sided operations in unordered packets, those among them at the high rate, and those that
    /// are sent once.
    restricted: AtomicU64,
    high_rate: AtomicU64,
    unreliable: AtomicU64,
    /// Operations sent once that got no answer in time.
    unreliable_lost: AtomicU64,
    /// Atomic operations through the processor's bus.
    by_bus: AtomicU64,
    /// Matching outside the NIC's lists.
    pub matches: Matches,
    /// The counts by peer, if requested.
    pub peers: Option<Box<CountsByPeer>>,
}

/// Matching outside the NIC's lists.
#[derive(Debug, Default)]
pub(crate) struct Matches {
    /// Messages that found no list entry of the NIC, counted each time they came.
    pub refused: AtomicU64,
    /// Waiting messages of the NIC that software has taken over.
    pub taken_over: AtomicU64,
    /// Messages that software has matched with a receive.
    pub matched: AtomicU64,
    /// Entries that searches for a match have compared, in the NIC's lists and in software.
    pub compared: AtomicU64,
}

/// The names of all counts: the endpoint's own, and those of its wire between hosts.
pub(crate) fn names() -> Vec<&'static str> {
    let wire = philae_nic_core::transport::TransportCounters::default().list();
    EndpointTraffic::default().counts().into_iter().chain(wire).map(|(name, _)| name).collect()
}

fn add(counter: &AtomicU64, count: u64) {
    // Usually one thread at a time counts here: an addition without a lock would do, and this costs
    // no more.
    counter.store(counter.load(Ordering::Relaxed) + count, Ordering::Relaxed);
}

impl EndpointTraffic {
    /// The counts of an endpoint; also by peer if the process was asked for its traffic.
    pub fn of_endpoint() -> Self {
        Self { peers: CountsByPeer::asked_for(), ..Self::default() }
    }

    pub fn sent(&self, bytes: u64, waits: bool) {
        add(&self.sends, 1);
        add(&self.sent_bytes, bytes);
        if waits {
            add(&self.rendezvous, 1);
        }
    }

    pub fn received(&self, bytes: u64) {
        add(&self.receives, 1);
        add(&self.received_bytes, bytes);
    }

    pub fn accessed(&self, is_read: bool, bytes: u64) {
        let (operations, moved) =
            if is_read { (&self.reads, &self.read_bytes) } else { (&self.writes, &self.written_bytes) };
        add(operations, 1);
        add(moved, bytes);
    }

    pub fn changed(&self, bytes: u64) {
        add(&self.atomics, 1);
        add(&self.atomic_bytes, bytes);
    }

    /// Counts a write by the class of its packets.
    pub fn carried(&self, class: PacketClass) {
        if class == PacketClass::Unrestricted {
            return;
        }
        add(&self.restricted, 1);
        if class == PacketClass::HighRate {
            add(&self.high_rate, 1);
        }
    }

    /// Counts an atomic operation by its class and its flags.
    pub fn carried_amo(&self, class: PacketClass, is_unreliable: bool, flags: u64) {
        self.carried(class);
        if is_unreliable {
            add(&self.unreliable, 1);
        }
        if flags & FI_CXI_PCIE_AMO != 0 {
            add(&self.by_bus, 1);
        }
    }

    /// Counts an operation that was sent once and got no answer in time.
    pub fn lost(&self) {
        self.unreliable_lost.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a command: one with a doorbell of its own, or one that leaves it to a later one.
    pub fn command(&self, flags: u64) {
        add(&self.commands, 1);
        if flags & FI_MORE != 0 {
            add(&self.bundled, 1);
        }
    }

    pub fn doorbell(&self) {
        add(&self.doorbells, 1);
    }

    pub fn refused(&self) {
        add(&self.refused, 1);
    }

    /// Each count with its name.
    pub fn counts(&self) -> [(&'static str, u64); 24] {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        [
            ("sends", of(&self.sends)),
            ("sent_bytes", of(&self.sent_bytes)),
            ("rendezvous", of(&self.rendezvous)),
            ("receives", of(&self.receives)),
            ("received_bytes", of(&self.received_bytes)),
            ("writes", of(&self.writes)),
            ("written_bytes", of(&self.written_bytes)),
            ("reads", of(&self.reads)),
            ("read_bytes", of(&self.read_bytes)),
            ("atomics", of(&self.atomics)),
            ("atomic_bytes", of(&self.atomic_bytes)),
            ("doorbells", of(&self.doorbells)),
            ("commands", of(&self.commands)),
            ("bundled", of(&self.bundled)),
            ("refused", of(&self.refused)),
            ("restricted", of(&self.restricted)),
            ("high_rate", of(&self.high_rate)),
            ("unreliable", of(&self.unreliable)),
            ("unreliable_lost", of(&self.unreliable_lost)),
            ("by_bus", of(&self.by_bus)),
            ("list_refused", of(&self.matches.refused)),
            ("list_taken_over", of(&self.matches.taken_over)),
            ("software_matched", of(&self.matches.matched)),
            ("match_compared", of(&self.matches.compared)),
        ]
    }
}
