//! The exported functions in C, and the version script.

use std::fmt::Write;
use std::path::Path;

use super::GENERATED;
use crate::expand::functions;

/// The C source that defines every public function: `pshmem_X` with the body, and `shmem_X` as a
/// weak alias of it.
#[must_use]
pub fn definitions() -> String {
    let mut out = format!(
        "{GENERATED}#define PHILAE_SHMEM_NO_INLINE\n#include <pshmem.h>\n#include <philae/shmem_inline.h>\n\n#define \
         ALIAS(name, of) extern __typeof__(of) name __attribute__((__weak__, __alias__(#of)))\n\n"
    );
    for function in functions() {
        let name = function.name();
        match function.profiling_name() {
            Some(strong) => {
                let _ = writeln!(out, "{}\n{}", function.prototype.declared_as(&strong), function.body);
                let _ = writeln!(out, "ALIAS({name}, {strong});");
            }
            None => {
                let _ = writeln!(out, "{}\n{}", function.prototype.declared_as(name), function.body);
            }
        }
    }
    out
}

/// Writes `definitions.c` and `exports.map` into a folder, unless they are up to date, so that
/// files made from them do not become stale. Other processes may read them or write the same
/// content at the same time.
///
/// # Errors
/// The folder cannot be written.
pub fn place(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, text) in [("definitions.c", definitions()), ("exports.map", version_script())] {
        let (file, draft) = (folder.join(name), folder.join(format!("{name}.{}", std::process::id())));
        if std::fs::read_to_string(&file).is_ok_and(|found| found == text) {
            continue;
        }
        std::fs::write(&draft, text)?;
        std::fs::rename(&draft, &file)?;
    }
    Ok(())
}

/// Every exported name of the tables.
#[must_use]
pub fn exported() -> Vec<String> {
    let mut names = Vec::new();
    for function in functions() {
        names.push(function.name().to_owned());
        names.extend(function.profiling_name());
    }
    names
}

/// The linker's version script: the names of the tables, and the functions that inlined bodies
/// call.
#[must_use]
pub fn version_script() -> String {
    let mut out = format!("{GENERATED}PHILAE_SHMEM_1 {{\n  global:\n    philae_shmem_*;\n");
    for name in exported() {
        let _ = writeln!(out, "    {name};");
    }
    out + "  local:\n    *;\n};\n"
}
