//! Domains: a NIC of this host as one process uses it.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use philae_fi_sys::FI_MR_PROV_KEY;

use crate::address::{AddressForm, EndpointAddress};
use crate::counter::ShownCounters;
use crate::names::NameContext;
use crate::settings::{ProviderSettings, RegionSettings};
use crate::shm::area::{AreaError, SharedArea};

/// Keys below this belong to fast regions, if the program chooses keys. Source: fi_cxi(7).
/// Status: published.
const OPTIMIZED_KEYS: u64 = 100;

/// State that endpoints, queues and regions of a domain share.
pub(crate) struct FiDomain {
    pub device: u8,
    pub vni: u16,
    /// The form of addresses in the program.
    pub form: AddressForm,
    /// The agreed `FI_MR_*` modes.
    pub registration: c_int,
    /// The number of open objects.
    pub users: AtomicUsize,
    pub settings: &'static ProviderSettings,
    /// The vendor's options.
    pub options: DomainOptions,
    /// Counts of closed endpoints, if they are to be reported.
    pub telemetry: Mutex<HashMap<&'static str, u64>>,
    /// Counters that show their values in memory of the program.
    pub shown: ShownCounters,
    /// Mapped areas of neighbours.
    areas: Mutex<HashMap<(String, u64), Weak<SharedArea>>>,
}

impl FiDomain {
    /// A domain of a NIC, in a virtual network.
    pub fn new(
        device: u8,
        vni: u16,
        form: AddressForm,
        registration: c_int,
        settings: &'static ProviderSettings,
    ) -> Self {
        Self {
            device,
            vni,
            form,
            registration,
            users: AtomicUsize::new(0),
            settings,
            options: DomainOptions::new(settings),
            telemetry: Mutex::default(),
            shown: ShownCounters::default(),
            areas: Mutex::default(),
        }
    }

    /// A domain without a fabric.
    #[cfg(test)]
    pub fn for_test(settings: &'static ProviderSettings) -> Self {
        Self::new(15, settings.vnis[0], AddressForm::Whole, FI_MR_PROV_KEY, settings)
    }

    /// The endpoint of an address in the program's form; `None` if it leads to none.
    pub fn decode(&self, bytes: &[u8]) -> Option<EndpointAddress> {
        NameContext { settings: self.settings, vni: self.vni }.decode(self.form, bytes)
    }

    /// The area of a neighbour, mapped once for all endpoints.
    ///
    /// # Errors
    /// [`AreaError`].
    pub fn area(&self, address: &EndpointAddress) -> Result<Arc<SharedArea>, AreaError> {
        let name = address.area_name();
        let mut areas = self.areas.lock().expect("no panic with it");
        let key = (name, address.incarnation);
        // Another endpoint may have the name by now, if the address does not identify one.
        let is_meant = |area: &Arc<SharedArea>| address.incarnation != 0 || area.is_alive();
        if let Some(area) = areas.get(&key).and_then(Weak::upgrade).filter(is_meant) {
            return Ok(area);
        }
        let area = Arc::new(SharedArea::open(&key.0)?);
        if address.incarnation != 0 && area.incarnation() != address.incarnation {
            return Err(AreaError::Foreign { name: key.0 });
        }
        areas.retain(|_, area| area.strong_count() > 0);
        areas.insert(key, Arc::downgrade(&area));
        Ok(area)
    }

    /// Whether a key belongs to a fast region. Of the provider's own keys only the target knows
    /// which do, so all may.
    pub fn is_optimized(&self, key: u64) -> bool {
        self.options.optimized.load(Ordering::Relaxed)
            && (self.registration & FI_MR_PROV_KEY != 0 || key < OPTIMIZED_KEYS)
    }
}

#[derive(Debug)]
pub(crate) struct DomainOptions {
    /// Whether regions with low keys are of the fast kind.
    pub optimized: AtomicBool,
    /// Whether closing a region waits for operations that are about to reach it. Here closing
    /// always waits.
    pub match_events: AtomicBool,
    /// Whether regions with the provider's keys are cached. Nothing is cached here, because
    /// registration costs nothing.
    pub key_cache: AtomicBool,
}

impl DomainOptions {
    pub fn new(settings: &ProviderSettings) -> Self {
        let RegionSettings { is_optimized, match_events, key_cache, .. } = settings.regions;
        Self { optimized: is_optimized.into(), match_events: match_events.into(), key_cache: key_cache.into() }
    }
}
