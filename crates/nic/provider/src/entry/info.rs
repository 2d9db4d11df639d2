//! The provider's offers: the answer to `fi_getinfo`.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

use philae_fi_sys::*;

use crate::abi::{Errno, answer_done};
use crate::address::{ANY_PID, AddressForm, EndpointAddress, device_name};
use crate::limits::{AUTH_KEY_BYTES, INJECT_BYTES, MESSAGE_BYTES, ORDERS};
use crate::log::{MessageLevel, say};
use crate::names::{NameContext, NameError, pid};
use crate::native::Native;
use crate::settings::ProviderSettings;
use crate::{host, native};

/// The capabilities of an endpoint. Source: fi_cxi(7), without device memory and collectives.
/// Status: published.
pub(crate) const PRIMARY: u64 = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC;
const DIRECTIONS: u64 = FI_SEND | FI_RECV | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;
const SECONDARY: u64 = FI_MULTI_RECV
    | FI_DIRECTED_RECV
    | FI_SOURCE
    | FI_SOURCE_ERR
    | FI_FENCE
    | FI_TRIGGER
    | FI_RMA_EVENT
    | FI_LOCAL_COMM
    | FI_REMOTE_COMM
    | FI_NAMED_RX_CTX;
/// The primary and secondary capabilities, and the directions.
pub(crate) const CAPABILITIES: u64 = PRIMARY | DIRECTIONS | SECONDARY;
/// The legal default flags of operations.
const TRANSMIT_FLAGS: u64 =
    FI_COMPLETION | FI_INJECT | FI_INJECT_COMPLETE | FI_TRANSMIT_COMPLETE | FI_DELIVERY_COMPLETE | FI_MATCH_COMPLETE;
const RECEIVE_FLAGS: u64 = FI_COMPLETION | FI_MULTI_RECV;
/// The most outstanding operations, and posted receives. Source: fi_cxi(7). Status: published.
const TRANSMIT_MAX: usize = 16_384;
const RECEIVE_MAX: usize = 15_360;
/// Bytes of the data that goes with a message. Source: fi_cxi(7). Status: published.
const DATA_BYTES: usize = 8;
/// The supported registration modes: none is required, and addresses are always offsets.
/// Source: fi_cxi(7), but that the vendor's provider needs its own endpoint's. Status: published.
const REGISTRATION: c_int = FI_MR_ENDPOINT | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
/// The version of this library, as `FI_VERSION` packs it.
pub(crate) const VERSION: u32 = 1;
/// The fabric's name.
const FABRIC: &CStr = c"philae";

/// `getinfo` of the provider. What names no endpoint is `-FI_EINVAL` here, as the vendor's provider
/// answers; `fi_getinfo` of libfabric leaves out each provider that answers with an error, and
/// says `-FI_ENODATA` if no answer is left. Source: libfabric's fabric.c. Status: published.
pub(crate) unsafe extern "C" fn getinfo(
    _version: u32,
    node: *const c_char,
    service: *const c_char,
    flags: u64,
    hints: *const fi_info,
    info: *mut *mut fi_info,
) -> c_int {
    answer_done(|| {
        let settings = ProviderSettings::of_environment().map_err(|_| FI_ENODATA)?;
        let refused = |error: AskedError| {
            say(MessageLevel::Warn, &format!("getinfo: {error}"));
            libc::EINVAL
        };
        // SAFETY: C passes hints or null, and strings or null.
        let (hints, node, service) = unsafe { (hints.as_ref(), name(node), name(service)) };
        let (node, service) = (node.map_err(refused)?, service.map_err(refused)?);
        let asked = Asked { hints, node, service, flags };
        let native = native::native().ok_or(libc::ENOSYS)?;
        let named = asked.named(settings).map_err(refused)?;
        let found = asked.answers(&named, settings, native)?;
        // SAFETY: C passed room for the answer.
        unsafe { *info = found };
        Ok(())
    })
}

/// The system's error number for "no answer".
pub(crate) const FI_ENODATA: c_int = libc::ENODATA;

/// A node or a service; `None` if it is not given.
unsafe fn name<'a>(given: *const c_char) -> Result<Option<&'a str>, AskedError> {
    // SAFETY: as the caller promises, a string or null.
    let found = unsafe { text(given) };
    if found.is_none() && !given.is_null() { Err(AskedError::NotUtf8) } else { Ok(found) }
}

unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: C passes a string that ends with a zero.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// The arguments of a query.
struct Asked<'a> {
    hints: Option<&'a fi_info>,
    node: Option<&'a str>,
    service: Option<&'a str>,
    flags: u64,
}

/// One variant of a domain that the provider offers.
#[derive(Clone, Copy)]
struct Offer {
    device: u8,
    vni: u16,
    registration: c_int,
}

/// The endpoints that the node and the service name.
struct Named {
    /// The only NIC that answers.
    device: Option<u8>,
    /// The requested process number of this side.
    pid: u16,
    /// The endpoint of the peer.
    peer: Option<EndpointAddress>,
}

/// A query that no answer fits.
#[derive(Debug, thiserror::Error)]
enum AskedError {
    #[error("FI_SOURCE is set, but node and service are both missing")]
    NoSource,
    #[error("a node or a service is not UTF-8 text")]
    NotUtf8,
    #[error(transparent)]
    Name(#[from] NameError),
}

impl Asked<'_> {
    /// Resolves the names.
    fn named(&self, settings: &ProviderSettings) -> Result<Named, AskedError> {
        let names = NameContext { settings, vni: settings.vnis[0] };
        let pid = self.service.map(pid).transpose()?;
        let is_source = self.flags & FI_SOURCE != 0;
        match self.node {
            None if is_source && pid.is_none() => Err(AskedError::NoSource),
            Some(node) if is_source => {
                Ok(Named { device: names.own_device(node)?, pid: pid.unwrap_or(ANY_PID), peer: None })
            }
            None if is_source => Ok(Named { device: None, pid: pid.unwrap_or(ANY_PID), peer: None }),
            None => Ok(Named { device: None, pid: ANY_PID, peer: None }),
            Some(node) => {
                let service = self.service.unwrap_or("0");
                Ok(Named { device: None, pid: ANY_PID, peer: Some(names.address(node, service)?) })
            }
        }
    }

    /// The form of addresses that the program wants.
    fn form(&self, settings: &ProviderSettings) -> AddressForm {
        settings.address_form(self.hints.map_or(FI_FORMAT_UNSPEC, |hints| hints.addr_format))
    }

    /// A list of all matching answers; an error if there are none.
    fn answers(&self, named: &Named, settings: &ProviderSettings, native: &Native) -> Result<*mut fi_info, Errno> {
        let mut first: *mut fi_info = std::ptr::null_mut();
        let mut last: *mut *mut fi_info = &raw mut first;
        for &device in settings.nics.devices.iter().filter(|&device| named.device.is_none_or(|named| named == *device))
        {
            for keys in [0, FI_MR_PROV_KEY] {
                let offer =
                    Offer { device, vni: settings.vnis[0], registration: FI_MR_ENDPOINT | FI_MR_ALLOCATED | keys };
                let Some(offer) = self.negotiated(offer, keys, settings) else { continue };
                let info = native.new_info();
                if info.is_null() {
                    native.free_info(first);
                    return Err(libc::ENOMEM);
                }
                // SAFETY: the library has just made it, with all its parts.
                unsafe {
                    self.fill(&mut *info, offer, named, settings);
                    *last = info;
                    last = &raw mut (*info).next;
                }
            }
        }
        if first.is_null() { Err(FI_ENODATA) } else { Ok(first) }
    }

