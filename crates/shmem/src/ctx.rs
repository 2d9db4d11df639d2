//! Contexts: streams of operations that are completed and ordered for themselves.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::abi::Ctx;
use crate::far::FarContext;
use crate::team::Team;

/// What a context was asked to be. Source: OpenSHMEM 1.6, SHMEM_CTX_*; the numbers are ours. Status: published.
pub mod option {
    /// One thread at a time uses it.
    pub const SERIALIZED: i64 = 1;
    /// The thread that made it uses it.
    pub const PRIVATE: i64 = 2;
    /// It is for reading and for atomics that fetch.
    pub const NOSTORE: i64 = 4;
    /// All of them.
    pub const ALL: i64 = SERIALIZED | PRIVATE | NOSTORE;
}

/// The library's part of a context.
#[derive(Debug)]
pub struct Context {
    /// What programs hold; its `library` is this object.
    pub handle: NonNull<Ctx>,
    /// Whose PEs its operations name. It lives as long as the context: destroying a team destroys its contexts.
    pub team: NonNull<Team>,
    /// Of [`option`].
    pub options: i64,
    /// Options of the session that is open; 0: none is.
    pub session: AtomicI64,
    /// The way to PEs of other hosts.
    pub far: Option<FarContext>,
}
