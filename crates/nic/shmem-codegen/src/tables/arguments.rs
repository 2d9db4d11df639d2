//! Arguments that many calls have, with their documentation.

/// The first argument of every call with a context.
pub const CTX_ARGUMENT: (&str, &str) =
    ("ctx", "The context that the operation is made on; SHMEM_CTX_DEFAULT in the form without it.");
/// The PE argument.
pub(super) const PE: (&str, &str) =
    ("pe", "The PE, numbered in the team of the context; in the world where no context is given.");
/// The team argument.
pub(super) const TEAM: (&str, &str) = ("team", "The team. Every PE of it calls.");
