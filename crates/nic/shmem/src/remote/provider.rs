//! The choice of the libfabric provider for the job.

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

use philae_fi_sys::*;

use super::error::RemoteError;
use super::settings::{Registration, RemoteSettings};

/// What every provider must offer.
const CAPABILITIES: u64 = FI_RMA | FI_ATOMIC;
/// Providers in the default order of preference: NICs, then those that every host has, then those
/// that reach only their own host. Source: ours. Status: assumed.
const PREFERRED: [&str; 9] =
    ["cxi", "philae", "efa", "psm3", "opx", "verbs;ofi_rxm", "tcp;ofi_rxm", "sockets", "udp;ofi_rxd"];
/// They reach no other host.
const LOCAL: [&str; 1] = ["shm"];
/// The file name that libfabric searches for.
const OWN: &str = "libphilae-fi.so";

/// An answer of `fi_getinfo`, freed on drop.
pub(super) struct Info {
    library: FiLibrary,
    pub raw: *mut fi_info,
}

// SAFETY: the data that it points to never changes, and any thread may call libfabric's functions
// on it.
unsafe impl Send for Info {}
// SAFETY: as above.
unsafe impl Sync for Info {}

impl Drop for Info {
    fn drop(&mut self) {
        // SAFETY: it was made by `fi_dupinfo`, and is freed once.
        unsafe { (self.library.free_info)(self.raw) };
    }
}

/// Converts a C string; null becomes `""`.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller gives a string that ends with a zero.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

impl Info {
    /// # Safety
    /// Copies an answer of `fi_getinfo`, including everything that it points to.
    unsafe fn copy(library: FiLibrary, info: *const fi_info) -> Option<Self> {
        // SAFETY: as the caller promises; the copy has no successor.
        let raw = unsafe { (library.dup_info)(info) };
        (!raw.is_null()).then_some(Self { library, raw })
    }

    fn head(&self) -> &fi_info {
        // SAFETY: it lives as long as `self`.
        unsafe { &*self.raw }
    }

    /// The provider's name.
    pub fn provider(&self) -> String {
        // SAFETY: libfabric's answers have a fabric, whose names are valid or null.
        unsafe { text((*self.head().fabric_attr).prov_name) }
    }

    /// The domain's name: the NIC.
    pub fn domain(&self) -> String {
        // SAFETY: as above.
        unsafe { text((*self.head().domain_attr).name) }
    }

    /// The fabric's name.
    pub fn fabric(&self) -> String {
        // SAFETY: as above.
        unsafe { text((*self.head().fabric_attr).name) }
    }

    /// The `FI_MR_*` requirements for memory.
    pub fn registration(&self) -> i32 {
        // SAFETY: as above.
        unsafe { (*self.head().domain_attr).mr_mode }
    }

    /// The attributes of transmission, with their limits.
    pub fn transmit(&self) -> &fi_tx_attr {
        // SAFETY: as above.
        unsafe { &*self.head().tx_attr }
    }

    pub fn endpoint(&self) -> &fi_ep_attr {
        // SAFETY: as above.
        unsafe { &*self.head().ep_attr }
    }

    /// Whether the provider makes progress by itself.
    pub fn has_progress(&self) -> bool {
        // SAFETY: as above.
        unsafe { (*self.head().domain_attr).data_progress == FI_PROGRESS_AUTO }
    }

    pub fn capabilities(&self) -> u64 {
        self.head().caps
    }

    /// The NIC's memory node, if the system says.
    pub fn node(&self) -> Option<u32> {
        // SAFETY: the NIC's description is valid or null.
        let pci = unsafe {
            let nic = self.head().nic.as_ref()?;
            let bus = nic.bus_attr.as_ref().filter(|bus| bus.bus_type == FI_BUS_PCI)?;
            bus.attr.pci
        };
        let fi_pci_attr { domain_id, bus_id, device_id, function_id } = pci;
        let device = format!("{domain_id:04x}:{bus_id:02x}:{device_id:02x}.{function_id:x}");
        let said = std::fs::read_to_string(format!("/sys/bus/pci/devices/{device}/numa_node")).ok()?;
        said.trim().parse().ok()
    }
}

