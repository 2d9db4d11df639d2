//! Registered memory, as C makes it: `fi_mr(3)`.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use philae_fi_sys::*;
use philae_nic_core::nic::Rights;

use super::objects::{CounterObject, DomainObject, EndpointObject};
use crate::abi::{self, Errno};
use crate::counter::FiCounter;
use crate::endpoint::FiEndpoint;
use crate::host;
use crate::open_domain::OpenDomain;
use crate::region::FiRegion;

#[repr(C)]
struct RegionObject {
    fid: fid_mr,
    region: Arc<FiRegion>,
    domain: Arc<OpenDomain>,
    is_enabled: AtomicBool,
    /// The endpoint that it is bound to, if regions belong to endpoints.
    bound: Mutex<Option<Arc<FiEndpoint>>>,
    /// Counters that cannot be closed while the region exists.
    counters: Mutex<Vec<Arc<FiCounter>>>,
}

static FID_OPS: fi_ops = fi_ops::of::<RegionObject>();

/// The largest key of a client. Source: fi_cxi(7). Status: published.
const CLIENT_KEY_MAX: u64 = u32::MAX as u64;
const ACCESS: u64 = FI_SEND | FI_RECV | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;

/// The arguments of a registration.
struct Asked {
    address: u64,
    length: u64,
    access: u64,
    offset: u64,
    key: u64,
    flags: u64,
    context: *mut c_void,
}

/// Registers memory.
fn make(domain: &Arc<OpenDomain>, asked: &Asked, mr: *mut *mut fid_mr) -> Result<c_int, Errno> {
    if asked.access & !ACCESS != 0 || asked.offset != 0 {
        return Err(libc::EINVAL);
    }
    if asked.flags & !(FI_RMA_EVENT | FI_RMA_PMEM) != 0 {
        return Err(FI_EBADFLAGS);
    }
    let key = if domain.registration & FI_MR_PROV_KEY != 0 {
        host::random()
    } else if asked.key <= CLIENT_KEY_MAX {
        asked.key
    } else {
        return Err(libc::EKEYREJECTED);
    };
    let right = |flag: u64, right: Rights| if asked.access & flag != 0 { right } else { Rights::NONE };
    let rights = right(FI_REMOTE_READ, Rights::REMOTE_READ) | right(FI_REMOTE_WRITE, Rights::REMOTE_WRITE);
    let region = Arc::new(FiRegion::new(key, asked.address, asked.length, rights));
    if domain.registration & FI_MR_ENDPOINT == 0 {
        let registered: Result<(), Errno> =
            domain.live_endpoints().iter().try_for_each(|endpoint| region.register_at(endpoint));
        registered.inspect_err(|_| region.remove())?;
        let mut regions = domain.regions.lock().expect("no panic with it");
        if regions.get(&key).is_some_and(|known| known.strong_count() > 0) {
            drop(regions);
            region.remove();
            return Err(FI_ENOKEY);
        }
        regions.insert(key, Arc::downgrade(&region));
    }
    domain.users.fetch_add(1, Ordering::Relaxed);
    let object = RegionObject {
        fid: fid_mr { fid: abi::head::<RegionObject>(asked.context, &FID_OPS), mem_desc: std::ptr::null_mut(), key },
        region,
        domain: Arc::clone(domain),
        is_enabled: AtomicBool::new(domain.registration & FI_MR_ENDPOINT == 0),
        bound: Mutex::default(),
        counters: Mutex::default(),
    };
    abi::give_out(object, mr)
}

impl RegistrationCalls for DomainObject {
    unsafe fn reg(
        &self,
        buffer: *const c_void,
        length: usize,
        access: u64,
        offset: u64,
        key: u64,
        flags: u64,
        mr: *mut *mut fid_mr,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        let asked = Asked { address: buffer as u64, length: length as u64, access, offset, key, flags, context };
        make(&self.domain, &asked, mr)
    }

