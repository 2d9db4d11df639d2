//! C++: the generic names of C11 as overloads.

use std::fmt::Write;

use super::generic::{families, selected};
use crate::expand::Function;
use crate::types::CoreType;

/// Functions of the standard that also have a generic name, for one type: C++ has them already.
const TAKEN: [(&str, &str); 2] = [("shmem_wait_until", "long"), ("shmem_wait", "long")];

/// Overloads that do not depend on a type.
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

/// The same for extensions.
const MORE_EXTENSIONS: &str = r"inline void shmemx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmemx_ctx_signal_set(ctx, sig_addr, signal, pe);
}
inline void shmemx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmemx_ctx_signal_add(ctx, sig_addr, signal, pe);
}
";

/// Overloads for C++'s complex numbers of functions that take C's, under the names that `name`
/// gives.
#[must_use]
pub fn complex(functions: &[Function], name: impl Fn(&Function) -> Option<String>) -> String {
    let mut out = String::from(
        "\n#if defined(__cplusplus) && defined(__GNUC__)\n/* Complex numbers of C++: they lie in memory as those of C do. */\n",
    );
    let is_complex = |function: &&Function| function.prototype.result == "int" || function.prototype.result == "void";
    for function in functions.iter().filter(is_complex).filter(|function| of_complex(function)) {
        if let Some(name) = name(function) {
            overload(&mut out, function, &name, &name);
        }
    }
    out + "#endif\n"
}

fn of_complex(function: &Function) -> bool {
    function.of.is_some_and(|of| matches!(of.kind, CoreType::ComplexFloat | CoreType::ComplexDouble))
}

/// A function `name` of C++'s complex numbers, which calls `called` with C's.
fn overload(out: &mut String, function: &Function, name: &str, called: &str) {
    let to_cpp = |text: &str| {
        text.replace("philae_shmem_complexd", "std::complex<double>")
            .replace("philae_shmem_complexf", "std::complex<float>")
    };
    let mut own = function.prototype.clone();
    let mut passed = Vec::new();
    for parameter in &mut own.parameters {
        let c = to_cpp(&parameter.c);
        passed.push(if c == parameter.c {
            parameter.name.clone()
        } else {
            format!("reinterpret_cast<{}>({})", parameter.c, parameter.name)
        });
        parameter.c = c;
    }
    let give = if own.result == "void" { "" } else { "return " };
    let _ = writeln!(out, "inline {} {{ {give}{called}({}); }}", own.declared_as(name), passed.join(", "));
}

/// The overload section of the header.
#[must_use]
pub fn section(all: &[Function], extensions: bool) -> String {
    let mut out = String::from("\n#ifdef __cplusplus\n/* The generic names, as overloads. */\n");
    let of_part: Vec<Function> = all.iter().filter(|function| function.is_extension() == extensions).cloned().collect();
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
    out += if extensions { MORE_EXTENSIONS } else { MORE };
    out += "#endif\n";
    out += &complex(&of_part, |function| Some(function.name().to_owned()));
    out + &complex(&of_part, |function| function.generic.map(|(name, _)| name.to_owned()))
}
