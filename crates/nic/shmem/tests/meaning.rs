//! Every function of the tables does what the standard says, on 2, 3 and 4 PEs: programs in C
//! (`meaning/`) call each function and check it. They are compiled as users compile them, with
//! `oshcc`, inlined and not. PEs share memory, or reach each other through a NIC, or both.

mod common;
mod pes;

use std::collections::BTreeSet;
use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use common::{built_once, compile, folder, meaning_sources, prefix, root, succeeded};
use pes::run;
use philae_shmem_codegen::functions;

/// The program that a PE of these tests executes.
const PROGRAM: &str = "PHILAE_TEST_PROGRAM";

#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    let program = env::var_os(PROGRAM).expect("a test says which program");
    panic!("{}", Command::new(program).exec());
}

/// Compiled once: with the local path inlined, and with every call in the library.
fn program(is_inlined: bool) -> &'static Path {
    static PROGRAMS: [OnceLock<PathBuf>; 2] = [OnceLock::new(), OnceLock::new()];
    PROGRAMS[usize::from(is_inlined)].get_or_init(|| {
        let (name, level) = if is_inlined { ("inlined", "-O2") } else { ("called", "-O0") };
        let sources = root().join("crates/nic/shmem/tests/meaning");
        let build = |folder: &Path| compile(level, &meaning_sources(), &folder.join("meaning"));
        built_once(name, &[sources], level, build).join("meaning")
    })
}

fn means_what_it_says(n_pes: u32, is_inlined: bool, variables: &[(&str, &str)]) {
    passes(program(is_inlined), n_pes, variables);
}

fn passes(program: &Path, n_pes: u32, variables: &[(&str, &str)]) {
    let mut all = vec![(None, PROGRAM, program.to_str().expect("cargo's folder is text"))];
    all.extend(variables.iter().map(|&(name, value)| (None, name, value)));
    run(n_pes, "meaning", &all).well();
}

#[test]
fn inlined_on_one_host() {
    for n_pes in [1, 2, 3, 4] {
        means_what_it_says(n_pes, true, &[]);
    }
}

#[test]
fn called_on_one_host() {
    for n_pes in [2, 3, 4] {
        means_what_it_says(n_pes, false, &[]);
    }
}

#[test]
fn checked_on_one_host() {
    means_what_it_says(3, true, &[("SHMEM_DEBUG", "1")]);
}

/// The folder with the provider's library, where libfabric searches for it.
fn libraries() -> String {
    let test = env::current_exe().expect("a test knows its own file");
    let found = philae_launcher::find_library(None, &test).expect("cargo builds the provider for this test");
    found.to_string_lossy().into_owned()
}

#[test]
fn through_the_nic() {
    let libraries = libraries();
    let nic = [("FI_PROVIDER_PATH", libraries.as_str()), ("SHMEM_OFI_PROVIDER", "philae")];
    let alone = [("SHMEM_LOCALITY_ONNODE", "NIC"), ("FI_PHILAE_WIRES", "shm")];
    for n_pes in [2, 3] {
        means_what_it_says(n_pes, true, &[nic, alone].concat());
    }
    let pairs = [("SHMEM_SMP_SIZE_LIMIT", "2"), ("FI_PHILAE_WIRES", "shm")];
    means_what_it_says(4, true, &[nic, pairs].concat());
}

#[test]
fn through_the_nic_as_between_hosts() {
    let libraries = libraries();
    let nic = [("FI_PROVIDER_PATH", libraries.as_str()), ("SHMEM_OFI_PROVIDER", "philae")];
    let wire = [("FI_PHILAE_WIRES", "udp"), ("FI_PHILAE_ADDRESS", "127.0.0.1")];
    means_what_it_says(3, true, &[&nic[..], &wire, &[("SHMEM_LOCALITY_ONNODE", "NIC")]].concat());
}

#[test]
fn a_pe_that_stands_still_delays_no_other_operations() {
    let folder = folder("stalled");
    let program = folder.path().join("stalled");
    compile("-O2", &[root().join("crates/nic/shmem/tests/stalled.c")], &program);
    let libraries = libraries();
    let nic = [("FI_PROVIDER_PATH", libraries.as_str()), ("SHMEM_OFI_PROVIDER", "philae")];
    let wire = [("FI_PHILAE_WIRES", "udp"), ("FI_PHILAE_ADDRESS", "127.0.0.1"), ("SHMEM_LOCALITY_ONNODE", "NIC")];
    passes(&program, 3, &[&nic[..], &wire].concat());
}

#[test]
fn every_function_of_the_tables_is_called() {
    let folder = folder("counted");
    let mut called = BTreeSet::new();
    for (i, source) in meaning_sources().iter().enumerate() {
        let object = folder.path().join(format!("{i}.o"));
        let mut command = Command::new(prefix().join("bin/oshcc"));
        let compiled = command.args(["-std=gnu99", "-O0", "-c"]).arg(source).arg("-o").arg(&object).output();
        succeeded("oshcc", &compiled.expect("oshcc runs"));
        let symbols = Command::new("nm").args(["-u", "--format=posix"]).arg(&object).output().expect("nm");
        let symbols = succeeded("nm", &symbols);
        called.extend(symbols.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned));
    }
    let missing: Vec<String> =
        functions().iter().map(|function| function.name().to_owned()).filter(|name| !called.contains(name)).collect();
    assert!(missing.is_empty(), "no program calls {missing:?}");
}
