//! Moves the program's static data into memory that other PEs can map, at its old address.
//!
//! The pages cannot be written while they are copied: another thread that tries waits in a signal
//! handler until the move is done. Pages that the loader has made read-only (RELRO) stay as they
//! are. The move lasts for the life of the process. A forked child gets a copy of its own, as it
//! would without the move.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::segment::{SegmentFile, create, place, status};
use crate::error::Error;

/// The bytes of a page. Source: x86-64 and most aarch64 kernels; [`StaticData::share`] refuses
/// others. Status: published.
const PAGE: usize = 4096;

/// The program's static data, in shared memory.
#[derive(Debug)]
pub struct StaticData {
    /// Its address range in this process.
    pub range: Range<usize>,
    file: OwnedFd,
    inode: u64,
}

/// The writable part of the program, and where the part from its file ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Part {
    range: Range<usize>,
    file_end: usize,
    flags: u32,
}

static SHARED: Mutex<Option<&'static StaticData>> = Mutex::new(None);

impl StaticData {
    /// Moves the static data of this program at the first call; `None` if the program has none.
    ///
    /// # Errors
    /// The system refuses the move.
    pub fn share() -> Result<Option<&'static Self>, Error> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.is_some() {
            return Ok(*shared);
        }
        // SAFETY: the call only queries.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let Some(part) = find().filter(|part| !part.range.is_empty() && page == PAGE as i64) else { return Ok(None) };
        let bytes = part.range.len();
        let file = create(c"philae-shmem-data", bytes, 0)?;
        let inode = status(file.as_raw_fd()).map_or(0, |found| found.st_ino);
        move_part(&part, &file).map_err(|what| Error::system(format!("share the program's static data: {what}")))?;
        let data = Box::leak(Box::new(Self { range: part.range, file, inode }));
        *shared = Some(data);
        PARTS[0].store(data.range.start, Ordering::Release);
        PARTS[1].store(data.range.end, Ordering::Release);
        // SAFETY: the functions are part of this process as long as it lives. If they cannot be
        // registered, a fork's child would share its parent's static data.
        if unsafe { libc::pthread_atfork(Some(before_fork), Some(after_fork), Some(in_child)) } != 0 {
            return Err(Error::Memory("no room to note what has to be done when this process forks".to_owned()));
        }
        Ok(Some(data))
    }

    /// Where other PEs find it.
    ///
    /// # Errors
    /// The system refuses.
    pub fn place(&self) -> Result<SegmentFile, Error> {
        place(&self.file)
    }
}

/// A number that tells programs apart: where the static data is in the file, and the file's own
/// number.
#[must_use]
pub fn program() -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    let part = find().unwrap_or_default();
    (part.range.len(), part.flags, part.file_end - part.range.start.min(part.file_end)).hash(&mut hasher);
    // Another host may have another copy of the file, whose beginning has the same build number.
    let mut head = vec![0; 64 << 10];
    let read = std::fs::File::open("/proc/self/exe").and_then(|mut file| std::io::Read::read(&mut file, &mut head));
    head.truncate(read.unwrap_or(0));
    head.hash(&mut hasher);
    hasher.finish()
}

/// The writable part of the program, without the pages that the loader has made read-only.
fn find() -> Option<Part> {
    unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
        // SAFETY: the loader passes an entry with its headers, and `find` passes its result. The
        // program itself comes first.
        let (info, found) = unsafe { (&*info, &mut *found.cast::<Part>()) };
        // SAFETY: as above.
        let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
        *found = of_headers(info.dlpi_addr as usize, headers).unwrap_or_default();
        1
    }
    let mut found = Part::default();
    // SAFETY: the callback has the required form, and the result outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut found).cast()) };
    (!found.range.is_empty()).then_some(found)
}

