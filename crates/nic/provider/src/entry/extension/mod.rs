//! Extensions by name (`fi_open_ops`) and options by number (`fi_set_val`, `fi_get_val`): the
//! vendor's, and two of ours.

mod atomics;
mod count;
mod counter;
mod domain;
mod options;

use std::ffi::{c_char, c_int, c_void};

use philae_fi_sys::{FI_CLASS_CNTR, FI_CLASS_DOMAIN, fid};

use crate::abi::{answer_done, string};
use crate::log::{MessageLevel, say};

pub(super) use options::{of_domain, of_endpoint};

/// The names of tables. Later tables have more entries at their end.
const OF_DOMAINS: [&str; 6] = ["dom_ops_v1", "dom_ops_v2", "dom_ops_v3", "dom_ops_v4", "dom_ops_v5", "dom_ops_v6"];
const OF_COUNTERS: &str = "cxi_counter_ops";
/// Ours: counts by name.
const COUNTS: &str = "philae_counts_1";
/// Ours: the agent of atomic operations.
const ATOMICS: &str = "philae_atomics_1";

/// `fi_open_ops` of domains, counters and endpoints.
pub(crate) unsafe extern "C" fn open(
    fid: *mut fid,
    name: *const c_char,
    _: u64,
    ops: *mut *mut c_void,
    _: *mut c_void,
) -> c_int {
    answer_done(|| {
        // SAFETY: the name ends with a zero, or is null; C passes an object of ours and room for a
        // pointer.
        let (name, class, ops) = unsafe { (string(name), (*fid).fclass as u32, ops.as_mut().ok_or(libc::EINVAL)?) };
        let table = match class {
            FI_CLASS_DOMAIN if OF_DOMAINS.contains(&name) => std::ptr::from_ref(&domain::OPS).cast::<c_void>(),
            FI_CLASS_DOMAIN if name == COUNTS => std::ptr::from_ref(&count::OPS).cast(),
            FI_CLASS_DOMAIN if name == ATOMICS => std::ptr::from_ref(&atomics::OPS).cast(),
            FI_CLASS_CNTR if name == OF_COUNTERS => std::ptr::from_ref(&counter::OPS).cast(),
            _ => {
                say(MessageLevel::Info, &format!("no extension of such an object is called {name}"));
                return Err(libc::ENOSYS);
            }
        };
        *ops = table.cast_mut();
        Ok(())
    })
}
