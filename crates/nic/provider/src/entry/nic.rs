//! The contents of `fi_info.nic`: the NIC as a device, its location, and its link.
//!
//! libfabric closes, copies and prints it by the functions that it carries. All its parts are
//! memory of the C library, so that a program may exchange a part as it may with any other
//! provider's.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

use philae_fi_sys::*;

use crate::abi::{self, Errno, answer_done};
use crate::address::device_name;
use crate::host;
use crate::settings::ProviderSettings;

/// The vendor's device number of the NIC. Source: `fi_info -p cxi -v` of a Slingshot system.
/// Status: published.
const DEVICE_ID: &CStr = c"0x501";
/// The vendor's number. Source: as above. Status: published.
const VENDOR_ID: &CStr = c"0x17db";
/// Its driver. Source: as above. Status: published. Reported only if the provider's name is `cxi`:
/// otherwise the answer shows that there is no hardware.
const DRIVER: &CStr = c"cxi_ss1";
/// The vendor's name of its network. Source: as above. Status: published.
const NETWORK_TYPE: &CStr = c"HPC Ethernet";
/// The largest packet of the NIC's own protocol, with its headers, in bytes. Source: as above.
/// Status: published.
const MTU: usize = 2_112;
/// The link speed of the NIC that this one stands for, in bit/s. Source: as above.
/// Status: published.
const SPEED: usize = 200_000_000_000;
/// Version of [`Extra`]. Source: fi_cxi_ext.h. Status: published.
const EXTRA_VERSION: u32 = 1;

/// The vendor's additional data (`prov_attr`). Source: fi_cxi_ext.h. Status: published.
#[derive(Clone, Copy)]
#[repr(C)]
struct Extra {
    version: u32,
    /// The NIC's address.
    address: c_uint,
    /// The service whose resources are used.
    service: c_uint,
    /// The virtual network.
    vni: c_uint,
}

static OPS: fi_ops = fi_ops { close: Some(close), control: Some(control), tostr: Some(to_string), ..fi_ops::DECLINED };

/// A NIC's description, for an answer of `fi_getinfo`; null if memory is lacking.
pub(crate) fn describe(device: u8, vni: u16, settings: &ProviderSettings) -> *mut fid_nic {
    let nic = empty();
    // SAFETY: `empty` has made all its parts, or null.
    let Some(described) = (unsafe { nic.as_mut() }) else { return nic };
    let address = settings.nic_address(device);
    // SAFETY: as above; all parts are valid.
    unsafe {
        let attr = &mut *described.device_attr;
        attr.name = owned(&device_name(device));
        attr.device_id = libc::strdup(DEVICE_ID.as_ptr());
        attr.device_version = owned(env!("CARGO_PKG_VERSION"));
        attr.vendor_id = libc::strdup(VENDOR_ID.as_ptr());
        attr.driver = libc::strdup(if settings.name == "cxi" { DRIVER.as_ptr() } else { c"philae".as_ptr() });
        let bus = &mut *described.bus_attr;
        // Programs search for the device there (MPICH ends if it finds none), so a location is
        // reported only if one was set.
        if let Some(place) = settings.nics.pci {
            bus.bus_type = FI_BUS_PCI;
            let host::Pci { domain: domain_id, bus: bus_id, device: device_id, function: function_id } = place;
            bus.attr.pci = fi_pci_attr { domain_id, bus_id, device_id, function_id };
        }
        let link = &mut *described.link_attr;
        link.address = owned(&format!("{address:#x}"));
        (link.mtu, link.speed, link.state) = (MTU, SPEED, FI_LINK_UP);
        link.network_type = libc::strdup(NETWORK_TYPE.as_ptr());
        let service = settings.service(device);
        *described.prov_attr.cast() = Extra { version: EXTRA_VERSION, address, service, vni: vni.into() };
    }
    nic
}

/// A text in the C library's memory.
fn owned(text: &str) -> *mut c_char {
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: the text ends with a zero.
    unsafe { libc::strdup(text.as_ptr()) }
}

/// Zeroed memory of the C library; null if memory is lacking.
fn zeroed<T>() -> *mut T {
    // SAFETY: the C library returns memory or null.
    unsafe { libc::calloc(1, size_of::<T>()).cast() }
}

/// A description with all its parts empty; null if memory is lacking.
fn empty() -> *mut fid_nic {
    let nic: *mut fid_nic = zeroed();
    // SAFETY: it is valid or null.
    let Some(made) = (unsafe { nic.as_mut() }) else { return nic };
    made.fid = fid { fclass: FI_CLASS_NIC as usize, context: std::ptr::null_mut(), ops: (&raw const OPS).cast_mut() };
    (made.device_attr, made.bus_attr, made.link_attr) = (zeroed(), zeroed(), zeroed());
    made.prov_attr = zeroed::<Extra>().cast();
    if made.device_attr.is_null() || made.bus_attr.is_null() || made.link_attr.is_null() || made.prov_attr.is_null() {
        // SAFETY: it has no other owner.
        unsafe { free(nic) };
        return std::ptr::null_mut();
    }
    nic
}

