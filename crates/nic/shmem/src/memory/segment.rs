//! A PE's segment: memory without a name, which other PEs of the host open through `/proc/PID/fd`.
//! The kernel frees it with the last process that has it mapped, however that process ends.

use std::ffi::CStr;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use super::layout::BEFORE_HEAP;
use super::size::HUGE_PAGE;
use crate::error::Error;

/// Whether huge pages are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HugePages {
    /// If the system has reserved some, or makes some by itself.
    #[default]
    Auto,
    Never,
    /// The reserved ones only, or an error.
    Reserved,
}

/// Where other processes find a file of memory, and how they verify that it is the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentFile {
    /// The process that has it open.
    pub pid: i32,
    /// The descriptor in that process.
    pub descriptor: i32,
    /// Its inode number.
    pub inode: u64,
    /// Its length.
    pub bytes: u64,
}

/// Memory that this process has mapped; unmapped on drop.
#[derive(Debug)]
pub struct Mapping {
    base: usize,
    bytes: usize,
}

impl Mapping {
    /// The address of the mapping.
    #[must_use]
    pub fn base(&self) -> usize {
        self.base
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this object's own; pointers into it are gone before it is.
        unsafe { libc::munmap(self.base as *mut _, self.bytes) };
    }
}

/// A new file of memory, all zeros.
pub(super) fn create(name: &CStr, bytes: usize, flags: libc::c_uint) -> Result<OwnedFd, Error> {
    // SAFETY: a C string; the call makes a descriptor.
    let descriptor = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC | flags) };
    if descriptor < 0 {
        return Err(Error::system("make memory to share (memfd_create)"));
    }
    // SAFETY: it was made just now, and has no other owner.
    let file = unsafe { OwnedFd::from_raw_fd(descriptor) };
    let length =
        libc::off_t::try_from(bytes).map_err(|_| Error::Memory(format!("{bytes} bytes are no length of a file")))?;
    // SAFETY: the descriptor is open.
    if unsafe { libc::ftruncate(file.as_raw_fd(), length) } != 0 {
        return Err(Error::system(format!("make {} of memory to share", super::size::say(bytes as u64))));
    }
    Ok(file)
}

/// The place of a file of this process.
pub(super) fn place(file: &OwnedFd) -> Result<SegmentFile, Error> {
    let found = status(file.as_raw_fd()).ok_or_else(|| Error::system("inspect memory to share"))?;
    // SAFETY: the call only queries.
    let pid = unsafe { libc::getpid() };
    Ok(SegmentFile { pid, descriptor: file.as_raw_fd(), inode: found.st_ino, bytes: found.st_size as u64 })
}

pub(super) fn status(descriptor: i32) -> Option<libc::stat> {
    // SAFETY: zero bytes are a valid value of a structure of integers.
    let mut found: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: a descriptor, and room for the result.
    (unsafe { libc::fstat(descriptor, &raw mut found) } == 0).then_some(found)
}

/// Opens another process's file of memory.
fn open(pe: u32, place: SegmentFile) -> Result<OwnedFd, Error> {
    let path = format!("/proc/{}/fd/{}", place.pid, place.descriptor);
    let failed = |why: String| {
        Error::Memory(format!(
            "cannot open the memory of PE {pe}, process {}: {why}; PEs of one host must belong to one user, see each \
             other's processes in /proc, and not be set-user-ID programs",
            place.pid
        ))
    };
    let opened = std::fs::OpenOptions::new().read(true).write(true).open(&path);
    let file = OwnedFd::from(opened.map_err(|error| failed(format!("{path}: {error}")))?);
    let found = status(file.as_raw_fd()).ok_or_else(|| failed(std::io::Error::last_os_error().to_string()))?;
    if found.st_ino != place.inode || found.st_size as u64 != place.bytes {
        return Err(failed(format!("{path} is another file")));
    }
    Ok(file)
}

/// The alignment of an address in a mapping.
#[derive(Clone, Copy, Debug)]
struct Boundary {
    /// The address's offset in the mapping.
    lead: usize,
    /// The alignment, a power of two.
    bytes: usize,
}

