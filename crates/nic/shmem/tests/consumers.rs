//! Programs of C99, C11 and C++ that name and call every function of the tables compile without a
//! warning, with gcc and clang, inlined and not. They link with nothing undefined, and the library
//! exports those names and no others.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use common::{folder, is_installed, prefix, succeeded};
use philae_shmem_codegen::render::definitions;
use philae_shmem_codegen::{Function, functions};

/// The arguments of a call that passes on its own parameters.
fn passed(function: &Function) -> String {
    function
        .prototype
        .parameters
        .iter()
        .filter(|one| !one.name.is_empty())
        .map(|one| one.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

fn give(function: &Function) -> &'static str {
    if function.prototype.result == "void" { "" } else { "return " }
}

/// A program that has a pointer of the right type to every function, and a call of each.
fn every_name() -> String {
    let mut program = String::from("#include <pshmem.h>\n#include <stdio.h>\n");
    let mut pointers = String::new();
    let mut number = 0;
    for function in functions() {
        for name in [Some(function.name().to_owned()), function.profiling_name()].into_iter().flatten() {
            let _ = writeln!(
                program,
                "static {} = {name};",
                function.prototype.declared_as(&format!("(*const p{number})"))
            );
            let _ = writeln!(pointers, "    (void (*)(void))p{number},");
            number += 1;
        }
        let own = function.prototype.declared_as(&format!("call_{}", function.name())).replace(", ...", "");
        let call = format!("{give}{}({})", function.name(), passed(&function), give = give(&function));
        let _ = writeln!(program, "{own};\n{own} {{ {call}; }}");
    }
    let _ = writeln!(
        program,
        "int main(void)\n{{\n    void (*const all[])(void) = {{\n{pointers}    }};\n    size_t i, n = 0;\n    for (i = 0; i < \
         sizeof all / sizeof *all; i++) n += all[i] != 0;\n    printf(\"%lu\\n\", (unsigned long)n);\n    return n == \
         {number} ? 0 : 1;\n}}"
    );
    program
}

/// A program that calls every function by its generic name, if it has one.
fn every_generic_name() -> String {
    let mut program = String::from("#include <shmemx.h>\n");
    let mut number = 0;
    for function in functions() {
        let Some((generic, _)) = function.generic else { continue };
        let own = function.prototype.declared_as(&format!("call_{number}"));
        number += 1;
        let _ = writeln!(program, "{own};\n{own} {{ {}{generic}({}); }}", give(&function), passed(&function));
    }
    program += "int by_what_comes_first(shmem_team_t team, uint64_t *signal, long *pSync);\nint \
                by_what_comes_first(shmem_team_t team, uint64_t *signal, long *pSync)\n{\n    shmem_sync(0, 0, 2, pSync);\n    \
                shmem_signal_set(signal, 1, 0);\n    shmem_signal_set(SHMEM_CTX_DEFAULT, signal, 1, 0);\n    \
                shmem_signal_add(signal, 1, 0);\n    shmem_signal_add(SHMEM_CTX_DEFAULT, signal, 1, 0);\n    return \
                shmem_sync(team);\n}\nint main(void) { return 0; }\n";
    program
}

struct Compiler {
    command: &'static str,
    ending: &'static str,
    standards: &'static [&'static str],
    /// The language standards that have the generic names.
    generic: &'static [&'static str],
    /// Whether it compiles the inlined bodies of all functions, which takes a while; the others
    /// only parse them.
    optimises: bool,
}

const COMPILERS: [Compiler; 4] = [
    Compiler {
        command: "gcc",
        ending: "c",
        standards: &["c99", "gnu99", "c11", "c17"],
        generic: &["c11", "gnu17"],
        optimises: true,
    },
    Compiler {
        command: "clang",
        ending: "c",
        standards: &["c99", "gnu99", "c11", "c17"],
        generic: &["c11", "gnu17"],
        optimises: false,
    },
    Compiler {
        command: "g++",
        ending: "cc",
        standards: &["c++11", "c++14", "c++20"],
        generic: &["c++11", "c++20"],
        optimises: false,
    },
    Compiler {
        command: "clang++",
        ending: "cc",
        standards: &["c++11", "c++14", "c++20"],
        generic: &["c++11", "c++20"],
        optimises: true,
    },
];

/// What the headers take for optimisation, so that the compiler parses the inlined bodies without
/// the time to compile them.
const READ_INLINED: &[&str] = &["-D__OPTIMIZE__", "-fsyntax-only"];

