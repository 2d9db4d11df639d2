//! An endpoint: issues operations, collects completions and reports failures.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use philae_fi_sys::*;

use super::error::RemoteError;
use super::nic::OpenNic;
use super::operation::{RmaKind, RmaOperation};
use super::waits;

/// How many operations an endpoint remembers, so that an error can say which one failed.
/// Source: ours. Status: assumed.
const REMEMBERED: usize = 1_024;
/// Polls without a completion before the thread yields its core. Source: ours. Status: assumed.
const POLLS: u32 = 256;
/// One poll in this many is of the PE's target endpoint. Source: ours. Status: assumed.
const TARGET_POLLS: u32 = 16;
/// Completions that one read takes at most. Source: ours. Status: assumed.
const BATCH: usize = 16;

/// An operation's description, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct About {
    /// The program's function.
    pub what: &'static str,
    pub pe: u32,
    /// The address, as this PE has it.
    pub address: u64,
}

impl About {
    const NOTHING: Self = Self { what: "", pe: 0, address: 0 };

    fn failed(&self, why: String) -> RemoteError {
        RemoteError::Operation { what: self.what, pe: self.pe, address: self.address, why }
    }
}

impl std::fmt::Display for About {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} on PE {}, address {:#x}", self.what, self.pe, self.address)
    }
}

/// Operations with a waiter, or whose end the program will test. libfabric has this address until
/// all of them have ended.
#[derive(Debug)]
#[repr(align(8))]
pub(super) struct Awaited {
    pub about: About,
    /// Parts that have not ended yet.
    left: AtomicU32,
    /// The first error's number, or 0.
    error: AtomicI32,
}

impl Awaited {
    pub const fn new(about: About) -> Self {
        Self { about, left: AtomicU32::new(0), error: AtomicI32::new(0) }
    }

    pub fn is_over(&self) -> bool {
        self.left.load(Ordering::Acquire) == 0
    }
}

/// What an endpoint remembers of operations without a waiter of their own.
struct Remembered {
    next: u64,
    last: [About; REMEMBERED],
}

/// An endpoint, closed on drop.
pub(super) struct RmaEndpoint {
    pub nic: Arc<OpenNic>,
    pub raw: *mut fid_ep,
    queue: *mut fid_cq,
    /// Completion counters of writes and of reads.
    counters: [*mut fid_cntr; 2],
    /// Operations begun, in the same order.
    begun: [AtomicU64; 2],
    remembered: Mutex<Remembered>,
    /// Operations in flight without a waiter of their own, by PE. Counted only from the first call
    /// that asks, because a counted operation takes an entry in the queue.
    by_pe: OnceLock<Box<[AtomicU32]>>,
    /// The first failure, which ends every later wait.
    failure: Mutex<Option<RemoteError>>,
    has_failed: AtomicBool,
    patience: Option<Duration>,
    /// The PE's target endpoint, if that is another one: waits on this endpoint poll it too.
    target: Option<Arc<RmaEndpoint>>,
}

// SAFETY: libfabric was asked for a domain that any thread may use at any time.
unsafe impl Send for RmaEndpoint {}
// SAFETY: as above.
unsafe impl Sync for RmaEndpoint {}

/// Bits of a context that hold the PE. Source: ours. Status: assumed.
const PE_BITS: u32 = 24;
/// Operation numbers that fit in the other bits. Source: computed. Status: derived.
const NUMBERS: u64 = u64::MAX >> (PE_BITS + 1);

/// An operation's number and PE, as its context. It is odd, so that it is never the address of an
/// [`Awaited`].
const fn context_of(number: u64, pe: u32) -> *mut c_void {
    (number << (PE_BITS + 1) | (pe as u64) << 1 | 1) as usize as *mut c_void
}

/// The number and the PE of a context, unless it is the address of an [`Awaited`].
fn number_of(context: *mut c_void) -> Option<(u64, u32)> {
    let context = context as usize as u64;
    let pe = context as u32 >> 1 & ((1 << PE_BITS) - 1);
    (context & 1 == 1).then_some((context >> (PE_BITS + 1), pe))
}

