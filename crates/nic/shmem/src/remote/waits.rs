//! Records what a provider's trace (`FI_PHILAE_TRACE=DIRECTORY`) lacks: where in a PE's memory an
//! operation makes a change, and that a PE has waited for its memory to change. Each PE writes a
//! file `PE.phwaits` next to the provider's. `philae trace convert` reads both, and makes each
//! waiting PE depend on the operations that changed what it waited for.
//!
//! The format: the eight bytes `PHWAITS` and 1; two words: the PE and the process; then records of
//! [`WORDS`] words, in little-endian order. The words of a record have a fixed order. First come
//! the kind ([`CHANGED`], [`WAITED`]) and the time before the operation or after the wait in ns
//! (`CLOCK_MONOTONIC`). Then come the number of the range of symmetric memory, the offset in it,
//! the bytes, the context of the operation as the provider has it, and the thread. Operations are
//! in the order in which a thread issued them, which is that of the provider's records.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::region::LocalRange;

/// The beginning of a file: a name, and the version of the format.
pub const MAGIC: [u8; 8] = *b"PHWAITS\x01";
/// The words of a record.
pub const WORDS: usize = 7;
/// An operation changes memory.
pub const CHANGED: u64 = 1;
/// A wait for memory has ended.
pub const WAITED: u64 = 2;
/// Bytes to buffer before writing. Source: ours. Status: assumed.
const BUFFER: usize = 1 << 18;

static IS_ON: AtomicBool = AtomicBool::new(false);
static SINK: Mutex<Option<Sink>> = Mutex::new(None);

struct Sink {
    path: PathBuf,
    process: u32,
    ranges: Vec<LocalRange>,
    /// Whether the file has a record of this process.
    is_begun: bool,
    buffer: Vec<u8>,
}

fn sink() -> MutexGuard<'static, Option<Sink>> {
    SINK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a trace is written.
#[inline]
pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Begins the trace, or continues it if the library was initialised before.
pub(super) fn begin(folder: &Path, pe: u32, ranges: &[LocalRange]) {
    let mut sink = sink();
    let process = std::process::id();
    let ranges = ranges.to_vec();
    match &mut *sink {
        Some(known) if known.process == process => known.ranges = ranges,
        other => {
            let mut buffer = MAGIC.to_vec();
            [u64::from(pe), u64::from(process)].iter().for_each(|word| buffer.extend(word.to_le_bytes()));
            *other =
                Some(Sink { path: folder.join(format!("{pe}.phwaits")), process, ranges, is_begun: false, buffer });
        }
    }
    IS_ON.store(true, Ordering::Release);
}

/// Writes all buffered records to the file.
pub fn end() {
    if IS_ON.swap(false, Ordering::AcqRel)
        && let Some(sink) = &mut *sink()
    {
        sink.flush();
    }
}

/// The time, if a trace needs it.
pub(super) fn now() -> u64 {
    if !is_on() {
        return 0;
    }
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for a time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Records that an operation, issued after `before`, changes memory at this address (as this PE has
/// it).
#[inline]
pub(super) fn changed(before: u64, address: u64, bytes: usize, context: u64) {
    if is_on() {
        write(CHANGED, before, address as usize, bytes, context);
    }
}

/// Records that this PE has waited until its memory at this address changed, or has seen that it
/// had.
#[inline]
pub fn waited(address: usize, bytes: usize) {
    if is_on() {
        write(WAITED, now(), address, bytes, 0);
    }
}

#[cold]
fn write(what: u64, time: u64, address: usize, bytes: usize, context: u64) {
    let mut sink = sink();
    // A fork's child is not a PE and writes nothing.
    let Some(sink) = sink.as_mut().filter(|sink| sink.process == std::process::id()) else { return };
    let find = |(number, range): (usize, &LocalRange)| range.offset(address, bytes).map(|offset| (number, offset));
    // Words on which PEs wait only within a host lie elsewhere.
    let Some((range, offset)) = sink.ranges.iter().enumerate().find_map(find) else { return };
    // SAFETY: the call has no arguments.
    let thread = unsafe { libc::syscall(libc::SYS_gettid) };
    let record: [u64; WORDS] = [what, time, range as u64, offset as u64, bytes as u64, context, thread as u64];
    for word in record {
        sink.buffer.extend(word.to_le_bytes());
    }
    if sink.buffer.len() >= BUFFER {
        sink.flush();
    }
}

impl Sink {
    fn flush(&mut self) {
        let buffer = std::mem::take(&mut self.buffer);
        let open = || {
            let mut options = File::options();
            if self.is_begun { options.append(true) } else { options.write(true).create_new(true) }.open(&self.path)
        };
        match open().and_then(|mut file| file.write_all(&buffer)) {
            Ok(()) => self.is_begun = true,
            Err(error) => {
                let path = self.path.display();
                let line = format!("philae: cannot write {path}: {error}; the trace has no waits for memory\n");
                let _ = std::io::stderr().write_all(line.as_bytes());
                IS_ON.store(false, Ordering::Release);
            }
        }
    }
}
