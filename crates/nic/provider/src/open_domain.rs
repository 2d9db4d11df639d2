//! An open domain with what is open in it.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, Weak};

use crate::deferred::Deferred;
use crate::domain::FiDomain;
use crate::endpoint::FiEndpoint;
use crate::region::FiRegion;

/// A domain with its endpoints, its regions and its deferred operations.
pub(crate) struct OpenDomain {
    pub domain: Arc<FiDomain>,
    /// The enabled endpoints, through which memory registered with the domain can be reached.
    pub endpoints: Mutex<Vec<Weak<FiEndpoint>>>,
    /// Memory that is registered with the domain and not with one endpoint, by key.
    pub regions: Mutex<BTreeMap<u64, Weak<FiRegion>>>,
    /// Operations that wait for a counter.
    pub deferred: Arc<Deferred>,
}

impl OpenDomain {
    /// A domain in which nothing is open.
    pub fn new(domain: FiDomain) -> Self {
        let (endpoints, regions, deferred) = (Mutex::default(), Mutex::default(), Arc::default());
        Self { domain: Arc::new(domain), endpoints, regions, deferred }
    }

    /// The enabled endpoints.
    pub fn live_endpoints(&self) -> Vec<Arc<FiEndpoint>> {
        self.endpoints.lock().expect("no panic with it").iter().filter_map(Weak::upgrade).collect()
    }
}

impl Deref for OpenDomain {
    type Target = FiDomain;

    fn deref(&self) -> &FiDomain {
        &self.domain
    }
}
