//! The C functions that concern only NICs: sessions, threads with endpoints of their own,
//! operations with handles.

use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr;

use super::network::RemoteNetwork;
use super::{RemoteContext, RemoteError};
use crate::abi::{CTX_DEFAULT, Ctx};
use crate::ctx::{ShmemContext, context, is_invalid};
use crate::ending::end;
use crate::error::{self, Error, name};
use crate::rma::{self, AtomicCompletion};
use crate::runtime::{Runtime, check};
use crate::session::option;

/// `shmem_ctx_session_config_t`. Source: OpenSHMEM 1.6. Status: published.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SessionConfig {
    /// How many operations the program intends to begin.
    pub total_ops: usize,
}

/// `SHMEM_CTX_SESSION_TOTAL_OPS`: the configuration has the number of operations. Source: ours.
/// Status: assumed.
const TOTAL_OPS: c_long = 1;

/// Runs `work` on every NIC side that a context's operations use.
fn each(
    runtime: &Runtime,
    context: &ShmemContext,
    work: impl FnMut(&RemoteContext) -> Result<(), RemoteError>,
) -> Result<(), RemoteError> {
    let mut work = work;
    match (&runtime.remote, &context.remote) {
        (_, Some(own)) => work(own),
        (Some(remote), None) => remote.each_default(work),
        (None, None) => Ok(()),
    }
}

/// `shmem_ctx_session_start`, `shmemx_ctx_session_start` and `shmemx_session_start`. A start within
/// a session adds to it. On the invalid context it does nothing.
///
/// # Safety
/// `what` is a C string that stays valid; `ctx` is null or was made by this library; `config` is
/// null or a configuration.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_ctx_session_start(
    what: *const c_char,
    ctx: *const Ctx,
    options: c_long,
    config: *const SessionConfig,
    mask: c_long,
) {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if is_invalid(ctx) {
        return;
    }
    // SAFETY: as the caller promises.
    let (context, config) = unsafe { (context(what, ctx), config.as_ref()) };
    context.permit(runtime.modes.debug, what, false);
    let total_ops = config.filter(|_| mask & TOTAL_OPS != 0).map(|config| config.total_ops);
    // An unknown hint changes nothing, like any hint; debug mode reports it.
    let unknown = options & !option::ALL;
    if unknown != 0 && runtime.modes.debug {
        let all = option::ALL;
        error::say(
            what,
            &format!("options {options:#x}: {unknown:#x} is not a hint and is ignored (all hints: {all:#x})"),
        );
    }
    if mask & !TOTAL_OPS != 0 {
        let works = "0 or SHMEM_CTX_SESSION_TOTAL_OPS would work";
        end(what, &Error::Argument { what: "config_mask", found: format!("{mask:#x}"), works });
    }
    let begin = |remote: &RemoteContext| {
        if options & option::NO_CNCR_TACCESS != 0 {
            // The processor takes over from the NIC, so the NIC's operations must complete first.
            remote.quiet()?;
        }
        remote.session_start(options, total_ops);
        Ok(())
    };
    each(runtime, context, begin).unwrap_or_else(|error| end(what, &error.into()));
}

/// `shmem_ctx_session_stop` and the vendor's: issues operations that wait for their bundle. It
/// waits for nothing; without a session it does nothing.
///
/// # Safety
/// As [`philae_shmem_ctx_session_start`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_ctx_session_stop(what: *const c_char, ctx: *const Ctx) {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if is_invalid(ctx) {
        return;
    }
    // SAFETY: as the caller promises.
    let context = unsafe { context(what, ctx) };
    context.permit(runtime.modes.debug, what, false);
    each(runtime, context, RemoteContext::session_stop).unwrap_or_else(|error| end(what, &error.into()));
}

/// The counts of a context's operations through its NIC: writes begun, reads begun, writes ended,
/// reads ended.
///
/// # Safety
/// As [`philae_shmem_ctx_session_start`]; there is room for four numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_counts(what: *const c_char, ctx: *const Ctx, all: *mut [u64; 4]) {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    let mut counts = [0; 4];
    if !is_invalid(ctx) {
        // SAFETY: as the caller promises.
        let context = unsafe { context(what, ctx) };
        let add = |remote: &RemoteContext| {
            counts.iter_mut().zip(remote.counts()).for_each(|(sum, one)| *sum += one);
            Ok(())
        };
        each(runtime, context, add).unwrap_or_else(|error| end(what, &error.into()));
    }
    // SAFETY: as the caller promises.
    unsafe { all.write(counts) };
}

