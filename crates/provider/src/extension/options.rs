//! The vendor's options, by number.

use std::ffi::c_uint;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use philae_fi_sys::*;

use crate::abi::Errno;
use crate::settings::Settings;

/// What a domain can be told.
#[derive(Debug)]
pub(crate) struct Options {
    /// Regions of low keys are of the fast kind.
    pub optimized: AtomicBool,
    /// Closing a region waits for whoever is about to reach it. It does so here whether this is set or not.
    pub match_events: AtomicBool,
    /// Regions with keys of the provider's are kept for later. Nothing is kept here: registration costs nothing.
    pub key_cache: AtomicBool,
}

impl Options {
    pub fn new(settings: &Settings) -> Self {
        let Settings { optimized_regions, match_events, key_cache, .. } = *settings;
        Self { optimized: optimized_regions.into(), match_events: match_events.into(), key_cache: key_cache.into() }
    }
}

/// `FI_SET_VAL` and `FI_GET_VAL` of a domain.
///
/// # Errors
/// `EINVAL`: no such option, or nothing to set it to.
///
/// # Safety
/// The value is of the option's type.
pub(crate) unsafe fn of_domain(options: &Options, command: u32, asked: *const fi_fid_var) -> Result<(), Errno> {
    let Options { optimized, match_events, key_cache } = options;
    // SAFETY: C gives an option and a value of its type.
    unsafe {
        let asked = asked.as_ref().ok_or(libc::EINVAL)?;
        let value = asked.val.cast::<bool>().as_mut().ok_or(libc::EINVAL)?;
        let (is_set, place) = match asked.name {
            FI_OPT_CXI_SET_MR_MATCH_EVENTS => (true, match_events),
            FI_OPT_CXI_GET_MR_MATCH_EVENTS => (false, match_events),
            FI_OPT_CXI_SET_OPTIMIZED_MRS => (true, optimized),
            FI_OPT_CXI_GET_OPTIMIZED_MRS => (false, optimized),
            FI_OPT_CXI_SET_PROV_KEY_CACHE => (true, key_cache),
            FI_OPT_CXI_GET_PROV_KEY_CACHE => (false, key_cache),
            _ => return Err(libc::EINVAL),
        };
        match (command, is_set) {
            (FI_SET_VAL, true) => place.store(*value, Ordering::Relaxed),
            (FI_GET_VAL, false) => *value = place.load(Ordering::Relaxed),
            _ => return Err(libc::EINVAL),
        }
    }
    Ok(())
}

/// What an endpoint, or an alias of one, can be told: its traffic class and the order of its operations.
///
/// # Errors
/// `EINVAL`: no such option, no such class or order; `EOPNOTSUPP`: of a protocol that is not to be had.
///
/// # Safety
/// The value is of the option's type.
pub(crate) unsafe fn of_endpoint(class: &AtomicU32, orders: &AtomicU64, asked: *const fi_fid_var) -> Result<(), Errno> {
    // SAFETY: C gives an option and a value of its type.
    unsafe {
        let asked = asked.as_ref().ok_or(libc::EINVAL)?;
        match asked.name {
            FI_OPT_CXI_SET_TCLASS => {
                let wanted = *asked.val.cast::<c_uint>().as_ref().ok_or(libc::EINVAL)?;
                if wanted != FI_TC_UNSPEC && !(FI_TC_LABEL..=FI_TC_SCAVENGER).contains(&wanted) {
                    return Err(libc::EINVAL);
                }
                class.store(wanted, Ordering::Relaxed);
                Ok(())
            }
            FI_OPT_CXI_SET_MSG_ORDER => {
                let wanted = *asked.val.cast::<u64>().as_ref().ok_or(libc::EINVAL)?;
                if wanted & !crate::info::ORDERS != 0 {
                    return Err(libc::EINVAL);
                }
                orders.store(wanted, Ordering::Relaxed);
                Ok(())
            }
            FI_OPT_CXI_SET_RNR_MAX_RETRY_TIME => Err(libc::EOPNOTSUPP),
            _ => Err(libc::EINVAL),
        }
    }
}
