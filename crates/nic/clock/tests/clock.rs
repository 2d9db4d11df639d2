//! The library below programs that do not know of it: one in C, and Python.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The library that cargo has just built, beside this test or in the folder above.
fn library() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own file");
    let folders = test.ancestors().skip(1).take(2);
    let found = folders.map(|folder| folder.join("libphilae_clock.so")).filter(|file| file.is_file());
    found.max_by_key(|file| file.metadata().and_then(|data| data.modified()).ok()).expect("cargo has built it")
}

fn compiled(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compile = |folder: &Path| {
        let mut compiler = Command::new("cc");
        compiler.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", "-pthread"]).arg(&source);
        let made = compiler.arg("-o").arg(folder.join(name)).arg("-ldl").output().expect("a C compiler");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    philae_test_support::built_once(&folder, std::slice::from_ref(&source), "", compile).expect("a folder");
    folder.join(name)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn clocks_sleeps_and_timeouts_follow_the_source_and_go_on_from_there() {
    let output = Command::new(compiled("clocks")).env("LD_PRELOAD", library()).output().expect("it starts");
    assert!(output.status.success(), "{}", said(&output));
}

/// Python's own names for the same: a day of sleep that ends at once.
#[test]
fn pythons_time_follows_the_source() {
    let script = "
import ctypes, time
library = ctypes.CDLL(None)
state = [0]
Now, Sleep = ctypes.CFUNCTYPE(ctypes.c_uint64), ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)
def now():
    return state[0]
def sleep(span):
    state[0] += span
    return 0
functions = (Now(now), Sleep(sleep))
class Source(ctypes.Structure):
    _fields_ = [('now', Now), ('sleep', Sleep), ('began_ns', ctypes.c_int64 * 12)]
source = Source(*functions)
clocks = time.time, time.monotonic, time.perf_counter, time.process_time, lambda: time.time_ns() / 1e9
first = [clock() for clock in clocks]
assert library.philae_clock_attach(ctypes.byref(source)) == 0
time.sleep(86400)
spans = [clock() - begun for clock, begun in zip(clocks, first)]
assert all(86400 <= span < 86402 for span in spans), spans
library.philae_clock_detach()
print('all')
";
    let output = Command::new("python3").args(["-c", script]).env("LD_PRELOAD", library()).output();
    let output = output.expect("Python, which the scripts of this project need");
    assert_eq!(said(&output), "all\n");
}

/// A trap that outlives `exec`, a handler that the program may want itself, and masks.
#[test]
#[cfg(target_arch = "x86_64")]
fn the_processors_counter_follows_the_source_and_programs_are_started_without_it() {
    let output = Command::new(compiled("counter")).env("LD_PRELOAD", library()).output().expect("it starts");
    assert!(output.status.success(), "{:?} {}", output.status, said(&output));
}

/// A program that is not part of a simulation is the same with the library.
#[test]
fn without_a_source_a_program_is_as_without_the_library() {
    let alone = Command::new("date").arg("+%s").output().expect("it starts");
    let with = Command::new("date").arg("+%s").env("LD_PRELOAD", library()).output().expect("it starts");
    let number = |output: &Output| said(output).trim().parse::<u64>().expect("seconds");
    assert!((number(&alone)..number(&alone) + 60).contains(&number(&with)));
    let slept = Command::new("sleep").arg("0.2").env("LD_PRELOAD", library()).status().expect("it starts");
    assert!(slept.success());
}

/// A home is one processor for the thread that has it. The program is told what it had, threads and
/// programs that it starts may use all, and a thread that sets its processors itself is left alone.
#[test]
fn a_thread_stays_at_home_and_nothing_else_does() {
    let output = Command::new(compiled("home")).env("LD_PRELOAD", library()).output().expect("it starts");
    assert!(output.status.success(), "{:?} {}", output.status, said(&output));
}
