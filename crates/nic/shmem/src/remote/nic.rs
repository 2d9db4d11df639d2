//! A NIC that this process has opened: fabric, domain, address vector.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use philae_fi_sys::*;

use super::error::RemoteError;
use super::provider::{Info, is_like_the_vendors, is_philae};
use super::region::LocalRange;
use super::rule::ProviderAtomics;

/// A NIC, opened by this process.
pub(super) struct OpenNic {
    pub library: FiLibrary,
    pub info: Info,
    pub provider: String,
    fabric: *mut fid_fabric,
    pub domain: *mut fid_domain,
    pub vector: *mut fid_av,
    /// The other PEs' endpoints in the address vector, by PE.
    peers: OnceLock<Vec<fi_addr_t>>,
    /// This PE's memory in the order of the ranges, if the NIC has to know what it reads and writes
    /// here.
    local: Vec<Registered>,
}

// SAFETY: libfabric was asked for a domain that any thread may use at any time.
unsafe impl Send for OpenNic {}
// SAFETY: as above.
unsafe impl Sync for OpenNic {}

/// Memory that a NIC knows; unregistered on drop.
pub(super) struct Registered {
    region: *mut fid_mr,
    pub memory: LocalRange,
}

// SAFETY: as for the NIC.
unsafe impl Send for Registered {}
// SAFETY: as above.
unsafe impl Sync for Registered {}

impl Registered {
    pub fn key(&self) -> u64 {
        // SAFETY: the region lives as long as `self`.
        unsafe { (*self.region).key }
    }

    pub fn descriptor(&self) -> *mut c_void {
        // SAFETY: as above.
        unsafe { (*self.region).mem_desc }
    }

    /// Binds the region to an endpoint, as some providers need, and enables it.
    pub fn bind(&self, nic: &OpenNic, endpoint: *mut fid_ep) -> Result<(), RemoteError> {
        // SAFETY: both objects exist.
        unsafe {
            let own = &raw mut (*self.region).fid;
            let bind = (*(*own).ops).bind.ok_or_else(|| nic.missing("fi_mr_bind"))?;
            nic.done("fi_mr_bind", bind(own, &raw mut (*endpoint).fid, 0))?;
            let control = (*(*own).ops).control.ok_or_else(|| nic.missing("fi_mr_enable"))?;
            nic.done("fi_mr_enable", control(own, FI_ENABLE as c_int, null_mut()))
        }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // SAFETY: the region was made, and is closed once, before its domain.
        unsafe { close(self.region) };
    }
}

/// What other PEs may do to registered memory.
const REMOTE: u64 = FI_REMOTE_READ | FI_REMOTE_WRITE;
/// What this process's operations do with it.
const LOCAL: u64 = FI_READ | FI_WRITE;

impl OpenNic {
    pub fn open(library: FiLibrary, info: Info) -> Result<Self, RemoteError> {
        let provider = info.provider();
        let mut nic = Self {
            library,
            info,
            provider,
            fabric: null_mut(),
            domain: null_mut(),
            vector: null_mut(),
            peers: OnceLock::new(),
            local: Vec::new(),
        };
        // SAFETY: each object is made by the one before it, through the table that came with that,
        // and answers are checked before the object is used. `drop` closes all.
        unsafe {
            let raw = nic.info.raw;
            let code = (library.fabric)((*raw).fabric_attr, &raw mut nic.fabric, null_mut());
            nic.done("fi_fabric", code)?;
            let open = (*(*nic.fabric).ops).domain.ok_or_else(|| nic.missing("fi_domain"))?;
            let code = open(nic.fabric, raw, &raw mut nic.domain, null_mut());
            nic.done("fi_domain", code)?;
            let mut attr: fi_av_attr = std::mem::zeroed();
            attr.r#type = FI_AV_UNSPEC;
            let open = (*(*nic.domain).ops).av_open.ok_or_else(|| nic.missing("fi_av_open"))?;
            let code = open(nic.domain, &raw mut attr, &raw mut nic.vector, null_mut());
            nic.done("fi_av_open", code)?;
        }
        Ok(nic)
    }

    pub fn done(&self, call: &'static str, code: c_int) -> Result<(), RemoteError> {
        if code >= 0 {
            return Ok(());
        }
        Err(RemoteError::Call { call, provider: self.provider.clone(), why: self.library.why(code) })
    }

    pub fn missing(&self, call: &'static str) -> RemoteError {
        RemoteError::Call { call, provider: self.provider.clone(), why: "it has no such function".to_owned() }
    }

    /// Registers a range. With a `key` also for other PEs; it is the key to use if keys are ours.
    pub fn register(&self, memory: LocalRange, key: Option<u64>, requested: u64) -> Result<Registered, RemoteError> {
        let rights = if key.is_some() { LOCAL | REMOTE } else { LOCAL };
        let mut region = null_mut();
        // SAFETY: the memory is the program's or this library's, and stays until the region is
        // closed.
        unsafe {
            let register = (*(*self.domain).mr).reg.ok_or_else(|| self.missing("fi_mr_reg"))?;
            let domain = &raw mut (*self.domain).fid;
            let begin = memory.begin as *const c_void;
            let code = register(
                domain,
                begin,
                memory.bytes,
                rights,
                0,
                key.unwrap_or(requested),
                0,
                &raw mut region,
                null_mut(),
            );
            self.done("fi_mr_reg", code)?;
        }
        Ok(Registered { region, memory })
    }