/// Of several writable parts (linkers may separate the one that becomes read-only) the longest.
fn of_headers(base: usize, headers: &[libc::Elf64_Phdr]) -> Option<Part> {
    let of = |kind: u32| headers.iter().filter(move |header| header.p_type == kind);
    let down = |address: usize| address / PAGE * PAGE;
    // The loader protects whole pages of it.
    let protected = of(libc::PT_GNU_RELRO).map(|header| {
        let start = base + header.p_vaddr as usize;
        down(start)..down(start + header.p_memsz as usize)
    });
    let protected: Vec<Range<usize>> = protected.collect();
    let parts = of(libc::PT_LOAD).filter(|header| header.p_flags & libc::PF_W != 0).map(|header| {
        let first = base + header.p_vaddr as usize;
        let mut start = down(first);
        let end = (first + header.p_memsz as usize).next_multiple_of(PAGE);
        for protected in &protected {
            if protected.start <= start && protected.end > start {
                start = protected.end.min(end);
            }
        }
        Part { range: start..end, file_end: first + header.p_filesz as usize, flags: header.p_flags }
    });
    parts.max_by_key(|part| part.range.len())
}

/// The part that is being moved, for other threads that write to it; `0..0` at all other times.
static MOVING: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Handles a thread's write to the part that is being moved: the thread waits, and tries again.
/// Other faults behave as before.
unsafe extern "C" fn wait_for_move(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    let range = || MOVING[0].load(Ordering::Acquire)..MOVING[1].load(Ordering::Acquire);
    // SAFETY: the kernel passes the address with the signal.
    let address = unsafe { (*info).si_addr() } as usize;
    if !range().is_empty() && !range().contains(&address) {
        // SAFETY: no other code handles this signal: the next try ends the process, as it would
        // have without the handler.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
        return;
    }
    while range().contains(&address) {
        // SAFETY: the call has no arguments.
        unsafe { libc::sched_yield() };
    }
}