impl RmaEndpoint {
    pub fn open(
        nic: &Arc<OpenNic>,
        patience: Option<Duration>,
        target: Option<&Arc<Self>>,
    ) -> Result<Self, RemoteError> {
        let mut endpoint = Self {
            nic: Arc::clone(nic),
            raw: null_mut(),
            queue: null_mut(),
            counters: [null_mut(); 2],
            begun: [const { AtomicU64::new(0) }; 2],
            remembered: Mutex::new(Remembered { next: 0, last: [About::NOTHING; REMEMBERED] }),
            by_pe: OnceLock::new(),
            failure: Mutex::default(),
            has_failed: AtomicBool::new(false),
            patience,
            target: target.map(Arc::clone),
        };
        // SAFETY: each object is made through the table of the one before it, and answers are
        // checked before the object is used. `drop` closes all.
        unsafe {
            let table = &*(*nic.domain).ops;
            let mut attr: fi_cq_attr = std::mem::zeroed();
            (attr.format, attr.wait_obj) = (FI_CQ_FORMAT_CONTEXT, FI_WAIT_NONE);
            let open = table.cq_open.ok_or_else(|| nic.missing("fi_cq_open"))?;
            nic.done("fi_cq_open", open(nic.domain, &raw mut attr, &raw mut endpoint.queue, null_mut()))?;
            let open = table.cntr_open.ok_or_else(|| nic.missing("fi_cntr_open"))?;
            for counter in &mut endpoint.counters {
                let mut attr: fi_cntr_attr = std::mem::zeroed();
                (attr.events, attr.wait_obj) = (FI_CNTR_EVENTS_COMP, FI_WAIT_NONE);
                nic.done("fi_cntr_open", open(nic.domain, &raw mut attr, &raw mut *counter, null_mut()))?;
            }
            let open = table.endpoint.ok_or_else(|| nic.missing("fi_endpoint"))?;
            nic.done("fi_endpoint", open(nic.domain, nic.info.raw, &raw mut endpoint.raw, null_mut()))?;
            let own = &raw mut (*endpoint.raw).fid;
            let bind = (*(*own).ops).bind.ok_or_else(|| nic.missing("fi_ep_bind"))?;
            nic.done("fi_ep_bind", bind(own, &raw mut (*nic.vector).fid, 0))?;
            // `FI_TRANSMIT` is `FI_SEND`.
            let flags = FI_SEND | FI_RECV | FI_SELECTIVE_COMPLETION;
            nic.done("fi_ep_bind", bind(own, &raw mut (*endpoint.queue).fid, flags))?;
            for (counter, flags) in endpoint.counters.into_iter().zip([FI_WRITE, FI_READ]) {
                nic.done("fi_ep_bind", bind(own, &raw mut (*counter).fid, flags))?;
            }
            let control = (*(*own).ops).control.ok_or_else(|| nic.missing("fi_enable"))?;
            nic.done("fi_enable", control(own, FI_ENABLE as c_int, null_mut()))?;
        }
        Ok(endpoint)
    }

    /// The endpoint's address, for the other PEs.
    pub fn address(&self) -> Result<Vec<u8>, RemoteError> {
        let mut bytes = vec![0; 512];
        let mut length = bytes.len();
        // SAFETY: the buffer has the given size.
        unsafe {
            let table = (*self.raw).cm.as_ref();
            let get = table.and_then(|table| table.getname).ok_or_else(|| self.nic.missing("fi_getname"))?;
            let code = get(&raw mut (*self.raw).fid, bytes.as_mut_ptr().cast(), &raw mut length);
            self.nic.done("fi_getname", code)?;
        }
        bytes.truncate(length);
        Ok(bytes)
    }

    fn remembered(&self) -> MutexGuard<'_, Remembered> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a context for an operation without a waiter of its own.
    pub fn remember(&self, about: About) -> *mut c_void {
        let mut remembered = self.remembered();
        let number = remembered.next;
        remembered.last[number as usize % REMEMBERED] = about;
        remembered.next += 1;
        context_of(number, about.pe)
    }