/// Runs `work` with the NICs, if there are any.
///
/// # Safety
/// `what` is a C string that stays valid.
unsafe fn on_remote(what: *const c_char, work: impl FnOnce(&RemoteNetwork) -> Result<(), RemoteError>) {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    if let Some(remote) = &check(what).remote {
        work(remote).unwrap_or_else(|error| end(what, &error.into()));
    }
}

/// `shmemx_thread_register`: the operations of the default context that this thread begins use an
/// endpoint of its own.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_thread_register(what: *const c_char) {
    // SAFETY: as the caller promises.
    unsafe { on_remote(what, RemoteNetwork::thread_register) };
}

/// `shmemx_thread_unregister`: returns the endpoint, with all its operations complete.
///
/// # Safety
/// As [`philae_shmem_thread_register`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_thread_unregister(what: *const c_char) {
    // SAFETY: as the caller promises.
    unsafe { on_remote(what, RemoteNetwork::thread_unregister) };
}

/// `shmemx_thread_quiet`: completes what this thread has begun on the default context.
///
/// # Safety
/// As [`philae_shmem_thread_register`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_thread_quiet(what: *const c_char) {
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    // SAFETY: as the caller promises.
    unsafe { on_remote(what, |remote| remote.with_own(RemoteContext::quiet)) };
}

/// `shmemx_thread_fence`: orders what this thread has begun on the default context before what it
/// begins later.
///
/// # Safety
/// As [`philae_shmem_thread_register`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_thread_fence(what: *const c_char) {
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    // SAFETY: as the caller promises.
    unsafe { on_remote(what, |remote| remote.with_own(RemoteContext::fence)) };
}

/// `shmemx_..._nb` with a handle: an atomic operation of the default context that the program tests
/// and waits for individually. On PEs of this host it is complete on return, and the handle is
/// null.
///
/// # Safety
/// As `philae_shmem_amo`, and the result's memory stays valid until the handle is complete.
/// `handle` is null, which leaves completion to the next quiet, or has room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_amo_handle(
    what: *const c_char,
    op: c_int,
    kind: c_int,
    dest: *mut c_void,
    operand: *const c_void,
    compare: *const c_void,
    result: *mut c_void,
    pe: c_int,
    handle: *mut *mut c_void,
) {
    // SAFETY: as the caller promises.
    let over = match unsafe { handle.as_mut() } {
        None => AtomicCompletion::AtQuiet,
        Some(handle) => {
            *handle = ptr::null_mut();
            AtomicCompletion::Handle(handle)
        }
    };
    // SAFETY: as above.
    unsafe { rma::amo(what, &raw const CTX_DEFAULT, (op, kind), dest, [operand, compare], result, pe, over) };
}

/// The handle at a place, and the NICs that know it; `None` if it is complete.
///
/// # Safety
/// `what` is a C string that stays valid; `place` is null or points to a handle.
unsafe fn handle<'a>(
    what: *const c_char,
    place: *mut *mut c_void,
) -> (&'static str, &'a mut *mut c_void, Option<&'static RemoteNetwork>) {
    // SAFETY: as the caller promises.
    let (what, place) = unsafe { (name(what), place.as_mut()) };
    let runtime = check(what);
    let Some(place) = place else {
        let works = "the address of a handle would work";
        end(what, &Error::Argument { what: "transfer_handle", found: "null".to_owned(), works });
    };
    let remote = if place.is_null() { None } else { runtime.remote.as_ref() };
    (what, place, remote)
}

/// Whether the operation of a handle is complete: if so 1, and the handle becomes null; else 0.
///
/// # Safety
/// `what` is a C string that stays valid; `place` is null or points to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_handle_test(what: *const c_char, place: *mut *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    let (what, handle, remote) = unsafe { handle(what, place) };
    let is_over = remote.map_or(Ok(true), |remote| remote.handles.test(handle.addr()));
    let is_over = is_over.unwrap_or_else(|error| end(what, &error.into()));
    if is_over {
        *handle = ptr::null_mut();
    }
    c_int::from(is_over)
}

/// Waits until the operation of a handle is complete; then the handle is null.
///
/// # Safety
/// As [`philae_shmem_handle_test`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_handle_wait(what: *const c_char, place: *mut *mut c_void) {
    // SAFETY: as the caller promises.
    let (what, handle, remote) = unsafe { handle(what, place) };
    let done = remote.map_or(Ok(()), |remote| remote.handles.wait(handle.addr()));
    done.unwrap_or_else(|error| end(what, &error.into()));
    *handle = ptr::null_mut();
}
