//! Endpoints as objects that C holds.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use philae_fi_sys::*;

use crate::abi::Errno;
use crate::address_vector::Addresses;
use crate::completion_queue::FiCompletionQueue;
use crate::counter::FiCounter;
use crate::endpoint::{Bindings, FiEndpoint};
use crate::limits::INJECT_BYTES;
use crate::open_domain::OpenDomain;

#[repr(C)]
pub(super) struct EndpointObject {
    pub fid: fid_ep,
    /// The endpoint itself, which aliases share.
    pub core: Arc<FiEndpoint>,
    pub domain: Arc<OpenDomain>,
    /// The flags of operations that state none.
    pub transmit_flags: AtomicU64,
    pub receive_flags: AtomicU64,
    /// Its traffic class, and the required orders of its operations.
    pub class: AtomicU32,
    pub orders: AtomicU64,
    /// The bindings that it gets when it is enabled.
    pub bindings: Mutex<Bindings>,
    /// The requested process number.
    pub wanted: Option<u16>,
    /// A multi-receive buffer is released when less than this is left.
    pub least_free: AtomicUsize,
    /// Whether it is an alias of an endpoint.
    pub is_alias: bool,
    /// The objects that it keeps open, to be released.
    pub uses: Mutex<Vec<Used>>,
}

/// An object that cannot be closed while an endpoint uses it.
pub(super) enum Used {
    Addresses(Arc<Addresses>),
    Queue(Arc<FiCompletionQueue>),
    Counter(Arc<FiCounter>),
}

impl Used {
    /// How many objects use it.
    pub fn users(&self) -> &AtomicUsize {
        match self {
            Self::Addresses(addresses) => &addresses.users,
            Self::Queue(queue) => &queue.users,
            Self::Counter(counter) => &counter.users,
        }
    }
}

impl EndpointObject {
    /// An object cannot be closed while this endpoint uses it.
    pub fn uses(&self, used: Used) {
        used.users().fetch_add(1, Ordering::Relaxed);
        self.uses.lock().expect("no panic with it").push(used);
    }

    /// Whether an operation with these flags reports its success.
    pub fn reports(&self, flags: u64) -> bool {
        let bound = self.core.bindings().ok().and_then(|bindings| bindings.transmit.as_ref());
        bound.is_some_and(|bound| !bound.is_selective || flags & FI_COMPLETION != 0)
    }

    /// The flags of a send, a write or a read that states none. An operation that may be injected
    /// need not be.
    pub fn default_flags(&self, length: usize) -> u64 {
        let flags = self.transmit_flags.load(Ordering::Relaxed);
        if length > INJECT_BYTES { flags & !FI_INJECT } else { flags }
    }

    /// Makes it reachable for other endpoints.
    pub fn enable(&self) -> Result<(), Errno> {
        let bindings = std::mem::take(&mut *self.bindings.lock().expect("no panic with it"));
        if bindings.addresses.is_none() {
            return Err(FI_ENOAV);
        }
        if bindings.transmit.is_none() && bindings.receive.is_none() && !bindings.counters.any() {
            return Err(FI_ENOCQ);
        }
        self.core.enable(bindings, self.wanted)?;
        let domain = &self.domain;
        // Regions registered with the domain become reachable through this endpoint, too. The lock
        // is held while both lists change, so that no region is missed or registered twice.
        let regions = domain.regions.lock().expect("no panic with it");
        for region in regions.values().filter_map(Weak::upgrade) {
            region.register_at(&self.core)?;
        }
        let mut endpoints = domain.endpoints.lock().expect("no panic with it");
        endpoints.retain(|known| known.strong_count() > 0);
        endpoints.push(Arc::downgrade(&self.core));
        Ok(())
    }
}
