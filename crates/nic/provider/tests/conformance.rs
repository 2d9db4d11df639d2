//! The conformance suite, compiled by the C compiler and run on the provider that cargo has just
//! built.
//!
//! `make conformance-nic` also runs the tests between hosts that do not depend on the wire; they
//! are left out here. `PHILAE_CONFORMANCE_ONLY` names tests (`tagged.*,peek.*`);
//! `PHILAE_CONFORMANCE_SANITIZE=1` compiles the suite with the address and undefined-behaviour
//! sanitizers.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Seconds without progress until a test of the suite counts as hanging: generous, because other
/// work may run at the same time.
const TIMEOUT: &str = "90";

fn headers_are_installed() -> bool {
    ["/usr/include", "/usr/local/include"].iter().any(|folder| Path::new(folder).join("rdma/fabric.h").is_file())
}

/// The provider's library: next to this test, or in the folder above.
fn library() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own file");
    let same_folder = test.parent().expect("a file lies in a folder");
    let above = same_folder.parent().expect("a file of cargo's lies two folders deep");
    let found = [same_folder, above]
        .into_iter()
        .flat_map(|folder| ["libphilae_provider.so", "libphilae_fi.so"].map(|name| folder.join(name)))
        .filter(|file| file.is_file())
        .max_by_key(|file| fs::metadata(file).and_then(|data| data.modified()).ok());
    found.unwrap_or_else(|| panic!("no libphilae_provider.so in {} or {}", same_folder.display(), above.display()))
}

/// The suite, compiled once for all tests, whatever processes they run in.
fn suite() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("conformance");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
        let options = ["CC", "PHILAE_CONFORMANCE_SANITIZE"].map(|name| env::var(name).unwrap_or_default()).join(" ");
        philae_test_support::built_once(&folder, &[sources], &options, compile).expect("the folder can be made");
        folder.join("fi-conformance")
    })
}

/// Compiles the suite into `folder`.
fn compile(folder: &Path) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let binary = folder.join("fi-conformance");
    let mut compiler = Command::new(env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
    compiler.args(["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2", "-g"]);
    if env::var("PHILAE_CONFORMANCE_SANITIZE").is_ok_and(|value| value == "1") {
        compiler.args(["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]);
    }
    let mut files: Vec<PathBuf> = fs::read_dir(&sources)
        .expect("the suite lies next to the tests")
        .map(|entry| entry.expect("a folder that can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
        .collect();
    files.sort();
    let compiled =
        compiler.args(&files).arg("-o").arg(&binary).args(["-lfabric", "-ldl"]).output().expect("a C compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

/// The default tests.
const WITHIN_A_HOST: &str = "info.*,object.*,av.*,cq.*,counter.*,error.*,completion.*,msg.*,tagged.*,multi_recv.*,peek.*,\
                             order.*,flood.*,rma.*,regions.*,atomic.*,limit.*,deferred.*,stress.*,vendor.*,death.*,copies.*,\
                             offload.*,match.*,gone.*";
/// The same over the wire between hosts.
const BETWEEN_HOSTS: &str = "av.by_name*,cq.file,msg.*,tagged.*,multi_recv.*,peek.*,order.*,flood.*,rma.*,regions.*,\
                             atomic.*,limit.said*,stress.*,vendor.*,death.*,match.*,gone.*";

#[test]
fn the_provider_passes_the_suite_within_a_host() {
    passes("shm", WITHIN_A_HOST, &[("FI_PHILAE_WIRES", "shm")]);
}

#[test]
fn the_provider_passes_the_suite_between_hosts() {
    passes("udp", BETWEEN_HOSTS, &[("FI_PHILAE_WIRES", "udp")]);
}

#[test]
fn the_provider_passes_the_suite_when_hosts_fall_silent() {
    passes("silence", "silence.*", &[]);
}

/// Tests of matching, in each match mode.
const MATCHING: &str = "msg.*,tagged.*,multi_recv.*,peek.*,order.*,flood.*,stress.*";

#[test]
fn the_provider_passes_the_suite_when_software_matches() {
    let mode = ("FI_CXI_RX_MATCH_MODE", "software");
    passes("software", MATCHING, &[("FI_PHILAE_WIRES", "shm"), mode]);
    passes("software", "msg.*,peek.*,order.*,multi_recv.*", &[("FI_PHILAE_WIRES", "udp"), mode]);
}

#[test]
fn the_provider_passes_the_suite_when_list_entries_are_used_up() {
    let few = ("FI_PHILAE_LIST_ENTRIES", "8");
    for mode in ["hardware", "hybrid"] {
        passes("few-entries", MATCHING, &[("FI_PHILAE_WIRES", "shm"), few, ("FI_CXI_RX_MATCH_MODE", mode)]);
    }
    passes("few-entries", "msg.*,peek.*,order.*,multi_recv.*", &[("FI_PHILAE_WIRES", "udp"), few]);
}

#[test]
fn the_provider_passes_the_suite_over_a_bad_network() {
    let faults = ("FI_PHILAE_FAULTS", "seed=1,drop=2%,dup=2%,reorder=2%,jitter=1ms,corrupt=0.1%");
    let names = "msg.send*,tagged.send,rma.write,rma.read,atomic.sums,order.all_to_all,stress.mixed";
    passes("faults", names, &[("FI_PHILAE_WIRES", "udp"), faults]);
}

#[test]
fn the_provider_passes_the_suite_where_memory_cannot_be_copied() {
    let names = format!("{BETWEEN_HOSTS},cq.*,counter.*,completion.*,deferred.*");
    passes("copies", &names, &[("FI_PHILAE_COPY", "off")]);
}

fn passes(what: &str, names: &str, variables: &[(&str, &str)]) {
    if !headers_are_installed() {
        println!("libfabric-dev is not installed: left out, as scripts/setup says");
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("conformance-{what}"));
    let providers = folder.join("providers");
    fs::create_dir_all(&providers).expect("the folder can be made");
    let link = providers.join("libphilae-fi.so");
    fs::remove_file(&link).ok();
    std::os::unix::fs::symlink(library(), &link).expect("the folder can be written");
    let mut suite = Command::new(suite());
    suite.args(["--provider", "philae", "--verbose", "--timeout", TIMEOUT]);
    suite.env("FI_PROVIDER_PATH", &providers).env("ASAN_OPTIONS", "detect_leaks=0").current_dir(&folder);
    let asked = env::var("PHILAE_CONFORMANCE_ONLY").ok();
    suite.args(["--only", asked.as_deref().unwrap_or(names)]).envs(variables.iter().copied());
    let output = suite.output().expect("what was compiled runs");
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let passed = text.lines().filter(|line| line.starts_with("ok ") && !line.contains("# SKIP")).count();
    let failed: Vec<&str> =
        text.lines().skip_while(|line| !line.starts_with("not ok")).filter(|line| !line.starts_with("ok ")).collect();
    assert!(output.status.success(), "{}\n{errors}", failed.join("\n"));
    assert!(passed > 0, "no test of the suite passed:\n{text}\n{errors}");
}
