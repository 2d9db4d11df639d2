//! A trace of this process's requests to its NIC, and of the completions that it reads
//! (`FI_PHILAE_TRACE=DIRECTORY`). Each process writes one file, `RANK.phtrace`, or
//! `pPROCESS.phtrace` if no launcher has set a rank.
//!
//! The format: the eight bytes `PHTRACE` and 1; three words: the rank (all ones: unknown), the
//! process, the number of the host; then records of [`WORDS`] words. A word has eight bytes, in
//! little-endian order. The first word of a record has its kind in the lowest byte, and in the
//! others the computation before it in ns. The second word is the time in ns (`CLOCK_MONOTONIC`);
//! [`RecordKind`] describes the others. The last record of a complete trace is an end. `philae
//! trace convert` reads it.
//!
//! Computation is the time of the thread's core (`CLOCK_THREAD_CPUTIME_ID`) between two calls. A
//! program that polls without success is waiting: up to [`POLL_NS`] between two such polls does not
//! count as computation. In simulated time, both are those of the rank: its clock, and what the run
//! counts as computation.

use std::cell::Cell;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use philae_fi_sys::{FI_EAVAIL, fi_addr_t};

use crate::abi::Errno;
use crate::completion::OperationResult;
use crate::host;
use crate::log::tell;
use crate::simulated::rank;
use crate::wait::clock_ns;

/// The beginning of a file: a name, and the version of the format.
pub const MAGIC: [u8; 8] = *b"PHTRACE\x01";
/// The words of a record.
pub const WORDS: usize = 9;
/// The longest time between two unsuccessful polls that counts as waiting, in ns. Source: ours.
/// Status: assumed.
pub const POLL_NS: u64 = 2_000;
/// Bytes to buffer before writing. Source: ours. Status: assumed.
const BUFFER: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RecordKind {
    /// An endpoint was enabled: its unique number, its address vector, its transmit and receive
    /// queues, its virtual network.
    Endpoint = 1,
    /// An address vector has a new entry: the vector, the entry, the number of its endpoint.
    Peer = 2,
    /// A message was sent: endpoint, entry of the receiver, tag, bytes, context, flags, whether its
    /// completion is reported.
    Send = 3,
    /// A receive was posted: endpoint, entry of the sender (all ones: any), tag, bytes, context,
    /// flags, bits of the tag that do not matter.
    Receive = 4,
    /// Memory of another endpoint was written: like a message, with the key as its tag.
    Write = 5,
    /// It was read: in the same form.
    Read = 6,
    /// It was changed: in the same form; the last word has bit 1 set if the operation returned the
    /// old value.
    Atomic = 7,
    /// A completion was read: its queue, entry of the sender (all ones: unknown or none), tag,
    /// bytes, context, flags, and the error number or 0.
    Completion = 8,
    /// A wait for a counter has succeeded: all earlier requests have ended.
    Waited = 9,
    /// An endpoint was closed: the trace is complete so far.
    End = 10,
}

static IS_ON: AtomicBool = AtomicBool::new(false);
static SINK: Mutex<Option<Sink>> = Mutex::new(None);

/// The destination of records.
struct Sink {
    folder: PathBuf,
    /// Made by the first record, so that a process that only lists providers leaves no file.
    file: Option<File>,
    process: u32,
    buffer: Vec<u8>,
    /// The time of the last record, in simulated time.
    last: u64,
}

/// A thread's state since its last call.
#[derive(Clone, Copy, Default)]
struct Span {
    /// Its core time when the last call ended; 0 before the first.
    left_at: u64,
    /// Computation that no record has yet.
    computed: u64,
    /// Whether the last call was an unsuccessful poll.
    is_idle: bool,
    /// The depth of nested calls.
    depth: u32,
}

thread_local! {
    static SPAN: Cell<Span> = const { Cell::new(Span { left_at: 0, computed: 0, is_idle: false, depth: 0 }) };
}

/// Reads whether a trace is requested.
pub(crate) fn begin() {
    if let Some(folder) = std::env::var_os("FI_PHILAE_TRACE").filter(|folder| !folder.is_empty()) {
        let mut sink = sink();
        if sink.is_none() {
            *sink = Some(Sink {
                folder: folder.into(),
                file: None,
                process: std::process::id(),
                buffer: Vec::new(),
                last: 0,
            });
            IS_ON.store(true, Ordering::Release);
        }
    }
}

fn sink() -> MutexGuard<'static, Option<Sink>> {
    SINK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a trace is requested.
#[inline]
pub(crate) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// A call by the program, whose time does not count as the program's.
pub(crate) struct TracedCall {
    pub is_on: bool,
}

/// Begins a call by the program.
#[inline]
pub(crate) fn enter() -> TracedCall {
    let is_on = is_on();
    if is_on {
        entered();
    }
    TracedCall { is_on }
}

