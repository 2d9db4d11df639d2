//! Address vectors, as C fills and reads them: `fi_av(3)`.

use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;

use super::objects::VectorObject;
use crate::abi::{self, Errno};
use crate::address::NOT_AVAILABLE;
use crate::address_vector::Addresses;
use crate::log::{MessageLevel, say};
use crate::names::NameContext;
use crate::open_domain::OpenDomain;

static FID_OPS: fi_ops = fi_ops::of::<VectorObject>();
static OPS: fi_ops_av = fi_ops_av::of::<VectorObject>();

/// `fi_av_open`.
///
/// # Safety
/// The attributes are valid or null; there is room for the vector's address.
pub(super) unsafe fn open(
    domain: &Arc<OpenDomain>,
    attr: *mut fi_av_attr,
    av: *mut *mut fid_av,
    context: *mut c_void,
) -> Result<c_int, Errno> {
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
    let fid = fid_av { fid: abi::head::<VectorObject>(context, &FID_OPS), ops: abi::table(&OPS) };
    abi::give_out(VectorObject { fid, addresses, domain: Arc::clone(domain) }, av)
}

impl ObjectCalls for VectorObject {
    fn may_close(&self) -> Result<(), Errno> {
        abi::check_unused(&self.addresses.users)
    }

    fn close(self: Box<Self>) {
        self.domain.users.fetch_sub(1, Ordering::Relaxed);
    }

    /// Event queues may be bound; insertions are never asynchronous.
    unsafe fn bind(&self, other: *mut fid, _: u64) -> Result<(), Errno> {
        // SAFETY: C passes a libfabric object.
        unsafe { abi::is_event_queue(other) }
    }
}

impl AddressVectorCalls for VectorObject {
    unsafe fn insert(
        &self,
        addr: *const c_void,
        count: usize,
        numbers: *mut fi_addr_t,
        flags: u64,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        if flags & !(FI_SYNC_ERR | FI_MORE) != 0 {
            return Err(FI_EBADFLAGS);
        }
        let form = self.domain.form;
        // SAFETY: C passes `count` addresses of the length that this provider has reported.
        let bytes = unsafe { abi::slice(addr.cast::<u8>(), count * form.bytes()) };
        let mut inserted = 0;
        for (index, bytes) in bytes.chunks_exact(form.bytes()).enumerate() {
            let address = self.domain.decode(bytes);
            if address.is_none() {
                say(
                    MessageLevel::Warn,
                    &format!("{bytes:02x?} is not the address of an endpoint in this address format"),
                );
            }
            let number = address.map_or(NOT_AVAILABLE, |address| self.addresses.insert(address));
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
    }

    unsafe fn insertsvc(
        &self,
        node: *const c_char,
        service: *const c_char,
        number: *mut fi_addr_t,
        flags: u64,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        // SAFETY: C passes texts that end with a zero, and room for a number.
        unsafe { self.insertsym(node, 1, service, 1, number, flags, context) }
    }

    /// Inserts endpoints by name: see [`crate::names`].
    unsafe fn insertsym(
        &self,
        node: *const c_char,
        nodes: usize,
        service: *const c_char,
        services: usize,
        numbers: *mut fi_addr_t,
        flags: u64,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        if flags & !(FI_SYNC_ERR | FI_MORE) != 0 {
            return Err(FI_EBADFLAGS);
        }
        let count = nodes.checked_mul(services).filter(|&count| count <= i32::MAX as usize).ok_or(libc::EINVAL)?;
        if node.is_null() || service.is_null() {
            return Err(libc::EINVAL);
        }
        // SAFETY: C passes texts that end with a zero.
        let (node, service) = unsafe { (abi::string(node), abi::string(service)) };
        let names = NameContext { settings: self.domain.settings, vni: self.domain.vni };
        let found = names.addresses((node, nodes), (service, services)).map_err(|error| {
            say(MessageLevel::Warn, &error.to_string());
            if !numbers.is_null() {
                // SAFETY: there is room for the requested numbers.
                (0..count).for_each(|index| unsafe { *numbers.add(index) = NOT_AVAILABLE });
            }
            libc::EINVAL
        })?;
        for (index, &address) in found.iter().enumerate() {
            let number = self.addresses.insert(address);
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
    }

    unsafe fn remove(&self, numbers: *mut fi_addr_t, count: usize, flags: u64) -> Result<c_int, Errno> {
        if flags != 0 {
            return Err(FI_EBADFLAGS);
        }
        // SAFETY: C passes `count` numbers.
        let numbers = unsafe { abi::slice(numbers, count) };
        let removed = numbers.iter().map(|&number| self.addresses.remove(number)).collect::<Vec<_>>();
        if removed.iter().all(|&removed| removed) { Ok(0) } else { Err(libc::EINVAL) }
    }

    unsafe fn lookup(&self, number: fi_addr_t, addr: *mut c_void, length: *mut usize) -> Result<c_int, Errno> {
        let (address, _) = self.addresses.get(number).ok_or(libc::EINVAL)?;
        // SAFETY: C passes room of the length that it says.
        unsafe { abi::copy_out(&self.domain.form.encode(&address), addr, length).map(|()| 0) }
    }

    unsafe fn straddr(
        &self,
        addr: *const c_void,
        buffer: *mut c_char,
        length: *mut usize,
    ) -> Result<*const c_char, Errno> {
        let domain = &self.domain;
        // SAFETY: C passes an address of the length that this provider has reported.
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
        Ok(buffer.cast_const())
    }
}
