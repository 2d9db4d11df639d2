//! Registered memory.

use std::sync::{Arc, Mutex, Weak};

use philae_fi_sys::*;
use philae_nic_core::nic::{self, Counted, RegisterError, Rights};

use crate::abi::Errno;
use crate::counter::FiCounter;
use crate::endpoint::FiEndpoint;
use crate::shm::lock::is_alive;

pub(crate) struct FiRegion {
    pub key: u64,
    address: u64,
    length: u64,
    rights: Rights,
    counters: Mutex<Counters>,
    /// The endpoints through which it can be reached.
    endpoints: Mutex<Vec<EndpointRegion>>,
}

/// The counters of other processes' accesses to a region.
#[derive(Clone, Default)]
struct Counters {
    writes: Option<Arc<FiCounter>>,
    reads: Option<Arc<FiCounter>>,
}

/// A region at an endpoint, with the places there that count only for this region's counters.
struct EndpointRegion {
    endpoint: Weak<FiEndpoint>,
    places: Vec<(Arc<FiCounter>, u32)>,
}

impl EndpointRegion {
    /// The place in which other processes count for a counter at this endpoint; the counter may
    /// count for the endpoint already.
    fn place(&mut self, endpoint: &Arc<FiEndpoint>, counter: Option<&Arc<FiCounter>>) -> Result<u32, Errno> {
        let Some(counter) = counter else { return Ok(0) };
        let of_endpoint = &endpoint.bindings()?.counters;
        let [writes, reads] = endpoint.remote_places();
        for (known, place) in [(&of_endpoint.remote_write, writes), (&of_endpoint.remote_read, reads)] {
            if known.as_ref().is_some_and(|known| Arc::ptr_eq(known, counter)) {
                return Ok(place);
            }
        }
        if let Some((_, place)) = self.places.iter().find(|(known, _)| Arc::ptr_eq(known, counter)) {
            return Ok(*place);
        }
        let place = endpoint.place_for(counter)?;
        self.places.push((Arc::clone(counter), place));
        Ok(place)
    }

    /// The places in which accesses through this endpoint count.
    fn counted(&mut self, endpoint: &Arc<FiEndpoint>, counters: &Counters) -> Result<Counted, Errno> {
        let [of_writes, of_reads] = endpoint.remote_places();
        let writes = [self.place(endpoint, counters.writes.as_ref())?, of_writes];
        Ok(Counted { writes, reads: [self.place(endpoint, counters.reads.as_ref())?, of_reads] })
    }
}

impl FiRegion {
    /// A region that no endpoint reaches yet.
    pub fn new(key: u64, address: u64, length: u64, rights: Rights) -> Self {
        Self { key, address, length, rights, counters: Mutex::default(), endpoints: Mutex::default() }
    }

    /// Makes the region reachable through this endpoint.
    ///
    /// # Errors
    /// `ENOKEY`: another region has the key; `ENOSPC`: the table is full.
    pub fn register_at(&self, endpoint: &Arc<FiEndpoint>) -> Result<(), Errno> {
        let counters = self.counters.lock().expect("no panic with it").clone();
        let mut reachable = EndpointRegion { endpoint: Arc::downgrade(endpoint), places: Vec::new() };
        let counted = reachable.counted(endpoint, &counters)?;
        let region = nic::RegisteredRegion::new(self.key, self.address, self.length, self.rights);
        let mut entered = endpoint.enter()?;
        let registered = entered.process.regions.register(region).map_err(|error| match error {
            RegisterError::KeyInUse { .. } => FI_ENOKEY,
            RegisterError::Full { .. } => libc::ENOSPC,
        });
        if registered.is_ok() {
            entered.process.regions.set_counters(self.key, counted);
        }
        drop(entered);
        if let Err(error) = registered {
            reachable.release(endpoint);
            return Err(error);
        }
        self.endpoints.lock().expect("no panic with it").push(reachable);
        Ok(())
    }

    /// Counts accesses of these kinds in this counter from now on.
    ///
    /// # Errors
    /// `EINVAL`: another counter counts them already.
    pub fn count_in(&self, counter: &Arc<FiCounter>, flags: u64) -> Result<(), Errno> {
        let mut counters = self.counters.lock().expect("no panic with it");
        let is_taken = flags & FI_REMOTE_WRITE != 0 && counters.writes.is_some()
            || flags & FI_REMOTE_READ != 0 && counters.reads.is_some();
        if is_taken {
            return Err(libc::EINVAL);
        }
        if flags & FI_REMOTE_WRITE != 0 {
            counters.writes = Some(Arc::clone(counter));
        }
        if flags & FI_REMOTE_READ != 0 {
            counters.reads = Some(Arc::clone(counter));
        }
        for reachable in self.endpoints.lock().expect("no panic with it").iter_mut() {
            let Some(endpoint) = reachable.endpoint.upgrade() else { continue };
            let counted = reachable.counted(&endpoint, &counters)?;
            endpoint.enter()?.process.regions.set_counters(self.key, counted);
        }
        Ok(())
    }

    /// Makes the region unreachable, and waits for accesses that were about to reach it.
    pub fn remove(&self) {
        for reachable in self.endpoints.lock().expect("no panic with it").drain(..) {
            let Some(endpoint) = reachable.endpoint.upgrade() else { continue };
            let Ok(mut entered) = endpoint.enter() else { continue };
            entered.process.regions.remove(self.key);
            while entered.flights.reach(self.key) {
                let us = std::process::id();
                if entered.flights.lost(|process| process != us && !is_alive(process)).is_some() {
                    continue;
                }
                drop(entered);
                std::thread::yield_now();
                let Ok(again) = endpoint.enter() else { return };
                entered = again;
            }
            drop(entered);
            reachable.release(&endpoint);
        }
    }
}

impl EndpointRegion {
    /// Stops counting for the region at this endpoint; the counts stay.
    fn release(&self, endpoint: &FiEndpoint) {
        for (counter, place) in &self.places {
            counter.remove_place(endpoint, *place);
            endpoint.release_place(*place);
        }
    }
}
