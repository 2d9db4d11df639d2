//! PMIx: Open MPI's `mpirun`, `prterun`, `srun --mpi=pmix`. Its client library is opened when a
//! launcher announces PMIx.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

use super::symbols::SymbolLibrary;
use super::{Abort, Bootstrap, variable};
use crate::error::Error;

/// `pmix_proc_t`. Source: PMIx standard 4.1, 3.2.4. Status: published.
#[derive(Clone, Copy)]
#[repr(C)]
struct Process {
    space: [c_char; 256],
    rank: u32,
}

/// `pmix_value_t`: a type and a union, of which this has the members in use. The union's longest
/// member has 24 bytes.
#[derive(Clone, Copy)]
#[repr(C)]
struct Value {
    kind: u16,
    data: Data,
}

#[derive(Clone, Copy)]
#[repr(C)]
union Data {
    flag: bool,
    number: u32,
    bytes: Bytes,
    space: [u64; 3],
}

/// `pmix_byte_object_t`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Bytes {
    start: *const c_char,
    size: usize,
}

/// `pmix_info_t`.
#[repr(C)]
struct Info {
    key: [c_char; 512],
    flags: u32,
    value: Value,
}

/// Source: PMIx standard 4.1, `pmix_common.h`: types, ranks and scopes. Status: published.
mod number {
    pub(super) const BOOL: u16 = 1;
    pub(super) const UINT32: u16 = 14;
    pub(super) const BYTE_OBJECT: u16 = 27;
    pub(super) const RANK_WILDCARD: u32 = u32::MAX - 1;
    pub(super) const SCOPE_GLOBAL: u8 = 3;
}

type Init = unsafe extern "C" fn(*mut Process, *mut Info, usize) -> c_int;
type Put = unsafe extern "C" fn(u8, *const c_char, *mut Value) -> c_int;
type Get = unsafe extern "C" fn(*const Process, *const c_char, *const Info, usize, *mut *mut Value) -> c_int;
type Fence = unsafe extern "C" fn(*const Process, usize, *const Info, usize) -> c_int;
type AbortJob = unsafe extern "C" fn(c_int, *const c_char, *mut Process, usize) -> c_int;
type Finalize = unsafe extern "C" fn(*const Info, usize) -> c_int;

/// A client of PMIx.
pub(super) struct Pmix {
    put: Put,
    commit: unsafe extern "C" fn() -> c_int,
    get: Get,
    fence: Fence,
    abort: AbortJob,
    finalize: Finalize,
    own: Process,
    n_pes: u32,
    round: u32,
}

/// Where the client library may be: the names that programs link to, and Debian's path.
/// `PMIX_LIBRARY` takes precedence.
const NAMES: [&CStr; 3] = [c"libpmix.so.2", c"libpmix.so", c"/usr/lib/x86_64-linux-gnu/pmix2/lib/libpmix.so.2"];

fn open() -> Result<SymbolLibrary, Error> {
    // A process that has one already (an MPI's) must not get a second.
    if let Some(found) = SymbolLibrary::loaded("libpmix.so").into_iter().next() {
        return Ok(found);
    }
    let said = variable("PMIX_LIBRARY").and_then(|name| CString::new(name).ok());
    let mut looked = Vec::new();
    for name in said.as_deref().into_iter().chain(NAMES) {
        match SymbolLibrary::open(name) {
            Ok(library) => return Ok(library),
            Err(why) => looked.push(why),
        }
    }
    Err(Error::Job(format!(
        "the launcher uses PMIx (PMIX_NAMESPACE is set), but no PMIx client library was found: {}; Debian's package \
         libpmix2, PMIX_LIBRARY=FILE, or oshrun, which needs none, would work",
        looked.join("; ")
    )))
}