/// Moves the part. Between `mprotect` and `mmap` this thread writes only its stack, so no call may
/// allocate.
fn move_part(part: &Part, file: &OwnedFd) -> Result<(), &'static str> {
    let Range { start, end } = part.range;
    // SAFETY: the call opens a file; without it everything is copied.
    let map = unsafe { libc::open(c"/proc/self/pagemap".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    // SAFETY: zero bytes are a valid action: no flags, no mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = wait_for_move as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER | libc::SA_ONSTACK;
    // SAFETY: as above.
    let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
    let mut result = Err("sigaction");
    MOVING[1].store(end, Ordering::Release);
    MOVING[0].store(start, Ordering::Release);
    // SAFETY: the handler lives as long as the program; the previous action is restored below.
    if unsafe { libc::sigaction(libc::SIGSEGV, &raw const action, &raw mut before) } == 0 {
        let execute = if part.flags & libc::PF_X != 0 { libc::PROT_EXEC } else { 0 };
        // SAFETY: the range is the program's static data, in whole pages. Its bytes are the same
        // before and after, and no thread can change them during the copy.
        unsafe {
            result = if libc::mprotect(start as *mut _, end - start, libc::PROT_READ | execute) != 0 {
                Err("mprotect")
            } else if !copy(part, file.as_raw_fd(), map) {
                let _ = libc::mprotect(start as *mut _, end - start, libc::PROT_READ | libc::PROT_WRITE | execute);
                Err("write")
            } else {
                let protection = libc::PROT_READ | libc::PROT_WRITE | execute;
                let flags = libc::MAP_SHARED | libc::MAP_FIXED | libc::MAP_NORESERVE;
                let moved = libc::mmap(start as *mut _, end - start, protection, flags, file.as_raw_fd(), 0);
                if moved == libc::MAP_FAILED {
                    let _ = libc::mprotect(start as *mut _, end - start, protection);
                    Err("mmap")
                } else {
                    Ok(())
                }
            };
        }
    }
    MOVING[0].store(end, Ordering::Release);
    // SAFETY: the previous action; a descriptor of this function.
    unsafe {
        libc::sigaction(libc::SIGSEGV, &raw const before, ptr::null_mut());
        if map >= 0 {
            libc::close(map);
        }
    }
    result
}

/// Bit 63 of an entry of `/proc/PID/pagemap`: present; bit 62: swapped. Source: Linux, pagemap.rst.
/// Status: published.
const THERE: u64 = 3 << 62;

/// Copies the pages that may be nonzero: those from the file, and others that were touched.
///
/// # Safety
/// The part is readable; this function may neither write static data nor allocate.
unsafe fn copy(part: &Part, file: c_int, map: c_int) -> bool {
    /// Source: ours: 2 KiB of stack. Status: assumed.
    const ENTRIES_PER_READ: usize = 256;
    let Range { start, end } = part.range;
    let mut entries = [0u64; ENTRIES_PER_READ];
    let mut at = start;
    while at < end {
        let pages = ((end - at) / PAGE).min(ENTRIES_PER_READ);
        // SAFETY: room for as many entries as are read.
        let read = unsafe { libc::pread(map, entries.as_mut_ptr().cast(), pages * 8, (at / PAGE * 8) as libc::off_t) };
        let is_known = read == (pages * 8) as isize;
        let is_needed = |page: usize| !is_known || entries[page] & THERE != 0 || at + page * PAGE < part.file_end;
        let mut page = 0;
        while page < pages {
            let first = page;
            while page < pages && is_needed(page) {
                page += 1;
            }
            // SAFETY: as the caller promises.
            if page > first && !unsafe { write_all(file, at + first * PAGE..at + page * PAGE, start) } {
                return false;
            }
            page += usize::from(page < pages && !is_needed(page));
        }
        at += pages * PAGE;
    }
    true
}

/// Calls the system directly. A sanitizer's replacement of `pwrite`, such as AddressSanitizer's,
/// would refuse the bytes between a program's variables, which it has poisoned.
///
/// # Safety
/// The range is readable.
unsafe fn write_all(file: c_int, range: Range<usize>, start: usize) -> bool {
    let mut at = range.start;
    while at < range.end {
        // SAFETY: as the caller promises.
        let written =
            unsafe { libc::syscall(libc::SYS_pwrite64, file, at, range.end - at, (at - start) as libc::off_t) };
        match written {
            1.. => at += written as usize,
            // SAFETY: the address of this thread's error number.
            _ if unsafe { *libc::__errno_location() } == libc::EINTR => {}
            _ => return false,
        }
    }
    true
}

/// The range of the moved part, for the functions around a fork, which may take no lock.
static PARTS: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
thread_local! {
    /// The copy for a fork's child; 0: none. It is thread-local to the forking thread: until the
    /// copy is in place, the child's static data is still its parent's.
    static SNAPSHOT: Cell<usize> = const { Cell::new(0) };
}
/// In a forked child, the process that forked it; 0 in a process that was not forked, which shares
/// its data.
pub static FORKED_BY: AtomicI32 = AtomicI32::new(0);

fn part() -> Range<usize> {
    PARTS[0].load(Ordering::Acquire)..PARTS[1].load(Ordering::Acquire)
}

/// Before a fork: copies the pages that exist, for the child.
unsafe extern "C" fn before_fork() {
    let Range { start, end } = part();
    let bytes = end - start;
    // SAFETY: room at any address; the copy's pages are allocated when they are written.
    let copy = unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        libc::mmap(ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
    };
    if copy == libc::MAP_FAILED {
        SNAPSHOT.set(0);
        return;
    }
    let file = SHARED.try_lock().ok().and_then(|shared| *shared);
    // A program may close descriptors that it does not know: the inode number tells whether this is
    // still the same file.
    let file = file.filter(|data| status(data.file.as_raw_fd()).is_some_and(|found| found.st_ino == data.inode));
    let mut at = 0usize;
    while at < bytes {
        let next = |whence: c_int, from: usize| {
            // SAFETY: the call moves the descriptor's own position, which is otherwise unused.
            file.map(|data| unsafe { libc::lseek(data.file.as_raw_fd(), from as libc::off_t, whence) })
        };
        let (first, last) = match next(libc::SEEK_DATA, at) {
            Some(first) if first >= 0 => {
                let last = next(libc::SEEK_HOLE, first as usize).unwrap_or(-1);
                (first as usize, if last < 0 { bytes } else { last as usize })
            }
            // SAFETY: the address of this thread's error number. ENXIO: no data after this
            // position.
            Some(_) if unsafe { *libc::__errno_location() } == libc::ENXIO => break,
            _ => (at, bytes),
        };
        let last = last.min(bytes);
        if last <= first {
            break;
        }
        // SAFETY: both ranges are mapped, have this length, and do not overlap.
        unsafe { copy_words((start + first) as *const u64, copy.cast::<u8>().add(first).cast(), (last - first) / 8) };
        at = last;
    }
    SNAPSHOT.set(copy as usize);
}

/// Copies word by word. As for [`write_all`], a sanitizer must not intercept the copy, so it must
/// not become a call of `memcpy`.
///
/// # Safety
/// Both are aligned, have this length, and do not overlap.
unsafe fn copy_words(from: *const u64, to: *mut u64, words: usize) {
    for word in 0..words {
        // SAFETY: as the caller promises.
        unsafe { to.add(word).write_volatile(from.add(word).read_volatile()) };
    }
}

/// In the parent: frees the copy.
unsafe extern "C" fn after_fork() {
    let copy = SNAPSHOT.replace(0);
    if copy != 0 {
        // SAFETY: it was made before the fork, and is not referenced.
        unsafe { libc::munmap(copy as *mut _, part().len()) };
    }
}

/// What the library does in the child of a fork, which is not a PE.
static AT_FORK: OnceLock<fn()> = OnceLock::new();

/// Sets what the library does in the child of a fork.
pub(crate) fn set_at_fork(at_fork: fn()) {
    let _ = AT_FORK.set(at_fork);
}

/// In the child: the copy replaces the memory that the parent keeps.
unsafe extern "C" fn in_child() {
    let copy = SNAPSHOT.get();
    let Range { start, end } = part();
    let bytes = end - start;
    let mut is_done = false;
    if copy != 0 {
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        // SAFETY: the copy has the same bytes; this thread is the only one of its process.
        is_done =
            unsafe { libc::mremap(copy as *mut _, bytes, bytes, flags, start as *mut c_void) } != libc::MAP_FAILED;
    }
    if !is_done {
        let text = b"SHMEM: no memory for a forked process's own copy of the program's static data\n";
        // SAFETY: a child that would write to its parent's data must not continue.
        unsafe {
            libc::write(2, text.as_ptr().cast(), text.len());
            libc::_exit(127);
        }
    }
    SNAPSHOT.set(0);
    // SAFETY: the call only queries.
    FORKED_BY.store(unsafe { libc::getppid() }, Ordering::Release);
    if let Some(at_fork) = AT_FORK.get() {
        at_fork();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(kind: u32, flags: u32, start: usize, file: usize, memory: usize) -> libc::Elf64_Phdr {
        libc::Elf64_Phdr {
            p_type: kind,
            p_flags: flags,
            p_offset: 0,
            p_vaddr: start as u64,
            p_paddr: 0,
            p_filesz: file as u64,
            p_memsz: memory as u64,
            p_align: PAGE as u64,
        }
    }

    #[test]
    fn what_the_loader_has_protected_is_left_out() {
        let (read, write) = (libc::PF_R, libc::PF_R | libc::PF_W);
        let headers = [
            header(libc::PT_LOAD, read, 0, 0x2000, 0x2000),
            header(libc::PT_LOAD, write, 0x3db0, 0x300, 0x9000),
            header(libc::PT_GNU_RELRO, read, 0x3db0, 0x250, 0x250),
        ];
        let part = of_headers(0x10000, &headers).expect("it has data");
        assert_eq!(part, Part { range: 0x14000..0x1d000, file_end: 0x140b0, flags: write });
        // Without this header all whole pages count.
        let part = of_headers(0x10000, &headers[..2]).expect("it has data");
        assert_eq!(part.range, 0x13000..0x1d000);
        assert_eq!(of_headers(0, &headers[..1]), None);
    }

    #[test]
    fn this_program_has_static_data_and_tells_itself_from_others() {
        static mut HERE: u64 = 5;
        let part = find().expect("it has data");
        assert!(part.range.contains(&(&raw const HERE as usize)), "{part:?}");
        assert_eq!(program(), program());
    }
}
