//! SHMEM_TEAM_INVALID and SHMEM_CTX_INVALID in every function of the tables that takes one. The
//! programs are generated from the tables, so they include new functions.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{compile, folder, succeeded};
use philae_shmem_codegen::{Function, functions};

/// The programs' beginning.
const OPENING: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <shmem.h>\n#include <shmemx.h>\n\
                       static long buffer[64];\nstatic shmem_team_t made;\nstatic shmem_ctx_t made_ctx;\n\
                       static void wrong(const char *name) { printf(\"%s\\n\", name); }\n";

fn takes(function: &Function, handle: &str) -> bool {
    function.prototype.parameters.iter().any(|parameter| parameter.c == handle)
}

/// A call with invalid handles, and harmless values for everything else.
fn call(function: &Function) -> String {
    let mut values = Vec::new();
    for parameter in &function.prototype.parameters {
        values.push(match parameter.c.as_str() {
            "shmem_team_t" => "SHMEM_TEAM_INVALID",
            "shmem_ctx_t" if takes(function, "shmem_team_t") => "SHMEM_CTX_DEFAULT",
            "shmem_ctx_t" => "SHMEM_CTX_INVALID",
            "shmem_team_t *" => "&made",
            "shmem_ctx_t *" => "&made_ctx",
            pointer if pointer.ends_with('*') => "(void *)buffer",
            _ if parameter.name == "pe" => "0",
            _ => "1",
        });
    }
    format!("{}({})", function.name(), values.join(", "))
}

fn program(folder: &Path, source: &str) -> PathBuf {
    let (file, program) = (folder.join("invalid.c"), folder.join("invalid"));
    fs::write(&file, source).expect("a source");
    compile("-Wno-deprecated-declarations", &[file], &program);
    program
}

fn run(program: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars() {
        if ["SHMEM_", "PMI", "FI_"].iter().any(|start| name.starts_with(start)) {
            command.env_remove(name);
        }
    }
    command.args(arguments).output().expect("a program")
}

#[test]
fn an_invalid_team_is_answered_by_every_function() {
    let folder = folder("invalid-team");
    let all: Vec<Function> = functions().into_iter().filter(|function| takes(function, "shmem_team_t")).collect();
    assert!(all.len() > 400, "{}", all.len());
    let mut source = format!("{OPENING}int main(void)\n{{\n    shmem_init();\n");
    for function in &all {
        let (name, call, result) = (function.name(), call(function), function.prototype.result.as_str());
        let _ = writeln!(source, "    made = SHMEM_TEAM_WORLD, made_ctx = SHMEM_CTX_DEFAULT;");
        let _ = match result {
            "void" => writeln!(source, "    {call};"),
            pointer if pointer.ends_with('*') => writeln!(source, "    if ({call} != NULL) wrong(\"{name}\");"),
            _ => writeln!(source, "    if ({call} == 0) wrong(\"{name}\");"),
        };
        if takes(function, "shmem_team_t *") {
            let _ = writeln!(source, "    if (made != SHMEM_TEAM_INVALID) wrong(\"{name}: made\");");
        }
        if takes(function, "shmem_ctx_t *") {
            let _ = writeln!(source, "    if (made_ctx != SHMEM_CTX_INVALID) wrong(\"{name}: made\");");
        }
    }
    source += "    shmem_finalize();\n    (void)buffer;\n    return 0;\n}\n";
    let output = run(&program(folder.path(), &source), &[]);
    assert_eq!(succeeded("the program", &output), "");
}

/// Functions that do nothing with an invalid context, as 1.6 says of those that order, complete and
/// destroy.
const DO_NOTHING: [&str; 16] = [
    "shmem_ctx_destroy",
    "shmem_ctx_fence",
    "shmem_ctx_pe_quiet",
    "shmem_ctx_quiet",
    "shmem_ctx_session_start",
    "shmem_ctx_session_stop",
    "shmemx_ctx_local_complete",
    "shmemx_ctx_session_start",
    "shmemx_ctx_session_stop",
    "shmemx_pcntr_get_all",
    "shmemx_pcntr_get_completed_read",
    "shmemx_pcntr_get_completed_write",
    "shmemx_pcntr_get_issued_read",
    "shmemx_pcntr_get_issued_write",
    "shmemx_session_start",
    "shmemx_session_stop",
];

#[test]
fn an_invalid_context_is_nothing_or_named_by_every_function() {
    let folder = folder("invalid-ctx");
    let is_asked = |function: &Function| takes(function, "shmem_ctx_t") && !takes(function, "shmem_team_t");
    let all: Vec<Function> = functions().into_iter().filter(is_asked).collect();
    let mut source = format!(
        "{OPENING}int main(int count, char **words)\n{{\n    shmem_init();\n    switch (atoi(words[count - 1])) {{\n"
    );
    for (number, function) in all.iter().enumerate() {
        let _ = writeln!(source, "    case {number}: (void){}; break;", call(function));
    }
    source += "    }\n    if (made != SHMEM_TEAM_INVALID) wrong(\"made\");\n    (void)made_ctx;\n    puts(\"went on\");\n    \
               shmem_finalize();\n    return 0;\n}\n";
    let program = program(folder.path(), &source);
    let (mut silent, mut pages) = (BTreeSet::new(), BTreeSet::new());
    for (number, function) in all.iter().enumerate() {
        let name = function.name();
        // One of a page's types and sizes stands for all, because they have one body.
        let is_nothing = DO_NOTHING.contains(&name) || name.ends_with("ctx_get_team");
        if !is_nothing && !pages.insert((function.page.name, function.generic.map(|(name, _)| name))) {
            continue;
        }
        let output = run(&program, &[&number.to_string()]);
        if is_nothing {
            assert_eq!(succeeded(name, &output), "went on\n", "{name}");
            silent.insert(name);
        } else {
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{name}: {said}");
            assert!(said.contains(&format!("{name}: the context is SHMEM_CTX_INVALID")), "{name}: {said}");
        }
    }
    assert_eq!(silent.len(), DO_NOTHING.len() + 2, "{silent:?}");
    assert!(pages.len() > 40, "{}", pages.len());
}
