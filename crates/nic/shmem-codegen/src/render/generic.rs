//! C11: one name for all types, with and without a context.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::expand::Function;
use crate::page::Selected;
use crate::types::Type;

/// The functions of a generic name that a selection names: one for each C type, because types have
/// several names.
pub(crate) fn selected<'a>(functions: &[&'a Function]) -> Vec<(&'a Function, Type)> {
    let has = |name: &str| functions.iter().any(|function| function.of.is_some_and(|of| of.name == name));
    functions
        .iter()
        .filter_map(|function| function.of.map(|of| (*function, of)))
        .filter(|(_, of)| of.same_as().is_none_or(|same| !has(same)))
        .collect()
}

/// The generic names, each with its functions: without a context, and with one.
pub(crate) fn families(
    all: &[Function],
    extensions: bool,
) -> Vec<(&'static str, Selected, Vec<&Function>, Vec<&Function>)> {
    let mut order = Vec::new();
    let mut families: BTreeMap<&str, (Selected, Vec<&Function>, Vec<&Function>)> = BTreeMap::new();
    for function in all.iter().filter(|function| function.is_extension() == extensions) {
        if let Some((name, selected)) = function.generic {
            let family = families.entry(name).or_insert_with(|| {
                order.push(name);
                (selected, Vec::new(), Vec::new())
            });
            if function.takes_ctx { &mut family.2 } else { &mut family.1 }.push(function);
        }
    }
    order
        .into_iter()
        .filter_map(|name| families.remove(name).map(|(selected, plain, ctx)| (name, selected, plain, ctx)))
        .collect()
}

/// The generic names of the standard that do not depend on a type.
const BY_COUNT: &str = r#"
/* By what comes first, or by how many arguments there are. */
#define shmem_sync(...) _Generic(PHILAE_SHMEM_FIRST(__VA_ARGS__, 0), shmem_team_t: shmem_team_sync, default: shmem_sync)(__VA_ARGS__)
#define shmem_signal_set(...) \
    _Generic(PHILAE_SHMEM_FIRST(__VA_ARGS__, 0), shmem_ctx_t: shmem_ctx_signal_set, default: shmem_signal_set)(__VA_ARGS__)
#define shmem_signal_add(...) \
    _Generic(PHILAE_SHMEM_FIRST(__VA_ARGS__, 0), shmem_ctx_t: shmem_ctx_signal_add, default: shmem_signal_add)(__VA_ARGS__)
"#;

/// The same for extensions.
const EXTENSIONS_BY_COUNT: &str = r#"
#define shmemx_signal_set(...) \
    _Generic(PHILAE_SHMEM_FIRST(__VA_ARGS__, 0), shmem_ctx_t: shmemx_ctx_signal_set, default: shmemx_signal_set)(__VA_ARGS__)
#define shmemx_signal_add(...) \
    _Generic(PHILAE_SHMEM_FIRST(__VA_ARGS__, 0), shmem_ctx_t: shmemx_ctx_signal_add, default: shmemx_signal_add)(__VA_ARGS__)
"#;

const OPENING: &str = r#"
#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
"#;
const PICK: &str = r#"/* The argument that selects, and what a context is looked for by. What no type fits is a call of this, which does not compile. */
#define PHILAE_SHMEM_FIRST(first, ...) first
#define PHILAE_SHMEM_SECOND(first, second, ...) second
struct philae_shmem_no_such_type;
void philae_shmem_no_such_type(struct philae_shmem_no_such_type *);
"#;

fn associations(functions: &[&Function], selected_by: Selected) -> String {
    let mut out = String::new();
    for (function, of) in selected(functions) {
        let _ = write!(out, " \\\n    {} *: {},", of.c, function.name());
        if selected_by == Selected::FirstConst {
            let _ = write!(out, " const {} *: {},", of.c, function.name());
        }
    }
    out
}

/// The generic section of the header.
#[must_use]
pub fn section(all: &[Function], extensions: bool) -> String {
    let mut out = String::from(OPENING);
    if !extensions {
        out += PICK;
    }
    for (name, selected_by, plain, ctx) in families(all, extensions) {
        let _ = write!(out, "#define {name}(...) ");
        let argument = if selected_by == Selected::Second { "PHILAE_SHMEM_SECOND" } else { "PHILAE_SHMEM_FIRST" };
        let _ = write!(out, "_Generic({argument}(__VA_ARGS__, 0),{}", associations(&plain, selected_by));
        if !ctx.is_empty() {
            let _ = write!(
                out,
                " \\\n    shmem_ctx_t: _Generic(PHILAE_SHMEM_SECOND(__VA_ARGS__, 0, 0),{} \\\n    default: \
                 philae_shmem_no_such_type),",
                associations(&ctx, selected_by)
            );
        }
        out += " \\\n    default: philae_shmem_no_such_type)(__VA_ARGS__)\n";
    }
    out += if extensions { EXTENSIONS_BY_COUNT } else { BY_COUNT };
    out + "#endif\n"
}
