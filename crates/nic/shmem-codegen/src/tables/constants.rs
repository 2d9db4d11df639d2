//! The constants and the predefined handles.

#[derive(Clone, Copy, Debug)]
pub struct Constant {
    pub name: &'static str,
    /// Its value in C.
    pub value: &'static str,
    /// The version that deprecates it; empty: none.
    pub deprecated: &'static str,
    /// Whether it has a deprecated twin that begins with an underscore.
    pub twin: bool,
    /// Its meaning.
    pub what: &'static str,
}

const fn c(name: &'static str, value: &'static str, what: &'static str) -> Constant {
    Constant { name, value, deprecated: "", twin: false, what }
}
const fn twin(mut constant: Constant) -> Constant {
    constant.twin = true;
    constant
}
const fn old(mut constant: Constant) -> Constant {
    constant.deprecated = "1.5";
    constant
}

const SYNC: &str = "PHILAE_SHMEM_PSYNC_LONGS";

/// The constants of OpenSHMEM 1.6.
pub const CONSTANTS: &[Constant] = &[
    twin(c("SHMEM_MAJOR_VERSION", "1", "The major version of the standard.")),
    twin(c("SHMEM_MINOR_VERSION", "6", "The minor version of the standard.")),
    twin(c("SHMEM_MAX_NAME_LEN", "64", "The room that SHMEM_VENDOR_STRING needs at most.")),
    twin(c("SHMEM_VENDOR_STRING", "\"Philae OpenSHMEM\"", "The name of the library.")),
    c("SHMEM_THREAD_SINGLE", "0", "There is one thread."),
    c("SHMEM_THREAD_FUNNELED", "1", "Only the thread that initialises calls."),
    c("SHMEM_THREAD_SERIALIZED", "2", "One thread at a time calls."),
    c("SHMEM_THREAD_MULTIPLE", "3", "Any thread calls at any time."),
    twin(c("SHMEM_CMP_EQ", "0", "Equal.")),
    twin(c("SHMEM_CMP_NE", "1", "Not equal.")),
    twin(c("SHMEM_CMP_GT", "2", "Greater than.")),
    twin(c("SHMEM_CMP_LE", "3", "Less than or equal.")),
    twin(c("SHMEM_CMP_LT", "4", "Less than.")),
    twin(c("SHMEM_CMP_GE", "5", "Greater than or equal.")),
    c("SHMEM_SIGNAL_SET", "0", "A signal is set."),
    c("SHMEM_SIGNAL_ADD", "1", "A signal is added to."),
    c("SHMEM_CTX_SERIALIZED", "1L", "One thread at a time uses the context."),
    c("SHMEM_CTX_PRIVATE", "2L", "Only the thread that makes the context uses it."),
    c("SHMEM_CTX_NOSTORE", "4L", "Quiet and fence on the context do not look after ordinary stores."),
    c("SHMEM_CTX_INVALID", "((shmem_ctx_t)&philae_shmem_ctx_invalid)", "No context."),
    c("SHMEM_CTX_SESSION_BATCH", "1L", "Many small operations follow."),
    c("SHMEM_CTX_SESSION_TOTAL_OPS", "1L", "The mask of total_ops in shmem_ctx_session_config_t."),
    c("SHMEM_TEAM_INVALID", "((shmem_team_t)0)", "No team."),
    c("SHMEM_TEAM_NUM_CONTEXTS", "1L", "The mask of num_contexts in shmem_team_config_t."),
    c("SHMEM_MALLOC_ATOMICS_REMOTE", "1L", "Other PEs will use the memory for atomics."),
    c("SHMEM_MALLOC_SIGNAL_REMOTE", "2L", "Other PEs will signal there."),
    twin(old(c(
        "SHMEM_SYNC_VALUE",
        "PHILAE_SHMEM_PSYNC_VALUE",
        "What a pSync array is filled with before its first use.",
    ))),
    old(c("SHMEM_SYNC_SIZE", SYNC, "The length of a pSync array for any call.")),
    twin(old(c("SHMEM_BCAST_SYNC_SIZE", SYNC, "The length of a pSync array for broadcast."))),
    twin(old(c("SHMEM_REDUCE_SYNC_SIZE", SYNC, "The length of a pSync array for reductions."))),
    twin(old(c("SHMEM_BARRIER_SYNC_SIZE", SYNC, "The length of a pSync array for barrier and sync."))),
    twin(old(c("SHMEM_COLLECT_SYNC_SIZE", SYNC, "The length of a pSync array for collect and fcollect."))),
    old(c("SHMEM_ALLTOALL_SYNC_SIZE", SYNC, "The length of a pSync array for alltoall.")),
    old(c("SHMEM_ALLTOALLS_SYNC_SIZE", SYNC, "The length of a pSync array for alltoalls.")),
    twin(old(c("SHMEM_REDUCE_MIN_WRKDATA_SIZE", "1", "The least length of a pWrk array."))),
];

