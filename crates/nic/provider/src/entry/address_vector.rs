//! Address vectors, as C fills and reads them: `fi_av(3)`.

use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;

use super::objects::{self, VectorObject, vector as of};
use crate::abi::{self, answer_done, answer_int};
use crate::address::NOT_AVAILABLE;
use crate::address_vector::Addresses;
use crate::log::{MessageLevel, say};
use crate::names::NameContext;

static FID_OPS: fi_ops = fi_ops { close: Some(close), bind: Some(bind), ..fi_ops::DECLINED };
static OPS: fi_ops_av = fi_ops_av {
    insert: Some(insert),
    insertsvc: Some(insert_service),
    insertsym: Some(insert_symmetric),
    remove: Some(remove),
    lookup: Some(lookup),
    straddr: Some(text),
    ..fi_ops_av::DECLINED
};

/// `fi_av_open`.
pub(crate) unsafe extern "C" fn open(
    domain: *mut fid_domain,
    attr: *mut fi_av_attr,
    av: *mut *mut fid_av,
    context: *mut c_void,
) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a domain of ours.
        let domain = unsafe { objects::domain(domain) };
        if !attr.is_null() {
            // SAFETY: C passes attributes, in which the choices may be written.
            let attr = unsafe { &mut *attr };
            if !matches!(attr.r#type, FI_AV_UNSPEC | FI_AV_MAP | FI_AV_TABLE) {
                return Err(libc::EINVAL);
            }
            // Vectors that processes share under a name, and receive contexts, are not supported;
            // nor does the vendor's provider have them.
            if !attr.name.is_null() || attr.rx_ctx_bits != 0 {
                return Err(libc::ENOSYS);
            }
            if attr.r#type == FI_AV_UNSPEC {
                attr.r#type = FI_AV_TABLE;
            }
        }
        domain.users.fetch_add(1, Ordering::Relaxed);
        let addresses = Arc::new(Addresses::new(domain.settings.reaches_memory()));
        let fid = fid_av { fid: abi::head(FI_CLASS_AV, context, &FID_OPS), ops: abi::table(&OPS) };
        abi::give_out(VectorObject { fid, addresses, domain: Arc::clone(domain) }, av)
    })
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes an object that it was given.
        let av = unsafe { of(fid) };
        if av.addresses.users.load(Ordering::Relaxed) > 0 {
            return Err(libc::EBUSY);
        }
        av.domain.users.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: it is not in use.
        drop(unsafe { abi::reclaim::<VectorObject, _>(fid) });
        Ok(())
    })
}

/// Event queues may be bound; insertions are never asynchronous.
unsafe extern "C" fn bind(_: *mut fid, other: *mut fid, _: u64) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a libfabric object.
        let class = unsafe { (*other).fclass };
        if class == FI_CLASS_EQ as usize { Ok(()) } else { Err(libc::EINVAL) }
    })
}

unsafe extern "C" fn insert(
    av: *mut fid_av,
    addr: *const c_void,
    count: usize,
    numbers: *mut fi_addr_t,
    flags: u64,
    context: *mut c_void,
) -> c_int {
    answer_int(|| {
        if flags & !(FI_SYNC_ERR | FI_MORE) != 0 {
            return Err(FI_EBADFLAGS);
        }
        // SAFETY: C passes a vector of ours, and `count` addresses of the length that this provider
        // has reported.
        let av = unsafe { of(av) };
        let form = av.domain.form;
        // SAFETY: as above.
        let bytes = unsafe { abi::slice(addr.cast::<u8>(), count * form.bytes()) };
        let mut inserted = 0;
        for (index, bytes) in bytes.chunks_exact(form.bytes()).enumerate() {
            let address = av.domain.decode(bytes);
            if address.is_none() {
                say(
                    MessageLevel::Warn,
                    &format!("{bytes:02x?} is not the address of an endpoint in this address format"),
                );
            }
            let number = address.map_or(NOT_AVAILABLE, |address| av.addresses.insert(address));
            inserted += c_int::from(address.is_some());
            if !numbers.is_null() {
                // SAFETY: there is room for `count` numbers.
                unsafe { *numbers.add(index) = number };
            }
            if flags & FI_SYNC_ERR != 0 {
                let error = if address.is_some() { 0 } else { libc::EINVAL };
                // SAFETY: with this flag, the context has room for `count` errors.
                unsafe { *context.cast::<c_int>().add(index) = error };
            }
        }
        Ok(inserted)
    })
}