/// Maps a file so that its address satisfies `boundary`. For a moment this takes more address space
/// than the mapping needs, by the alignment.
fn map(file: &OwnedFd, bytes: usize, boundary: Boundary, flags: i32) -> Result<Mapping, Error> {
    let around = bytes.saturating_add(boundary.bytes);
    let failed = || {
        let around = super::size::say(around as u64);
        Error::system(format!("find room for {around} in the address space (mmap; see ulimit -v)"))
    };
    // SAFETY: address space anywhere, which nothing else uses.
    let room = unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        libc::mmap(std::ptr::null_mut(), around, libc::PROT_NONE, flags, -1, 0)
    };
    if room == libc::MAP_FAILED {
        return Err(failed());
    }
    let base = (room as usize + boundary.lead).next_multiple_of(boundary.bytes) - boundary.lead;
    let head = base - room as usize;
    let tail = around - head - bytes;
    // SAFETY: all within the address space just reserved: the file in its middle, and the rest
    // returned.
    unsafe {
        let (both, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_FIXED | flags);
        let mapped = libc::mmap(base as *mut _, bytes, both, flags, file.as_raw_fd(), 0);
        let error = (mapped == libc::MAP_FAILED).then(failed);
        if head > 0 {
            libc::munmap(room, head);
        }
        if tail > 0 {
            libc::munmap((base + bytes) as *mut _, tail);
        }
        if let Some(error) = error {
            libc::munmap(base as *mut _, bytes);
            return Err(error);
        }
    }
    Ok(Mapping { base, bytes })
}

/// As [`map`], for memory that the system allocates on first touch.
fn map_pages(file: &OwnedFd, bytes: usize, boundary: Boundary, pages: HugePages) -> Result<Mapping, Error> {
    let mapping = map(file, bytes, boundary, libc::MAP_NORESERVE)?;
    if pages != HugePages::Never {
        // SAFETY: advice about the mapping; a kernel that does not take it changes nothing.
        unsafe { libc::madvise(mapping.base as *mut _, bytes, libc::MADV_HUGEPAGE) };
    }
    Ok(mapping)
}

/// This PE's segment.
#[derive(Debug)]
pub struct Segment {
    mapping: Mapping,
    file: Option<OwnedFd>,
    /// Where other PEs find it.
    pub place: SegmentFile,
    /// Whether it consists of reserved huge pages.
    pub is_reserved: bool,
}

/// The bytes before the heap in a segment: the heap begins on a huge page boundary.
pub const LEAD: usize = BEFORE_HEAP.next_multiple_of(HUGE_PAGE);

/// The heap of each PE begins at a multiple of this. It is the largest alignment that a block can
/// have, because heaps begin at different addresses and a block has the same offset in all of them.
/// It is the largest power of two that is not above the heap's size.
#[must_use]
pub fn largest_alignment(heap_bytes: usize) -> usize {
    let below = if heap_bytes == 0 { 0 } else { 1 << heap_bytes.ilog2() };
    below.max(HUGE_PAGE)
}

impl Segment {
    /// A segment with a heap of `heap_bytes` bytes, a multiple of a page.
    pub fn new(heap_bytes: usize, pages: HugePages) -> Result<Self, Error> {
        let bytes = LEAD + heap_bytes;
        let boundary = Boundary { lead: LEAD, bytes: largest_alignment(heap_bytes) };
        // Reserved pages are taken when they are mapped, so that a later touch cannot fail.
        let reserved = |_: ()| {
            let bytes = bytes.next_multiple_of(HUGE_PAGE);
            let file = create(c"philae-shmem-heap", bytes, libc::MFD_HUGETLB | libc::MFD_HUGE_2MB)?;
            // Without MAP_NORESERVE.
            let mapping = map(&file, bytes, boundary, 0)?;
            Ok::<_, Error>((file, mapping))
        };
        let found = match pages {
            HugePages::Never => None,
            HugePages::Auto if free_huge_pages() * HUGE_PAGE < bytes => None,
            HugePages::Auto => reserved(()).ok(),
            HugePages::Reserved => Some(reserved(()).map_err(|error| {
                Error::Memory(format!(
                    "SHMEM_HUGE_PAGES=reserved asks for {} huge pages, and {} are free: {error}; vm.nr_hugepages reserves \
                     some, and SHMEM_HUGE_PAGES=auto takes others",
                    bytes.div_ceil(HUGE_PAGE),
                    free_huge_pages()
                ))
            })?),
        };
        let is_reserved = found.is_some();
        let (file, mapping) = match found {
            Some(found) => found,
            None => {
                let file = create(c"philae-shmem-heap", bytes, 0)?;
                let mapping = map_pages(&file, bytes, boundary, pages)?;
                (file, mapping)
            }
        };
        Ok(Self { place: place(&file)?, mapping, file: Some(file), is_reserved })
    }

    /// The address of the heap.
    #[must_use]
    pub fn heap(&self) -> usize {
        self.mapping.base + LEAD
    }

    /// Closes the descriptor, after all PEs of this host have mapped the segment.
    pub fn close(&mut self) {
        self.file = None;
    }
}

fn free_huge_pages() -> usize {
    let free = std::fs::read_to_string("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");
    free.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// Maps another PE's segment, or its static data.
pub fn attach(pe: u32, place: SegmentFile, pages: HugePages) -> Result<Mapping, Error> {
    let bytes = usize::try_from(place.bytes).map_err(|_| Error::Memory(format!("PE {pe}'s memory has no length")))?;
    map_pages(&open(pe, place)?, bytes, Boundary { lead: 0, bytes: HUGE_PAGE }, pages)
}
