//! The compiler wrappers: whatever names the compiler, they call one, and not themselves. Programs
//! that tools inspect, or that mix C's and C++'s types, build and run.

mod common;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use common::{folder, is_installed, prefix, succeeded};

const PROGRAM: &str = "#include <shmem.h>\nint main(void) { shmem_init(); shmem_finalize(); return 0; }\n";

fn write_script(file: &Path, text: &str) {
    fs::write(file, text).expect("cargo's folder for tests can be written");
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("rights");
}

/// Environment variables with their values.
type Variables<'a> = &'a [(&'a str, &'a str)];

/// Runs a command for at most a minute: a wrapper that calls itself without end fails.
fn run(folder: &Path, variables: Variables<'_>, words: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", "60"]).args(words).current_dir(folder);
    for name in ["CC", "CXX", "OSHCC_CC", "OSHCXX_CXX", "MAKEFLAGS", "PHILAE_OSHCC_CALLED"] {
        command.env_remove(name);
    }
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{}:{path}", folder.join("bin").display(), prefix().join("bin").display()));
    command.envs(variables.iter().copied()).output().expect("timeout runs")
}

#[test]
fn a_compiler_that_is_the_wrapper_is_none() {
    let folder = folder("self");
    let bin = folder.path().join("bin");
    fs::create_dir_all(&bin).expect("a folder");
    fs::write(folder.path().join("a.c"), PROGRAM).expect("a source");
    fs::write(folder.path().join("a.cc"), PROGRAM).expect("a source");
    fs::write(folder.path().join("Makefile"), "all:\n\t$(CC) a.c -o a\n").expect("a file");
    write_script(&bin.join("ccache"), "#!/bin/sh\nexec \"$@\"\n");
    write_script(&bin.join("indirect"), "#!/bin/sh\nexec oshcc \"$@\"\n");
    symlink(prefix().join("bin/oshcc"), bin.join("mycc")).expect("a link");
    let wrapper = prefix().join("bin/oshcc");
    let (cc, cxx) = (wrapper.to_str().expect("text"), "oshc++");
    let own_path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let make = format!("CC={cc}");
    let cases: &[(Variables<'_>, &[&str])] = &[
        (&[], &["make", &make]),
        (&[], &["make", "CC=oshcc"]),
        (&[("CC", cc)], &[cc, "a.c", "-o", "a"]),
        (&[("CC", "oshcc")], &["oshcc", "a.c", "-o", "a"]),
        (&[("CC", "mycc")], &["oshcc", "a.c", "-o", "a"]),
        (&[("CC", "oshcc")], &["mycc", "a.c", "-o", "a"]),
        (&[("CC", "oshcc -std=gnu99")], &["oshcc", "a.c", "-o", "a"]),
        (&[("CC", "ccache oshcc")], &["ccache", "oshcc", "a.c", "-o", "a"]),
        (&[("CC", "indirect")], &["oshcc", "a.c", "-o", "a"]),
        (&[("CC", "ccache indirect")], &["indirect", "a.c", "-o", "a"]),
        (&[("OSHCC_CC", "oshcc")], &["oshcc", "a.c", "-o", "a"]),
        (&[("OSHCC_CC", cc), ("CC", "ccache mycc")], &["oshcc", "a.c", "-o", "a"]),
        (&[("CXX", cxx)], &["oshc++", "a.cc", "-o", "a"]),
        (&[("CXX", "oshcxx")], &["oshc++", "a.cc", "-o", "a"]),
        (&[("OSHCXX_CXX", "oshc++"), ("CXX", "oshcxx")], &["oshcxx", "a.cc", "-o", "a"]),
        (&[("CXX", "oshcc")], &["oshc++", "a.cc", "-o", "a"]),
    ];
    for (variables, words) in cases {
        let _ = fs::remove_file(folder.path().join("a"));
        succeeded(&format!("{variables:?} {words:?}"), &run(folder.path(), variables, words));
        succeeded("what was built", &Command::new(folder.path().join("a")).output().expect("a program"));
    }
    // configure asks so; and the first cc on the path may be the wrapper under that name.
    let said = succeeded("--version", &run(folder.path(), &[("CC", "oshcc")], &["oshcc", "--version"]));
    assert!(!said.is_empty());
    symlink(prefix().join("bin/oshcc"), bin.join("cc")).expect("a link");
    let said =
        succeeded("--showme", &run(folder.path(), &[("CC", "cc"), ("PATH", &own_path)], &["cc", "--showme:command"]));
    assert!(said.trim().ends_with("/cc") && !said.contains(bin.to_str().expect("text")), "{said}");
    // A compiler that is not one of the wrappers is used, with its arguments.
    for (variables, compiler) in [
        (&[("CC", "ccache gcc"), ("OSHCC_CC", "oshcc")][..], "ccache gcc"),
        (&[("CC", "oshcc"), ("OSHCC_CC", "gcc -m64")], "gcc -m64"),
        (&[("CC", "gcc *")], "gcc *"),
    ] {
        let said = succeeded("--showme", &run(folder.path(), variables, &["oshcc", "--showme:command"]));
        assert_eq!(said.trim(), compiler);
    }
}

#[test]
fn complex_numbers_may_be_cs_or_cpps() {
    let folder = folder("complex");
    let source = folder.path().join("complex.cc");
    let text = "#include <pshmem.h>\n__extension__ typedef double _Complex of_c;\n__extension__ typedef float _Complex \
                short_of_c;\nstatic of_c a[2];\nstatic short_of_c f[2];\nstatic std::complex<double> b[2];\nstatic \
                std::complex<float> g[2];\nint main()\n{\n    shmem_init();\n    b[0] = std::complex<double>(2, 3);\n    \
                g[0] = std::complex<float>(4, 5);\n    int bad = shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, a, a, 2);\n    \
                bad += shmem_complexf_prod_reduce(SHMEM_TEAM_WORLD, f, f, 2);\n    bad += \
                shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, b + 1, b, 1);\n    bad += shmem_sum_reduce(SHMEM_TEAM_WORLD, a, a, \
                2);\n    bad += shmem_sum_reduce(SHMEM_TEAM_WORLD, g + 1, g, 1);\n    bad += \
                pshmem_complexf_sum_inscan(SHMEM_TEAM_WORLD, f, f, 2);\n    bad += \
                pshmem_complexd_sum_exscan(SHMEM_TEAM_WORLD, b, b, 1);\n    bad += b[1] != std::complex<double>(2, 3);\n    bad \
                += g[1] != std::complex<float>(4, 5);\n    bad += b[0] != 0.0;\n    shmem_finalize();\n    return bad;\n}\n";
    fs::write(&source, text).expect("a source");
    for compiler in ["g++", "clang++"].into_iter().filter(|compiler| is_installed(compiler)) {
        for standard in ["-std=c++11", "-std=c++20"] {
            let mut command = Command::new(prefix().join("bin/oshc++"));
            command.env("OSHCXX_CXX", compiler).args([standard, "-pedantic", "-Wall", "-Wextra", "-Werror"]);
            let output = command.arg(&source).arg("-o").arg(folder.path().join("complex")).output();
            succeeded(&format!("{compiler} {standard}"), &output.expect("oshc++ runs"));
            succeeded("the program", &Command::new(folder.path().join("complex")).output().expect("a program"));
        }
    }
}

/// A program whose static data has redzones between its variables is moved, forks, allocates and
/// frees, and leaks nothing. A handle that outlives its team or context is not a leak.
#[test]
fn a_program_that_a_sanitizer_watches_runs() {
    let folder = folder("sanitized");
    let source = folder.path().join("watched.c");
    let text = "#include <shmem.h>\n#include <sys/wait.h>\n#include <unistd.h>\nstatic long x, y[3];\nstatic void \
                made_and_gone(void)\n{\n    shmem_ctx_t ctx;\n    shmem_team_t team;\n    if (shmem_ctx_create(0, &ctx) == 0) \
                shmem_ctx_destroy(ctx);\n    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team) == 0) \
                shmem_team_destroy(team);\n}\nint main(void)\n{\n    int i, status = 0;\n    shmem_init();\n    \
                shmem_long_p(&x, 1, shmem_my_pe());\n    for (i = 0; i < 20; i++) made_and_gone();\n    if (fork() == 0) \
                _exit(x != 1);\n    wait(&status);\n    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, y, y, 3);\n    \
                shmem_free(shmem_malloc(100));\n    shmem_finalize();\n    return status;\n}\n";
    fs::write(&source, text).expect("a source");
    for compiler in ["gcc", "clang"].into_iter().filter(|compiler| is_installed(compiler)) {
        for sanitizer in ["address", "undefined", "leak", "thread"] {
            let program = folder.path().join(format!("watched-{compiler}-{sanitizer}"));
            let mut command = Command::new(prefix().join("bin/oshcc"));
            command.env("OSHCC_CC", compiler).args(["-g", &format!("-fsanitize={sanitizer}")]);
            let built = command.arg(&source).arg("-o").arg(&program).output().expect("oshcc runs");
            if !built.status.success() {
                eprintln!("left out: {compiler} has no {sanitizer} sanitizer here");
                continue;
            }
            succeeded(&format!("{compiler}, {sanitizer}"), &Command::new(&program).output().expect("a program"));
        }
    }
}
