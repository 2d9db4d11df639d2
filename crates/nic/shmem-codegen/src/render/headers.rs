//! `shmem.h`, `shmemx.h`, `pshmem.h`, and the bodies that programs inline.

use std::fmt::Write;

use super::{GENERATED, generic, overloads};
use crate::expand::{Function, functions};
use crate::page::ApiPart;
use crate::tables::constants::{CONSTANTS, Constant, EXTENSIONS, HANDLES, OTHERS};

/// A generated file: its path below the root of the repository, and its text.
#[derive(Clone, Debug)]
pub struct GeneratedFile {
    /// The file's path.
    pub path: &'static str,
    /// The file's text.
    pub text: String,
}

/// All generated headers.
#[must_use]
pub fn headers() -> Vec<GeneratedFile> {
    let all = functions();
    vec![
        GeneratedFile { path: "include/shmem.h", text: shmem(&all) },
        GeneratedFile { path: "include/shmemx.h", text: shmemx(&all) },
        GeneratedFile { path: "include/pshmem.h", text: pshmem(&all) },
        GeneratedFile { path: "include/philae/shmem_bodies.h", text: bodies(&all) },
        GeneratedFile { path: "include/mpp/shmem.h", text: format!("{GENERATED}#include <shmem.h>\n") },
        GeneratedFile { path: "include/mpp/shmemx.h", text: format!("{GENERATED}#include <shmemx.h>\n") },
    ]
}

fn define(out: &mut String, constants: &[Constant]) {
    for one in constants {
        let _ = writeln!(out, "#define {} {} /* {} */", one.name, one.value, one.what);
    }
    for one in constants.iter().filter(|one| one.twin) {
        let _ = writeln!(out, "#define _{} {}", one.name, one.name);
    }
}

/// Attributes of a function, before its prototype.
fn attributes(function: &Function) -> String {
    let mut all = String::new();
    if function.name() == "shmem_global_exit" {
        all += "PHILAE_SHMEM_NORETURN ";
    }
    if !function.page.deprecated.is_empty() {
        let _ = write!(all, "PHILAE_SHMEM_DEPRECATED(\"deprecated since OpenSHMEM {}\") ", function.page.deprecated);
    }
    all
}

fn prototypes(out: &mut String, all: &[Function], group: ApiPart) {
    let _ = writeln!(out, "\n/* --- {} --- */", group.title());
    let mut page = "";
    for function in all.iter().filter(|function| function.page.group == group) {
        if function.page.name != page {
            page = function.page.name;
            let _ = writeln!(out, "/* {}: {} */", page, function.page.summary);
        }
        let _ = writeln!(out, "{}{};", attributes(function), function.prototype.declared_as(function.name()));
    }
}

const OPENING: &str = r#"
#ifndef PHILAE_SHMEM_H
#define PHILAE_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#include <philae/shmem_core.h>

#ifdef __cplusplus
#include <complex>
#endif

/* With PHILAE_SHMEM_WARN_DEPRECATED the compiler says where a deprecated name is used. */
#if defined(PHILAE_SHMEM_WARN_DEPRECATED) && defined(__GNUC__)
#define PHILAE_SHMEM_DEPRECATED(text) __attribute__((__deprecated__(text)))
#else
#define PHILAE_SHMEM_DEPRECATED(text)
#endif
#ifdef __GNUC__
#define PHILAE_SHMEM_NORETURN __attribute__((__noreturn__))
#else
#define PHILAE_SHMEM_NORETURN
#endif

/* C's type, which compilers of C++ have, too; with those std::complex is taken as well, by overloads at the end. */
#if defined(__cplusplus) && !defined(__GNUC__)
typedef std::complex<float> philae_shmem_complexf;
typedef std::complex<double> philae_shmem_complexd;
#elif defined(__GNUC__)
__extension__ typedef float _Complex philae_shmem_complexf;
__extension__ typedef double _Complex philae_shmem_complexd;
#else
typedef float _Complex philae_shmem_complexf;
typedef double _Complex philae_shmem_complexd;
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef philae_shmem_ctx_t shmem_ctx_t;
typedef philae_shmem_team_t shmem_team_t;
typedef struct {
    int num_contexts;
} shmem_team_config_t;
typedef struct {
    size_t total_ops;
} shmem_ctx_session_config_t;

/* --- Constants and handles --- */
"#;

const CLOSING: &str = r#"
#ifdef __cplusplus
}
#endif
"#;

/// Types of extensions.
const TYPES: &str = r#"
typedef char *shmemx_ct_t;
typedef struct {
    uint64_t pending_put, pending_get, completed_put, completed_get, target;
} shmemx_pcntr_t;
typedef uint64_t (*shmemx_gettid_t)(void);
"#;

/// Programs inline the local path if the compiler optimises and nothing forbids it.
const INLINING: &str = "
/* The local path in place; the library has the same functions for pointers, profilers and -O0. */
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(PHILAE_SHMEM_NO_INLINE)
#include <philae/shmem_bodies.h>
#endif
";

fn shmem(all: &[Function]) -> String {
    let mut out = format!(
        "{GENERATED}/* OpenSHMEM 1.6. Every function has a page in docs/shmem/api and a manual page. */{OPENING}"
    );
    define(&mut out, CONSTANTS);
    define(&mut out, HANDLES);
    define(&mut out, OTHERS);
    for group in ApiPart::ALL.into_iter().filter(|group| *group != ApiPart::Extensions) {
        prototypes(&mut out, all, group);
    }
    out += CLOSING;
    out += INLINING;
    out += &generic::section(all, false);
    out += &overloads::section(all, false);
    out + "\n#endif\n"
}

fn shmemx(all: &[Function]) -> String {
    let mut out = format!(
        "{GENERATED}/* What the standard does not have. */\n#ifndef PHILAE_SHMEMX_H\n#define PHILAE_SHMEMX_H\n\n#include \
         <shmem.h>\n{TYPES}\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n/* --- Constants --- */\n"
    );
    define(&mut out, EXTENSIONS);
    prototypes(&mut out, all, ApiPart::Extensions);
    out += CLOSING;
    out += &generic::section(all, true);
    out += &overloads::section(all, true);
    out + "\n#endif\n"
}

fn pshmem(all: &[Function]) -> String {
    let mut out = format!(
        "{GENERATED}/* The profiling interface: every function under a second name, for profilers to call. */\n#ifndef \
         PHILAE_PSHMEM_H\n#define PHILAE_PSHMEM_H\n\n#include <shmem.h>\n#include <shmemx.h>\n\n#ifdef \
         __cplusplus\nextern \"C\" {{\n#endif\n\n"
    );
    for function in all {
        if let Some(name) = function.profiling_name() {
            let _ = writeln!(out, "{}{};", attributes(function), function.prototype.declared_as(&name));
        }
    }
    out + CLOSING + &overloads::complex(all, Function::profiling_name) + "\n#endif\n"
}

/// The bodies of the functions that programs inline. Extensions are not inlined, because most are
/// other names for these functions.
fn bodies(all: &[Function]) -> String {
    let mut out = format!(
        "{GENERATED}/* shmem.h includes it. A pointer to one of these functions, and a call that is not inlined, is the \
         library's. */\n#ifndef PHILAE_SHMEM_BODIES_H\n#define PHILAE_SHMEM_BODIES_H\n\n#include \
         <philae/shmem_inline.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
    );
    for function in all.iter().filter(|function| function.inlined) {
        let declared = function.prototype.declared_as(function.name());
        let _ = writeln!(out, "PHILAE_SHMEM_INLINE {declared}\n{}", function.body);
    }
    out + CLOSING + "\n#endif\n"
}
