//! Domains: a NIC of this host as one process uses it.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use philae_fi_sys::*;
use philae_nic_core::nic::{AtomicOperation, AtomicType};

use crate::abi::{self, Errno, answer_done};
use crate::address::{AddressForm, EndpointAddress};
use crate::counter::ShownCounters;
use crate::deferred::{self, Deferred};
use crate::endpoint::EndpointPort;
use crate::extension::DomainOptions;
use crate::info::{AUTH_KEY_BYTES, device_of, form_of};
use crate::names::NameContext;
use crate::settings::ProviderSettings;
use crate::shm::area::{AreaError, SharedArea};
use crate::{address_vector, completion_queue, counter, endpoint, fabric, memory};

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
    /// The enabled endpoints, through which memory registered with the domain can be reached.
    pub ports: Mutex<Vec<Weak<EndpointPort>>>,
    /// Memory that is registered with the domain and not with one endpoint, by key.
    pub regions: Mutex<BTreeMap<u64, Weak<memory::FiRegion>>>,
    /// Operations that wait for a counter.
    pub deferred: Deferred,
    /// The vendor's options.
    pub options: DomainOptions,
    /// Counts of closed endpoints, if they are to be reported.
    pub telemetry: Mutex<HashMap<&'static str, u64>>,
    /// Counters that show their values in memory of the program.
    pub shown: ShownCounters,
    /// Mapped areas of neighbours.
    areas: Mutex<HashMap<(String, u64), Weak<SharedArea>>>,
    fabric_users: Arc<AtomicUsize>,
}

impl FiDomain {
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

    /// A domain without a fabric.
    #[cfg(test)]
    pub fn for_test(settings: &'static ProviderSettings) -> Self {
        Self {
            device: 15,
            vni: settings.vnis[0],
            form: AddressForm::Whole,
            registration: FI_MR_PROV_KEY,
            users: AtomicUsize::new(0),
            settings,
            ports: Mutex::default(),
            regions: Mutex::default(),
            deferred: Deferred::default(),
            options: DomainOptions::new(settings),
            telemetry: Mutex::default(),
            shown: ShownCounters::default(),
            areas: Mutex::default(),
            fabric_users: Arc::default(),
        }
    }

    /// The enabled endpoints.
    pub fn live_ports(&self) -> Vec<Arc<EndpointPort>> {
        self.ports.lock().expect("no panic with it").iter().filter_map(Weak::upgrade).collect()
    }
}

/// The object.
#[repr(C)]
pub(crate) struct DomainObject {
    fid: fid_domain,
    domain: Arc<FiDomain>,
}

static FID_OPS: fi_ops = fi_ops {
    close: Some(close),
    bind: Some(bind),
    control: Some(control),
    ops_open: Some(crate::extension::open),
    ..fi_ops::DECLINED
};
static OPS: fi_ops_domain = fi_ops_domain {
    av_open: Some(address_vector::open),
    cq_open: Some(completion_queue::open),
    endpoint: Some(endpoint::object::open),
    scalable_ep: Some(no_scalable),
    cntr_open: Some(counter::open),
    poll_open: Some(no_poll),
    stx_ctx: Some(no_transmit_context),
    srx_ctx: Some(no_receive_context),
    query_atomic: Some(query_atomic),
    endpoint2: Some(endpoint::object::open2),
    ..fi_ops_domain::DECLINED
};
static MEMORY_OPS: fi_ops_mr = fi_ops_mr {
    reg: Some(memory::register),
    regv: Some(memory::register_vector),
    regattr: Some(memory::register_attributes),
    ..fi_ops_mr::DECLINED
};