    /// The offer within the limits of the hints; `None` if they exclude it.
    fn negotiated(&self, offer: Offer, keys: c_int, settings: &ProviderSettings) -> Option<Offer> {
        let no = |what: &str| {
            say(MessageLevel::Info, &format!("getinfo: no answer: {what}"));
            None
        };
        let Some(hints) = self.hints else {
            return Some(offer);
        };
        if hints.caps & !CAPABILITIES != 0 {
            return no(&format!("capabilities {:#x} are not supported", hints.caps & !CAPABILITIES));
        }
        if !matches!(hints.addr_format, FI_FORMAT_UNSPEC | FI_ADDR_CXI) {
            return no("addresses have a form of their own, or the vendor's");
        }
        // SAFETY: the parts of hints are valid or null.
        let (endpoint, domain, transmit, receive, fabric) = unsafe {
            (
                hints.ep_attr.as_ref(),
                hints.domain_attr.as_ref(),
                hints.tx_attr.as_ref(),
                hints.rx_attr.as_ref(),
                hints.fabric_attr.as_ref(),
            )
        };
        if let Some(endpoint) = endpoint.filter(|endpoint| !endpoint_fits(endpoint)) {
            return no(&format!("an endpoint of type {} with these limits", endpoint.r#type));
        }
        if transmit.is_some_and(|asked| !transmit_fits(asked)) || receive.is_some_and(|asked| !receive_fits(asked)) {
            return no("the limits of transmit or receive contexts");
        }
        // SAFETY: the name is a string or null.
        if fabric
            .and_then(|fabric| unsafe { text(fabric.name) })
            .is_some_and(|name| name.as_bytes() != FABRIC.to_bytes())
        {
            return no("the fabric has another name");
        }
        let Some(domain) = domain else { return Some(offer) };
        // SAFETY: as above.
        if unsafe { text(domain.name) }.is_some_and(|name| name != device_name(offer.device)) {
            return None;
        }
        if !domain_fits(domain) {
            return no("the limits of a domain");
        }
        let registration = match domain.mr_mode as c_uint {
            // The two old modes: everything that a basic one implies is allowed, and nothing for a
            // scalable one.
            FI_MR_BASIC => FI_MR_PROV_KEY | FI_MR_ALLOCATED,
            FI_MR_SCALABLE => 0,
            _ => domain.mr_mode & REGISTRATION,
        };
        // Programs that can take the provider's keys are offered those, others the client's keys.
        // Not both: each of Open MPI's processes takes another answer of those that look alike, and
        // asks for keys of its own of 64 bits where the answer has 32.
        let takes_keys = if settings.regions.offers_keys { registration & FI_MR_PROV_KEY } else { 0 };
        if keys != takes_keys {
            return None;
        }
        Some(Offer { registration: registration & (FI_MR_ENDPOINT | FI_MR_ALLOCATED) | keys, ..offer })
    }

    /// Writes an answer.
    fn fill(&self, info: &mut fi_info, offer: Offer, named: &Named, settings: &ProviderSettings) {
        let hinted = self.hints.map_or(0, |hints| hints.caps);
        let caps = capabilities(hinted);
        let (form, hints) = (self.form(settings), self.hints);
        (info.caps, info.mode, info.addr_format) = (caps, 0, hints.map_or(FI_FORMAT_UNSPEC, |hints| hints.addr_format));
        // SAFETY: the parts of the library's info are valid; those of hints are valid or null.
        unsafe {
            let transmit = hints.and_then(|hints| hints.tx_attr.as_ref());
            let receive = hints.and_then(|hints| hints.rx_attr.as_ref());
            let domain = hints.and_then(|hints| hints.domain_attr.as_ref());
            fill_transmit(&mut *info.tx_attr, transmit, caps, settings);
            fill_receive(&mut *info.rx_attr, receive, caps, settings);
            fill_endpoint(&mut *info.ep_attr, hints.and_then(|hints| hints.ep_attr.as_ref()), settings);
            fill_domain(&mut *info.domain_attr, domain, offer);
            let fabric = &mut *info.fabric_attr;
            fabric.name = copied(FABRIC);
            fabric.prov_version = VERSION;
        }
        info.nic = super::nic::describe(offer.device, offer.vni, settings);
        // The program answers for the addresses that it passes besides the names. SAFETY: addresses
        // of hints are as long as they say, or null.
        let given =
            |address: *mut c_void, length: usize| unsafe { crate::abi::slice(address.cast::<u8>(), length).to_vec() };
        let of_hints =
            hints.map(|hints| (given(hints.src_addr, hints.src_addrlen), given(hints.dest_addr, hints.dest_addrlen)));
        let (source, destination) = of_hints.unwrap_or_default();
        let is_source = self.flags & FI_SOURCE != 0;
        let own = if is_source || source.is_empty() { form.encode(&own(offer, named.pid)) } else { source };
        let peer =
            named.peer.as_ref().map_or(destination, |peer| form.encode(&EndpointAddress { vni: offer.vni, ..*peer }));
        (info.src_addr, info.src_addrlen) = (allocated(&own), own.len());
        if !peer.is_empty() {
            (info.dest_addr, info.dest_addrlen) = (allocated(&peer), peer.len());
        }
    }
}

/// The address of an endpoint that does not exist yet.
fn own(offer: Offer, pid: u16) -> EndpointAddress {
    let (host, user, device, vni) = (host::number(), host::user(), offer.device, offer.vni);
    EndpointAddress { host, user, device, vni, pid, incarnation: 0, socket: None, takes_copies: true }
}

/// All capabilities that come with the requested ones; all of them if none is requested.
fn capabilities(asked: u64) -> u64 {
    if asked == 0 {
        return CAPABILITIES;
    }
    let mut caps = asked | FI_LOCAL_COMM | FI_REMOTE_COMM;
    if asked & PRIMARY == 0 {
        caps |= PRIMARY;
    }
    if caps & (FI_MSG | FI_TAGGED) != 0 && asked & (FI_SEND | FI_RECV) == 0 {
        caps |= FI_SEND | FI_RECV;
    }
    let sides = FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;
    if caps & (FI_RMA | FI_ATOMIC) != 0 && asked & sides == 0 {
        caps |= sides;
    }
    caps
}

fn endpoint_fits(asked: &fi_ep_attr) -> bool {
    matches!(asked.r#type, FI_EP_UNSPEC | FI_EP_RDM)
        && matches!(asked.protocol, FI_PROTO_UNSPEC | FI_PROTO_CXI)
        && asked.max_msg_size <= MESSAGE_BYTES
        && asked.max_order_raw_size <= MESSAGE_BYTES
        && asked.max_order_war_size <= MESSAGE_BYTES
        && asked.max_order_waw_size <= MESSAGE_BYTES
        && asked.tx_ctx_cnt <= 1
        && asked.rx_ctx_cnt <= 1
        && (asked.auth_key_size == 0 || asked.auth_key_size == AUTH_KEY_BYTES)
}

fn transmit_fits(asked: &fi_tx_attr) -> bool {
    asked.caps & !CAPABILITIES == 0
        && asked.op_flags & !TRANSMIT_FLAGS == 0
        && asked.msg_order & !ORDERS == 0
        && asked.inject_size <= INJECT_BYTES
        && asked.size <= TRANSMIT_MAX
        && asked.iov_limit <= 1
        && asked.rma_iov_limit <= 1
}

fn receive_fits(asked: &fi_rx_attr) -> bool {
    asked.caps & !CAPABILITIES == 0
        && asked.op_flags & !RECEIVE_FLAGS == 0
        && asked.msg_order & !ORDERS == 0
        && asked.size <= RECEIVE_MAX
        && asked.iov_limit <= 1
}

fn domain_fits(asked: &fi_domain_attr) -> bool {
    asked.threading <= FI_THREAD_ENDPOINT
        && asked.control_progress <= FI_PROGRESS_MANUAL
        && asked.data_progress <= FI_PROGRESS_MANUAL
        && asked.resource_mgmt <= FI_RM_ENABLED
        && asked.av_type <= FI_AV_TABLE
        && asked.cq_data_size <= DATA_BYTES
        && asked.mr_key_size <= 8
        && asked.mr_iov_limit <= 1
        && asked.caps & !(FI_LOCAL_COMM | FI_REMOTE_COMM) == 0
        && (asked.auth_key_size == 0 || asked.auth_key_size == AUTH_KEY_BYTES)
}

/// The requested value, or the default if it is 0.
const fn or(asked: usize, default: usize) -> usize {
    if asked == 0 { default } else { asked }
}

fn fill_transmit(attr: &mut fi_tx_attr, asked: Option<&fi_tx_attr>, caps: u64, settings: &ProviderSettings) {
    // The capabilities of the receiving side belong to the other attributes, whatever was requested
    // here. Source: libfabric's OFI_IGNORED_TX_CAPS.
    let sides = PRIMARY | FI_SEND | FI_READ | FI_WRITE | FI_FENCE | FI_TRIGGER | FI_NAMED_RX_CTX;
    attr.caps = caps & sides;
    attr.mode = 0;
    attr.op_flags = asked.map_or(0, |asked| asked.op_flags);
    attr.msg_order = ORDERS;
    attr.comp_order = FI_ORDER_NONE;
    attr.inject_size = INJECT_BYTES;
    attr.size = or(asked.map_or(0, |asked| asked.size), settings.sizes.transmit);
    attr.iov_limit = 1;
    attr.rma_iov_limit = 1;
    attr.tclass = asked.map_or(FI_TC_UNSPEC, |asked| asked.tclass);
}

fn fill_receive(attr: &mut fi_rx_attr, asked: Option<&fi_rx_attr>, caps: u64, settings: &ProviderSettings) {
    let sides = PRIMARY
        | FI_RECV
        | FI_REMOTE_READ
        | FI_REMOTE_WRITE
        | FI_MULTI_RECV
        | FI_DIRECTED_RECV
        | FI_SOURCE
        | FI_SOURCE_ERR
        | FI_TRIGGER
        | FI_RMA_EVENT;
    attr.caps = caps & sides;
    attr.mode = 0;
    attr.op_flags = asked.map_or(0, |asked| asked.op_flags);
    attr.msg_order = ORDERS;
    attr.comp_order = FI_ORDER_NONE;
    attr.total_buffered_recv = 0;
    attr.size = or(asked.map_or(0, |asked| asked.size), settings.sizes.receive);
    attr.iov_limit = 1;
}

fn fill_endpoint(attr: &mut fi_ep_attr, asked: Option<&fi_ep_attr>, settings: &ProviderSettings) {
    attr.r#type = FI_EP_RDM;
    attr.protocol = FI_PROTO_CXI;
    attr.protocol_version = 1;
    attr.max_msg_size = MESSAGE_BYTES;
    (attr.max_order_raw_size, attr.max_order_war_size, attr.max_order_waw_size) =
        (MESSAGE_BYTES, MESSAGE_BYTES, MESSAGE_BYTES);
    attr.mem_tag_format = settings.messages.tag_bits;
    (attr.tx_ctx_cnt, attr.rx_ctx_cnt) = (1, 1);
    if let Some(asked) = asked.filter(|asked| asked.auth_key_size == AUTH_KEY_BYTES && !asked.auth_key.is_null()) {
        // SAFETY: the key is as long as it says.
        let key = unsafe { std::slice::from_raw_parts(asked.auth_key, AUTH_KEY_BYTES) };
        (attr.auth_key, attr.auth_key_size) = (allocated(key).cast(), AUTH_KEY_BYTES);
    }
}

fn fill_domain(attr: &mut fi_domain_attr, asked: Option<&fi_domain_attr>, offer: Offer) {
    let chosen = |asked: c_uint, default: c_uint| if asked == 0 { default } else { asked };
    let name = CString::new(device_name(offer.device)).expect("a name without a zero");
    attr.name = copied(&name);
    attr.threading = chosen(asked.map_or(0, |asked| asked.threading), FI_THREAD_SAFE);
    // Within a host, operations of other processes complete here whether or not this process calls:
    // that is more than manual progress.
    attr.control_progress = chosen(asked.map_or(0, |asked| asked.control_progress), FI_PROGRESS_MANUAL);
    attr.data_progress = chosen(asked.map_or(0, |asked| asked.data_progress), FI_PROGRESS_MANUAL);
    attr.resource_mgmt = chosen(asked.map_or(0, |asked| asked.resource_mgmt), FI_RM_ENABLED);
    attr.av_type = chosen(asked.map_or(0, |asked| asked.av_type), FI_AV_TABLE);
    attr.mr_mode = offer.registration;
    attr.mr_key_size = if offer.registration & FI_MR_PROV_KEY == 0 { 4 } else { 8 };
    attr.cq_data_size = DATA_BYTES;
    (attr.cq_cnt, attr.ep_cnt, attr.cntr_cnt) = (1_024, 511, 2_047);
    (attr.tx_ctx_cnt, attr.rx_ctx_cnt, attr.max_ep_tx_ctx, attr.max_ep_rx_ctx) = (511, 511, 1, 1);
    (attr.max_ep_stx_ctx, attr.max_ep_srx_ctx) = (0, 0);
    attr.mr_iov_limit = 1;
    attr.caps = FI_LOCAL_COMM | FI_REMOTE_COMM;
    attr.mode = 0;
    attr.max_err_data = 0;
    attr.mr_cnt = crate::endpoint::REGIONS as usize;
    attr.tclass = asked.map_or(FI_TC_UNSPEC, |asked| asked.tclass);
    if let Some(asked) = asked.filter(|asked| asked.auth_key_size == AUTH_KEY_BYTES && !asked.auth_key.is_null()) {
        // SAFETY: the key is as long as it says.
        let key = unsafe { std::slice::from_raw_parts(asked.auth_key, AUTH_KEY_BYTES) };
        (attr.auth_key, attr.auth_key_size) = (allocated(key).cast(), AUTH_KEY_BYTES);
    }
}

/// A copy that the library frees together with the object that has it.
fn copied(text: &CStr) -> *mut c_char {
    // SAFETY: the text ends with a zero.
    unsafe { libc::strdup(text.as_ptr()) }
}

/// The same for bytes.
fn allocated(bytes: &[u8]) -> *mut c_void {
    // SAFETY: the allocation has as many bytes as are written.
    unsafe {
        let room = libc::malloc(bytes.len());
        if !room.is_null() {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), room.cast(), bytes.len());
        }
        room
    }
}
