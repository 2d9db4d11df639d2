//! What a PE prints about itself at initialisation, on request: the version, the variables, the
//! memory map.

use std::ffi::{CString, c_char};
use std::fmt::Write as _;
use std::sync::OnceLock;

use crate::abi::REMOTE;
use crate::error::say;
use crate::memory::say_size;
use crate::remote::{self, AtomicsBy, RemoteNetwork};
use crate::runtime::Runtime;
use crate::settings::{VARIABLES, Variable, value};

/// The version of the standard that the library implements.
pub const STANDARD: (u32, u32) = (1, 6);

/// `SHMEM_VENDOR_STRING`, and the first line of `SHMEM_VERSION`'s output.
pub const VENDOR: &str = concat!("Philae OpenSHMEM ", env!("CARGO_PKG_VERSION"));

/// `shmemx_wtime`: seconds since an arbitrary moment in the past.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_wtime() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// `shmemx_nodename`: the name of this host, as a string that stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_nodename() -> *mut c_char {
    static NAME: OnceLock<CString> = OnceLock::new();
    let read = || {
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        CString::new(name.trim()).unwrap_or_default()
    };
    NAME.get_or_init(read).as_ptr().cast_mut()
}

/// Prints the requested information.
pub(crate) fn at_start(runtime: &Runtime) {
    let settings = &runtime.settings;
    if runtime.me == 0 {
        if settings.shows.version || settings.shows.info {
            say("SHMEM", &version(runtime));
        }
        if settings.shows.info || settings.shows.env_display {
            let set_only = !settings.shows.info;
            let all: Vec<Variable> = VARIABLES.into_iter().chain(remote::VARIABLES).collect();
            say("SHMEM", &format!("variables\n{}", variables(set_only, &all, &value)));
        }
    }
    if settings.shows.thread_safety && runtime.me == 0 {
        say("SHMEM", &format!("thread level {}", runtime.modes.thread_level.name()));
    }
    if settings.shows.info && runtime.me == 0 {
        say("SHMEM", &paths(runtime));
    }
    if settings.shows.meminfo {
        say("SHMEM", &memory_map(runtime));
    }
}

/// Describes how each PE is reached, and which agent carries out atomic operations.
#[must_use]
pub fn paths(runtime: &Runtime) -> String {
    let local = runtime.hosts.local.len();
    let mut text = format!("ways\n  memory       {local} of {} PEs", runtime.n_pes);
    let by = match runtime.atomics.by {
        AtomicsBy::Processor => "the processor",
        AtomicsBy::Nic => "the NIC",
    };
    // Writing to a string cannot fail.
    let _ = write!(text, "\n  atomics      on these by {by}: {}", runtime.atomics.why);
    for (name, what) in runtime.remote.iter().flat_map(RemoteNetwork::description) {
        let _ = write!(text, "\n  {name}: {what}");
    }
    text
}

/// The version, the standard's version, and the bootstrap's name.
#[must_use]
pub fn version(runtime: &Runtime) -> String {
    let Runtime { n_pes, job, hosts, .. } = runtime;
    let (major, minor) = STANDARD;
    format!(
        "{VENDOR}, OpenSHMEM {major}.{minor}; {n_pes} PEs, {} of them on this host, by {}",
        hosts.local.len(),
        job.how
    )
}

/// Lists variables, their values and their effects; `set_only` omits those that are not set.
fn variables(set_only: bool, all: &[Variable], look: &dyn Fn(&Variable) -> Option<(&'static str, String)>) -> String {
    let mut text = String::new();
    for variable in all {
        let found = look(variable);
        // Writing to a string cannot fail.
        let _ = match (&found, set_only) {
            (None, true) => Ok(()),
            (Some((name, value)), true) => writeln!(text, "  {name}={value}"),
            (found, false) => {
                let Variable { name, other, works, default, effect } = variable;
                let other = if other.is_empty() { String::new() } else { format!(" (or {other})") };
                let now =
                    found.as_ref().map_or_else(|| "not set".to_owned(), |(name, value)| format!("{name}={value}"));
                writeln!(text, "  {name}{other}: {effect}\n    may be: {works}; default: {default}; now: {now}")
            }
        };
    }
    text.truncate(text.trim_end().len());
    text
}

/// The addresses of this PE's symmetric memory, and of that of the other PEs of its host.
#[must_use]
pub fn memory_map(runtime: &Runtime) -> String {
    let memory = &runtime.memory;
    let range = |range: &std::ops::Range<usize>| {
        format!("{:#x} to {:#x}, {}", range.start, range.end, say_size(range.len() as u64))
    };
    let pages = if memory.is_reserved { "reserved huge pages" } else { "pages as they are touched" };
    let data = if memory.data.is_empty() { "not symmetric".to_owned() } else { range(&memory.data) };
    let mut text = format!("memory map\n  heap         {} ({pages})\n  static data  {data}", range(&memory.heap));
    for &(pe, process) in &memory.processes {
        let window = memory.windows[pe as usize];
        let place = |start: usize, window: isize| {
            if window == REMOTE { "not here".to_owned() } else { format!("{:#x}", start.wrapping_add_signed(window)) }
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n  of PE {pe:<6} heap at {}, static data at {} (process {process})",
            place(memory.heap.start, window.heap),
            place(memory.data.start, window.data)
        );
    }
    let elsewhere = runtime.n_pes as usize - runtime.hosts.local.len();
    if elsewhere > 0 {
        let _ = write!(text, "\n  of {elsewhere} PEs of other hosts: through the NIC");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_variables_are_explained_and_those_set_are_listed() {
        let look = |variable: &Variable| (variable.name == "SHMEM_DEBUG").then(|| ("SMA_DEBUG", "1".to_owned()));
        let all = variables(false, &VARIABLES, &look);
        for variable in VARIABLES {
            assert!(all.contains(variable.name) && all.contains(variable.effect), "{}", variable.name);
        }
        assert!(all.contains("now: SMA_DEBUG=1") && all.contains("now: not set"));
        assert_eq!(variables(true, &VARIABLES, &look), "  SMA_DEBUG=1");
    }
}
