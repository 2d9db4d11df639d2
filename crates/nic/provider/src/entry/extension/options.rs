//! The vendor's options, by number.

use std::ffi::c_uint;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use philae_fi_sys::*;

use crate::abi::Errno;
use crate::domain::DomainOptions;
use crate::limits::ORDERS;

/// `FI_SET_VAL` and `FI_GET_VAL` of a domain.
///
/// # Errors
/// `EINVAL`: no such option, or no value for it.
///
/// # Safety
/// The value is of the option's type.
pub(crate) unsafe fn of_domain(options: &DomainOptions, command: u32, asked: *const fi_fid_var) -> Result<(), Errno> {
    let DomainOptions { optimized, match_events, key_cache } = options;
    // SAFETY: C passes an option and a value of its type.
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

/// The options of an endpoint, or of an alias of one: its traffic class and the order of its
/// operations.
///
/// # Errors
/// `EINVAL`: no such option, no such class or order; `EOPNOTSUPP`: an order of a protocol that is
/// not supported.
///
/// # Safety
/// The value is of the option's type.
pub(crate) unsafe fn of_endpoint(class: &AtomicU32, orders: &AtomicU64, asked: *const fi_fid_var) -> Result<(), Errno> {
    // SAFETY: C passes an option and a value of its type.
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
                if wanted & !ORDERS != 0 {
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
