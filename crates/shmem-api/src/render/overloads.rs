//! C++: the generic names of C11 as overloads.

use std::fmt::Write;

use super::generic::{families, selected};
use crate::expand::Function;

/// Functions of the standard that have a generic name too, for one type: C++ has them already.
const TAKEN: [(&str, &str); 2] = [("shmem_wait_until", "long"), ("shmem_wait", "long")];

/// Not by type.
const MORE: &str = r"inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }
inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
";

/// The section of the header.
#[must_use]
pub fn section(all: &[Function], extensions: bool) -> String {
    let mut out = String::from("\n#ifdef __cplusplus\n/* The generic names, as overloads. */\n");
    for (name, _, plain, ctx) in families(all, extensions) {
        for (function, of) in selected(&plain).into_iter().chain(selected(&ctx)) {
            if TAKEN.contains(&(name, of.name)) {
                continue;
            }
            let prototype = &function.prototype;
            let give = if prototype.result == "void" { "" } else { "return " };
            let _ = writeln!(
                out,
                "inline {} {{ {give}{}({}); }}",
                prototype.declared_as(name),
                prototype.name,
                prototype.passed()
            );
        }
    }
    if !extensions {
        out += MORE;
    }
    out + "#endif\n"
}
