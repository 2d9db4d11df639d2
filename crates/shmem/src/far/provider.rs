//! Which provider of libfabric carries the job's operations.

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

use philae_fi_sys::*;

use super::error::FarError;
use super::settings::{FarSettings, Registration};

/// What every provider has to do.
const CAPABILITIES: u64 = FI_RMA | FI_ATOMIC;
/// Providers in the order in which they are taken where nobody says: NICs, then what every host has. Those that reach their
/// own host alone come last. Source: ours. Status: assumed.
const PREFERRED: [&str; 9] =
    ["cxi", "philae", "efa", "psm3", "opx", "verbs;ofi_rxm", "tcp;ofi_rxm", "sockets", "udp;ofi_rxd"];
/// They reach nobody on another host.
const LOCAL: [&str; 1] = ["shm"];
/// What libfabric looks for.
const OWN: &str = "libphilae-fi.so";

/// An answer of `fi_getinfo`'s. It goes with this.
pub(super) struct Info {
    library: Library,
    pub raw: *mut fi_info,
}

// SAFETY: nobody changes what it points to once it is made, and libfabric's functions for it may be called from any thread.
unsafe impl Send for Info {}
// SAFETY: as above.
unsafe impl Sync for Info {}

impl Drop for Info {
    fn drop(&mut self) {
        // SAFETY: it was made by `fi_dupinfo`, and is freed once.
        unsafe { (self.library.free_info)(self.raw) };
    }
}

/// A string of C's; `""` for none.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller gives a string that ends with a zero.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

impl Info {
    /// # Safety
    /// An answer of `fi_getinfo`'s, with all that hangs on it.
    unsafe fn copy(library: Library, info: *const fi_info) -> Option<Self> {
        // SAFETY: as the caller says; the copy has no follower.
        let raw = unsafe { (library.dup_info)(info) };
        (!raw.is_null()).then_some(Self { library, raw })
    }

    fn head(&self) -> &fi_info {
        // SAFETY: it is there as long as this.
        unsafe { &*self.raw }
    }

    /// The provider's name.
    pub fn provider(&self) -> String {
        // SAFETY: what libfabric answers has a fabric with names that are there or null.
        unsafe { text((*self.head().fabric_attr).prov_name) }
    }

    /// The domain's name: the NIC.
    pub fn domain(&self) -> String {
        // SAFETY: as above.
        unsafe { text((*self.head().domain_attr).name) }
    }

    /// The fabric's.
    pub fn fabric(&self) -> String {
        // SAFETY: as above.
        unsafe { text((*self.head().fabric_attr).name) }
    }

    /// `FI_MR_*` that are asked of memory.
    pub fn registration(&self) -> i32 {
        // SAFETY: as above.
        unsafe { (*self.head().domain_attr).mr_mode }
    }

    /// What goes out, and how far.
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

    /// The node of memory that the NIC is at, where the system says.
    pub fn node(&self) -> Option<u32> {
        // SAFETY: what describes a NIC is there or null.
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

/// What is asked for beside what is needed.
#[derive(Clone, Copy)]
struct Wish {
    capabilities: u64,
    orders: u64,
    progress: u32,
}

/// The provider that was chosen.
pub(super) struct Chosen {
    pub library: Library,
    /// Its NICs, in libfabric's order.
    pub nics: Vec<Info>,
    /// Why this one.
    pub why: String,
}

/// All answers for a provider, or for any. What libfabric says where there is none.
fn ask(library: Library, settings: &FarSettings, name: Option<&str>, wish: Wish) -> Result<Vec<Info>, String> {
    let duplicate = |text: &str| CString::new(text).map_err(|_| "a name with a zero in it".to_owned());
    // SAFETY: libfabric makes and frees its own objects; names are such as it may free, made by C's `strdup`.
    unsafe {
        let hints = (library.dup_info)(null());
        let Some(asked) = hints.as_mut() else { return Err("no memory".to_owned()) };
        asked.caps = CAPABILITIES | wish.capabilities;
        (*asked.ep_attr).r#type = FI_EP_RDM;
        let domain = &mut *asked.domain_attr;
        domain.mr_mode = match settings.registration {
            Registration::Scalable => FI_MR_LOCAL | FI_MR_ENDPOINT,
            // The vendor's fast regions have keys that the client chooses; ours are alike.
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

/// The best that a provider, or any, offers: with its order of writes and its fences, with one of the two, with none.
fn ask_for_the_best(library: Library, settings: &FarSettings, name: Option<&str>) -> Result<Vec<Info>, String> {
    // Its own progress costs this one nothing: where only this host is reached, there is none to make.
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

/// The provider of this project.
pub(super) fn is_philae(name: &str) -> bool {
    name == "philae"
}

/// Whether it knows the vendor's flags.
pub(super) fn is_like_the_vendors(name: &str) -> bool {
    is_philae(name) || name == "cxi"
}

/// The provider of this project lies beside this library as a rule: libfabric is told, where nobody has told it anything.
fn point_at_own_provider() {
    if std::env::var_os("FI_PROVIDER_PATH").is_some() {
        return;
    }
    // SAFETY: zeros are an empty answer; the address is of a function of this library.
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
    // SAFETY: two strings that end with a zero. The program is in its call of initialisation, which the standard lets it
    // make from one thread.
    unsafe { libc::setenv(c"FI_PROVIDER_PATH".as_ptr(), folder.as_ptr(), 0) };
}

/// Chooses a provider and lists its NICs.
///
/// # Errors
/// There is no libfabric, or none that does what is needed.
pub(super) fn choose(settings: &FarSettings, is_abroad: bool) -> Result<Chosen, FarError> {
    point_at_own_provider();
    let library = Library::open().map_err(FarError::NoLibrary)?;
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
        Some(name) => (name.clone(), "asked for by SHMEM_OFI_PROVIDER".to_owned()),
        None => {
            let known = |name: &&String| !is_abroad || !LOCAL.contains(&name.as_str());
            let best = PREFERRED.iter().find_map(|preferred| there.iter().find(|name| name == preferred));
            let Some(name) = best.or_else(|| there.iter().find(known)) else {
                let why = if is_abroad { ", and reaches other hosts" } else { "" };
                return Err(FarError::NoProvider { asked: "at all".to_owned(), why: why.to_owned(), found: found() });
            };
            (name.clone(), format!("the first of those that were found: {}", found()))
        }
    };
    let mut nics = ask_for_the_best(library, settings, Some(&name)).map_err(|why| {
        let domain = settings.domain.as_ref().map_or_else(String::new, |domain| format!(" in domain '{domain}'"));
        FarError::NoProvider { asked: format!("named '{name}'{domain}"), why: format!(" ({why})"), found: found() }
    })?;
    // One answer for each NIC: of the first one's fabric, where there are several.
    let fabric = nics.first().map(Info::fabric);
    let mut seen: Vec<String> = Vec::new();
    nics.retain(|info| {
        let domain = info.domain();
        let is_new = Some(info.fabric()) == fabric && !seen.contains(&domain);
        seen.push(domain);
        is_new
    });
    // What has no NICs of its own lists every way out of its host, and not each reaches everybody.
    let default = if is_like_the_vendors(&name) { usize::MAX } else { 1 };
    nics.truncate(settings.nics.unwrap_or(default));
    Ok(Chosen { library, nics, why })
}