    /// Whether operations have to name the registration of their own memory.
    pub fn needs_local(&self) -> bool {
        self.info.registration() & FI_MR_LOCAL != 0
    }

    /// Registers the memory that this process's operations use most.
    pub fn know(&mut self, ranges: &[LocalRange]) -> Result<(), RemoteError> {
        if self.needs_local() {
            for (index, &memory) in ranges.iter().enumerate() {
                let registered = self.register(memory, None, LOCAL_KEYS + index as u64)?;
                self.local.push(registered);
            }
        }
        Ok(())
    }

    /// The descriptor of registered memory; `None` for other memory.
    pub fn descriptor(&self, address: usize, bytes: usize) -> Option<*mut c_void> {
        let known = self.local.iter().find(|known| known.memory.offset(address, bytes).is_some());
        known.map(Registered::descriptor)
    }

    /// Stores the addresses of all PEs, in their order.
    pub fn learn(&self, addresses: &[&[u8]]) -> Result<(), RemoteError> {
        let mut peers = Vec::with_capacity(addresses.len());
        for (pe, address) in addresses.iter().enumerate() {
            let mut number: fi_addr_t = 0;
            // SAFETY: one address, of this provider's length.
            let count = unsafe {
                let insert = (*(*self.vector).ops).insert.ok_or_else(|| self.missing("fi_av_insert"))?;
                insert(self.vector, address.as_ptr().cast(), 1, &raw mut number, 0, null_mut())
            };
            if count != 1 {
                let why = if count < 0 {
                    self.library.why(count)
                } else {
                    format!("the address of PE {pe} is not one of its addresses")
                };
                return Err(RemoteError::Call { call: "fi_av_insert", provider: self.provider.clone(), why });
            }
            peers.push(number);
        }
        let _ = self.peers.set(peers);
        Ok(())
    }

    /// A PE's endpoint in the address vector.
    pub fn peer(&self, pe: u32) -> fi_addr_t {
        self.peers.get().and_then(|peers| peers.get(pe as usize)).copied().unwrap_or(fi_addr_t::MAX)
    }

    /// An extension of the domain; `None` if it has none of this name.
    fn extension(&self, name: &str) -> Option<*mut c_void> {
        let name = CString::new(name).ok()?;
        let mut found = null_mut();
        // SAFETY: the name ends with a zero, and there is room for the answer.
        unsafe {
            let domain = &raw mut (*self.domain).fid;
            let open = (*(*domain).ops).ops_open?;
            (open(domain, name.as_ptr(), 0, &raw mut found, null_mut()) == 0 && !found.is_null()).then_some(found)
        }
    }

    /// The provider's counters, by name; `None` if it has none.
    pub fn counts(&self) -> Option<Vec<(String, u64)>> {
        #[repr(C)]
        struct Ops {
            size: usize,
            read: unsafe extern "C" fn(*mut fid, *const c_char, *mut u64) -> c_int,
            name: unsafe extern "C" fn(*mut fid, usize, *mut c_char, usize) -> c_int,
        }
        let table = self.extension("philae_counts_1")?.cast::<Ops>();
        let mut all = Vec::new();
        // SAFETY: the table has this form, as its name says; there is room for a name and for a
        // number.
        unsafe {
            let domain = &raw mut (*self.domain).fid;
            let mut name = [0_u8; 64];
            while ((*table).name)(domain, all.len(), name.as_mut_ptr().cast(), name.len()) == 0 {
                let mut value = 0;
                if ((*table).read)(domain, name.as_ptr().cast(), &raw mut value) != 0 {
                    return None;
                }
                let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
                all.push((String::from_utf8_lossy(&name[..end]).into_owned(), value));
            }
        }
        Some(all)
    }

    /// Which agent carries out its atomic operations. A provider that does not say is taken to use
    /// its own.
    pub fn atomics(&self) -> ProviderAtomics {
        #[repr(C)]
        struct Ops {
            size: usize,
            are_the_processors: unsafe extern "C" fn(*mut fid, c_int) -> c_int,
        }
        let Some(table) = self.extension("philae_atomics_1").map(<*mut c_void>::cast::<Ops>) else {
            return ProviderAtomics::default();
        };
        // SAFETY: the table has this form, as its name says.
        let says = |is_of_other_host| unsafe {
            ((*table).are_the_processors)(&raw mut (*self.domain).fid, is_of_other_host) == 1
        };
        ProviderAtomics { from_other_hosts: says(1), from_this_host: says(0) }
    }

    /// Whether it is this project's provider.
    pub fn is_philae(&self) -> bool {
        is_philae(&self.provider)
    }

    /// Whether the provider knows the vendor's flags.
    pub fn knows_vendor_flags(&self) -> bool {
        is_like_the_vendors(&self.provider)
    }
}

/// Keys of memory that only this process uses begin here, if keys are ours. Those of symmetric
/// memory are below, among the vendor's fast ones. Source: ours; fi_cxi(7) for 100.
/// Status: published.
pub(super) const LOCAL_KEYS: u64 = 100;

impl Drop for OpenNic {
    fn drop(&mut self) {
        self.local.clear();
        // SAFETY: the objects were made or are null, and each is closed once, after those that use
        // it.
        unsafe {
            close(self.vector);
            close(self.domain);
            close(self.fabric);
        }
    }
}
