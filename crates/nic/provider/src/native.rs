//! The libfabric that has loaded this library. Its objects grow with its version, so it makes them
//! itself.
//!
//! It is found at run time: if it were linked, its functions would be those of the version that
//! this library was built with.

use std::ffi::{CStr, c_void};
use std::sync::OnceLock;

use philae_fi_sys::fi_info;

type DupInfo = unsafe extern "C" fn(*const fi_info) -> *mut fi_info;
type FreeInfo = unsafe extern "C" fn(*mut fi_info);
type Version = unsafe extern "C" fn() -> u32;

/// Its functions.
pub(crate) struct Native {
    dup_info: DupInfo,
    free_info: FreeInfo,
    version: Version,
}

/// The libfabric of the process; `None` if there is none.
pub(crate) fn native() -> Option<&'static Native> {
    static NATIVE: OnceLock<Option<Native>> = OnceLock::new();
    NATIVE.get_or_init(find).as_ref()
}

fn find() -> Option<Native> {
    // SAFETY: opens a library that is loaded already, or searches all; a failure is a null answer.
    let library = unsafe { libc::dlopen(c"libfabric.so.1".as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    let library = if library.is_null() { libc::RTLD_DEFAULT } else { library };
    let symbol = |name: &CStr| {
        // SAFETY: the library stays loaded; the name ends with a zero.
        let found = unsafe { libc::dlsym(library, name.as_ptr()) };
        (!found.is_null()).then_some(found)
    };
    // SAFETY: these are the functions of `rdma/fabric.h` with these names.
    unsafe {
        Some(Native {
            dup_info: std::mem::transmute::<*mut c_void, DupInfo>(symbol(c"fi_dupinfo")?),
            free_info: std::mem::transmute::<*mut c_void, FreeInfo>(symbol(c"fi_freeinfo")?),
            version: std::mem::transmute::<*mut c_void, Version>(symbol(c"fi_version")?),
        })
    }
}

impl Native {
    /// A new, empty `fi_info` with all its parts; null if memory is lacking.
    pub fn new_info(&self) -> *mut fi_info {
        // SAFETY: a copy of null is an empty one.
        unsafe { (self.dup_info)(std::ptr::null()) }
    }

    /// Frees an info that `new_info` made, and its successors.
    pub fn free_info(&self, info: *mut fi_info) {
        // SAFETY: the same library made it.
        unsafe { (self.free_info)(info) };
    }

    /// Its version, as `FI_VERSION` packs it.
    pub fn version(&self) -> u32 {
        // SAFETY: a function without arguments.
        unsafe { (self.version)() }
    }
}