fn compile(compiler: &Compiler, standard: &str, options: &[&str], source: &Path, program: &Path) {
    let mut command = Command::new(compiler.command);
    command.args(["-Wall", "-Wextra", "-pedantic", "-Werror"]).arg(format!("-std={standard}")).args(options);
    command.arg(source).arg("-I").arg(prefix().join("include"));
    if options != READ_INLINED {
        command.arg("-o").arg(program).arg("-L").arg(prefix().join("lib")).arg("-lphilae_shmem");
        command.arg("-Wl,-rpath").arg(prefix().join("lib"));
    }
    let what = format!("{} -std={standard} {options:?} {}", compiler.command, source.display());
    succeeded(&what, &command.output().expect("a compiler that is installed runs"));
}

/// Each installed compiler; reports those that are missing.
fn compilers() -> impl Iterator<Item = &'static Compiler> {
    COMPILERS.iter().filter(|compiler| {
        let here = is_installed(compiler.command);
        if !here {
            eprintln!("left out: {} is not installed (scripts/setup --test installs it)", compiler.command);
        }
        here
    })
}

#[test]
fn every_function_compiles_without_a_warning_and_links() {
    let folder = folder("consumers");
    let text = every_name();
    for compiler in compilers() {
        let source = folder.path().join(format!("names.{}", compiler.ending));
        fs::write(&source, &text).expect("a source");
        let program = folder.path().join("names");
        for standard in compiler.standards {
            compile(compiler, standard, READ_INLINED, &source, &program);
        }
        let inlined = if compiler.optimises { &["-O1"][..] } else { &["-O0"] };
        for options in [inlined, &["-O1", "-DPHILAE_SHMEM_NO_INLINE"]] {
            compile(compiler, compiler.standards[0], options, &source, &program);
            // The dynamic linker resolves every symbol before the program starts.
            let ran = Command::new(&program).env("LD_BIND_NOW", "1").output().expect("a program");
            succeeded("a program that names every function", &ran);
        }
    }
}

#[test]
fn every_generic_name_compiles_without_a_warning_and_links() {
    let folder = folder("generic");
    let text = every_generic_name();
    for compiler in compilers() {
        let source = folder.path().join(format!("generic.{}", compiler.ending));
        fs::write(&source, &text).expect("a source");
        for standard in compiler.generic {
            compile(compiler, standard, READ_INLINED, &source, &folder.path().join("generic"));
            compile(compiler, standard, &["-O0"], &source, &folder.path().join("generic"));
        }
    }
}

