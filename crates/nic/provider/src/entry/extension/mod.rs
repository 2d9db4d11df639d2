//! Extensions by name (`fi_open_ops`) and options by number (`fi_set_val`, `fi_get_val`): the
//! vendor's, and two of ours.

mod atomics;
mod count;
mod counter;
mod domain;
mod options;

use std::ffi::c_void;

use crate::abi::Errno;
use crate::log::{MessageLevel, say};

pub(super) use options::{of_domain, of_endpoint};

/// The names of tables. Later tables have more entries at their end.
const OF_DOMAINS: [&str; 6] = ["dom_ops_v1", "dom_ops_v2", "dom_ops_v3", "dom_ops_v4", "dom_ops_v5", "dom_ops_v6"];
const OF_COUNTERS: &str = "cxi_counter_ops";
/// Ours: counts by name.
const COUNTS: &str = "philae_counts_1";
/// Ours: the agent of atomic operations.
const ATOMICS: &str = "philae_atomics_1";

/// The table of a domain's extension.
///
/// # Errors
/// `ENOSYS`: it has none of this name.
pub(super) fn of_domains(name: &str) -> Result<*const c_void, Errno> {
    match name {
        COUNTS => Ok(std::ptr::from_ref(&count::OPS).cast()),
        ATOMICS => Ok(std::ptr::from_ref(&atomics::OPS).cast()),
        _ if OF_DOMAINS.contains(&name) => Ok(std::ptr::from_ref(&domain::OPS).cast()),
        _ => Err(unknown(name)),
    }
}

/// The table of a counter's extension.
///
/// # Errors
/// As [`of_domains`].
pub(super) fn of_counters(name: &str) -> Result<*const c_void, Errno> {
    if name == OF_COUNTERS { Ok(std::ptr::from_ref(&counter::OPS).cast()) } else { Err(unknown(name)) }
}

fn unknown(name: &str) -> Errno {
    say(MessageLevel::Info, &format!("no extension of such an object is called {name}"));
    libc::ENOSYS
}