impl Pmix {
    pub(super) fn connect() -> Result<Self, Error> {
        let library = open()?;
        let missing = |name: &CStr| Error::Job(format!("the PMIx library has no {}", name.to_string_lossy()));
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the types above are those of PMIx's header.
                unsafe { library.function($name) }.ok_or_else(|| missing($name))?
            };
        }
        let init: Init = function!(c"PMIx_Init");
        let mut own = Process { space: [0; 256], rank: 0 };
        // SAFETY: the call writes the process's own name; there are no options.
        check("PMIx_Init", unsafe { init(&raw mut own, ptr::null_mut(), 0) })?;
        let mut pmix = Self {
            put: function!(c"PMIx_Put"),
            commit: function!(c"PMIx_Commit"),
            get: function!(c"PMIx_Get"),
            fence: function!(c"PMIx_Fence"),
            abort: function!(c"PMIx_Abort"),
            finalize: function!(c"PMIx_Finalize"),
            own,
            n_pes: 0,
            round: 0,
        };
        let whole_job = Process { rank: number::RANK_WILDCARD, ..own };
        let size = pmix.get(&whole_job, c"pmix.job.size")?;
        if size.kind != number::UINT32 {
            return Err(Error::Job(format!("PMIx has the size of the job as type {}; 14 was expected", size.kind)));
        }
        // SAFETY: its type says which member is valid.
        pmix.n_pes = unsafe { size.data.number };
        Ok(pmix)
    }

    /// Ends every PE of the job.
    pub(super) fn abort(&self) -> Abort {
        let abort = self.abort;
        Box::new(move |code| {
            // SAFETY: an empty list means all processes.
            unsafe { abort(code, c"ended by SHMEM".as_ptr(), ptr::null_mut(), 0) };
        })
    }

    fn get(&self, of: &Process, key: &CStr) -> Result<Value, Error> {
        let mut found: *mut Value = ptr::null_mut();
        // SAFETY: a name, a key and no options; the call returns a pointer to an object that is
        // never freed.
        let code = unsafe { (self.get)(of, key.as_ptr(), ptr::null(), 0, &raw mut found) };
        check("PMIx_Get", code)?;
        // SAFETY: the library has set it to a value, which is copied whole: its allocation holds
        // the whole union.
        unsafe { found.as_ref() }.copied().ok_or_else(|| Error::Job("PMIx_Get gives no value".to_owned()))
    }

    fn fence(&self, collect: bool) -> Result<(), Error> {
        let mut info =
            Info { key: [0; 512], flags: 0, value: Value { kind: number::BOOL, data: Data { space: [0; 3] } } };
        for (to, from) in info.key.iter_mut().zip(c"pmix.collect".to_bytes()) {
            *to = *from as c_char;
        }
        info.value.data.flag = collect;
        // SAFETY: an empty list means all processes; one option.
        check("PMIx_Fence", unsafe { (self.fence)(ptr::null(), 0, &raw const info, 1) })
    }
}

fn check(what: &str, code: c_int) -> Result<(), Error> {
    if code == 0 {
        return Ok(());
    }
    Err(Error::Job(format!("{what} returned {code}: the launcher has ended, or does not know this process")))
}

impl Bootstrap for Pmix {
    fn name(&self) -> &'static str {
        "PMIx"
    }

    fn place(&self) -> (u32, u32) {
        (self.own.rank, self.n_pes)
    }

    fn exchange(&mut self, own: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        let key = CString::new(format!("philae.{}", self.round)).map_err(|error| Error::Job(error.to_string()))?;
        self.round += 1;
        let bytes = Bytes { start: own.as_ptr().cast(), size: own.len() };
        let mut data = Data { space: [0; 3] };
        data.bytes = bytes;
        let mut value = Value { kind: number::BYTE_OBJECT, data };
        // SAFETY: the bytes are valid until the call returns, and it copies them.
        check("PMIx_Put", unsafe { (self.put)(number::SCOPE_GLOBAL, key.as_ptr(), &raw mut value) })?;
        // SAFETY: the call has no arguments.
        check("PMIx_Commit", unsafe { (self.commit)() })?;
        self.fence(true)?;
        let mut all = Vec::new();
        for pe in 0..self.n_pes {
            let found = self.get(&Process { rank: pe, ..self.own }, &key)?;
            if found.kind != number::BYTE_OBJECT {
                return Err(Error::Job(format!("PE {pe}'s value has PMIx's type {}; 27 was expected", found.kind)));
            }
            // SAFETY: its type says which member is valid.
            let bytes = unsafe { found.data.bytes };
            let is_empty = bytes.start.is_null() || bytes.size == 0;
            // SAFETY: the library returns an address with this many bytes.
            all.push(if is_empty {
                Vec::new()
            } else {
                unsafe { std::slice::from_raw_parts(bytes.start.cast::<u8>(), bytes.size) }.to_vec()
            });
        }
        Ok(all)
    }

    fn barrier(&mut self) -> Result<(), Error> {
        self.fence(false)
    }

    fn leave(&mut self) {
        // SAFETY: no options. The result is ignored because the process ends.
        unsafe { (self.finalize)(ptr::null(), 0) };
    }
}

const _: () = assert!(size_of::<Value>() == 32 && std::mem::offset_of!(Info, value) == 520);
const _: () = assert!(size_of::<Process>() == 260 && size_of::<*mut c_void>() == 8);