    /// Issues an operation; if there is no room, first lets operations in flight complete. `more`:
    /// `FI_MORE` or nothing.
    ///
    /// # Safety
    /// As [`RmaOperation::issue`].
    pub unsafe fn issue(&self, operation: &RmaOperation, about: About, more: u64) -> Result<(), RemoteError> {
        let mut patience = WaitPatience::new(self, "a place in the queue of operations");
        // Counted before it begins: otherwise its end could count as that of an earlier operation
        // of another thread.
        let begun = &self.begun[usize::from(operation.kind.is_read())];
        begun.fetch_add(1, Ordering::SeqCst);
        let counted = self.by_pe.get().filter(|_| operation.flags & FI_COMPLETION == 0);
        let counted = counted.map(|by_pe| &by_pe[about.pe as usize]);
        let more = if counted.is_some() { more | FI_COMPLETION } else { more };
        if let Some(counted) = counted {
            counted.fetch_add(1, Ordering::AcqRel);
        }
        let before = waits::now();
        let failure = loop {
            // SAFETY: the endpoint lives as long as `self`; the rest is as the caller promises.
            let code = unsafe { operation.issue(self.raw, more) };
            if code >= 0 {
                if operation.kind != RmaKind::Read {
                    waits::changed(before, about.address, operation.bytes, operation.context as u64);
                }
                return Ok(());
            }
            if code != -(libc::EAGAIN as isize) {
                break about.failed(self.nic.library.why(code as c_int));
            }
            if let Err(failure) = patience.look() {
                break failure;
            }
        };
        begun.fetch_sub(1, Ordering::SeqCst);
        if let Some(counted) = counted {
            counted.fetch_sub(1, Ordering::AcqRel);
        }
        Err(failure)
    }

    /// The same for an operation with a waiter.
    ///
    /// # Safety
    /// As above, and `awaited` stays in its place until the operation has ended.
    pub unsafe fn issue_awaited(
        &self,
        mut operation: RmaOperation,
        awaited: &Awaited,
        more: u64,
    ) -> Result<(), RemoteError> {
        operation.flags |= FI_COMPLETION;
        operation.context = std::ptr::from_ref(awaited).cast_mut().cast();
        awaited.left.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        let begun = unsafe { self.issue(&operation, awaited.about, more) };
        if begun.is_err() {
            awaited.left.fetch_sub(1, Ordering::Relaxed);
        }
        begun
    }

    /// Polls the queue, which lets the provider make progress. Returns whether an operation has
    /// ended.
    pub fn look(&self) -> Result<bool, RemoteError> {
        if self.has_failed.load(Ordering::Acquire) {
            let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone();
            return failure.map_or(Ok(false), Err);
        }
        let mut entries = [fi_cq_entry { op_context: null_mut() }; BATCH];
        // SAFETY: there is room for as many entries of this format as the call asks for.
        let count = unsafe {
            let read = (*(*self.queue).ops).read.ok_or_else(|| self.nic.missing("fi_cq_read"))?;
            read(self.queue, entries.as_mut_ptr().cast(), BATCH)
        };
        match count {
            0.. => {
                for entry in entries.iter().take(count as usize) {
                    // SAFETY: every context that comes back is one of ours, once for each
                    // operation.
                    if let Some(awaited) = unsafe { awaited(entry.op_context) } {
                        awaited.left.fetch_sub(1, Ordering::AcqRel);
                    } else if let (Some((_, pe)), Some(by_pe)) = (number_of(entry.op_context), self.by_pe.get()) {
                        by_pe[pe as usize].fetch_sub(1, Ordering::AcqRel);
                    }
                }
                Ok(count > 0)
            }
            code if code == -(libc::EAGAIN as isize) => Ok(false),
            code if code == -(FI_EAVAIL as isize) => Err(self.failed()),
            code => self.nic.done("fi_cq_read", code as c_int).map(|()| false),
        }
    }