/// Optional properties to ask for.
#[derive(Clone, Copy)]
struct Wish {
    capabilities: u64,
    orders: u64,
    progress: u32,
}

pub(super) struct ChosenProvider {
    pub library: FiLibrary,
    /// Its NICs, in libfabric's order.
    pub nics: Vec<Info>,
    /// The reason for the choice.
    pub why: String,
}

/// Asks for all answers of a provider, or of any. If there is none, returns libfabric's
/// explanation.
fn ask(library: FiLibrary, settings: &RemoteSettings, name: Option<&str>, wish: Wish) -> Result<Vec<Info>, String> {
    let duplicate = |text: &str| CString::new(text).map_err(|_| "a name with a zero in it".to_owned());
    // SAFETY: libfabric makes and frees its own objects; it may free the names, which C's `strdup`
    // made.
    unsafe {
        let hints = (library.dup_info)(null());
        let Some(asked) = hints.as_mut() else { return Err("no memory".to_owned()) };
        asked.caps = CAPABILITIES | wish.capabilities;
        (*asked.ep_attr).r#type = FI_EP_RDM;
        let domain = &mut *asked.domain_attr;
        domain.mr_mode = match settings.registration {
            Registration::Scalable => FI_MR_LOCAL | FI_MR_ENDPOINT,
            // The vendor's fast regions have keys that the client chooses; so have ours.
            Registration::Any if name.is_some_and(is_like_the_vendors) => {
                FI_MR_LOCAL | FI_MR_ENDPOINT | FI_MR_ALLOCATED | FI_MR_VIRT_ADDR
            }
            _ => FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT,
        };
        domain.threading = FI_THREAD_SAFE;
        domain.resource_mgmt = FI_RM_ENABLED;
        domain.data_progress = wish.progress;
        domain.tclass = settings.traffic_class;
        (*asked.tx_attr).tclass = settings.traffic_class;
        (*asked.tx_attr).msg_order = wish.orders;
        if let Some(name) = name {
            (*asked.fabric_attr).prov_name = libc::strdup(duplicate(name)?.as_ptr());
        }
        if let Some(name) = &settings.domain {
            domain.name = libc::strdup(duplicate(name)?.as_ptr());
        }
        let mut found = null_mut();
        let code = (library.get_info)(CLIENT_VERSION, null(), null(), 0, hints, &raw mut found);
        (library.free_info)(hints);
        let mut all = Vec::new();
        let mut next: *const fi_info = found;
        while let Some(info) = next.as_ref() {
            all.extend(Info::copy(library, info));
            next = info.next;
        }
        if !found.is_null() {
            (library.free_info)(found);
        }
        if all.is_empty() { Err(library.why(code)) } else { Ok(all) }
    }
}

/// The best answer of a provider, or of any: with ordered writes and fences if possible, else with
/// one of the two, else with neither.
fn ask_for_the_best(library: FiLibrary, settings: &RemoteSettings, name: Option<&str>) -> Result<Vec<Info>, String> {
    // This provider's own progress costs nothing: if only this host is reached, there is none to
    // make.
    let of_its_own = settings.has_progress && name.is_some_and(is_philae);
    let progress = if of_its_own { FI_PROGRESS_AUTO } else { FI_PROGRESS_UNSPEC };
    let mut last = String::new();
    for (capabilities, orders) in [(FI_FENCE, FI_ORDER_WAW), (0, FI_ORDER_WAW), (FI_FENCE, 0), (0, 0)] {
        match ask(library, settings, name, Wish { capabilities, orders, progress }) {
            Ok(found) => return Ok(found),
            Err(why) => last = why,
        }
    }
    Err(last)
}

