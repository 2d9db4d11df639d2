//! Contexts: streams of operations that are completed and ordered independently.

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::abi::{CTX_INVALID, Ctx};
use crate::ending::end;
use crate::error::Error;
use crate::remote::RemoteContext;
use crate::team::Team;

/// The options of a context. Source: OpenSHMEM 1.6, SHMEM_CTX_*; the numbers are ours.
/// Status: published.
pub mod option {
    /// Only one thread at a time uses the context.
    pub const SERIALIZED: i64 = 1;
    /// Only the thread that made the context uses it.
    pub const PRIVATE: i64 = 2;
    /// The context serves only reads and fetching atomics.
    pub const NOSTORE: i64 = 4;
    /// Sandia OpenSHMEM's `SHMEMX_CTX_BOUNCE_BUFFER`. It has no effect.
    pub const BOUNCE_BUFFER: i64 = 8;
    /// All options.
    pub const ALL: i64 = SERIALIZED | PRIVATE | NOSTORE | BOUNCE_BUFFER;
}

/// The library's part of a context.
#[derive(Debug)]
pub struct ShmemContext {
    /// The program's handle; its `library` is this object.
    pub handle: NonNull<Ctx>,
    /// The team whose PEs its operations name. It lives as long as the context, because destroying
    /// a team destroys its contexts.
    pub team: NonNull<Team>,
    /// The bits of [`option`].
    pub options: i64,
    /// The path to PEs of other hosts.
    pub remote: Option<RemoteContext>,
    /// The thread that made the context, if only that thread may use it.
    owner: u64,
}

impl ShmemContext {
    /// A context over a team's PEs.
    pub(crate) fn new(handle: NonNull<Ctx>, team: NonNull<Team>, options: i64, remote: Option<RemoteContext>) -> Self {
        // The program's own function is called only where its answer matters: its threads may not
        // have their numbers yet.
        let owner = if options & option::PRIVATE == 0 { 0 } else { thread() };
        Self { handle, team, options, remote, owner }
    }

    /// The team whose PEs its operations name.
    #[must_use]
    pub fn team(&self) -> &Team {
        // SAFETY: a team outlives its contexts.
        unsafe { self.team.as_ref() }
    }

    /// Makes the context visible to programs. `inlined`: the team size that inlined calls see.
    pub(crate) fn show(&self, inlined: u32) {
        let team = self.team();
        // SAFETY: handles live as long as the process, and are made of atomics.
        let handle = unsafe { self.handle.as_ref() };
        handle.remote_pending.store(0, Ordering::Relaxed);
        handle.library.store(ptr::from_ref(self).cast_mut().cast(), Ordering::Release);
        handle.windows.store(team.windows.as_ptr().cast_mut(), Ordering::Release);
        handle.n_pes.store(inlined, Ordering::Release);
    }

    /// Removes a context that the program created.
    ///
    /// # Safety
    /// `shmem_ctx_create` made it, and it is no longer in use.
    pub(crate) unsafe fn dissolve(context: NonNull<Self>) {
        // SAFETY: as the caller promises.
        let context = unsafe { Box::from_raw(context.as_ptr()) };
        // SAFETY: handles live as long as the process.
        let handle = unsafe { context.handle.as_ref() };
        handle.n_pes.store(0, Ordering::Release);
        handle.library.store(ptr::null_mut(), Ordering::Release);
        handle.windows.store(ptr::null_mut(), Ordering::Release);
    }

    /// In debug mode, checks that this thread may use the context, and may store if `stores`.
    pub(crate) fn permit(&self, debug: bool, what: &str, stores: bool) {
        if !debug {
            return;
        }
        if stores && self.options & option::NOSTORE != 0 {
            end(what, &Error::Context("one created with SHMEM_CTX_NOSTORE, but this call stores"));
        }
        if self.options & option::PRIVATE != 0 && self.owner != thread() {
            end(what, &Error::Context("one created with SHMEM_CTX_PRIVATE by another thread"));
        }
    }
}

/// The program's function that identifies its threads; null if it has set none.
static GETTID: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// `shmemx_register_gettid`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_register_gettid(gettid: Option<extern "C" fn() -> u64>) {
    GETTID.store(gettid.map_or(ptr::null_mut(), |gettid| gettid as *mut c_void), Ordering::Release);
}

/// The identity of this thread.
fn thread() -> u64 {
    let gettid = GETTID.load(Ordering::Acquire);
    if gettid.is_null() {
        // SAFETY: the call only queries.
        return u64::from(unsafe { libc::gettid() }.cast_unsigned());
    }
    // SAFETY: only functions of this type are stored.
    let gettid = unsafe { std::mem::transmute::<*mut c_void, extern "C" fn() -> u64>(gettid) };
    gettid()
}

/// The context of a handle; ends the job with the reason if there is none.
///
/// # Safety
/// `handle` is null or was made by this library.
#[must_use]
pub unsafe fn context(what: &str, handle: *const Ctx) -> &'static ShmemContext {
    // SAFETY: as the caller promises; handles live as long as the process.
    let found = unsafe { find(handle) };
    found.unwrap_or_else(|why| end(what, &Error::Context(why)))
}

/// Whether the handle is `SHMEM_CTX_INVALID` or null.
#[must_use]
pub fn is_invalid(handle: *const Ctx) -> bool {
    handle.is_null() || ptr::eq(handle, &raw const CTX_INVALID)
}

/// # Safety
/// As [`context`].
unsafe fn find(handle: *const Ctx) -> Result<&'static ShmemContext, &'static str> {
    if is_invalid(handle) {
        return Err("SHMEM_CTX_INVALID");
    }
    // SAFETY: as the caller promises.
    let library = unsafe { (*handle).library.load(Ordering::Acquire) };
    // SAFETY: a handle's object lives until it is destroyed, which clears the pointer.
    unsafe { library.cast::<ShmemContext>().as_ref() }
        .ok_or("destroyed: shmem_ctx_destroy, the end of its team or shmem_finalize came before")
}
