//! Counters of an endpoint: those of remote accesses to its memory, and what its peers' reports
//! need.

use std::net::SocketAddr;
use std::sync::{Arc, Weak};

use philae_fi_sys::fi_addr_t;

use super::bindings::OperationCounters;
use super::fi_endpoint::{FiEndpoint, SHAPE};
use crate::abi::Errno;
use crate::address::EndpointAddress;
use crate::counter::{FiCounter, RemoteCounts};

impl FiEndpoint {
    /// The area's counter in which other processes count for `counter`.
    ///
    /// # Errors
    /// All of them are in use.
    pub fn place_for(self: &Arc<Self>, counter: &FiCounter) -> Result<u32, Errno> {
        let mut state = self.state();
        let number = (1..=SHAPE.counters).find(|number| !state.places.contains(number)).ok_or(libc::ENOSPC)?;
        state.places.push(number);
        drop(state);
        let entered = self.enter()?;
        let place = &mut entered.process.counters[number as usize - 1];
        place.set(0);
        place.set_failures(0);
        drop(entered);
        let counts: Weak<dyn RemoteCounts> = Arc::<Self>::downgrade(self);
        counter.add_place(counts, number);
        Ok(number)
    }

    /// Starts to count remote accesses to its memory, if it is bound to counters for them.
    pub(super) fn count_remotely(self: &Arc<Self>) -> Result<(), Errno> {
        let OperationCounters { remote_write, remote_read, .. } = &self.bindings()?.counters;
        let place =
            |counter: &Option<Arc<FiCounter>>| counter.as_ref().map_or(Ok(0), |counter| self.place_for(counter));
        let writes = place(remote_write)?;
        let is_one =
            remote_write.as_ref().zip(remote_read.as_ref()).is_some_and(|(one, other)| Arc::ptr_eq(one, other));
        let reads = if is_one { writes } else { place(remote_read)? };
        let _ = self.remote_places.set([writes, reads]);
        Ok(())
    }

    /// Where remote accesses to its memory count: writes and reads.
    pub fn remote_places(&self) -> [u32; 2] {
        self.remote_places.get().copied().unwrap_or_default()
    }

    /// Keeps the counts of other processes when the endpoint closes.
    pub fn keep_remote_counts(&self) {
        let Ok(bindings) = self.bindings() else { return };
        let OperationCounters { remote_write, remote_read, .. } = &bindings.counters;
        let [writes, reads] = self.remote_places();
        for (counter, place) in [(remote_write, writes), (remote_read, reads)] {
            if let (Some(counter), 1..) = (counter, place) {
                counter.remove_place(self, place);
            }
        }
    }

    /// Frees a counter that is no longer used.
    pub fn release_place(&self, number: u32) {
        self.state().places.retain(|&known| known != number);
    }

    /// The counts of other processes: successes and failures.
    pub fn counted(&self, number: u32) -> (u64, u64) {
        let Ok(entered) = self.enter() else { return (0, 0) };
        let counter = &entered.process.counters[number as usize - 1];
        (counter.success(), counter.failure())
    }

    /// The address of a peer, by its number in the address vector, even after its removal.
    pub fn peer_address(&self, number: fi_addr_t) -> Option<EndpointAddress> {
        self.bindings().ok()?.addresses.as_ref()?.had(number)
    }

    /// Datagrams to a peer on another host, and segments retransmitted to it.
    pub fn wire_counts(&self, socket: SocketAddr) -> (u64, u64) {
        self.with_remote(|remote| Ok(remote.counts_of(socket))).unwrap_or_default()
    }
}
