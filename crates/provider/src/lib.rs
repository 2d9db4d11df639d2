//! `libphilae-fi.so`: a libfabric provider that is a Slingshot NIC in software. Processes of one host reach each other
//! through memory that they share.
//!
//! Whoever starts an operation carries out the target NIC's part of it, with the target's lock held: messages meet their
//! receives and memory is written while the target computes. No thread runs in the background.
//!
//! Invariants: a process that dies takes nobody with it: who waits for it learns of it. No panic crosses to C. What is full
//! says so (`-FI_EAGAIN`); nothing grows without bound.

#![expect(unsafe_code, reason = "C calls this library, and processes share memory")]

mod abi;
mod address;
mod address_vector;
pub mod census;
mod completion_queue;
mod counter;
mod deferred;
mod description;
mod domain;
mod endpoint;
mod event_queue;
mod extension;
mod fabric;
mod host;
mod info;
mod log;
mod memory;
mod names;
mod native;
mod nic;
mod peers;
mod processor;
mod remote;
mod report;
mod settings;
pub mod shm;
pub mod trace;
mod traffic;
pub mod udp;
mod wait;
mod watcher;

use std::ffi::CStr;

use philae_fi_sys::{fi_context, fi_provider};

use crate::settings::Settings;

/// What libfabric is told of the provider. It writes there for as long as this library is loaded, and frees nothing.
struct Place(std::cell::UnsafeCell<std::mem::MaybeUninit<fi_provider>>);

// SAFETY: it is filled in once, before libfabric knows it, and is libfabric's alone from then on.
unsafe impl Sync for Place {}

static PROVIDER: Place = Place(std::cell::UnsafeCell::new(std::mem::MaybeUninit::uninit()));

/// What libfabric calls when it loads this library.
///
/// # Safety
/// Called by libfabric, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fi_prov_ini() -> *mut fi_provider {
    let provider = || {
        trace::begin();
        let native = native::native().ok_or(libc::ENOSYS)?;
        let name: &'static CStr = match Settings::of_environment().map(|settings| settings.name) {
            Ok("cxi") => c"cxi",
            _ => c"philae",
        };
        let provider = fi_provider {
            version: info::VERSION,
            // The version of whoever loads it: callers that ask for a later one than ours would not be shown it.
            fi_version: native.version(),
            context: fi_context { internal: [std::ptr::null_mut(); 4] },
            name: name.as_ptr(),
            getinfo: Some(info::getinfo),
            fabric: Some(fabric::open),
            cleanup: Some(cleanup),
        };
        // SAFETY: nobody else has the place before this returns.
        unsafe { *PROVIDER.0.get() = std::mem::MaybeUninit::new(provider) };
        Ok(PROVIDER.0.get().cast())
    };
    abi::guarded(provider).unwrap_or(std::ptr::null_mut())
}

/// Nothing is left to be done: what was open is closed by whoever opened it, or by its process's end.
unsafe extern "C" fn cleanup() {}