    /// For one range.
    unsafe fn regv(
        &self,
        iov: *const libc::iovec,
        count: usize,
        access: u64,
        offset: u64,
        key: u64,
        flags: u64,
        mr: *mut *mut fid_mr,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        // SAFETY: C passes `count` ranges.
        let [range] = (unsafe { abi::slice(iov, count) }) else { return Err(libc::EINVAL) };
        let (address, length) = (range.iov_base as u64, range.iov_len as u64);
        make(&self.domain, &Asked { address, length, access, offset, key, flags, context }, mr)
    }

    unsafe fn regattr(&self, attr: *const fi_mr_attr, flags: u64, mr: *mut *mut fid_mr) -> Result<c_int, Errno> {
        // SAFETY: C passes attributes, with as many ranges as they say.
        let attr = unsafe { attr.as_ref() }.ok_or(libc::EINVAL)?;
        // SAFETY: as above.
        let [range] = (unsafe { abi::slice(attr.mr_iov, attr.iov_count) }) else { return Err(libc::EINVAL) };
        // `iface` has a meaning only with `FI_HMEM`, which is not supported: programs leave it
        // unset.
        // Source: fi_mr(3). Status: published.
        let &fi_mr_attr { access, offset, requested_key: key, context, .. } = attr;
        let (address, length) = (range.iov_base as u64, range.iov_len as u64);
        make(&self.domain, &Asked { address, length, access, offset, key, flags, context }, mr)
    }
}

impl FiObject for RegionObject {
    const CLASS: u32 = FI_CLASS_MR;
}

impl ObjectCalls for RegionObject {
    fn close(self: Box<Self>) {
        self.region.remove();
        let mut regions = self.domain.regions.lock().expect("no panic with it");
        if regions.get(&self.region.key).is_some_and(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(&self.region))) {
            regions.remove(&self.region.key);
        }
        drop(regions);
        self.domain.users.fetch_sub(1, Ordering::Relaxed);
        for counter in self.counters.lock().expect("no panic with it").drain(..) {
            counter.users.fetch_sub(1, Ordering::Relaxed);
        }
    }

    unsafe fn bind(&self, other: *mut fid, flags: u64) -> Result<(), Errno> {
        // SAFETY: C passes a libfabric self.
        let class = unsafe { other.as_ref() }.ok_or(libc::EINVAL)?.fclass as u32;
        match class {
            FI_CLASS_EP => {
                if self.is_enabled.load(Ordering::Relaxed) {
                    return Err(FI_EOPBADSTATE);
                }
                // SAFETY: it is an endpoint of ours.
                let endpoint = &unsafe { object::<EndpointObject>(other)? }.core;
                *self.bound.lock().expect("no panic with it") = Some(Arc::clone(endpoint));
                Ok(())
            }
            FI_CLASS_CNTR => {
                if flags & !(FI_REMOTE_WRITE | FI_REMOTE_READ) != 0 || flags == 0 {
                    return Err(FI_EBADFLAGS);
                }
                // SAFETY: it is a counter of ours.
                let counter = &unsafe { object::<CounterObject>(other)? }.counter;
                self.region.count_in(counter, flags)?;
                counter.users.fetch_add(1, Ordering::Relaxed);
                self.counters.lock().expect("no panic with it").push(Arc::clone(counter));
                Ok(())
            }
            _ => Err(libc::EINVAL),
        }
    }

    unsafe fn control(&self, command: u32, _: *mut c_void) -> Result<(), Errno> {
        if command != FI_ENABLE {
            return Err(libc::ENOSYS);
        }
        if self.domain.registration & FI_MR_ENDPOINT == 0 {
            return Ok(());
        }
        if self.is_enabled.load(Ordering::Relaxed) {
            return Err(FI_EOPBADSTATE);
        }
        let bound = self.bound.lock().expect("no panic with it");
        self.region.register_at(bound.as_ref().ok_or(libc::EINVAL)?)?;
        self.is_enabled.store(true, Ordering::Relaxed);
        Ok(())
    }
}