#[cold]
fn entered() {
    let mut span = SPAN.get();
    if span.depth == 0 && span.left_at > 0 && !rank::is_joined() {
        let gap = clock_ns(libc::CLOCK_THREAD_CPUTIME_ID).saturating_sub(span.left_at);
        if !span.is_idle || gap > POLL_NS {
            span.computed += gap;
        }
        span.is_idle = false;
    }
    span.depth += 1;
    SPAN.set(span);
}

impl Drop for TracedCall {
    #[inline]
    fn drop(&mut self) {
        if self.is_on {
            left();
        }
    }
}

#[cold]
fn left() {
    let mut span = SPAN.get();
    span.depth = span.depth.saturating_sub(1);
    if span.depth == 0 {
        span.left_at = clock_ns(libc::CLOCK_THREAD_CPUTIME_ID);
    }
    SPAN.set(span);
}

impl TracedCall {
    /// Marks the call as an unsuccessful poll.
    pub fn found_nothing<T>(&self, answer: &Result<T, Errno>) {
        if self.is_on && answer.as_ref().err().is_some_and(|&error| error != FI_EAVAIL) {
            SPAN.set(Span { is_idle: true, ..SPAN.get() });
        }
    }

    /// Marks the call as a successful wait for a counter.
    pub fn waited(&self) {
        if self.is_on {
            write(RecordKind::Waited, [0; WORDS - 2]);
        }
    }
}

/// Writes a record with the computation before it. `rest`: its words from the third on.
#[cold]
pub(crate) fn write(kind: RecordKind, rest: [u64; WORDS - 2]) {
    let span = SPAN.get();
    SPAN.set(Span { computed: 0, ..span });
    let simulated = rank::traced();
    let is_simulated = simulated.is_some();
    let (now, computed) = simulated.unwrap_or_else(|| (clock_ns(libc::CLOCK_MONOTONIC), span.computed));
    let mut sink = sink();
    let Some(sink) = sink.as_mut().filter(|sink| sink.process == std::process::id()) else { return };
    let now = if is_simulated { sink.after_all(now) } else { now };
    sink.put(&[kind as u64 | computed << 8, now]);
    sink.put(&rest);
    if sink.buffer.len() >= BUFFER || kind == RecordKind::End {
        sink.flush();
    }
}

impl Sink {
    /// A time in simulated time, moved behind that of the last record: in order of time, records
    /// are in the order in which they were written.
    fn after_all(&mut self, now: u64) -> u64 {
        self.last = now.max(self.last + 1);
        self.last
    }

    fn put(&mut self, words: &[u64]) {
        self.buffer.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn flush(&mut self) {
        let buffer = std::mem::take(&mut self.buffer);
        let written = self.open().and_then(|file| file.write_all(&buffer));
        if let Err(error) = written {
            let folder = self.folder.display();
            tell(&format!("philae: cannot write a trace into {folder}: {error}; it ends here"));
            IS_ON.store(false, Ordering::Relaxed);
        }
    }

    fn open(&mut self) -> std::io::Result<&mut File> {
        if self.file.is_none() {
            let (rank, process) = (host::rank(), self.process);
            let make = |name: String| File::options().write(true).create_new(true).open(self.folder.join(name));
            let own = format!("p{process}.phtrace");
            let mut file = match rank {
                // A rank may start other programs: those have files of their own.
                Some(rank) => make(format!("{rank}.phtrace")).or_else(|_| make(own))?,
                None => make(own)?,
            };
            file.write_all(&MAGIC)?;
            for word in [rank.map_or(u64::MAX, u64::from), u64::from(process), host::number()] {
                file.write_all(&word.to_le_bytes())?;
            }
            self.file = Some(file);
        }
        self.file.as_mut().ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }
}

/// An object's name in a trace.
pub(crate) fn name<T: ?Sized>(object: &T) -> u64 {
    std::ptr::from_ref(object).cast::<u8>() as u64
}

/// Records that an endpoint was closed.
pub(crate) fn closed() {
    if is_on() {
        write(RecordKind::End, [0; WORDS - 2]);
    }
}

/// Records a new entry of an address vector.
pub(crate) fn inserted<T>(vector: &T, number: fi_addr_t, incarnation: u64) {
    if is_on() {
        write(RecordKind::Peer, [name(vector), number, incarnation, 0, 0, 0, 0]);
    }
}

/// Records a completion that the program reads.
#[inline]
pub(crate) fn completed<T>(queue: &T, completion: &OperationResult, error: i32) {
    if is_on() {
        let &OperationResult { context, flags, length, tag, source, .. } = completion;
        write(RecordKind::Completion, [name(queue), source, tag, length, context, flags, error as u64]);
    }
}
