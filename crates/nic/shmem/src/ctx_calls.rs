//! The functions on contexts that C calls.

use std::ffi::{c_char, c_int, c_long};
use std::ptr::{self, NonNull};

use crate::abi::{CTX_DEFAULT, CTX_INVALID, Ctx, TeamHandle};
use crate::ctx::{ShmemContext, context, is_invalid, option};
use crate::ending::end;
use crate::error::{Error, name, say};
use crate::handles::new_ctx_handle;
use crate::remote::RemoteNetwork;
use crate::runtime::check;
use crate::{rma, team};

/// `shmem_ctx_create` and `shmem_team_create_ctx`: 0, or another value if no context could be made.
///
/// # Safety
/// `what` is a C string that stays valid; `team` is null or was made by this library; `made` has
/// room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_ctx_create(
    what: *const c_char,
    team: *mut TeamHandle,
    options: c_long,
    made: *mut *const Ctx,
) -> c_int {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    // SAFETY: as above; the invalid context lives as long as the process.
    unsafe { *made = &raw const CTX_INVALID };
    if team.is_null() {
        return -1;
    }
    // SAFETY: as the caller promises.
    let team = unsafe { team::team(what, team) };
    if options & !option::ALL != 0 {
        let works = "0 or SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE and SHMEM_CTX_NOSTORE would work";
        say(what, &Error::Argument { what: "options", found: format!("{options:#x}"), works }.to_string());
        return -1;
    }
    if runtime.settings.max_ctx.is_some_and(|most| runtime.made().contexts.len() >= most as usize) {
        return -1;
    }
    let handle = new_ctx_handle();
    let remote = match runtime.remote.as_ref().map(RemoteNetwork::context).transpose() {
        Ok(remote) => remote,
        Err(error) => {
            say(what, &Error::from(error).to_string());
            return -1;
        }
    };
    let context = Box::new(ShmemContext::new(handle, NonNull::from(team), options, remote));
    context.show(runtime.inlined(team.members.len()));
    // SAFETY: room for a handle.
    unsafe { *made = handle.as_ptr() };
    runtime.made().contexts.push(NonNull::from(Box::leak(context)));
    0
}

/// `shmem_ctx_destroy`: completes the context's operations first.
///
/// # Safety
/// `what` is a C string that stays valid; `handle` is null or was made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_ctx_destroy(what: *const c_char, handle: *const Ctx) {
    // SAFETY: as the caller promises.
    let said = unsafe { name(what) };
    let runtime = check(said);
    if is_invalid(handle) {
        return;
    }
    if ptr::eq(handle, &raw const CTX_DEFAULT) {
        end(said, &Error::Context("SHMEM_CTX_DEFAULT, which only shmem_finalize destroys"));
    }
    // SAFETY: as the caller promises.
    let found = unsafe { context(said, handle) };
    found.permit(runtime.modes.debug, said, false);
    // SAFETY: as above.
    unsafe { rma::philae_shmem_quiet(what, handle) };
    let found = NonNull::from(found);
    runtime.made().contexts.retain(|&other| other != found);
    // SAFETY: `philae_shmem_ctx_create` made it, and the program gives it up.
    unsafe { ShmemContext::dissolve(found) };
}

/// `shmem_ctx_get_team`: 0, or another value for `SHMEM_CTX_INVALID`.
///
/// # Safety
/// `what` is a C string that stays valid; `handle` is null or was made by this library; `team` has
/// room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_ctx_get_team(
    what: *const c_char,
    handle: *const Ctx,
    team: *mut *mut TeamHandle,
) -> c_int {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let _ = check(what);
    if is_invalid(handle) {
        // SAFETY: room for a handle.
        unsafe { *team = ptr::null_mut() };
        return -1;
    }
    // SAFETY: as the caller promises.
    unsafe { *team = context(what, handle).team().handle.as_ptr() };
    0
}
