//! The handles that the program has been given.

use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32};
use std::sync::{Mutex, PoisonError};

use crate::abi::{Ctx, TeamHandle};

/// The handles that the program has been given. They outlive their objects, so that a late use is
/// detected; leak checkers find them here.
static CTX_HANDLES: Mutex<Vec<&'static Ctx>> = Mutex::new(Vec::new());
/// As [`CTX_HANDLES`], for teams.
static TEAM_HANDLES: Mutex<Vec<&'static TeamHandle>> = Mutex::new(Vec::new());

fn kept<T>(handles: &Mutex<Vec<&'static T>>, handle: T) -> NonNull<T> {
    let handle: &'static T = Box::leak(Box::new(handle));
    handles.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
    NonNull::from(handle)
}

/// A handle of a context, for the program.
pub(crate) fn new_ctx_handle() -> NonNull<Ctx> {
    let (n_pes, remote_pending) = (AtomicU32::new(0), AtomicU32::new(0));
    let (windows, library) = (AtomicPtr::new(ptr::null_mut()), AtomicPtr::new(ptr::null_mut()));
    kept(&CTX_HANDLES, Ctx { windows, n_pes, remote_pending, library })
}

/// A handle of a team, for the program.
pub(crate) fn new_team_handle() -> NonNull<TeamHandle> {
    let (me, n_pes) = (AtomicI32::new(-1), AtomicI32::new(-1));
    kept(&TEAM_HANDLES, TeamHandle { me, n_pes, library: AtomicPtr::new(ptr::null_mut()) })
}
