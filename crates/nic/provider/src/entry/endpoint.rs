//! Endpoints, as C opens, binds, enables, queries and closes them: `fi_endpoint(3)`.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use philae_fi_sys::*;

use super::endpoint_object::{EndpointObject, Used};
use super::key::vni_of;
use super::objects::{CounterObject, QueueObject, VectorObject};
use super::{atomics, extension, messages, rma};
use crate::abi::{self, Errno};
use crate::address::{ANY_PID, PIDS};
use crate::endpoint::{Bound, FiEndpoint};
use crate::log::{MessageLevel, say};
use crate::open_domain::OpenDomain;

static FID_OPS: fi_ops = fi_ops::of::<EndpointObject>();
static OPS: fi_ops_ep = fi_ops_ep::of::<EndpointObject>();
static NAME_OPS: fi_ops_cm = fi_ops_cm::of::<EndpointObject>();
static COLLECTIVE_OPS: fi_ops_collective = fi_ops_collective::DECLINED;

/// The default minimum room of a multi-receive buffer. Source: fi_cxi(7). Status: published.
const LEAST_FREE: usize = 64;

/// `fi_endpoint`.
///
/// # Safety
/// The info came from this provider; there is room for the endpoint's address.
pub(super) unsafe fn open(
    domain: &Arc<OpenDomain>,
    info: *mut fi_info,
    ep: *mut *mut fid_ep,
    context: *mut c_void,
) -> Result<c_int, Errno> {
    // SAFETY: as the caller promises.
    let info = unsafe { info.as_ref() }.ok_or(libc::EINVAL)?;
    // SAFETY: as above; its parts are valid or null.
    let (attr, transmit, receive) = unsafe { (info.ep_attr.as_ref(), info.tx_attr.as_ref(), info.rx_attr.as_ref()) };
    let attr = attr.ok_or(libc::EINVAL)?;
    if !matches!(attr.r#type, FI_EP_RDM | FI_EP_UNSPEC) {
        return Err(libc::EINVAL);
    }
    // SAFETY: a key is as long as it says.
    let vni = unsafe { vni_of(attr.auth_key, attr.auth_key_size, domain.settings)? };
    // SAFETY: the address is as long as it says.
    let source = unsafe { abi::slice(info.src_addr.cast::<u8>(), info.src_addrlen) };
    let core = Arc::new(FiEndpoint::new(&domain.domain, info.caps, vni.unwrap_or(domain.vni)));
    domain.users.fetch_add(1, Ordering::Relaxed);
    let flags = transmit.map_or(0, |attr| attr.op_flags);
    say(MessageLevel::Info, &format!("default flags of operations: {flags:#x}"));
    let receive_flags = receive.map_or(0, |attr| attr.op_flags);
    let wanted = domain.decode(source).map(|address| address.pid).filter(|&pid| pid != ANY_PID);
    if let Some(pid) = wanted.filter(|&pid| pid >= PIDS) {
        say(MessageLevel::Warn, &format!("process number {pid}: expected 0 to {}", PIDS - 1));
        return Err(libc::EINVAL);
    }
    let (class, orders) = transmit.map_or((FI_TC_UNSPEC, 0), |attr| (attr.tclass, attr.msg_order));
    let least_free = LEAST_FREE;
    let domain = Arc::clone(domain);
    let parts = Parts { core, domain, flags, receive_flags, class, orders, wanted, least_free, is_alias: false };
    abi::give_out(parts.endpoint(context), ep)
}

/// The parts of an endpoint.
struct Parts {
    core: Arc<FiEndpoint>,
    domain: Arc<OpenDomain>,
    flags: u64,
    receive_flags: u64,
    class: u32,
    orders: u64,
    wanted: Option<u16>,
    least_free: usize,
    is_alias: bool,
}