    /// Reads an error entry, and informs everyone who waits on this endpoint.
    fn failed(&self) -> RemoteError {
        // SAFETY: zero bytes are an empty entry; the queue fills it in, and has texts for its own
        // error numbers.
        let (context, code, mut why) = unsafe {
            let mut entry: fi_cq_err_entry = std::mem::zeroed();
            let table = &*(*self.queue).ops;
            if let Some(read) = table.readerr {
                read(self.queue, &raw mut entry, 0);
            }
            let mut own = String::new();
            if let Some(text) = table.strerror {
                let text = text(self.queue, entry.prov_errno, entry.err_data, null_mut(), 0);
                if !text.is_null() {
                    own = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
                }
            }
            (entry.op_context, entry.err, own)
        };
        let said = self.nic.library.why(code);
        why = if why.is_empty() || why == said { said } else { format!("{said} ({why})") };
        // SAFETY: as in `look`.
        let failure = if let Some(awaited) = unsafe { awaited(context) } {
            awaited.error.store(code, Ordering::Relaxed);
            let about = awaited.about;
            awaited.left.fetch_sub(1, Ordering::AcqRel);
            about.failed(why)
        } else {
            let remembered = self.remembered();
            let number = number_of(context).map(|(number, _)| number);
            let number = number
                .filter(|number| (1..=REMEMBERED as u64).contains(&(remembered.next.wrapping_sub(*number) & NUMBERS)));
            if let Some(number) = number {
                remembered.last[number as usize % REMEMBERED].failed(why)
            } else {
                RemoteError::Forgotten { kept: REMEMBERED, provider: self.nic.provider.clone(), why }
            }
        };
        self.fail(failure)
    }

    /// Marks the endpoint as failed for good; returns the first failure, which all callers get.
    fn fail(&self, failure: RemoteError) -> RemoteError {
        let mut first = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        let failure = first.get_or_insert(failure).clone();
        self.has_failed.store(true, Ordering::Release);
        failure
    }

    /// How many writing and reading operations have begun.
    pub fn begun(&self) -> [u64; 2] {
        [0, 1].map(|which| self.begun[which].load(Ordering::SeqCst))
    }

    /// How many writing and reading operations have not ended.
    pub fn in_flight(&self) -> [u64; 2] {
        [0, 1].map(|which| {
            // Reads the ended count first, so that it can only overestimate what is in flight. The
            // other order could count the end of an operation that another thread begins between
            // the reads as the end of one still in flight. SAFETY: the counter lives as long as
            // `self`.
            let ended = unsafe {
                let counter: *mut fid_cntr = self.counters[which];
                (*(*counter).ops).read.map_or(0, |read| read(counter))
            };
            self.begun[which].load(Ordering::SeqCst).saturating_sub(ended)
        })
    }

    /// Waits until all writes have ended, and with `reads` also all reads.
    pub fn wait_for_all(&self, what: &'static str, reads: bool) -> Result<(), RemoteError> {
        let mut patience = WaitPatience::new(self, what);
        loop {
            let [writing, reading] = self.in_flight();
            if writing == 0 && (!reads || reading == 0) {
                if reads {
                    self.tell_waited();
                }
                // There may be an error of an earlier operation whose end is not counted.
                return if self.has_failed.load(Ordering::Acquire) { self.look().map(drop) } else { Ok(()) };
            }
            patience.look()?;
        }
    }

    /// Waits until the operations on these PEs that have no waiter of their own have ended. The
    /// first call waits for all PEs; from then on operations are counted by PE.
    pub fn wait_for_pes(&self, what: &'static str, pes: &[u32], n_pes: usize) -> Result<(), RemoteError> {
        let Some(by_pe) = self.by_pe.get() else {
            self.by_pe.get_or_init(|| (0..n_pes).map(|_| AtomicU32::new(0)).collect());
            return self.wait_for_all(what, true);
        };
        let mut patience = WaitPatience::new(self, what);
        for &pe in pes {
            while by_pe[pe as usize].load(Ordering::Acquire) > 0 {
                patience.look()?;
            }
        }
        // As for all PEs: the error of an earlier operation.
        if self.has_failed.load(Ordering::Acquire) { self.look().map(drop) } else { Ok(()) }
    }

    /// Tells the provider's trace that all earlier operations have ended: it sees waits on
    /// counters, but not reads of them.
    fn tell_waited(&self) {
        if !self.nic.is_philae() {
            return;
        }
        for (&counter, begun) in self.counters.iter().zip(&self.begun) {
            let begun = begun.load(Ordering::Acquire);
            // SAFETY: the counter lives as long as `self`. It has its value already, so that the
            // wait returns immediately.
            unsafe {
                if let Some(wait) = (*(*counter).ops).wait.filter(|_| begun > 0) {
                    wait(counter, begun, 0);
                }
            }
        }
    }

