//! Registered memory, as C makes it: `fi_mr(3)`.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use philae_fi_sys::*;
use philae_nic_core::nic::Rights;

use super::objects;
use crate::abi::{self, Errno, answer_done};
use crate::counter::FiCounter;
use crate::endpoint::EndpointPort;
use crate::host;
use crate::open_domain::OpenDomain;
use crate::region::FiRegion;

/// The object.
#[repr(C)]
struct RegionObject {
    fid: fid_mr,
    region: Arc<FiRegion>,
    domain: Arc<OpenDomain>,
    is_enabled: AtomicBool,
    /// The endpoint that it is bound to, if regions belong to endpoints.
    bound: Mutex<Option<Arc<EndpointPort>>>,
    /// Counters that cannot be closed while the region exists.
    counters: Mutex<Vec<Arc<FiCounter>>>,
}

static FID_OPS: fi_ops = fi_ops { close: Some(close), bind: Some(bind), control: Some(control), ..fi_ops::DECLINED };

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

unsafe fn make(fid: *mut fid, asked: &Asked, mr: *mut *mut fid_mr) -> Result<(), Errno> {
    // SAFETY: C passes a domain of ours.
    let domain = unsafe { objects::domain(fid) };
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
        let registered: Result<(), Errno> = domain.live_ports().iter().try_for_each(|port| region.register_at(port));
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
        fid: fid_mr { fid: abi::head(FI_CLASS_MR, asked.context, &FID_OPS), mem_desc: std::ptr::null_mut(), key },
        region,
        domain: Arc::clone(domain),
        is_enabled: AtomicBool::new(domain.registration & FI_MR_ENDPOINT == 0),
        bound: Mutex::default(),
        counters: Mutex::default(),
    };
    abi::give_out(object, mr)
}

/// `fi_mr_reg`.
pub(crate) unsafe extern "C" fn register(
    fid: *mut fid,
    buffer: *const c_void,
    length: usize,
    access: u64,
    offset: u64,
    key: u64,
    flags: u64,
    mr: *mut *mut fid_mr,
    context: *mut c_void,
) -> c_int {
    let asked = Asked { address: buffer as u64, length: length as u64, access, offset, key, flags, context };
    // SAFETY: C passes a domain of ours.
    answer_done(|| unsafe { make(fid, &asked, mr) })
}

/// `fi_mr_regv`, for one range.
pub(crate) unsafe extern "C" fn register_vector(
    fid: *mut fid,
    iov: *const libc::iovec,
    count: usize,
    access: u64,
    offset: u64,
    key: u64,
    flags: u64,
    mr: *mut *mut fid_mr,
    context: *mut c_void,
) -> c_int {
    answer_done(|| {
        // SAFETY: C passes `count` ranges.
        let [range] = (unsafe { abi::slice(iov, count) }) else { return Err(libc::EINVAL) };
        let (address, length) = (range.iov_base as u64, range.iov_len as u64);
        // SAFETY: C passes a domain of ours.
        unsafe { make(fid, &Asked { address, length, access, offset, key, flags, context }, mr) }
    })
}

/// `fi_mr_regattr`.
pub(crate) unsafe extern "C" fn register_attributes(
    fid: *mut fid,
    attr: *const fi_mr_attr,
    flags: u64,
    mr: *mut *mut fid_mr,
) -> c_int {
    answer_done(|| {
        // SAFETY: C passes attributes, with as many ranges as they say.
        let attr = unsafe { attr.as_ref() }.ok_or(libc::EINVAL)?;
        // SAFETY: as above.
        let [range] = (unsafe { abi::slice(attr.mr_iov, attr.iov_count) }) else { return Err(libc::EINVAL) };
        // `iface` has a meaning only with `FI_HMEM`, which is not supported: programs leave it
        // unset.
        // Source: fi_mr(3). Status: published.
        let &fi_mr_attr { access, offset, requested_key: key, context, .. } = attr;
        let (address, length) = (range.iov_base as u64, range.iov_len as u64);
        // SAFETY: C passes a domain of ours.
        unsafe { make(fid, &Asked { address, length, access, offset, key, flags, context }, mr) }
    })
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes an object that it was given.
        let object = unsafe { abi::reclaim::<RegionObject, _>(fid) };
        object.region.remove();
        let mut regions = object.domain.regions.lock().expect("no panic with it");
        if regions
            .get(&object.region.key)
            .is_some_and(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(&object.region)))
        {
            regions.remove(&object.region.key);
        }
        drop(regions);
        object.domain.users.fetch_sub(1, Ordering::Relaxed);
        for counter in object.counters.lock().expect("no panic with it").drain(..) {
            counter.users.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(())
    })
}

unsafe extern "C" fn bind(fid: *mut fid, other: *mut fid, flags: u64) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a region of ours and a libfabric object.
        let (object, class) = unsafe { (abi::object::<RegionObject, _>(fid), (*other).fclass as u32) };
        match class {
            FI_CLASS_EP => {
                if object.is_enabled.load(Ordering::Relaxed) {
                    return Err(FI_EOPBADSTATE);
                }
                // SAFETY: it is an endpoint of ours.
                let port = unsafe { objects::endpoint(other) }.port();
                *object.bound.lock().expect("no panic with it") = Some(Arc::clone(port));
                Ok(())
            }
            FI_CLASS_CNTR => {
                if flags & !(FI_REMOTE_WRITE | FI_REMOTE_READ) != 0 || flags == 0 {
                    return Err(FI_EBADFLAGS);
                }
                // SAFETY: it is a counter of ours.
                let counter = &unsafe { objects::counter(other) }.counter;
                object.region.count_in(counter, flags)?;
                counter.users.fetch_add(1, Ordering::Relaxed);
                object.counters.lock().expect("no panic with it").push(Arc::clone(counter));
                Ok(())
            }
            _ => Err(libc::EINVAL),
        }
    })
}

unsafe extern "C" fn control(fid: *mut fid, command: c_int, _: *mut c_void) -> c_int {
    answer_done(|| {
        if command as u32 != FI_ENABLE {
            return Err(libc::ENOSYS);
        }
        // SAFETY: C passes a region of ours.
        let object = unsafe { abi::object::<RegionObject, _>(fid) };
        if object.domain.registration & FI_MR_ENDPOINT == 0 {
            return Ok(());
        }
        if object.is_enabled.load(Ordering::Relaxed) {
            return Err(FI_EOPBADSTATE);
        }
        let bound = object.bound.lock().expect("no panic with it");
        object.region.register_at(bound.as_ref().ok_or(libc::EINVAL)?)?;
        object.is_enabled.store(true, Ordering::Relaxed);
        Ok(())
    })
}