#[test]
fn a_generic_name_refuses_a_type_that_is_not_in_the_table() {
    let folder = folder("refused");
    let source = folder.path().join("refused.c");
    let text = "#include <shmem.h>\nstruct own { int x; };\nint main(void)\n{\n    struct own a, b;\n    shmem_put(&a, &b, 1, \
                0);\n    return 0;\n}\n";
    fs::write(&source, text).expect("a source");
    let output = Command::new(prefix().join("bin/oshcc"))
        .args(["-std=c11", "-c", "-o"])
        .arg(folder.path().join("refused.o"))
        .arg(&source)
        .output();
    let output = output.expect("oshcc runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("philae_shmem_no_such_type"), "{said}");
}

#[test]
fn the_library_exports_the_names_of_the_tables_and_no_others() {
    let library = prefix().join("lib/libphilae_shmem.so");
    let symbols =
        Command::new("nm").args(["-D", "--defined-only", "--format=posix"]).arg(library).output().expect("nm");
    let symbols = succeeded("nm", &symbols);
    let exported: BTreeSet<&str> = symbols
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(|name| name.split('@').next().unwrap_or(name))
        .collect();
    let wanted = definitions::exported();
    let wanted: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    let missing: Vec<_> = wanted.difference(&exported).collect();
    assert!(missing.is_empty(), "not exported: {missing:?}");
    let others: Vec<_> = exported
        .difference(&wanted)
        .filter(|name| !name.starts_with("philae_shmem_") && **name != "PHILAE_SHMEM_1")
        .collect();
    assert!(others.is_empty(), "exported and in no table: {others:?}");
    // 1,689 names of the standard and their twins are already more than three thousand.
    assert!(wanted.len() > 3_378, "{}", wanted.len());
}

#[test]
fn the_wrappers_say_and_do_what_they_are_asked_for() {
    let folder = folder("wrappers");
    let source = folder.path().join("hello.c");
    fs::write(
        &source,
        "#include <shmem.h>\nint main(void) { int major, minor; shmem_info_get_version(&major, &minor); \
                        return major == 1 && minor == 6 ? 0 : 1; }\n",
    )
    .expect("a source");
    let bin = prefix().join("bin");
    let shown = Command::new(bin.join("oshcc")).args(["--showme", "-O2", "a b.c"]).env("OSHCC_CC", "my-cc").output();
    let shown = succeeded("oshcc --showme", &shown.expect("oshcc runs"));
    assert!(shown.starts_with("my-cc -I") && shown.contains("'a b.c'") && shown.contains("-lphilae_shmem"), "{shown}");
    let shown = Command::new(bin.join("oshc++")).args(["--showme", "-c", "a.cc"]).env("OSHCXX_CXX", "my-c++").output();
    let shown = succeeded("oshc++ --showme", &shown.expect("oshc++ runs"));
    assert!(shown.starts_with("my-c++ -I") && !shown.contains("-lphilae_shmem"), "{shown}");
    let compiled = Command::new(bin.join("oshcc")).arg("-o").arg(folder.path().join("hello")).arg(&source).output();
    succeeded("oshcc", &compiled.expect("oshcc runs"));
    succeeded("what oshcc compiled", &Command::new(folder.path().join("hello")).output().expect("a program"));
}

#[test]
fn pkg_config_and_cmake_find_the_library() {
    let folder = folder("found");
    if is_installed("pkg-config") {
        let asked = Command::new("pkg-config")
            .args(["--cflags", "--libs", "openshmem"])
            .env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"))
            .output();
        let said = succeeded("pkg-config", &asked.expect("pkg-config runs"));
        assert!(said.contains("-lphilae_shmem") && said.contains("-I"), "{said}");
    } else {
        eprintln!("left out: pkg-config is not installed");
    }
    if is_installed("cmake") {
        let project = "cmake_minimum_required(VERSION 3.13)\nproject(p C)\nfind_package(OpenSHMEM 1.5 CONFIG REQUIRED)\n\
                       add_executable(p p.c)\ntarget_link_libraries(p OpenSHMEM::OpenSHMEM)\n";
        fs::write(folder.path().join("CMakeLists.txt"), project).expect("a project");
        fs::write(
            folder.path().join("p.c"),
            "#include <shmem.h>\nint main(void) { return shmem_team_n_pes(SHMEM_TEAM_INVALID) + 1; }\n",
        )
        .expect("a source");
        let wrappers = prefix().join("bin");
        let prefix = format!("-DCMAKE_PREFIX_PATH={}", prefix().display());
        let run = |arguments: &[&str]| {
            succeeded(
                "cmake",
                &Command::new("cmake").args(arguments).current_dir(folder.path()).output().expect("cmake runs"),
            );
        };
        run(&["-S", ".", "-B", "b", &prefix]);
        run(&["--build", "b"]);
        succeeded("what cmake built", &Command::new(folder.path().join("b/p")).output().expect("a program"));
        // The wrappers as CMake's compilers, named by the environment that CMake passes on to them.
        let project = "cmake_minimum_required(VERSION 3.13)\nproject(p C CXX)\ninclude(CheckFunctionExists)\n\
                       check_function_exists(shmem_init HAS_SHMEM)\nif(NOT HAS_SHMEM)\n  message(FATAL_ERROR none)\nendif()\n\
                       configure_file(p.c q.cc COPYONLY)\nadd_executable(p p.c)\nadd_executable(q ${CMAKE_BINARY_DIR}/q.cc)\n\
                       add_library(r SHARED p.c)\n";
        fs::write(folder.path().join("CMakeLists.txt"), project).expect("a project");
        let path = format!("{}:{}", wrappers.display(), std::env::var("PATH").unwrap_or_default());
        let run = |arguments: &[&str]| {
            let mut command = Command::new("cmake");
            command
                .args(arguments)
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("CC", "oshcc")
                .env("CXX", "oshc++");
            succeeded("cmake", &command.output().expect("cmake runs"));
        };
        run(&["-S", ".", "-B", "w"]);
        run(&["--build", "w"]);
        for program in ["w/p", "w/q"] {
            succeeded(program, &Command::new(folder.path().join(program)).output().expect("a program"));
        }
    } else {
        eprintln!("left out: cmake is not installed");
    }
}
