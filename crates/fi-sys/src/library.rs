//! The functions of libfabric that are in no table, found in the library at run time.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;

use crate::{fi_fabric_attr, fi_info, fid_fabric};

type GetInfo = unsafe extern "C" fn(u32, *const c_char, *const c_char, u64, *const fi_info, *mut *mut fi_info) -> c_int;
type DupInfo = unsafe extern "C" fn(*const fi_info) -> *mut fi_info;
type FreeInfo = unsafe extern "C" fn(*mut fi_info);
type OpenFabric = unsafe extern "C" fn(*mut fi_fabric_attr, *mut *mut fid_fabric, *mut c_void) -> c_int;
type Text = unsafe extern "C" fn(c_int) -> *const c_char;
type Version = unsafe extern "C" fn() -> u32;

/// The version of the interface that clients ask for: 1.17. Source: Debian 12's libfabric. Status: published.
pub const CLIENT_VERSION: u32 = 1 << 16 | 17;

/// libfabric, opened by this process. It stays open.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// `fi_getinfo`.
    pub get_info: GetInfo,
    /// `fi_dupinfo`: of nothing it makes an empty one.
    pub dup_info: DupInfo,
    /// `fi_freeinfo`.
    pub free_info: FreeInfo,
    /// `fi_fabric`.
    pub fabric: OpenFabric,
    text: Text,
    version: Version,
}

/// Why such a program opens no library.
pub const STATIC: &str = "this program is linked statically, and a static program cannot open libraries; one that is linked without -static would work";

/// Whether the program was linked with `-static`: then the loader knows the program alone, and perhaps the kernel's vdso. The C
/// library has `dlopen` all the same, and ends such a program by a signal.
#[must_use]
pub fn is_static() -> bool {
    unsafe extern "C" fn count(info: *mut libc::dl_phdr_info, _: usize, libraries: *mut c_void) -> c_int {
        // SAFETY: the loader gives an entry, whose name is a string or null, and `is_static` its number.
        unsafe {
            let name = (*info).dlpi_name;
            let name = if name.is_null() { c"" } else { CStr::from_ptr(name) };
            let is_library = !name.is_empty() && !name.to_bytes().starts_with(b"linux-vdso");
            *libraries.cast::<usize>() += usize::from(is_library);
        }
        0
    }
    let mut libraries = 0_usize;
    // SAFETY: the callback has the form that is asked for, and the number outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(count), (&raw mut libraries).cast()) };
    libraries == 0
}

impl Library {
    /// Opens `libfabric.so.1`. Handlers of signals stay as they are.
    ///
    /// # Errors
    /// What the system's loader says, or which function is missing.
    pub fn open() -> Result<Self, String> {
        if is_static() {
            return Err(STATIC.to_owned());
        }
        let _handlers = crate::SignalHandlers::keep();
        // SAFETY: opens a library; what it does then is its own.
        let library = unsafe { libc::dlopen(c"libfabric.so.1".as_ptr(), libc::RTLD_NOW) };
        if library.is_null() {
            // SAFETY: after a failure there is a text.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) };
            return Err(why.to_string_lossy().into_owned());
        }
        let find = |name: &CStr| {
            // SAFETY: the library stays open; the name ends with a zero.
            let found = unsafe { libc::dlsym(library, name.as_ptr()) };
            NonNull::new(found).ok_or_else(|| format!("it has no {}", name.to_string_lossy()))
        };
        // SAFETY: these are the functions of `rdma/fabric.h` and `rdma/fi_errno.h` with these names.
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

    /// What an error's number means, whatever its sign.
    #[must_use]
    pub fn why(&self, code: c_int) -> String {
        // SAFETY: libfabric's texts stay.
        unsafe { CStr::from_ptr((self.text)(code.wrapping_abs())) }.to_string_lossy().into_owned()
    }

    /// The version of the library that was found: major, minor.
    #[must_use]
    pub fn version(&self) -> (u32, u32) {
        // SAFETY: it has no arguments.
        let version = unsafe { (self.version)() };
        (version >> 16, version & 0xffff)
    }
}

/// Closes an object; nothing is not closed. What `fi_close` answers, 0 where there was nothing.
///
/// # Safety
/// It is an object that a provider has made, nobody uses it any more, and its structure begins with its `fid`.
pub unsafe fn close<T>(object: *mut T) -> c_int {
    let fid = object.cast::<crate::fid>();
    if fid.is_null() {
        return 0;
    }
    // SAFETY: as the caller says.
    unsafe { (*(*fid).ops).close.map_or(0, |close| close(fid)) }
}