impl Parts {
    fn endpoint(self, context: *mut c_void) -> EndpointObject {
        EndpointObject {
            fid: fid_ep {
                fid: abi::head::<EndpointObject>(context, &FID_OPS),
                ops: abi::table(&OPS),
                cm: abi::table(&NAME_OPS),
                msg: abi::table(&messages::OPS),
                rma: abi::table(&rma::OPS),
                tagged: abi::table(&messages::TAGGED_OPS),
                atomic: abi::table(&atomics::OPS),
                collective: abi::table(&COLLECTIVE_OPS),
            },
            core: self.core,
            domain: self.domain,
            transmit_flags: AtomicU64::new(self.flags),
            receive_flags: AtomicU64::new(self.receive_flags),
            class: AtomicU32::new(self.class),
            orders: AtomicU64::new(self.orders),
            bindings: Mutex::default(),
            wanted: self.wanted,
            is_alias: self.is_alias,
            least_free: AtomicUsize::new(self.least_free),
            uses: Mutex::default(),
        }
    }
}

impl ObjectCalls for EndpointObject {
    fn close(self: Box<Self>) {
        for used in self.uses.lock().expect("no panic with it").drain(..) {
            used.users().fetch_sub(1, Ordering::Relaxed);
        }
        self.core.domain.users.fetch_sub(1, Ordering::Relaxed);
        if !self.is_alias {
            self.core.drain_remote();
            self.core.keep_remote_counts();
            crate::report::closed(&self.core);
        }
    }

    unsafe fn bind(&self, other: *mut fid, flags: u64) -> Result<(), Errno> {
        if other.is_null() {
            return Err(libc::EINVAL);
        }
        if self.core.address().is_some() {
            return Err(FI_EOPBADSTATE);
        }
        let mut bindings = self.bindings.lock().expect("no panic with it");
        // SAFETY: C passes a libfabric object, which is one of ours if it has one of these classes.
        let class = unsafe { other.as_ref() }.ok_or(libc::EINVAL)?.fclass as u32;
        match class {
            FI_CLASS_EQ => Ok(()),
            FI_CLASS_AV => {
                if bindings.addresses.is_some() {
                    return Err(libc::EINVAL);
                }
                // SAFETY: as above.
                let addresses = Arc::clone(&unsafe { object::<VectorObject>(other)? }.addresses);
                bindings.addresses = Some(Arc::clone(&addresses));
                self.uses(Used::Addresses(addresses));
                Ok(())
            }
            FI_CLASS_CQ => {
                if flags & !(FI_SEND | FI_RECV | FI_SELECTIVE_COMPLETION) != 0 || flags & (FI_SEND | FI_RECV) == 0 {
                    return Err(FI_EBADFLAGS);
                }
                // SAFETY: as above.
                let queue = Arc::clone(&unsafe { object::<QueueObject>(other)? }.queue);
                let bound = || Bound { queue: Arc::clone(&queue), is_selective: flags & FI_SELECTIVE_COMPLETION != 0 };
                let is_taken = flags & FI_SEND != 0 && bindings.transmit.is_some()
                    || flags & FI_RECV != 0 && bindings.receive.is_some();
                if is_taken {
                    return Err(libc::EINVAL);
                }
                if flags & FI_SEND != 0 {
                    bindings.transmit = Some(bound());
                }
                if flags & FI_RECV != 0 {
                    bindings.receive = Some(bound());
                }
                self.uses(Used::Queue(queue));
                Ok(())
            }
            FI_CLASS_CNTR => {
                // SAFETY: as above.
                let counter = Arc::clone(&unsafe { object::<CounterObject>(other)? }.counter);
                bindings.counters.bind(&counter, flags)?;
                self.uses(Used::Counter(counter));
                Ok(())
            }
            _ => Err(libc::EINVAL),
        }
    }