/// Frees a description with all its parts.
///
/// # Safety
/// It was made here, and is no longer in use. Texts are memory of the C library.
unsafe fn free(nic: *mut fid_nic) {
    // SAFETY: as the caller promises; null is freed like any pointer.
    unsafe {
        let all = &*nic;
        if let Some(attr) = all.device_attr.as_ref() {
            let texts = [attr.name, attr.device_id, attr.device_version, attr.vendor_id, attr.driver, attr.firmware];
            texts.into_iter().for_each(|text| libc::free(text.cast()));
        }
        if let Some(link) = all.link_attr.as_ref() {
            libc::free(link.address.cast());
            libc::free(link.network_type.cast());
        }
        for part in [all.device_attr.cast(), all.bus_attr.cast(), all.link_attr.cast(), all.prov_attr] {
            libc::free(part);
        }
        libc::free(nic.cast());
    }
}

/// Copies a description.
///
/// # Safety
/// It is a libfabric NIC, whose parts are valid or null.
unsafe fn copy(nic: &fid_nic) -> Result<*mut fid_nic, Errno> {
    let made = empty();
    let again = |text: *mut c_char| {
        // SAFETY: it ends with a zero, or is null.
        if text.is_null() { text } else { unsafe { libc::strdup(text) } }
    };
    // SAFETY: `empty` has made all parts; those of the original are valid or null.
    unsafe {
        let to = made.as_mut().ok_or(libc::ENOMEM)?;
        if let Some(from) = nic.device_attr.as_ref() {
            *to.device_attr = fi_device_attr {
                name: again(from.name),
                device_id: again(from.device_id),
                device_version: again(from.device_version),
                vendor_id: again(from.vendor_id),
                driver: again(from.driver),
                firmware: again(from.firmware),
            };
        }
        if let Some(from) = nic.bus_attr.as_ref() {
            *to.bus_attr = *from;
        }
        if let Some(from) = nic.link_attr.as_ref() {
            let (address, network_type) = (again(from.address), again(from.network_type));
            *to.link_attr = fi_link_attr { address, network_type, ..*from };
        }
        if let Some(from) = nic.prov_attr.cast::<Extra>().as_ref() {
            *to.prov_attr.cast::<Extra>() = *from;
        }
    }
    Ok(made)
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: libfabric closes an object that it was given or has copied.
        unsafe { free(fid.cast()) };
        Ok(())
    })
}

unsafe extern "C" fn control(fid: *mut fid, command: c_int, arg: *mut c_void) -> c_int {
    answer_done(|| match command {
        // The environment is read only once.
        FI_OPT_CXI_NIC_REFRESH_ATTR => Ok(()),
        _ if command as u32 == FI_DUP => {
            // SAFETY: libfabric passes one of ours and room for a pointer.
            let (nic, place) =
                unsafe { (&*fid.cast::<fid_nic>(), arg.cast::<*mut fid_nic>().as_mut().ok_or(libc::EINVAL)?) };
            // SAFETY: as above.
            *place = unsafe { copy(nic)? };
            Ok(())
        }
        _ => Err(libc::ENOSYS),
    })
}

/// Appends lines to the buffer, as libfabric's other providers do.
unsafe extern "C" fn to_string(fid: *const fid, buffer: *mut c_char, length: usize) -> c_int {
    answer_done(|| {
        // SAFETY: libfabric passes one of ours.
        let text = unsafe { lines(&*fid.cast::<fid_nic>()) };
        let text = CString::new(text).map_err(|_| libc::EINVAL)?;
        // SAFETY: the buffer is as long as it says, and contains a text that ends with a zero.
        unsafe {
            let there = libc::strnlen(buffer, length);
            if there < length {
                libc::strncat(buffer.add(there), text.as_ptr(), length - there - 1);
            }
        }
        Ok(())
    })
}

/// The description as lines of `fi_info -v`.
///
/// # Safety
/// Its parts are valid.
unsafe fn lines(nic: &fid_nic) -> String {
    // SAFETY: as the caller promises; texts end with a zero, or are null.
    unsafe {
        let text = |text: *mut c_char| if text.is_null() { "(null)" } else { abi::string(text) };
        let (device, bus, link) = (&*nic.device_attr, &*nic.bus_attr, &*nic.link_attr);
        let mut lines = format!(
            "    nic:\n        fi_device_attr:\n            name: {}\n            device_id: {}\n            \
             device_version: {}\n            vendor_id: {}\n            driver: {}\n            firmware: {}\n        \
             fi_bus_attr:\n            bus_type: {}\n",
            text(device.name),
            text(device.device_id),
            text(device.device_version),
            text(device.vendor_id),
            text(device.driver),
            text(device.firmware),
            if bus.bus_type == FI_BUS_PCI { "FI_BUS_PCI" } else { "FI_BUS_UNKNOWN" },
        );
        if bus.bus_type == FI_BUS_PCI {
            let fi_pci_attr { domain_id, bus_id, device_id, function_id } = bus.attr.pci;
            lines += &format!(
                "            fi_pci_attr:\n                domain_id: {domain_id}\n                bus_id: {bus_id}\n                \
                 device_id: {device_id}\n                function_id: {function_id}\n"
            );
        }
        let state = match link.state {
            FI_LINK_UP => "FI_LINK_UP",
            FI_LINK_DOWN => "FI_LINK_DOWN",
            _ => "FI_LINK_UNKNOWN",
        };
        lines
            + &format!(
                "        fi_link_attr:\n            address: {}\n            mtu: {}\n            speed: {}\n            \
                 state: {state}\n            network_type: {}\n",
                text(link.address),
                link.mtu,
                link.speed,
                text(link.network_type),
            )
    }
}