/// Whether it is this project's provider.
pub(super) fn is_philae(name: &str) -> bool {
    name == "philae"
}

/// Whether it knows the vendor's flags.
pub(super) fn is_like_the_vendors(name: &str) -> bool {
    is_philae(name) || name == "cxi"
}

/// Points libfabric at this project's provider, which usually lies next to this library, unless the
/// user has set the path.
fn point_at_own_provider() {
    if std::env::var_os("FI_PROVIDER_PATH").is_some() {
        return;
    }
    // SAFETY: zero bytes are an empty answer; the address is that of a function of this library.
    let place = unsafe {
        let mut found: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(point_at_own_provider as *const libc::c_void, &raw mut found) == 0 {
            return;
        }
        text(found.dli_fname)
    };
    let Some(folder) = std::path::Path::new(&place).parent().filter(|folder| folder.join(OWN).is_file()) else {
        return;
    };
    let Ok(folder) = CString::new(folder.to_string_lossy().into_owned()) else { return };
    // SAFETY: both strings end with a zero. The program is in its initialisation call, which the
    // standard allows on only one thread.
    unsafe { libc::setenv(c"FI_PROVIDER_PATH".as_ptr(), folder.as_ptr(), 0) };
}

/// Chooses a provider and lists its NICs.
///
/// # Errors
/// libfabric is missing, or no provider does what is needed.
pub(super) fn choose(settings: &RemoteSettings, has_other_hosts: bool) -> Result<ChosenProvider, RemoteError> {
    point_at_own_provider();
    let library = FiLibrary::open().map_err(RemoteError::NoLibrary)?;
    let names = |all: &[Info]| {
        let mut names: Vec<String> = Vec::new();
        all.iter().map(Info::provider).for_each(|name| {
            if !names.contains(&name) {
                names.push(name);
            }
        });
        names
    };
    let plain = Wish { capabilities: 0, orders: 0, progress: FI_PROGRESS_UNSPEC };
    let any = ask(library, settings, None, plain).unwrap_or_default();
    let there = names(&any);
    drop(any);
    let found = || if there.is_empty() { "none".to_owned() } else { there.join(", ") };
    let (name, why) = match &settings.provider {
        Some(name) => (name.clone(), "requested by SHMEM_OFI_PROVIDER".to_owned()),
        None => {
            let known = |name: &&String| !has_other_hosts || !LOCAL.contains(&name.as_str());
            let best = PREFERRED.iter().find_map(|preferred| there.iter().find(|name| name == preferred));
            let Some(name) = best.or_else(|| there.iter().find(known)) else {
                let why = if has_other_hosts { ", and reaches other hosts" } else { "" };
                return Err(RemoteError::NoProvider {
                    asked: "at all".to_owned(),
                    why: why.to_owned(),
                    found: found(),
                });
            };
            (name.clone(), format!("the first of those that were found: {}", found()))
        }
    };
    let mut nics = ask_for_the_best(library, settings, Some(&name)).map_err(|why| {
        let domain = settings.domain.as_ref().map_or_else(String::new, |domain| format!(" in domain '{domain}'"));
        RemoteError::NoProvider { asked: format!("named '{name}'{domain}"), why: format!(" ({why})"), found: found() }
    })?;
    // One answer for each NIC, all of the first one's fabric.
    let fabric = nics.first().map(Info::fabric);
    let mut seen: Vec<String> = Vec::new();
    nics.retain(|info| {
        let domain = info.domain();
        let is_new = Some(info.fabric()) == fabric && !seen.contains(&domain);
        seen.push(domain);
        is_new
    });
    // A provider without NICs of its own lists every interface of its host, and not each of them
    // reaches every other host.
    let default = if is_like_the_vendors(&name) { usize::MAX } else { 1 };
    nics.truncate(settings.nics.unwrap_or(default));
    Ok(ChosenProvider { library, nics, why })
}