    unsafe fn control(&self, command: u32, arg: *mut c_void) -> Result<(), Errno> {
        match command {
            FI_ENABLE => self.enable(),
            FI_GETOPSFLAG | FI_SETOPSFLAG => {
                // SAFETY: the argument of these commands is a set of flags.
                let flags = unsafe { arg.cast::<u64>().as_mut() }.ok_or(libc::EINVAL)?;
                let place = match *flags & (FI_SEND | FI_RECV) {
                    FI_SEND => &self.transmit_flags,
                    FI_RECV => &self.receive_flags,
                    _ => return Err(libc::EINVAL),
                };
                if command == FI_GETOPSFLAG {
                    *flags = place.load(Ordering::Relaxed);
                } else {
                    place.store(*flags & !(FI_SEND | FI_RECV), Ordering::Relaxed);
                }
                Ok(())
            }
            FI_ALIAS => {
                // SAFETY: the argument of this command is a request for an alias.
                let alias = unsafe { arg.cast::<fi_alias>().as_ref() }.ok_or(libc::EINVAL)?;
                self.core.domain.users.fetch_add(1, Ordering::Relaxed);
                let (mut flags, mut receive_flags) =
                    (self.transmit_flags.load(Ordering::Relaxed), self.receive_flags.load(Ordering::Relaxed));
                match alias.flags & (FI_SEND | FI_RECV) {
                    FI_SEND => flags = alias.flags & !FI_SEND,
                    FI_RECV => receive_flags = alias.flags & !FI_RECV,
                    _ => {}
                }
                let least_free = self.least_free.load(Ordering::Relaxed);
                let core = Arc::clone(&self.core);
                let (class, orders) = (self.class.load(Ordering::Relaxed), self.orders.load(Ordering::Relaxed));
                let (wanted, domain) = (None, Arc::clone(&self.domain));
                let parts =
                    Parts { core, domain, flags, receive_flags, class, orders, wanted, least_free, is_alias: true };
                abi::give_out(parts.endpoint(self.fid.fid.context), alias.fid).map(drop)
            }
            // SAFETY: the argument of this command is an option with a value of its type.
            FI_SET_VAL => unsafe { extension::of_endpoint(&self.class, &self.orders, arg.cast()) },
            _ => Err(libc::ENOSYS),
        }
    }
}

impl EndpointCalls for EndpointObject {
    unsafe fn cancel(&self, context: *mut c_void) -> Result<isize, Errno> {
        self.core.cancel(context as u64).map(|()| 0)
    }

    unsafe fn getopt(&self, level: c_int, name: c_int, value: *mut c_void, length: *mut usize) -> Result<c_int, Errno> {
        // SAFETY: C passes room of the length that it says.
        let length = unsafe { length.as_mut() }.ok_or(libc::EINVAL)?;
        if level as u32 != FI_OPT_ENDPOINT || name as u32 != FI_OPT_MIN_MULTI_RECV {
            return Err(libc::ENOPROTOOPT);
        }
        if *length < size_of::<usize>() {
            return Err(FI_ETOOSMALL);
        }
        // SAFETY: as above.
        unsafe { *value.cast::<usize>() = self.least_free.load(Ordering::Relaxed) };
        *length = size_of::<usize>();
        Ok(0)
    }

    unsafe fn setopt(&self, level: c_int, name: c_int, value: *const c_void, length: usize) -> Result<c_int, Errno> {
        if level as u32 != FI_OPT_ENDPOINT || name as u32 != FI_OPT_MIN_MULTI_RECV {
            return Err(libc::ENOPROTOOPT);
        }
        if length != size_of::<usize>() {
            return Err(libc::EINVAL);
        }
        // SAFETY: the value is as long as it says.
        self.least_free.store(unsafe { *value.cast::<usize>() }, Ordering::Relaxed);
        Ok(0)
    }
}

/// Names are not set: an address has the process number that is free when the endpoint is enabled;
/// an endpoint's info can request one.
impl NameCalls for EndpointObject {
    unsafe fn getname(&self, addr: *mut c_void, length: *mut usize) -> Result<c_int, Errno> {
        let address = self.core.address().ok_or(FI_EOPBADSTATE)?;
        // SAFETY: C passes room of the length that it says.
        unsafe { abi::copy_out(&self.core.domain.form.encode(address), addr, length).map(|()| 0) }
    }
}
