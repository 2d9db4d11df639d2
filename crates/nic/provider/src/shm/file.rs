//! The files of areas: making, owning, opening, mapping and removing them.
//!
//! The owner of an area holds a lock on its file as long as it lives. The system ends the lock with
//! the process, however that ends, and shows it in every PID namespace. A file without a locked
//! owner is stale, whatever it contains. The lock exists before the file has a size, so a process
//! that is killed while it makes an area leaves none that has an owner.
//!
//! The lock belongs to the open file (`F_OFD_SETLK`), not to the process: a process that maps its
//! own area by name and closes that file again keeps the lock. A child of a fork closes its copy,
//! and an executed program has none (`O_CLOEXEC`).

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

/// The folder of the system's shared memory. Source: shm_overview(7). Status: published.
pub const FOLDER: &str = "/dev/shm";
/// The most files that a child of a fork closes. Source: ours. Status: assumed; those of endpoints
/// beyond that stay open in children, so that a dead owner's area is stale only once they have
/// ended.
const OWNED: usize = 1_024;
/// The descriptor plus one of each file that this process owns; 0: a free entry.
static FILES: [AtomicI32; OWNED] = [const { AtomicI32::new(0) }; OWNED];

/// A file that this process owns.
#[derive(Debug)]
pub struct Owned {
    file: ManuallyDrop<File>,
    place: Option<usize>,
}

impl Owned {
    pub fn file(&self) -> &File {
        &self.file
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // If a child has closed its copy, the descriptor may be another file's.
        let is_open = self.place.is_none_or(|place| FILES[place].swap(0, Ordering::Relaxed) != 0);
        if is_open {
            // SAFETY: the file is not used after this.
            unsafe { ManuallyDrop::drop(&mut self.file) };
        }
    }
}

/// In a child: the parent's locks are not its own.
extern "C" fn forked() {
    for place in &FILES {
        let file = place.swap(0, Ordering::Relaxed);
        if file != 0 {
            // SAFETY: the file is the parent's; the child has a copy and does not use it.
            unsafe { libc::close(file - 1) };
        }
    }
}

/// Makes an empty file, and owns it.
///
/// # Errors
/// `AlreadyExists`: the name is taken; or the system's error.
pub fn create(name: &str) -> io::Result<Owned> {
    static IS_TOLD: OnceLock<bool> = OnceLock::new();
    // SAFETY: the function stores numbers and closes files, which a child may do before anything
    // else.
    IS_TOLD.get_or_init(|| unsafe { libc::pthread_atfork(None, None, Some(forked)) } == 0);
    loop {
        let file = open(name, libc::O_CREAT | libc::O_EXCL | libc::O_RDWR)?;
        // This lock excludes a process that is about to remove the file because it has no owner
        // yet.
        let turn = Turn::take(&file)?;
        lock(&file)?;
        drop(turn);
        if file.metadata()?.nlink() == 0 {
            continue;
        }
        let number = file.as_raw_fd() + 1;
        let is_ours =
            |place: &AtomicI32| place.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        let place = FILES.iter().position(is_ours);
        return Ok(Owned { file: ManuallyDrop::new(file), place });
    }
}

/// Opens a file by its name in the system's shared memory.
///
/// # Errors
/// The system's error.
pub fn open(name: &str, flags: libc::c_int) -> io::Result<File> {
    let name = c_name(name)?;
    // SAFETY: the name ends with a zero; the returned descriptor is ours.
    unsafe {
        let file = libc::shm_open(name.as_ptr(), flags | libc::O_CLOEXEC, 0o600);
        if file < 0 { Err(io::Error::last_os_error()) } else { Ok(File::from_raw_fd(file)) }
    }
}

/// The exclusive right to remove a file, or to begin to own it.
struct Turn<'f>(&'f File);

impl<'f> Turn<'f> {
    fn take(file: &'f File) -> io::Result<Self> {
        // SAFETY: a file of ours.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) } == 0 {
            Ok(Self(file))
        } else {
            Err(io::Error::last_os_error())
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { libc::flock(self.0.as_raw_fd(), libc::LOCK_UN) };
    }
}

/// A lock of the whole file.
fn whole() -> libc::flock {
    // SAFETY: zero bytes are a lock from the file's beginning to its end, without an owner.
    let mut whole: libc::flock = unsafe { std::mem::zeroed() };
    whole.l_type = libc::F_WRLCK as libc::c_short;
    whole.l_whence = libc::SEEK_SET as libc::c_short;
    whole
}

fn lock(file: &File) -> io::Result<()> {
    let whole = whole();
    // SAFETY: a file of ours, and a lock that outlives the call.
    if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &raw const whole) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// The beginning of an area: "PHILAE" and the version of its layout.
pub const MAGIC: [u8; 8] = *b"PHILAE\x00\x08";
/// The first version whose owners hold a lock.
const LOCKED_SINCE: u8 = 7;

