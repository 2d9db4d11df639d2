//! `libphilae-fi.so`: a libfabric provider that is a Slingshot NIC in software. Processes of one
//! host reach each other through shared memory.
//!
//! The initiator of an operation carries out the target NIC's part of it, with the target's lock
//! held. So messages are matched with receives and memory is written while the target computes.
//! Within a host no thread runs in the background, unless a program asks for a file to sleep on.
//!
//! Invariants: the death of a process does not make others hang: those that wait for it learn of
//! it. No panic crosses to C. Full lists and queues report that (`-FI_EAGAIN`), and nothing grows
//! without bound.

#![expect(unsafe_code, reason = "C calls this library, and processes share memory")]

mod abi;
mod address;
mod address_vector;
pub mod census;
mod completion;
mod completion_queue;
mod counter;
mod deferred;
mod description;
mod domain;
mod endpoint;
mod entry;
mod host;
mod limits;
mod log;
mod names;
mod native;
mod open_domain;
mod operation;
mod peers;
mod processor;
mod region;
mod remote;
mod report;
mod settings;
pub mod shm;
pub mod simulated;
mod target;
pub mod trace;
mod traffic;
pub mod udp;
mod wait;
mod watcher;

use std::ffi::CStr;

use philae_fi_sys::{fi_context, fi_provider, guarded};

use crate::settings::ProviderSettings;

/// The provider's description for libfabric, which writes to it for as long as this library is
/// loaded, and frees nothing.
struct Place(std::cell::UnsafeCell<std::mem::MaybeUninit<fi_provider>>);

// SAFETY: it is filled in once, before libfabric knows it, and only libfabric uses it from then on.
unsafe impl Sync for Place {}

static PROVIDER: Place = Place(std::cell::UnsafeCell::new(std::mem::MaybeUninit::uninit()));

/// libfabric calls this when it loads the library.
///
/// # Safety
/// libfabric calls this once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fi_prov_ini() -> *mut fi_provider {
    let provider = || {
        trace::begin();
        let native = native::native().ok_or(libc::ENOSYS)?;
        let name: &'static CStr = match ProviderSettings::of_environment().map(|settings| settings.name) {
            Ok("cxi") => c"cxi",
            _ => c"philae",
        };
        let provider = fi_provider {
            version: entry::info::VERSION,
            // The version of the libfabric that loads it: callers that ask for a later one than
            // ours would not see the provider.
            fi_version: native.version(),
            context: fi_context { internal: [std::ptr::null_mut(); 4] },
            name: name.as_ptr(),
            getinfo: Some(entry::info::getinfo),
            fabric: Some(entry::fabric::open),
            cleanup: Some(cleanup),
        };
        // SAFETY: no other code has the place before this returns.
        unsafe { *PROVIDER.0.get() = std::mem::MaybeUninit::new(provider) };
        Ok(PROVIDER.0.get().cast())
    };
    guarded(provider).unwrap_or(std::ptr::null_mut())
}

/// There is nothing to do: the openers of objects close them, or the end of their process does.
unsafe extern "C" fn cleanup() {}
