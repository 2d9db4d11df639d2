//! The functions of libfabric that are in no table, looked up in the library at run time.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;

use crate::{fi_fabric_attr, fi_info, fid_fabric};

type GetInfo = unsafe extern "C" fn(u32, *const c_char, *const c_char, u64, *const fi_info, *mut *mut fi_info) -> c_int;
type DupInfo = unsafe extern "C" fn(*const fi_info) -> *mut fi_info;
type FreeInfo = unsafe extern "C" fn(*mut fi_info);
type OpenFabric = unsafe extern "C" fn(*mut fi_fabric_attr, *mut *mut fid_fabric, *mut c_void) -> c_int;
type Text = unsafe extern "C" fn(c_int) -> *const c_char;
type Version = unsafe extern "C" fn() -> u32;

/// The version of the interface that clients ask for: 1.17. Source: Debian 12's libfabric. Status:
/// published.
pub const CLIENT_VERSION: u32 = 1 << 16 | 17;

/// libfabric, opened by this process. It is never closed.
#[derive(Clone, Copy, Debug)]
pub struct FiLibrary {
    /// `fi_getinfo`.
    pub get_info: GetInfo,
    /// `fi_dupinfo`: of null it makes an empty one.
    pub dup_info: DupInfo,
    /// `fi_freeinfo`.
    pub free_info: FreeInfo,
    /// `fi_fabric`.
    pub fabric: OpenFabric,
    text: Text,
    version: Version,
}

/// Why a static program opens no library.
pub const STATIC: &str = "this program is linked statically, and a static program cannot open libraries; one that is linked without -static would work";

/// Whether the program was linked with `-static`. The loader then knows only the program itself,
/// and perhaps the kernel's vdso. The C library has `dlopen` all the same, and it ends such a
/// program by a signal.
#[must_use]
pub fn is_static() -> bool {
    unsafe extern "C" fn count(info: *mut libc::dl_phdr_info, _: usize, libraries: *mut c_void) -> c_int {
        // SAFETY: the loader passes an entry, whose name is a string or null, and the counter that
        // `is_static` gave it.
        unsafe {
            let name = (*info).dlpi_name;
            let name = if name.is_null() { c"" } else { CStr::from_ptr(name) };
            let is_library = !name.is_empty() && !name.to_bytes().starts_with(b"linux-vdso");
            *libraries.cast::<usize>() += usize::from(is_library);
        }
        0
    }
    let mut libraries = 0_usize;
    // SAFETY: the callback has the required form, and the counter outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(count), (&raw mut libraries).cast()) };
    libraries == 0
}

impl FiLibrary {
    /// Opens `libfabric.so.1`. Signal handlers do not change.
    ///
    /// # Errors
    /// The loader's message, or the name of the missing function.
    pub fn open() -> Result<Self, String> {
        if is_static() {
            return Err(STATIC.to_owned());
        }
        let _handlers = crate::SignalHandlers::keep();
        // SAFETY: opens a library; its initialisation is its own.
        let library = unsafe { libc::dlopen(c"libfabric.so.1".as_ptr(), libc::RTLD_NOW) };
        if library.is_null() {
            // SAFETY: after a failure there is a message.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) };
            return Err(why.to_string_lossy().into_owned());
        }
        let find = |name: &CStr| {
            // SAFETY: the library stays open; the name ends with a zero.
            let found = unsafe { libc::dlsym(library, name.as_ptr()) };
            NonNull::new(found).ok_or_else(|| format!("it has no {}", name.to_string_lossy()))
        };
        // SAFETY: these are the functions of `rdma/fabric.h` and `rdma/fi_errno.h` with these
        // names.
        unsafe {
            Ok(Self {
                get_info: std::mem::transmute::<NonNull<c_void>, GetInfo>(find(c"fi_getinfo")?),
                dup_info: std::mem::transmute::<NonNull<c_void>, DupInfo>(find(c"fi_dupinfo")?),
                free_info: std::mem::transmute::<NonNull<c_void>, FreeInfo>(find(c"fi_freeinfo")?),
                fabric: std::mem::transmute::<NonNull<c_void>, OpenFabric>(find(c"fi_fabric")?),
                text: std::mem::transmute::<NonNull<c_void>, Text>(find(c"fi_strerror")?),
                version: std::mem::transmute::<NonNull<c_void>, Version>(find(c"fi_version")?),
            })
        }
    }

    /// The meaning of an error number of either sign.
    #[must_use]
    pub fn why(&self, code: c_int) -> String {
        // SAFETY: libfabric's texts are static.
        unsafe { CStr::from_ptr((self.text)(code.wrapping_abs())) }.to_string_lossy().into_owned()
    }

    /// The version of the library: major, minor.
    #[must_use]
    pub fn version(&self) -> (u32, u32) {
        // SAFETY: it has no arguments.
        let version = unsafe { (self.version)() };
        (version >> 16, version & 0xffff)
    }
}

/// Closes an object; does nothing for null. Returns the result of `fi_close`, or 0 for null.
///
/// # Safety
/// A provider has made the object, it is no longer used, and its structure begins with its `fid`.
pub unsafe fn close<T>(object: *mut T) -> c_int {
    let fid = object.cast::<crate::fid>();
    if fid.is_null() {
        return 0;
    }
    // SAFETY: as the caller guarantees.
    unsafe { (*(*fid).ops).close.map_or(0, |close| close(fid)) }
}
