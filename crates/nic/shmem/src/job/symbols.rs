//! Functions of libraries that may be missing.

use std::ffi::{CStr, CString, c_int, c_void};

/// A library that this process has opened.
pub(super) struct SymbolLibrary(*mut c_void);

impl SymbolLibrary {
    /// Opens a library by name or path; returns the reason if it cannot.
    pub(super) fn open(name: &CStr) -> Result<Self, String> {
        if philae_fi_sys::is_static() {
            return Err(philae_fi_sys::STATIC.to_owned());
        }
        // SAFETY: a C string; the library's constructors run, as for any program that is linked
        // with it.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        if !library.is_null() {
            return Ok(Self(library));
        }
        // SAFETY: after a failure it is a C string or null.
        let why = unsafe { libc::dlerror() };
        if why.is_null() {
            return Err("no reason is given".to_owned());
        }
        // SAFETY: as above.
        Err(unsafe { CStr::from_ptr(why) }.to_string_lossy().into_owned())
    }

    /// The loaded libraries whose names contain `part`.
    pub(super) fn loaded(part: &str) -> Vec<Self> {
        unsafe extern "C" fn note(info: *mut libc::dl_phdr_info, _: usize, names: *mut c_void) -> c_int {
            // SAFETY: the loader passes an entry with a string, and `loaded` passes its list.
            let (info, names) = unsafe { (&*info, &mut *names.cast::<Vec<CString>>()) };
            if !info.dlpi_name.is_null() {
                // SAFETY: as above.
                names.push(unsafe { CStr::from_ptr(info.dlpi_name) }.to_owned());
            }
            0
        }
        let mut names: Vec<CString> = Vec::new();
        // SAFETY: the callback has the required form, and the list outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut names).cast()) };
        let file = |name: &CString| name.to_string_lossy().rsplit('/').next().unwrap_or_default().to_owned();
        let wanted = names.into_iter().filter(|name| file(name).contains(part));
        let open = |name: CString| {
            // SAFETY: a C string; the call loads nothing new.
            let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
            (!library.is_null()).then_some(Self(library))
        };
        wanted.filter_map(open).collect()
    }

    /// The address of a symbol; null if there is none.
    pub(super) fn address(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the library is open, and the name is a C string.
        unsafe { libc::dlsym(self.0, name.as_ptr()) }
    }

    /// The address of a variable, as the program sees it. The program may have a copy of its own
    /// (copy relocation), and then the library uses that copy.
    pub(super) fn datum(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the name is a C string.
        let seen = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        if seen.is_null() { self.address(name) } else { seen }
    }

    /// The function with this name.
    ///
    /// # Safety
    /// `F` is the type of a pointer to that function.
    pub(super) unsafe fn function<F: Copy>(&self, name: &CStr) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>(), "a pointer to a function") };
        let address = self.address(name);
        // SAFETY: as the caller promises; both are pointers.
        (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
    }
}