/// Whether a process owns the file, also one of another PID namespace. An area of an old version,
/// whose owner holds no lock, counts as owned.
///
/// # Errors
/// The system's error.
pub fn is_owned(file: &File) -> io::Result<bool> {
    let mut begins = [0; 8];
    if file.read_at(&mut begins, 0)? == begins.len() && begins[..7] == MAGIC[..7] && begins[7] < LOCKED_SINCE {
        return Ok(true);
    }
    let mut found = whole();
    // SAFETY: as above; the system writes the conflicting lock, if there is one.
    if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_GETLK, &raw mut found) } == 0 {
        Ok(i32::from(found.l_type) != libc::F_UNLCK)
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Removes the file of this name if it has no owner; returns whether it did.
pub fn remove_stale(name: &str) -> bool {
    let number = |file: &File| file.metadata().map(|found| found.ino()).ok();
    let Ok(file) = open(name, libc::O_RDWR) else { return false };
    // Other processes may be about to do the same, and one of them may since have made a new file
    // of this name. The holder of the turn removes only the file that it has checked.
    let Ok(_turn) = Turn::take(&file) else { return false };
    if !is_owned(&file).is_ok_and(|is_owned| !is_owned) {
        return false;
    }
    let is_the_same = open(name, libc::O_RDWR).is_ok_and(|now| number(&now).is_some() && number(&now) == number(&file));
    if is_the_same {
        unlink(name);
    }
    is_the_same
}

impl Owned {
    /// Removes the name of this file, unless it now belongs to a file that another process has made
    /// since.
    pub fn unlink(&self, name: &str) {
        let number = |file: &File| file.metadata().map(|found| found.ino()).ok();
        if open(name, libc::O_RDWR).is_ok_and(|now| number(&now).is_some() && number(&now) == number(&self.file)) {
            unlink(name);
        }
    }
}

/// Removes the name. Mappings stay.
pub fn unlink(name: &str) {
    if let Ok(name) = c_name(name) {
        // SAFETY: the name ends with a zero.
        unsafe { libc::shm_unlink(name.as_ptr()) };
    }
}

fn c_name(name: &str) -> io::Result<CString> {
    CString::new(format!("/{name}")).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// Maps the first `bytes` of a file.
///
/// # Errors
/// The system's error.
pub fn map(file: &File, bytes: usize) -> io::Result<NonNull<u8>> {
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping, at an address that the system chooses.
    let begin = unsafe { libc::mmap(std::ptr::null_mut(), bytes, rights, libc::MAP_SHARED, file.as_raw_fd(), 0) };
    if begin == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(begin.cast()).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
}

/// Ends a mapping.
///
/// # Safety
/// [`map`] made it with this length, and there are no references to it any more.
pub unsafe fn unmap(begin: NonNull<u8>, bytes: usize) {
    // SAFETY: as the caller promises.
    unsafe { libc::munmap(begin.as_ptr().cast(), bytes) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(what: &str) -> String {
        format!("philae-test-file-{what}-{}", std::process::id())
    }

    #[test]
    fn a_file_is_stale_as_soon_as_nobody_owns_it() {
        let name = name("stale");
        let owned = create(&name).expect("it can be made");
        assert_eq!(create(&name).map(drop).map_err(|error| error.kind()), Err(io::ErrorKind::AlreadyExists));
        drop(open(&name, libc::O_RDWR).expect("its own process opens and closes it"));
        assert!(!remove_stale(&name), "it is owned all the same");
        drop(owned);
        assert!(remove_stale(&name) && !remove_stale(&name));
        let owned = create(&name).expect("it can be made");
        unlink(&name);
        let other = create(&name).expect("somebody removed the first one's name");
        owned.unlink(&name);
        assert!(open(&name, libc::O_RDWR).is_ok(), "it is another's now");
        other.unlink(&name);
        assert!(open(&name, libc::O_RDWR).is_err());
        let cut_off = open(&name, libc::O_CREAT | libc::O_RDWR).expect("one that was cut off before it was owned");
        cut_off.write_at(b"PHILAE\x00\x05", 0).expect("a write");
        assert!(!remove_stale(&name), "an old version's owners have no lock");
        cut_off.write_at(&MAGIC, 0).expect("a write");
        assert!(remove_stale(&name));
    }

    /// Lets a child of a fork own a file, and fork a child of its own that outlives it.
    #[test]
    fn a_dead_owner_s_children_do_not_own_its_file() {
        let name = name("fork");
        let (mut ready, mut end) = ([0; 2], [0; 2]);
        // SAFETY: the children make files, wait and end; they take no lock that another thread of
        // this process may hold.
        unsafe {
            assert_eq!((libc::pipe(ready.as_mut_ptr()), libc::pipe(end.as_mut_ptr())), (0, 0));
            let owner = libc::fork();
            if owner == 0 {
                let owned = create(&name);
                let child = libc::fork();
                if child == 0 {
                    libc::close(end[1]);
                    libc::write(ready[1], b"x".as_ptr().cast(), 1);
                    libc::read(end[0], (&raw mut ready[0]).cast(), 1);
                    libc::_exit(0);
                }
                let is_alive = owned.is_ok() && !remove_stale(&name);
                libc::write(ready[1], if is_alive { b"a" } else { b"s" }.as_ptr().cast(), 1);
                libc::pause();
            }
            let mut told = [0_u8; 2];
            for byte in &mut told {
                assert_eq!(libc::read(ready[0], std::ptr::from_mut(byte).cast(), 1), 1);
            }
            told.sort_unstable();
            assert_eq!(&told, b"ax", "while its owner lives, it has one");
            libc::kill(owner, libc::SIGKILL);
            libc::waitpid(owner, std::ptr::null_mut(), 0);
            assert!(remove_stale(&name), "a child still runs");
            [ready, end].iter().flatten().for_each(|&file| _ = libc::close(file));
        }
    }

    #[test]
    fn many_make_and_remove_one_name_and_none_loses_what_it_owns() {
        let name = name("race");
        let owners = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..300 {
                        let Ok(owned) = create(&name) else {
                            remove_stale(&name);
                            continue;
                        };
                        assert_eq!(owners.fetch_add(1, Ordering::SeqCst), 0, "one owns the name at a time");
                        std::thread::yield_now();
                        let found = std::fs::metadata(format!("{FOLDER}/{name}")).expect("it is there").ino();
                        assert_eq!(found, owned.file().metadata().expect("a file").ino());
                        owners.fetch_sub(1, Ordering::SeqCst);
                        drop(owned);
                    }
                });
            }
        });
        unlink(&name);
    }
}
