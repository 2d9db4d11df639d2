//! The file of a run.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::page::{HEADER_BYTES, MAGIC, RankPart, RunHeader, place};

/// The most ranks of a run. Source: ours; 80 GB of addresses. Status: assumed.
const RANKS_MAX: u32 = 1 << 18;

/// A run's file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunFileError {
    /// The system's error.
    #[error("the shared memory of the run, '{}', cannot be used: {source}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// It is something else.
    #[error("'{}' is no shared memory of a simulated run of this version of Philae: {found}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// Its file system is too small: a rank that writes where there is no room would be killed.
    #[error("'{}' needs {bytes} B for {ranks} ranks, and {free} B are free there", path.display())]
    NoRoom {
        /// The file.
        path: PathBuf,
        /// As asked.
        ranks: u32,
        /// What they may need.
        bytes: u64,
        /// What there is.
        free: u64,
    },
    /// Too many ranks, or none.
    #[error("{ranks} ranks; 1 to {RANKS_MAX} would work")]
    Ranks {
        /// As asked.
        ranks: u32,
    },
}

/// The mapped file of a run.
#[derive(Debug)]
pub struct RunFile {
    path: PathBuf,
    map: NonNull<u8>,
    bytes: usize,
    ranks: u32,
    /// The process with which it disappears, and the file whose lock says that it lives.
    maker: Option<(u32, File)>,
}

// SAFETY: all that is shared is atomic, or belongs to the side that has the turn.
unsafe impl Send for RunFile {}
// SAFETY: as above.
unsafe impl Sync for RunFile {}

impl RunFile {
    /// Makes the file of a run, for one coordinator. It is removed with the returned value.
    ///
    /// # Errors
    /// [`RunFileError`].
    pub fn create(path: &Path, ranks: u32) -> Result<Arc<Self>, RunFileError> {
        if !(1..=RANKS_MAX).contains(&ranks) {
            return Err(RunFileError::Ranks { ranks });
        }
        let system = |source| RunFileError::System { path: path.to_owned(), source };
        let file = File::options().read(true).write(true).create_new(true).mode(0o600).open(path).map_err(system)?;
        let bytes = bytes_of(ranks);
        let free = free_bytes(&file).map_err(system)?;
        if free < bytes as u64 {
            drop(std::fs::remove_file(path));
            return Err(RunFileError::NoRoom { path: path.to_owned(), ranks, bytes: bytes as u64, free });
        }
        let made = lock(&file).and_then(|()| file.set_len(bytes as u64)).and_then(|()| map(&file, bytes));
        let map = made.inspect_err(|_| drop(std::fs::remove_file(path))).map_err(system)?;
        let run = Self { path: path.to_owned(), map, bytes, ranks, maker: Some((std::process::id(), file)) };
        run.header().ranks.store(ranks, Ordering::Relaxed);
        run.header().process.store(std::process::id(), Ordering::Relaxed);
        run.header().magic.store(MAGIC, Ordering::Release);
        Ok(Arc::new(run))
    }

    /// Removes the files in this folder whose names begin like this, and whose makers were killed.
    pub fn remove_stale(folder: &Path, prefix: &str) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            let is_one = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(prefix));
            // A file that is only being made does not open: its maker may have no lock yet.
            if !is_one || Self::open(&path).is_err() {
                continue;
            }
            let Ok(file) = File::options().read(true).write(true).open(&path) else { continue };
            if lock(&file).is_ok() {
                // Another process may have removed it meanwhile.
                let _ = std::fs::remove_file(&path);
            }
        }
    }

    /// Opens the file of a run, for one of its ranks.
    ///
    /// # Errors
    /// [`RunFileError`].
    pub fn open(path: &Path) -> Result<Arc<Self>, RunFileError> {
        let system = |source| RunFileError::System { path: path.to_owned(), source };
        let other = |found: String| RunFileError::Other { path: path.to_owned(), found };
        let file = File::options().read(true).write(true).open(path).map_err(system)?;
        let metadata = file.metadata().map_err(system)?;
        let bytes = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
        if !metadata.is_file() || bytes < bytes_of(1) {
            return Err(other(format!("it has {bytes} B")));
        }
        let map = map(&file, bytes).map_err(system)?;
        let mut run = Self { path: path.to_owned(), map, bytes, ranks: 0, maker: None };
        let (magic, ranks) = (run.header().magic.load(Ordering::Acquire), run.header().ranks.load(Ordering::Relaxed));
        if magic != MAGIC {
            return Err(other(format!("it begins with {magic:#x}")));
        }
        if !(1..=RANKS_MAX).contains(&ranks) || bytes != bytes_of(ranks) {
            return Err(other(format!("it has {bytes} B for {ranks} ranks")));
        }
        run.ranks = ranks;
        Ok(Arc::new(run))
    }

    /// The number of ranks.
    #[must_use]
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a rank has left for good.
    pub(crate) fn has_left(&self, rank: u32) -> bool {
        // SAFETY: the words of a rank are atomic, and live as long as the map.
        unsafe { &(*self.part(rank).as_ptr()).words }.place.load(Ordering::Acquire) == place::GONE
    }

    pub(crate) fn header(&self) -> &RunHeader {
        // SAFETY: the map is longer than the header, aligned to pages, and all of it is atomic.
        unsafe { self.map.cast().as_ref() }
    }

    /// The part of a rank. Its words are atomic; the rest belongs to the side that has the turn.
    pub(crate) fn part(&self, rank: u32) -> NonNull<RankPart> {
        assert!(rank < self.ranks, "rank {rank} of {}", self.ranks);
        // SAFETY: the map has a part for each rank, aligned to pages.
        unsafe { self.map.add(HEADER_BYTES + rank as usize * size_of::<RankPart>()).cast() }
    }
}

impl Drop for RunFile {
    fn drop(&mut self) {
        // SAFETY: the map is this value's, and nothing refers to it any more.
        unsafe { libc::munmap(self.map.as_ptr().cast(), self.bytes) };
        if self.maker.as_ref().is_some_and(|(maker, _)| *maker == std::process::id()) {
            // It may have been removed already.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

const fn bytes_of(ranks: u32) -> usize {
    HEADER_BYTES + ranks as usize * size_of::<RankPart>()
}

/// Locks a file for as long as it is open here.
fn lock(file: &File) -> io::Result<()> {
    // SAFETY: a file of ours.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

fn map(file: &File, bytes: usize) -> io::Result<NonNull<u8>> {
    // SAFETY: a new map of a file of ours.
    let map = unsafe {
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        libc::mmap(std::ptr::null_mut(), bytes, rights, libc::MAP_SHARED, file.as_raw_fd(), 0)
    };
    if map == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(NonNull::new(map.cast()).expect("a map")) }
}

/// A clock of the machine, in nanoseconds; 0: it has none of this number. It is a system call,
/// because libc's function shows simulated time in a rank.
pub(crate) fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time.
    unsafe { libc::syscall(libc::SYS_clock_gettime, clock, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// What the file system of a file has left for this user.
fn free_bytes(file: &File) -> io::Result<u64> {
    // SAFETY: zero bytes are a legal value of the structure.
    let mut found: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: a file of ours, and room for the answer.
    if unsafe { libc::fstatvfs(file.as_raw_fd(), &raw mut found) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}