/// `fi_domain`.
pub(crate) unsafe extern "C" fn open(
    fabric: *mut fid_fabric,
    info: *mut fi_info,
    domain: *mut *mut fid_domain,
    context: *mut c_void,
) -> c_int {
    answer_done(|| {
        let settings = ProviderSettings::of_environment().map_err(|_| libc::EINVAL)?;
        // SAFETY: C passes a fabric of ours, and an info that came from this provider.
        let (fabric, info) = unsafe { (fabric::of(fabric), info.as_ref().ok_or(libc::EINVAL)?) };
        // SAFETY: as above; its parts are valid or null.
        let attr = unsafe { info.domain_attr.as_ref() }.ok_or(libc::EINVAL)?;
        if attr.name.is_null() {
            return Err(libc::EINVAL);
        }
        // SAFETY: the name ends with a zero.
        let name = unsafe { CStr::from_ptr(attr.name) }.to_str().map_err(|_| libc::EINVAL)?;
        let device = device_of(name).filter(|device| settings.nics.devices.contains(device)).ok_or(libc::ENODEV)?;
        // SAFETY: a key is as long as it says.
        let vni = unsafe { vni_of(attr.auth_key, attr.auth_key_size, settings)? }.unwrap_or(settings.vnis[0]);
        fabric.users.fetch_add(1, Ordering::Relaxed);
        let inner = FiDomain {
            device,
            vni,
            form: form_of(info.addr_format, settings),
            registration: attr.mr_mode,
            users: AtomicUsize::new(0),
            settings,
            ports: Mutex::default(),
            regions: Mutex::default(),
            deferred: Deferred::default(),
            options: DomainOptions::new(settings),
            shown: ShownCounters::default(),
            telemetry: Mutex::default(),
            areas: Mutex::default(),
            fabric_users: Arc::clone(&fabric.users),
        };
        let fid = fid_domain {
            fid: abi::head(FI_CLASS_DOMAIN, context, &FID_OPS),
            ops: abi::table(&OPS),
            mr: abi::table(&MEMORY_OPS),
        };
        abi::give_out(DomainObject { fid, domain: Arc::new(inner) }, domain)
    })
}

/// `fi_domain2`.
pub(crate) unsafe extern "C" fn open2(
    fabric: *mut fid_fabric,
    info: *mut fi_info,
    domain: *mut *mut fid_domain,
    flags: u64,
    context: *mut c_void,
) -> c_int {
    if flags != 0 {
        return -FI_EBADFLAGS;
    }
    // SAFETY: as for `open`.
    unsafe { open(fabric, info, domain, context) }
}

/// The virtual network of an authorisation key, which has the number of a service and of the
/// network. `None` if there is no key.
///
/// # Errors
/// The key's length is wrong, or this process may not use the network.
///
/// # Safety
/// The key is as long as it says.
pub(crate) unsafe fn vni_of(key: *const u8, bytes: usize, settings: &ProviderSettings) -> Result<Option<u16>, Errno> {
    if bytes == 0 || key.is_null() {
        return Ok(None);
    }
    if bytes != AUTH_KEY_BYTES {
        return Err(libc::EINVAL);
    }
    // SAFETY: as the caller promises.
    let key = unsafe { std::slice::from_raw_parts(key, bytes) };
    let vni = u16::from_ne_bytes([key[4], key[5]]);
    if settings.vnis.contains(&vni) { Ok(Some(vni)) } else { Err(libc::EACCES) }
}

/// The Rust domain of a C handle.
///
/// # Safety
/// The handle is one of ours.
pub(crate) unsafe fn of<'a>(domain: *mut fid_domain) -> &'a Arc<FiDomain> {
    // SAFETY: as the caller promises.
    unsafe { &abi::object::<DomainObject, _>(domain).domain }
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes an object that it was given.
        let domain = unsafe { of(fid.cast()) };
        if domain.users.load(Ordering::Relaxed) > 0 {
            return Err(libc::EBUSY);
        }
        crate::report::telemetry(domain);
        domain.fabric_users.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: it is not in use.
        drop(unsafe { abi::reclaim::<DomainObject, _>(fid) });
        Ok(())
    })
}

unsafe extern "C" fn bind(_: *mut fid, other: *mut fid, _: u64) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a libfabric object.
        let class = unsafe { (*other).fclass };
        if class == FI_CLASS_EQ as usize { Ok(()) } else { Err(libc::EINVAL) }
    })
}