unsafe extern "C" fn insert_service(
    av: *mut fid_av,
    node: *const c_char,
    service: *const c_char,
    number: *mut fi_addr_t,
    flags: u64,
    context: *mut c_void,
) -> c_int {
    // SAFETY: C passes a vector of ours, texts that end with a zero, and room for a number.
    unsafe { insert_symmetric(av, node, 1, service, 1, number, flags, context) }
}

/// Inserts endpoints by name: see [`crate::names`].
unsafe extern "C" fn insert_symmetric(
    av: *mut fid_av,
    node: *const c_char,
    nodes: usize,
    service: *const c_char,
    services: usize,
    numbers: *mut fi_addr_t,
    flags: u64,
    context: *mut c_void,
) -> c_int {
    answer_int(|| {
        if flags & !(FI_SYNC_ERR | FI_MORE) != 0 {
            return Err(FI_EBADFLAGS);
        }
        let count = nodes.checked_mul(services).filter(|&count| count <= i32::MAX as usize).ok_or(libc::EINVAL)?;
        if node.is_null() || service.is_null() {
            return Err(libc::EINVAL);
        }
        // SAFETY: C passes a vector of ours, and texts that end with a zero.
        let (av, node, service) = unsafe { (of(av), abi::string(node), abi::string(service)) };
        let names = NameContext { settings: av.domain.settings, vni: av.domain.vni };
        let found = names.addresses((node, nodes), (service, services)).map_err(|error| {
            say(MessageLevel::Warn, &error.to_string());
            if !numbers.is_null() {
                // SAFETY: there is room for the requested numbers.
                (0..count).for_each(|index| unsafe { *numbers.add(index) = NOT_AVAILABLE });
            }
            libc::EINVAL
        })?;
        for (index, &address) in found.iter().enumerate() {
            let number = av.addresses.insert(address);
            // SAFETY: there is room for as many numbers; with this flag, for as many errors.
            unsafe {
                if !numbers.is_null() {
                    *numbers.add(index) = number;
                }
                if flags & FI_SYNC_ERR != 0 {
                    *context.cast::<c_int>().add(index) = 0;
                }
            }
        }
        Ok(found.len() as c_int)
    })
}

unsafe extern "C" fn remove(av: *mut fid_av, numbers: *mut fi_addr_t, count: usize, flags: u64) -> c_int {
    answer_done(|| {
        if flags != 0 {
            return Err(FI_EBADFLAGS);
        }
        // SAFETY: C passes a vector of ours and `count` numbers.
        let (av, numbers) = unsafe { (of(av), abi::slice(numbers, count)) };
        let removed = numbers.iter().map(|&number| av.addresses.remove(number)).collect::<Vec<_>>();
        if removed.iter().all(|&removed| removed) { Ok(()) } else { Err(libc::EINVAL) }
    })
}

unsafe extern "C" fn lookup(av: *mut fid_av, number: fi_addr_t, addr: *mut c_void, length: *mut usize) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a vector of ours, and room of the length that it says.
        unsafe {
            let av = of(av);
            let (address, _) = av.addresses.get(number).ok_or(libc::EINVAL)?;
            abi::copy_out(&av.domain.form.encode(&address), addr, length)
        }
    })
}

unsafe extern "C" fn text(
    av: *mut fid_av,
    addr: *const c_void,
    buffer: *mut c_char,
    length: *mut usize,
) -> *const c_char {
    let write = || {
        // SAFETY: C passes a vector of ours, and an address of the length that this provider has
        // reported.
        let domain = &unsafe { of(av) }.domain;
        // SAFETY: as above.
        let bytes = unsafe { abi::slice(addr.cast::<u8>(), domain.form.bytes()) };
        let text = domain.decode(bytes).map_or_else(|| "no address".to_owned(), |address| address.to_string());
        let text = CString::new(text).map_err(|_| libc::EINVAL)?;
        let text = text.as_bytes_with_nul();
        // SAFETY: C passes room of the length that it says; the text is cut to fit, and ends with a
        // zero.
        unsafe {
            let room = *length;
            *length = text.len();
            if room > 0 {
                let fits = room.min(text.len());
                std::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, fits);
                *buffer.add(fits - 1) = 0;
            }
        }
        Ok(0)
    };
    let _ = answer_int(write);
    buffer
}
