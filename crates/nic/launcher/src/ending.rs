//! How a process ended, for people.

use rustix::fs::statvfs;

/// Where the system keeps memory that processes share. Source: shm_overview(7). Status: published.
const SHARED: &str = "/dev/shm";

/// How a process ended that has this exit code, as a shell reports it: of a signal, 128 and its
/// number.
#[must_use]
pub fn by_code(code: u8) -> String {
    match signal_of_code(code) {
        None => format!("ended with code {code}"),
        // A shell does not tell the two apart.
        Some(signal_hook::consts::SIGTERM) => {
            format!("ended with code {code}, which is MPICH's after an error, or was ended by SIGTERM")
        }
        Some(signal) => by_signal(signal),
    }
}

/// The signal that an exit code tells, if a signal has that number.
pub fn signal_of_code(code: u8) -> Option<i32> {
    let signal = code.checked_sub(128).map(i32::from);
    signal.filter(|&signal| signal_hook::low_level::signal_name(signal).is_some())
}

/// What else there is to say of a process with this exit code, see [`hint`].
#[must_use]
pub fn hint_of_code(code: u8) -> Option<String> {
    signal_of_code(code).and_then(hint)
}

/// That this signal ended a process.
pub fn by_signal(number: i32) -> String {
    match signal_hook::low_level::signal_name(number) {
        Some(name) => format!("was ended by signal {number} ({name})"),
        None => format!("was ended by signal {number}"),
    }
}

/// What else there is to say of a process of this host that this signal ended: libraries of MPI
/// take shared memory without a question whether there is any, and the first use of what is not
/// there ends the process.
pub fn hint(number: i32) -> Option<String> {
    (number == signal_hook::consts::SIGBUS).then(|| of_shared_memory(SHARED))
}

fn of_shared_memory(folder: &str) -> String {
    let room = statvfs(folder).ok().map(|found| found.f_blocks * found.f_frsize).filter(|&bytes| bytes > 0);
    let room = room.map_or_else(String::new, |bytes| format!(" ({} KiB in all)", bytes / 1_024));
    format!(
        "SIGBUS most often means that shared memory is short: {folder}{room} was full. What would work: fewer processes; \
         `philae nic stat --clean`, which gives back what dead processes have left; or a larger {folder} (docker and podman: \
         --shm-size=1g)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bus_error_names_the_memory_that_is_short() {
        assert_eq!(by_signal(9), "was ended by signal 9 (SIGKILL)");
        assert_eq!(hint(9), None);
        assert_eq!((by_code(3), by_code(137)), ("ended with code 3".to_owned(), by_signal(9)));
        assert!(by_code(143).contains("MPICH's after an error, or was ended by SIGTERM"));
        let said = hint(signal_hook::consts::SIGBUS).expect("a hint");
        assert!(said.contains("/dev/shm") && said.contains("What would work: fewer processes"), "{said}");
        assert!(of_shared_memory("/no/such/folder").contains("/no/such/folder was full"));
    }
}
