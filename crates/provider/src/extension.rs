//! Extensions by name (`fi_open_ops`).

use std::ffi::{c_char, c_int, c_void};

use philae_fi_sys::fid;

use crate::domain::string;
use crate::log::{Level, say};

/// The first of the vendor's numbers of options and commands. Source: fi_cxi_ext.h. Status: published.
const OPTIONS: c_int = -(0xccc << 16);
/// Asks for a NIC's description to be brought up to date. Source: as above. Status: published.
pub(crate) const FI_OPT_CXI_NIC_REFRESH_ATTR: c_int = OPTIONS + 2;

/// None is known so far; the name is said to whoever listens.
pub(crate) unsafe extern "C" fn open(
    _: *mut fid,
    name: *const c_char,
    _: u64,
    _: *mut *mut c_void,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the name ends with a zero, or is null.
    say(Level::Info, &format!("no extension is called {}", unsafe { string(name) }));
    -libc::ENOSYS
}
