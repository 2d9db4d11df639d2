//! Memory of an area on demand: an area's file has the length of its maximum content, and pages
//! only for its actual content.
//!
//! Shared memory is often short: a container has 64 MiB of it. If a page is touched for which the
//! system has no memory, the process ends (`SIGBUS`). So every page is requested before it is
//! touched, and a refusal has the effect of a full list.

use std::ffi::CString;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::file::FOLDER;
use crate::log::tell;

/// Memory is lacking for an area, or for more of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// The requested bytes.
    pub asked: usize,
    /// The free and total bytes of the system's shared memory, if the system reports them.
    pub left: Option<(u64, u64)>,
}

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kib = |bytes: u64| bytes.div_ceil(1_024);
        write!(f, "{FOLDER} is full: {} KiB are needed", kib(self.asked as u64))?;
        if let Some((left, all)) = self.left {
            write!(f, ", {} KiB of {} KiB are left", left / 1_024, kib(all))?;
        }
        write!(
            f,
            ". What would work: `philae nic stat --clean`, which gives back what dead processes have left; fewer processes; \
             or a larger {FOLDER} (docker and podman: --shm-size=1g)"
        )
    }
}

impl std::error::Error for Short {}

impl Short {
    fn now(asked: usize) -> Self {
        Self { asked, left: room() }
    }

    /// Reports once that an area cannot grow: its process continues with what it has.
    pub fn say_once(&self, name: &str) {
        static IS_SAID: AtomicBool = AtomicBool::new(false);
        if !IS_SAID.swap(true, Ordering::Relaxed) {
            tell(&format!(
                "philae: process {}: {name} cannot hold more messages and receives than now, and lets them wait: {self}",
                std::process::id()
            ));
        }
    }
}

/// The free and total bytes of the system's shared memory.
fn room() -> Option<(u64, u64)> {
    let folder = CString::new(FOLDER).ok()?;
    // SAFETY: the name ends with a zero, and the system fills in a structure for which zeroes are
    // valid.
    let found = unsafe {
        let mut found: libc::statvfs = std::mem::zeroed();
        (libc::statvfs(folder.as_ptr(), &raw mut found) == 0).then_some(found)
    }?;
    Some((found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize)).filter(|&(_, all)| all > 0)
}

/// Allocates the pages of `bytes` bytes from `begin` on; their contents are undefined.
///
/// # Errors
/// [`Short`].
///
/// # Safety
/// They lie in a writable mapping, begin and end at multiples of 8, and are not in use yet.
pub unsafe fn commit(begin: *mut u8, bytes: usize) -> Result<(), Short> {
    if bytes == 0 {
        return Ok(());
    }
    let first = begin as usize / page() * page();
    let length = begin as usize + bytes - first;
    // SAFETY: the pages are part of the mapping, which begins and ends at page boundaries; their
    // contents stay.
    let done = unsafe { libc::madvise(first as *mut libc::c_void, length, libc::MADV_POPULATE_WRITE) };
    if done == 0 {
        return Ok(());
    }
    match io::Error::last_os_error().raw_os_error() {
        // SAFETY: as the caller promises.
        Some(libc::EINVAL | libc::ENOSYS | libc::EPERM) => unsafe { touch(begin, bytes) },
        _ => Err(Short::now(bytes)),
    }
}

/// The same for systems before Linux 5.14. The system itself writes a number to each page, and
/// returns an error where a write by the program would end it.
///
/// # Safety
/// As for [`commit`].
unsafe fn touch(begin: *mut u8, bytes: usize) -> Result<(), Short> {
    let none = std::ptr::null_mut::<libc::c_void>();
    let (page, end) = (page(), begin as usize + bytes);
    let mut at = begin as usize;
    while at < end {
        // SAFETY: four bytes of those that the caller passed.
        if unsafe { libc::syscall(libc::SYS_getcpu, at as *mut u32, none, none) } != 0 {
            return Err(Short::now(bytes));
        }
        at = (at / page + 1) * page;
    }
    Ok(())
}

fn page() -> usize {
    // SAFETY: the call only queries.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4_096)
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn pages_are_there_when_they_are_asked_for_and_not_before() {
        use std::os::unix::fs::MetadataExt;
        type Commit = unsafe fn(*mut u8, usize) -> Result<(), Short>;
        for (what, commit) in [("populate", commit as Commit), ("touch", touch)] {
            let name = format!("philae-test-grow-{what}-{}", std::process::id());
            let owned = file::create(&name).expect("it can be made");
            let bytes = 64 * page();
            owned.file().set_len(bytes as u64).expect("a length");
            let begin = file::map(owned.file(), bytes).expect("it can be mapped");
            let pages = || owned.file().metadata().expect("a file").blocks() as usize * 512 / page();
            assert_eq!(pages(), 0, "{what}");
            // SAFETY: within the mapping, which is not shared.
            unsafe {
                begin.as_ptr().add(10 * page()).write(7);
                assert_eq!(commit(begin.as_ptr().add(10 * page() + 8), 2 * page()), Ok(()));
                assert_eq!((pages(), begin.as_ptr().add(10 * page()).read()), (3, 7), "{what}: what was there stays");
                // After the end of the file there is no memory, as if the system had none left.
                owned.file().set_len(32 * page() as u64).expect("a length");
                let short = commit(begin.as_ptr().add(40 * page()), 8).expect_err("there is none");
                assert!(short.to_string().contains("/dev/shm is full: 1 KiB are needed"), "{short}");
                file::unmap(begin, bytes);
            }
            file::unlink(&name);
        }
    }
}
