//! The example programs compile without a warning, verify themselves on 1 to 4 PEs by memory and
//! through the NIC, and detect an operation that goes wrong.

mod common;
mod pes;

use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{folder, is_installed, prefix, root, succeeded};
use pes::{Job, run};

/// The program that a PE of these tests executes, and its arguments.
const PROGRAM: &str = "PHILAE_TEST_PROGRAM";
const ARGUMENTS: &str = "PHILAE_TEST_ARGUMENTS";

/// Each program with sizes that take a moment through the NIC.
const EXAMPLES: [(&str, &str); 5] = [
    ("gups", "--words 500 --updates 700"),
    ("sort", "--keys 3000 --range 10000"),
    ("histogram", "--bins 77 --samples 700"),
    ("stencil", "--size 37 --steps 9"),
    ("fft", "--bits 5"),
];

#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    let program = env::var_os(PROGRAM).expect("a test says which program");
    let arguments = env::var(ARGUMENTS).expect("a test says which arguments");
    panic!("{}", Command::new(program).args(arguments.split_whitespace()).exec());
}

fn compile(folder: &Path, name: &str, compiler: &str, more: &[&str]) -> PathBuf {
    let program = folder.join(format!("{name}-{compiler}"));
    let source = root().join("crates/nic/shmem/examples").join(format!("{name}.c"));
    let mut command = Command::new(prefix().join("bin/oshcc"));
    command.env("OSHCC_CC", compiler).args(["-std=c11", "-O2"]);
    command.args(["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]);
    command.arg(source).args(more).arg("-lm").arg("-o").arg(&program);
    succeeded(&format!("oshcc {name}.c with {compiler}"), &command.output().expect("oshcc runs"));
    program
}

fn job(n_pes: u32, program: &Path, arguments: &str, variables: &[(&str, &str)]) -> Job {
    let mut all =
        vec![(None, PROGRAM, program.to_str().expect("cargo's folder is text")), (None, ARGUMENTS, arguments)];
    all.extend(variables.iter().map(|&(name, value)| (None, name, value)));
    run(n_pes, "example", &all)
}

/// Checks that all PEs verified their results, and that PE 0 printed its rate.
fn verifies(n_pes: u32, name: &str, program: &Path, arguments: &str, variables: &[(&str, &str)]) {
    let job = job(n_pes, program, arguments, variables);
    job.well();
    let out = &job.pes[0].out;
    assert!(out.contains("\nverified: ") && out.contains(&format!("{name}: ")), "{name} on {n_pes}: {out}");
    assert!(out.contains("per second") || out.contains("GFLOP/s"), "{name}: a rate has a unit: {out}");
    assert!(job.pes[1..].iter().all(|pe| !pe.out.contains("verified")), "{name}: only PE 0 speaks");
}

#[test]
fn on_one_host_by_memory_and_through_the_nic() {
    let folder = folder("examples");
    let test = env::current_exe().expect("a test knows its own file");
    let libraries = philae_launcher::find_library(None, &test).expect("cargo builds the provider for this test");
    let libraries = libraries.to_string_lossy().into_owned();
    let nic = [("FI_PROVIDER_PATH", libraries.as_str()), ("SHMEM_OFI_PROVIDER", "philae")];
    let shm = [&nic[..], &[("SHMEM_LOCALITY_ONNODE", "NIC"), ("FI_PHILAE_WIRES", "shm")]].concat();
    let hosts = [("SHMEM_LOCALITY_ONNODE", "NIC"), ("FI_PHILAE_WIRES", "udp"), ("FI_PHILAE_ADDRESS", "127.0.0.1")];
    let udp = [&nic[..], &hosts].concat();
    let pairs = [&nic[..], &[("SHMEM_SMP_SIZE_LIMIT", "2"), ("FI_PHILAE_WIRES", "shm")]].concat();
    for (name, arguments) in EXAMPLES {
        let program = compile(folder.path(), name, "cc", &[]);
        for n_pes in 1..=4 {
            verifies(n_pes, name, &program, arguments, &[]);
            verifies(n_pes, name, &program, arguments, &shm);
        }
        verifies(3, name, &program, arguments, &udp);
        verifies(4, name, &program, arguments, &pairs);
    }
}

#[test]
fn clang_has_no_warning_either() {
    if !is_installed("clang") {
        eprintln!("left out: clang is not installed (scripts/setup --test installs it)");
        return;
    }
    let folder = folder("examples-clang");
    for (name, arguments) in EXAMPLES {
        let program = compile(folder.path(), name, "clang", &[]);
        verifies(2, name, &program, arguments, &[]);
    }
}

/// `sabotage.c` replaces one function of the library, and makes one wrong call of it, by the
/// profiling names.
#[test]
fn one_operation_that_goes_wrong_fails_the_verification() {
    let folder = folder("examples-sabotage");
    let sabotage = root().join("crates/nic/shmem/tests/sabotage.c").to_string_lossy().into_owned();
    for (name, arguments) in EXAMPLES {
        let program = compile(folder.path(), name, "cc", &["-DPHILAE_SHMEM_NO_INLINE", &sabotage]);
        let job = job(3, &program, arguments, &[]);
        assert!(job.pes.iter().all(|pe| pe.code() == 1), "{name}: {} {}", job.pes[0].code(), job.said());
        assert!(job.said().contains("NOT verified"), "{name}: {}", job.said());
    }
}

#[test]
fn arguments_are_explained_and_wrong_ones_are_refused() {
    let folder = folder("examples-arguments");
    for (name, arguments) in EXAMPLES {
        let program = compile(folder.path(), name, "cc", &[]);
        let help = job(2, &program, "--help", &[]);
        help.well();
        let option = arguments.split_whitespace().next().expect("an option");
        assert!(help.pes[0].out.contains(option) && help.pes[0].out.contains("default"), "{}", help.pes[0].out);
        for (wrong, said) in [("--no", "'--no' is no option"), (option, "is ''"), (&format!("{option} 5x"), "is '5x'")]
        {
            let refused = job(2, &program, wrong, &[]);
            assert!(refused.pes.iter().all(|pe| pe.code() == 2), "{name} {wrong}");
            assert!(refused.said().contains(said), "{name} {wrong}: {}", refused.said());
        }
    }
}
