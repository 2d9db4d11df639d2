//! Copies bytes from one process to another, in one system call and one copy.

use std::io;
use std::sync::OnceLock;

use philae_nic_core::nic::ReturnCode;

use crate::log::{MessageLevel, say};

/// Bytes that could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The system does not let this process reach the other: a container or a security module
    /// forbids it.
    #[error("access to the memory of process {process} is refused: {source}")]
    NotAllowed {
        /// The other process.
        process: u32,
        /// The process does not exist any more.
        #[source]
        source: io::Error,
    },
    /// There is no such process any more.
    #[error("process {process} has ended")]
    Gone {
        /// The other process.
        process: u32,
    },
    /// Part of the range is not memory of the other process.
    #[error("{bytes} B at {address:#x} of process {process} cannot be reached")]
    BadAddress {
        /// The other process.
        process: u32,
        /// The address of the range.
        address: u64,
        /// The length of the range.
        bytes: usize,
    },
}

/// The NIC's return code for a copy.
#[must_use]
pub fn code_of(copied: Result<(), CopyError>) -> ReturnCode {
    match copied {
        Ok(()) => ReturnCode::Ok,
        Err(CopyError::Gone { .. }) => ReturnCode::Undeliverable,
        Err(CopyError::NotAllowed { .. }) => ReturnCode::PermissionViolation,
        Err(CopyError::BadAddress { .. }) => ReturnCode::BadAddress,
    }
}

/// The reason why this process takes no part in copies, as far as it can determine alone; `None` if
/// there is none.
///
/// If the system only lets named processes reach this one (Yama's scope 1), it names all processes
/// of its user, as MPI libraries do. Other obstacles show when it copies from another process.
pub fn obstacle() -> Option<&'static str> {
    static OBSTACLE: OnceLock<Option<&'static str>> = OnceLock::new();
    *OBSTACLE.get_or_init(|| {
        let found = find_obstacle();
        if let Some(obstacle) = found {
            say(
                MessageLevel::Warn,
                &format!("processes of this host are reached by datagrams, not by copies of memory: {obstacle}"),
            );
        }
        found
    })
}

fn find_obstacle() -> Option<&'static str> {
    let (here, mut there) = ([7_u8; 8], [0; 8]);
    if read_from(std::process::id(), here.as_ptr() as u64, &mut there).is_err() || there != here {
        return Some("the system does not know or does not allow process_vm_readv");
    }
    if write_to(std::process::id(), there.as_mut_ptr() as u64, &here).is_err() {
        return Some("the system does not know or does not allow process_vm_writev");
    }
    // SAFETY: the call only queries.
    if unsafe { libc::prctl(libc::PR_GET_DUMPABLE) } != 1 {
        return Some("this process has been closed to others of its user (PR_SET_DUMPABLE)");
    }
    // Source: the system's Documentation/admin-guide/LSM/Yama.rst. Status: published.
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    match scope.trim() {
        "" | "0" => None,
        // SAFETY: the call only changes which processes may reach this one.
        "1" if unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY) } == 0 => None,
        _ => Some("kernel.yama.ptrace_scope forbids it"),
    }
}

/// The system call with a local and a remote range.
type Call = unsafe fn(libc::pid_t, *const libc::iovec, *const libc::iovec) -> isize;

/// Copies the bytes at `address` of another process into `here`.
///
/// # Errors
/// [`CopyError`]; some of the bytes may have been copied.
pub fn read_from(process: u32, address: u64, here: &mut [u8]) -> Result<(), CopyError> {
    // SAFETY: callers of `each` pass valid ranges; the call writes only the local one.
    let call: Call = |process, local, remote| unsafe { libc::process_vm_readv(process, local, 1, remote, 1, 0) };
    each(call, process, address, here.as_mut_ptr(), here.len())
}

/// Copies `here` to `address` of another process.
///
/// # Errors
/// As [`read_from`].
pub fn write_to(process: u32, address: u64, here: &[u8]) -> Result<(), CopyError> {
    // SAFETY: as above; the call only reads the local range.
    let call: Call = |process, local, remote| unsafe { libc::process_vm_writev(process, local, 1, remote, 1, 0) };
    each(call, process, address, here.as_ptr().cast_mut(), here.len())
}

/// A thread of a process other than its main thread; `None` if there is none.
fn other_thread(process: u32) -> Option<libc::pid_t> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let numbers = threads.flatten().filter_map(|thread| thread.file_name().to_str()?.parse::<libc::pid_t>().ok());
    numbers.into_iter().find(|&number| number.cast_unsigned() != process)
}

/// Repeats the call until all bytes are copied: the system may copy fewer than requested.
fn each(call: Call, process: u32, address: u64, here: *mut u8, bytes: usize) -> Result<(), CopyError> {
    let mut pid = libc::pid_t::try_from(process).map_err(|_| CopyError::Gone { process })?;
    let mut done = 0;
    while done < bytes {
        let left = bytes - done;
        let remote = address.wrapping_add(done as u64) as usize as *mut libc::c_void;
        let local = libc::iovec { iov_base: here.wrapping_add(done).cast(), iov_len: left };
        let remote = libc::iovec { iov_base: remote, iov_len: left };
        // SAFETY: the local range is the rest of the slice that the caller borrowed; the system
        // checks the remote one.
        let copied = unsafe { call(pid, &raw const local, &raw const remote) };
        if copied <= 0 {
            let source = io::Error::last_os_error();
            // The main thread may have ended alone, by pthread_exit: the system reaches the memory
            // through the other threads.
            if source.raw_os_error() == Some(libc::ESRCH)
                && pid.cast_unsigned() == process
                && let Some(other) = other_thread(process)
            {
                pid = other;
                continue;
            }
            return Err(match source.raw_os_error() {
                Some(libc::ESRCH) => CopyError::Gone { process },
                Some(libc::EPERM | libc::ENOSYS) => CopyError::NotAllowed { process, source },
                _ => CopyError::BadAddress { process, address, bytes },
            });
        }
        done += copied as usize;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_go_both_ways_and_a_wrong_address_is_an_error() {
        let us = std::process::id();
        let theirs: Vec<u8> = (0..100_000_u32).map(|byte| byte as u8).collect();
        let mut here = vec![0; theirs.len()];
        if let Err(CopyError::NotAllowed { .. }) = read_from(us, theirs.as_ptr() as u64, &mut here) {
            println!("this machine does not allow copies between processes");
            return;
        }
        assert_eq!(here, theirs);
        let mut target = vec![0_u8; 10];
        write_to(us, target.as_mut_ptr() as u64, &theirs[5..15]).expect("our own memory");
        assert_eq!(target, theirs[5..15]);
        assert!(matches!(read_from(us, 8, &mut here), Err(CopyError::BadAddress { address: 8, .. })));
        let mut child = std::process::Command::new("true").spawn().expect("a process starts");
        let dead = child.id();
        child.wait().expect("it ends");
        assert!(matches!(write_to(dead, 8, &here), Err(CopyError::Gone { .. })));
        read_from(dead, 8, &mut []).expect("nothing to copy");
    }
}