/// The predefined handles of OpenSHMEM 1.6.
pub const HANDLES: &[Constant] = &[
    c("SHMEM_CTX_DEFAULT", "((shmem_ctx_t)&philae_shmem_ctx_default)", "The context of calls that name none."),
    c("SHMEM_TEAM_WORLD", "((shmem_team_t)&philae_shmem_team_world)", "All PEs."),
    c(
        "SHMEM_TEAM_SHARED",
        "((shmem_team_t)&philae_shmem_team_shared)",
        "The PEs whose memory shmem_ptr can map: those of this host.",
    ),
];

/// Names of other libraries that programs expect in `shmem.h`.
pub const OTHERS: &[Constant] = &[
    c("_SHMEM_ALLTOALL_SYNC_SIZE", "SHMEM_ALLTOALL_SYNC_SIZE", "The vendor's name of SHMEM_ALLTOALL_SYNC_SIZE."),
    c("_SHMEM_ALLTOALLS_SYNC_SIZE", "SHMEM_ALLTOALLS_SYNC_SIZE", "The same of SHMEM_ALLTOALLS_SYNC_SIZE."),
    c("OSHMEM_SPEC_VERSION", "10600", "Open MPI's name of the standard's version: 1.6.0."),
];

/// The constants of `shmemx.h`.
pub const EXTENSIONS: &[Constant] = &[
    c("SHMEM_SESSION_BUNDLE", "0x1L", "Session: several commands behind one doorbell. It is SHMEM_CTX_SESSION_BATCH."),
    c("SHMEM_SESSION_HRP", "0x2L", "Session: high rate puts."),
    c("SHMEM_SESSION_STAMO", "0x4L", "Session: atomics that are sent once; a lost one is an error."),
    c("SHMEM_SESSION_DC", "0x8L", "Session: complete when delivered."),
    c("SHMEM_SESSION_NO_CNCR_TACCESS", "0x10L", "Session: no other PE uses the atomics' targets meanwhile."),
    c("SHMEM_SESSION_UNIFORM_AMO", "0x20L", "Session: one kind of atomic, in bundles."),
    c("SHMEM_SESSION_OP_PUT", "0x100L", "Session: nonblocking and single-value puts."),
    c("SHMEM_SESSION_OP_AMO", "0x200L", "Session: atomics that fetch nothing."),
    c("SHMEM_SESSION_OP_FAMO", "0x400L", "Session: atomics that fetch."),
    c("SHMEM_SESSION_OP_PWS", "0x800L", "Session: nonblocking puts with signal."),
    c("SHMEM_TEAM_NODE", "SHMEM_TEAM_SHARED", "The vendor's name of SHMEM_TEAM_SHARED."),
    c("SHMEM_TEAM_NULL", "SHMEM_TEAM_INVALID", "The vendor's name of SHMEM_TEAM_INVALID."),
    c("SHMEM_COLOR_UNDEFINED", "(-1)", "shmemx_team_split_color: this PE goes to no team."),
    c("SHMEMX_TEAM_NODE", "SHMEM_TEAM_SHARED", "Sandia OpenSHMEM's: the PEs of this host."),
    c(
        "SHMEMX_MALLOC_NO_BARRIER",
        "0x10000L",
        "Sandia OpenSHMEM's hint of shmem_malloc_with_hints: do not wait for the other PEs at the end.",
    ),
    c("SHMEMX_CTX_BOUNCE_BUFFER", "0x8L", "Sandia OpenSHMEM's option of a context; it changes nothing here."),
    c("HAVE_SHMEMX_WTIME", "1", "Sandia OpenSHMEM's: there is shmemx_wtime."),
];