unsafe extern "C" fn control(fid: *mut fid, command: c_int, arg: *mut c_void) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a domain of ours.
        let domain = unsafe { of(fid.cast()) };
        match command as u32 {
            // SAFETY: for these commands the argument is an option with a value of its type.
            command @ (FI_SET_VAL | FI_GET_VAL) => unsafe {
                crate::extension::of_domain(&domain.options, command, arg.cast())
            },
            // SAFETY: for the others it is deferred work.
            command => unsafe { deferred::control(domain, command, arg.cast()) },
        }
    })
}

unsafe extern "C" fn no_scalable(_: *mut fid_domain, _: *mut fi_info, _: *mut *mut fid_ep, _: *mut c_void) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn no_poll(_: *mut fid_domain, _: *mut fi_poll_attr, _: *mut *mut fid_poll) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn no_transmit_context(
    _: *mut fid_domain,
    _: *mut fi_tx_attr,
    _: *mut *mut fid_stx,
    _: *mut c_void,
) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn no_receive_context(
    _: *mut fid_domain,
    _: *mut fi_rx_attr,
    _: *mut *mut fid_ep,
    _: *mut c_void,
) -> c_int {
    -libc::ENOSYS
}

/// `fi_query_atomic`.
unsafe extern "C" fn query_atomic(
    domain: *mut fid_domain,
    of_type: c_uint,
    operation: c_uint,
    attr: *mut fi_atomic_attr,
    flags: u64,
) -> c_int {
    answer_done(|| {
        let form = match flags & !(FI_TAGGED | FI_CXI_PCIE_AMO) {
            0 => AtomicForm::Plain,
            FI_FETCH_ATOMIC => AtomicForm::Fetching,
            FI_COMPARE_ATOMIC => AtomicForm::Comparing,
            _ => return Err(FI_EBADFLAGS),
        };
        if flags & FI_TAGGED != 0 {
            return Err(libc::EOPNOTSUPP);
        }
        let (operation, of_type, mut count) = atomic(form, of_type, operation)?;
        if flags & FI_CXI_PCIE_AMO != 0 {
            count = 1;
            // SAFETY: C passes a domain of ours.
            endpoint::is_for_bus(unsafe { of(domain) }, form, operation, of_type, count)?;
        }
        // SAFETY: C passes room for the answer.
        let attr = unsafe { attr.as_mut() }.ok_or(libc::EINVAL)?;
        (attr.count, attr.size) = (count, of_type.bytes());
        Ok(())
    })
}

/// The three families of atomic operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicForm {
    /// Changes the target.
    Plain,
    /// Also fetches the old value.
    Fetching,
    /// Also compares.
    Comparing,
}

/// The most bytes of one atomic operation. Source: ours; the vendor's NIC takes one element.
/// Status: assumed.
pub(crate) const ATOMIC_BYTES: usize = 4_096;

/// The operation and type with these numbers, and how many elements it takes at most.
///
/// # Errors
/// `EOPNOTSUPP`: it does not exist in this form.
pub(crate) fn atomic(
    form: AtomicForm,
    of_type: c_uint,
    operation: c_uint,
) -> Result<(AtomicOperation, AtomicType, usize), Errno> {
    let unsupported = libc::EOPNOTSUPP;
    let operation = AtomicOperation::of_number(operation).ok_or(unsupported)?;
    let of_type = AtomicType::of_number(of_type).ok_or(unsupported)?;
    let fits = match form {
        AtomicForm::Plain => !operation.compares() && operation != AtomicOperation::Read,
        AtomicForm::Fetching => !operation.compares(),
        AtomicForm::Comparing => operation.compares(),
    };
    let fits = fits && of_type.takes(operation);
    if fits { Ok((operation, of_type, ATOMIC_BYTES / of_type.bytes())) } else { Err(unsupported) }
}

/// A C string, for messages.
///
/// # Safety
/// The string ends with a zero, or is null.
pub(crate) unsafe fn string<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("")
}