    /// Waits for the operations of one `Awaited`.
    pub fn wait_for(&self, awaited: &Awaited) -> Result<(), RemoteError> {
        let mut patience = WaitPatience::new(self, awaited.about.what);
        while !awaited.is_over() {
            if let Err(error) = patience.look() {
                self.abandon(awaited);
                return Err(error);
            }
        }
        match awaited.error.load(Ordering::Relaxed) {
            0 => Ok(()),
            code => Err(awaited.about.failed(self.nic.library.why(code))),
        }
    }

    /// Gives up on an operation. libfabric still has the address of `awaited`, so the operation has
    /// to end before that memory is reused. On a failed endpoint this waits a while for operations
    /// in flight, and then never polls for them again.
    fn abandon(&self, awaited: &Awaited) {
        let until = Instant::now() + ABANDON;
        while !awaited.is_over() && Instant::now() < until {
            let mut entry = fi_cq_entry { op_context: null_mut() };
            // SAFETY: there is room for one entry.
            let count =
                unsafe { (*(*self.queue).ops).read.map_or(-1, |read| read(self.queue, (&raw mut entry).cast(), 1)) };
            // SAFETY: as in `look`.
            if let Some(awaited) = unsafe { awaited_of(count, entry.op_context) } {
                awaited.left.fetch_sub(1, Ordering::AcqRel);
            } else if count == -(FI_EAVAIL as isize) {
                self.failed();
            } else {
                std::thread::yield_now();
            }
        }
    }

    fn last(&self) -> String {
        let remembered = self.remembered();
        match remembered.next.checked_sub(1) {
            Some(number) => remembered.last[number as usize % REMEMBERED].to_string(),
            None => "one that was waited for".to_owned(),
        }
    }
}

/// How long to wait for the operations in flight of a failed endpoint. Source: ours.
/// Status: assumed.
const ABANDON: Duration = Duration::from_millis(200);

/// The waiter of an operation with this context.
///
/// # Safety
/// The context is one of ours.
unsafe fn awaited<'a>(context: *mut c_void) -> Option<&'a Awaited> {
    let is_number = context.is_null() || context as usize & 1 == 1;
    // SAFETY: as the caller promises: the waiter keeps it in its place.
    if is_number { None } else { unsafe { context.cast::<Awaited>().cast_const().as_ref() } }
}

/// # Safety
/// As above, if the count is 1.
unsafe fn awaited_of<'a>(count: isize, context: *mut c_void) -> Option<&'a Awaited> {
    // SAFETY: as the caller promises.
    if count == 1 { unsafe { awaited(context) } } else { None }
}

impl Drop for RmaEndpoint {
    fn drop(&mut self) {
        // SAFETY: the objects were made or are null, and each is closed once, after those that use
        // it.
        unsafe {
            close(self.raw);
            self.counters.into_iter().for_each(|counter| {
                close(counter);
            });
            close(self.queue);
        }
    }
}

/// A wait's patience: it polls, yields the core, and ends if there is no progress at all.
pub(super) struct WaitPatience<'e> {
    endpoint: &'e RmaEndpoint,
    what: &'static str,
    polls: u32,
    /// Since when there has been no progress, and what was in flight then.
    since: Option<(Instant, [u64; 2])>,
}

impl<'e> WaitPatience<'e> {
    pub const fn new(endpoint: &'e RmaEndpoint, what: &'static str) -> Self {
        Self { endpoint, what, polls: 0, since: None }
    }

    /// One poll.
    pub fn look(&mut self) -> Result<(), RemoteError> {
        if self.endpoint.look()? {
            (self.polls, self.since) = (0, None);
            return Ok(());
        }
        self.polls += 1;
        if self.polls.is_multiple_of(TARGET_POLLS)
            && let Some(target) = &self.endpoint.target
        {
            target.look()?;
        }
        if self.polls < POLLS {
            std::hint::spin_loop();
            return Ok(());
        }
        self.polls = 0;
        std::thread::yield_now();
        let Some(limit) = self.endpoint.patience else { return Ok(()) };
        let now = self.endpoint.in_flight();
        match self.since {
            Some((since, before)) if before == now => {
                if since.elapsed() > limit {
                    return Err(self.endpoint.fail(RemoteError::Silence {
                        what: self.what,
                        seconds: limit.as_secs(),
                        writes: now[0],
                        reads: now[1],
                        last: self.endpoint.last(),
                    }));
                }
            }
            _ => self.since = Some((Instant::now(), now)),
        }
        Ok(())
    }
}
